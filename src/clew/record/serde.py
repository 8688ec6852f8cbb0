"""The JSON form of a record: versioned, strict about types, lossless.

Version 2 allows the hundreds of index entries and mentions as tables, one list for each member, and
an identifier as the place of its mention: less than half the text, in the time that takes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from math import isfinite
from typing import Any, NoReturn, TypeVar

from clew.errors import RecordError
from clew.record.items import Evidence, Item, Proposer, Rejected, Speaker, Status
from clew.record.record import RECORD_VERSION, HandoffRecord, IndexEntry, Mention

_E = TypeVar("_E", bound=StrEnum)
_T = TypeVar("_T")


def record_to_json(record: HandoffRecord) -> dict[str, Any]:
    """The JSON form of a record, always at the newest version."""
    return {
        "goal": record.goal,
        "goal_status": record.goal_status,
        "items": [item_to_json(item) for item in record.items],
        "next": record.next,
        "next_evidence": [_evidence_to_json(e) for e in record.next_evidence],
        "index": [index_entry_to_json(entry) for entry in record.index],
        "mentions": [mention_to_json(mention) for mention in record.mentions],
        "counters": dict(record.counters),
        "revision": record.revision,
        "version": RECORD_VERSION,
    }


def item_to_json(item: Item) -> dict[str, Any]:
    """The JSON form of one item; every attribute is there."""
    return {
        "id": item.id,
        "kind": item.kind,
        "text": item.text,
        "status": str(item.status),
        "evidence": [_evidence_to_json(e) for e in item.evidence],
        "said_by": str(item.said_by),
        "why": item.why,
        "rejected": [{"option": r.option, "why": r.why} for r in item.rejected],
        "fields": [list(pair) for pair in item.fields],
        "proposed_by": str(item.proposed_by),
        "verified": item.verified,
        "externalised": item.externalised,
        "superseded_by": item.superseded_by,
        "reason": item.reason,
        "uses": item.uses,
        "first_seen": item.first_seen,
        "last_used": item.last_used,
        "value": item.value + 0.0,  # no digest tells -0.0 from 0.0, which are equal
    }


def _evidence_to_json(evidence: Evidence) -> dict[str, str]:
    return {"span": evidence.span, "quote": evidence.quote}


def index_entry_to_json(entry: IndexEntry) -> dict[str, Any]:
    """The JSON form of one entry of the index."""
    return {
        "handle": entry.handle,
        "label": entry.label,
        "identifiers": list(entry.identifiers),
        "weight": entry.weight,
        "position": entry.position,
    }


def mention_to_json(mention: Mention) -> dict[str, Any]:
    """The JSON form of one mention."""
    return {
        "name": mention.name,
        "agent_uses": mention.agent_uses,
        "tool_uses": mention.tool_uses,
        "user_uses": mention.user_uses,
        "first": mention.first,
        "last": mention.last,
        "spans": list(mention.spans),
        "weight": mention.weight,
    }


def dump_record(record: HandoffRecord) -> str:
    """The JSON text of a record, ASCII so that lone surrogates survive; the same for equal records.

    Index and mentions are tables in it. Raises RecordError for a value that JSON cannot say (an
    infinite weight).
    """
    mentions, index = record.mentions, record.index
    tables = {"index": _index_table(index, mentions), "mentions": _mention_table(mentions)}
    value = record_to_json(replace(record, index=(), mentions=())) | tables
    try:
        return json.dumps(
            value,
            ensure_ascii=True,
            allow_nan=False,
            separators=(",", ":"),
            check_circular=False,  # no value of a record holds itself
        )
    except ValueError as error:
        raise RecordError(f"no JSON form ({error})") from error


def _mention_table(mentions: Sequence[Mention]) -> dict[str, Sequence[Any]]:
    return _columns(Mention._fields, mentions)


def _index_table(
    index: Sequence[IndexEntry], mentions: Sequence[Mention]
) -> dict[str, Sequence[Any]]:
    place = {mention.name: number for number, mention in enumerate(mentions)}
    table = _columns(IndexEntry._fields, index)
    table["identifiers"] = [list(map(place.get, names, names)) for names in table["identifiers"]]
    return table


def _columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, Sequence[Any]]:
    """One list for each member, also where there are no rows."""
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return dict(zip(names, columns, strict=True))


def load_record(text: str) -> HandoffRecord:
    """Read the JSON text of a record; raises RecordError with what is wrong and where."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"the record is no JSON document ({error})") from error
    return record_from_json(value)


def record_from_json(value: Any) -> HandoffRecord:
    """Read the JSON form of a record of any version up to the newest.

    Absent members take their defaults; an unknown member, a wrong type, an id given twice or a
    newer version raises RecordError.
    """
    if not isinstance(value, Mapping):
        raise RecordError(f"the record is a {type(value).__name__}, not an object")
    version = _Reader(value, "record").whole("version", RECORD_VERSION)
    loader = _LOADERS.get(version)
    if loader is None:
        raise RecordError(
            f"record version {version} is not one of {', '.join(map(str, _LOADERS))}; "
            f"upgrade Clew to read a newer one"
        )
    return loader(value)


def item_from_json(value: Any, where: str = "item") -> Item:
    """Read the JSON form of one item; `where` names it in errors."""
    reader = _Reader(value, where)
    item = Item(
        id=reader.text("id"),
        kind=reader.text("kind"),
        text=reader.text("text"),
        status=reader.choice("status", Status, Status.ACTIVE),
        evidence=reader.each("evidence", _evidence_from_json),
        said_by=reader.choice("said_by", Speaker, Speaker.DERIVED),
        why=reader.text("why", ""),
        rejected=reader.each("rejected", _rejected_from_json),
        fields=reader.each("fields", _pair_from_json),
        proposed_by=reader.choice("proposed_by", Proposer, Proposer.OFFLINE),
        verified=reader.truth("verified", True),
        externalised=reader.truth("externalised", False),
        superseded_by=reader.text("superseded_by", ""),
        reason=reader.text("reason", ""),
        uses=reader.whole("uses", 0),
        first_seen=reader.whole("first_seen", 0),
        last_used=reader.whole("last_used", 0),
        value=reader.number("value", 0.0),
    )
    reader.nothing_else()
    return item


def index_entry_from_json(value: Any, where: str = "index entry") -> IndexEntry:
    """Read the JSON form of one entry of the index."""
    reader = _Reader(value, where)
    entry = IndexEntry(
        handle=reader.text("handle"),
        label=reader.text("label"),
        identifiers=reader.each("identifiers", _text_from_json),
        weight=reader.number("weight", 0.0),
        position=reader.whole("position", 0),
    )
    reader.nothing_else()
    return entry


def mention_from_json(value: Any, where: str = "mention") -> Mention:
    """Read the JSON form of one mention."""
    reader = _Reader(value, where)
    mention = Mention(
        name=reader.text("name"),
        agent_uses=reader.whole("agent_uses", 0),
        tool_uses=reader.whole("tool_uses", 0),
        user_uses=reader.whole("user_uses", 0),
        first=reader.whole("first", 0),
        last=reader.whole("last", 0),
        spans=reader.each("spans", _text_from_json),
        weight=reader.number("weight", 0.0),
    )
    reader.nothing_else()
    return mention


def _record_version_2(value: Mapping[str, Any]) -> HandoffRecord:
    """Tables are read as the lists of objects they stand for."""
    mentions = _listed(value.get("mentions"), "record.mentions", _mention_table(()))
    index = _listed(value.get("index"), "record.index", _index_table((), ()))
    if index and isinstance(value.get("index"), Mapping):
        names = [m.get("name") if isinstance(m, Mapping) else None for m in mentions or ()]
        index = [_with_names(entry, names, n) for n, entry in enumerate(index)]
    given = {"mentions": mentions, "index": index}
    return _record_version_1({**value, **{n: v for n, v in given.items() if v is not None}})


def _listed(table: Any, where: str, columns_of: Iterable[str]) -> Any:
    """The objects that the lists of a table stand for; a table has every list, also when empty."""
    if not isinstance(table, Mapping):
        return table
    columns = list(table.values())
    if not all(isinstance(column, list) for column in columns):
        raise RecordError(f"{where} is an object, but its members are not all lists")
    if len({len(column) for column in columns}) > 1:
        raise RecordError(f"{where} has lists of different lengths")
    for name in columns_of:
        if name not in table:
            raise RecordError(f"{where} has no list of {name!r}")
    return [dict(zip(table, row, strict=True)) for row in zip(*columns, strict=True)]


def _with_names(entry: dict[str, Any], names: list[Any], number: int) -> dict[str, Any]:
    """An index entry whose identifiers are names again."""
    found: list[Any] = []
    given = entry.get("identifiers", [])
    if not isinstance(given, list):
        return entry  # whoever reads it says what is wrong
    for name in given:
        if type(name) is int and not 0 <= name < len(names):
            raise RecordError(f"record.index[{number}] names mention {name} of {len(names)}")
        found.append(names[name] if type(name) is int else name)
    return {**entry, "identifiers": found}


def _record_version_1(value: Mapping[str, Any]) -> HandoffRecord:
    reader = _Reader(value, "record")
    reader.whole("version", RECORD_VERSION)
    record = HandoffRecord(
        goal=reader.text("goal"),
        goal_status=reader.text("goal_status", "open"),
        items=reader.each("items", item_from_json),
        next=reader.text("next", ""),
        next_evidence=reader.each("next_evidence", _evidence_from_json),
        index=reader.each("index", index_entry_from_json),
        mentions=reader.each("mentions", mention_from_json),
        counters=reader.counts("counters"),
        revision=reader.whole("revision", 0),
    )
    reader.nothing_else()
    ids = [item.id for item in record.items]
    if len(set(ids)) != len(ids):
        twice = min(i for i in ids if ids.count(i) > 1)
        raise RecordError("the id is given to two items", item=twice)
    return record


_LOADERS: dict[int, Callable[[Mapping[str, Any]], HandoffRecord]] = {
    1: _record_version_1,
    2: _record_version_2,
}


def _evidence_from_json(value: Any, where: str) -> Evidence:
    reader = _Reader(value, where)
    evidence = Evidence(span=reader.text("span"), quote=reader.text("quote", ""))
    reader.nothing_else()
    return evidence


def _rejected_from_json(value: Any, where: str) -> Rejected:
    reader = _Reader(value, where)
    rejected = Rejected(option=reader.text("option"), why=reader.text("why", ""))
    reader.nothing_else()
    return rejected


def _pair_from_json(value: Any, where: str) -> tuple[str, str]:
    if not isinstance(value, list) or [type(part) for part in value] != [str, str]:
        raise RecordError(f"{where} is not a pair of texts")
    return (value[0], value[1])


def _text_from_json(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{where} is a {type(value).__name__}, not a text")
    return value


class _Reader:
    """Takes members out of a JSON object and remembers which, so that a stray one is an error."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, Mapping):
            raise RecordError(f"{where} is a {type(value).__name__}, not an object")
        self._value = value
        self._where = where
        self._taken: set[str] = set()

    def text(self, name: str, default: str | None = None) -> str:
        value = self._take(name, default)
        if not isinstance(value, str):
            self._wrong(name, value, "a text")
        return value

    def truth(self, name: str, default: bool) -> bool:
        value = self._take(name, default)
        if not isinstance(value, bool):
            self._wrong(name, value, "true or false")
        return value

    def whole(self, name: str, default: int) -> int:
        value = self._take(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            self._wrong(name, value, "a whole number")
        return value

    def number(self, name: str, default: float) -> float:
        value = self._take(name, default)
        number = float("nan")
        if isinstance(value, int | float) and not isinstance(value, bool):
            with suppress(OverflowError):
                number = float(value)
        if not isfinite(number):
            self._wrong(name, value, "a finite number")
        return number

    def choice(self, name: str, options: type[_E], default: _E) -> _E:
        value = self._take(name, default.value)
        if value not in tuple(options):
            self._wrong(name, value, f"one of {', '.join(options)}")
        return options(value)

    def each(self, name: str, read: Callable[[Any, str], _T]) -> tuple[_T, ...]:
        value = self._take(name, [])
        if not isinstance(value, list):
            self._wrong(name, value, "a list")
        return tuple(
            read(part, f"{self._where}.{name}[{place}]") for place, part in enumerate(value)
        )

    def counts(self, name: str) -> tuple[tuple[str, int], ...]:
        value = self._take(name, {})
        if not isinstance(value, Mapping) or any(type(n) is not int for n in value.values()):
            self._wrong(name, value, "an object of whole numbers")
        return tuple(value.items())

    def nothing_else(self) -> None:
        if stray := self._value.keys() - self._taken:
            raise RecordError(f"{self._where} has a member {min(map(str, stray))!r} nobody knows")

    def _take(self, name: str, default: Any) -> Any:
        self._taken.add(name)
        if name in self._value:
            return self._value[name]
        if default is None:
            raise RecordError(f"{self._where} has no {name}")
        return default

    def _wrong(self, name: str, value: Any, expected: str) -> NoReturn:
        raise RecordError(f"{self._where}.{name} is {value!r:.60}, but has to be {expected}")
