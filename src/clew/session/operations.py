"""Operations on a record as JSON, so that edits of the work directory are durable at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from clew.errors import RecordError
from clew.record.delta import Add, Close, Dismiss, Operation, Revise, SetNext, Supersede
from clew.record.items import Evidence, Status
from clew.record.serde import item_from_json, item_to_json


def operation_to_json(operation: Operation) -> dict[str, Any]:
    """The JSON form of one operation."""
    match operation:
        case Add(item=item):
            return {"kind": "add", "item": item_to_json(item)}
        case Supersede(ids=ids, item=item, reason=reason):
            return {
                "kind": "supersede", "ids": list(ids), "item": item_to_json(item),
                "reason": reason,
            }  # fmt: skip
        case Revise():
            return {
                "kind": "revise", "id": operation.id, "text": operation.text,
                "evidence": _evidence(operation.evidence),
                "fields": [list(pair) for pair in operation.fields], "reason": operation.reason,
            }  # fmt: skip
        case Close():
            return {
                "kind": "close", "id": operation.id, "status": operation.status.value,
                "evidence": _evidence(operation.evidence), "reason": operation.reason,
            }  # fmt: skip
        case Dismiss(span=span, reason=reason):
            return {"kind": "dismiss", "span": span, "reason": reason}
        case SetNext(text=text, evidence=evidence):
            return {"kind": "next", "text": text, "evidence": _evidence(evidence)}
        case _:
            assert_never(operation)


def _evidence(evidence: tuple[Evidence, ...]) -> list[list[str]]:
    return [[each.span, each.quote] for each in evidence]


def operation_from_json(value: Mapping[str, Any]) -> Operation:
    """Read the JSON form of one operation; raises RecordError when it is none."""
    try:
        evidence = tuple(Evidence(span=s, quote=q) for s, q in value.get("evidence", ()))
        reason = value.get("reason", "")
        match value["kind"]:
            case "add":
                return Add(item=item_from_json(value["item"]))
            case "supersede":
                item = item_from_json(value["item"])
                return Supersede(ids=tuple(value["ids"]), item=item, reason=reason)
            case "revise":
                fields = tuple((name, text) for name, text in value["fields"])
                return Revise(
                    id=value["id"], text=value["text"], evidence=evidence, fields=fields,
                    reason=reason,
                )  # fmt: skip
            case "close":
                status = Status(value["status"])
                return Close(id=value["id"], status=status, evidence=evidence, reason=reason)
            case "dismiss":
                return Dismiss(span=value["span"], reason=reason)
            case "next":
                return SetNext(text=value["text"], evidence=evidence)
            case other:
                raise RecordError(f"a stored operation is of an unknown kind {other!r:.40}")
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"a stored operation cannot be read ({error})") from error
