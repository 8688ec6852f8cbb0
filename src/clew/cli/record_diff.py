"""`clew record diff`: what differs between two handoff records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.options import JsonOption, WindowOption
from clew.cli.records import SOURCE_HELP, read_record
from clew.cli.screen import say, write_json

if TYPE_CHECKING:
    from clew.record.items import Item
    from clew.record.record import HandoffRecord

_WATCHED = ("kind", "text", "status", "said_by", "why", "rejected", "fields", "evidence",
            "superseded_by", "reason", "externalised")  # fmt: skip


def diff(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help=SOURCE_HELP)],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The other one.")],
    window: WindowOption = None,
    json: JsonOption = False,
) -> None:
    """Show which items were added, changed, settled or taken out between two records."""
    document = difference(read_record(before, None, window), read_record(after, None, window))
    if json:
        write_json(document)
        return
    for name in ("goal", "next"):
        if document[name] is not None:
            say(f"{name}: {document[name]['before']!r} -> {document[name]['after']!r}")
    say(*(f"+ {row['id']} {row['text']}" for row in document["added"]))
    say(*(f"- {row['id']} {row['text']}" for row in document["removed"]))
    for row in document["changed"]:
        for part in row["parts"]:
            say(f"~ {row['id']} {part['part']}: {part['before']} -> {part['after']}")
    if document["same"]:
        say("The records are the same.")


def difference(before: HandoffRecord, after: HandoffRecord) -> dict[str, Any]:
    """What differs, as a JSON document; scores and use counts are no difference."""
    old = {item.id: item for item in before.items}
    new = {item.id: item for item in after.items}
    changed = [
        {"id": item_id, "parts": parts}
        for item_id in old.keys() & new.keys()
        if (parts := _parts(old[item_id], new[item_id]))
    ]
    document: dict[str, Any] = {
        "goal": _pair(before.goal, after.goal),
        "next": _pair(before.next, after.next),
        "added": [_row(item) for item_id, item in new.items() if item_id not in old],
        "removed": [_row(item) for item_id, item in old.items() if item_id not in new],
        "changed": sorted(changed, key=lambda row: list(old).index(str(row["id"]))),
    }
    document["same"] = not any(document.values())
    return document


def _pair(before: str, after: str) -> dict[str, str] | None:
    return None if before == after else {"before": before, "after": after}


def _row(item: Item) -> dict[str, str]:
    return {"id": item.id, "kind": item.kind, "text": item.text, "status": item.status.value}


def _parts(old: Item, new: Item) -> list[dict[str, str]]:
    return [
        {"part": name, "before": _shown(old, name), "after": _shown(new, name)}
        for name in _WATCHED
        if getattr(old, name) != getattr(new, name)
    ]


def _shown(item: Item, name: str) -> str:
    value = getattr(item, name)
    match name:
        case "evidence":
            return "; ".join(f"{e.span} {e.quote}".strip() for e in item.evidence)
        case "rejected":
            return "; ".join(f"{r.option} ({r.why})" if r.why else r.option for r in item.rejected)
        case "fields":
            return "; ".join(f"{key}: {text}" for key, text in item.fields)
        case _:
            return str(value)
