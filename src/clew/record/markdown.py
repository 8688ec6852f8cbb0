"""The record as a markdown document that a person can read and edit, and back, without loss."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from clew.errors import RecordError
from clew.record.aside import with_written_status, written_status
from clew.record.items import Evidence, Item, Proposer, Rejected, Speaker
from clew.record.kinds import DEFAULT_KINDS, Kind, KindTable
from clew.record.own_kinds import kind_to_json, kinds_used, with_kinds
from clew.record.plain_lines import read_line, written_lines, written_name
from clew.record.record import RECORD_VERSION, HandoffRecord
from clew.record.serde import (
    index_entry_from_json,
    index_entry_to_json,
    mention_from_json,
    mention_to_json,
)

_TITLE = "# Handoff record"
_GOAL, _NEXT, _BOOKS = "Goal", "Next", "Bookkeeping"
_BOOKS_NOTE = "<!-- written by a program; leave it or delete it -->"
_HEADING = re.compile(r"##\s+(.*?)\s*$")
_ENTRY = re.compile(r"(\s*)[-*]\s+([^:]+?)\s*:(?: (.*))?$")
_CONTINUED = re.compile(r"(\s*)>(?: (.*)|)$")
_COMMENT = re.compile(r"\s*<!--.*-->\s*$")
_ID = re.compile(r"([A-Z]+)-(\d+)")
_NEW = frozenset({"new", "?"})
_PLAIN_FIELD = re.compile(r"[a-z][a-z_]*")
_TEXT_LABELS = {"why": "why", "superseded by": "superseded_by", "reason": "reason"}
_NUMBER_LABELS = {"uses": "uses", "first seen": "first_seen", "last used": "last_used"}
_LABELS = frozenset(
    {*_TEXT_LABELS, *_NUMBER_LABELS, "status", "said by", "rejected", "because", "evidence",
     "proposed by", "verified", "externalised", "score", "field"}
)  # fmt: skip


# ---- writing --------------------------------------------------------------------------------


def record_to_markdown(record: HandoffRecord, *, kinds: KindTable = DEFAULT_KINDS) -> str:
    """The document of a record; `record_from_markdown` reads exactly this record from it."""
    out = [_TITLE, "", f"- version: {RECORD_VERSION}", f"- revision: {record.revision}"]
    out += ["", f"## {_GOAL}", "", *_entry("", "status", record.goal_status), ""]
    out += [f"> {line}".rstrip() for line in written_lines(record.goal)]
    section = ""
    for item in record.items:
        heading = _heading_of(item.kind, kinds)
        if heading != section:
            out += ["", f"## {heading}", ""]
            section = heading
        out += _item_lines(item, kinds.get(item.kind))
    out += ["", f"## {_NEXT}", ""]
    out += [f"> {line}".rstrip() for line in written_lines(record.next)]
    for evidence in record.next_evidence:
        out += _evidence_lines("", evidence)
    out += ["", f"## {_BOOKS}", "", _BOOKS_NOTE]
    out += [f"- kind: {_json(kind_to_json(kind))}" for kind in kinds_used(record.items, kinds)]
    out += [f"- index: {_json(index_entry_to_json(entry))}" for entry in record.index]
    out += [f"- mention: {_json(mention_to_json(mention))}" for mention in record.mentions]
    out.append(f"- counters: {_json(dict(record.counters))}")
    return "\n".join(out) + "\n"


def _heading_of(kind_name: str, kinds: KindTable) -> str:
    kind = kinds.get(kind_name)
    headings = Counter(each.heading for each in kinds.kinds)
    plain = kind is not None and headings[kind.heading] == 1 and kind.heading.strip()
    if kind is None or not plain or kind.heading in (_GOAL, _NEXT, _BOOKS):
        return f"kind {written_name(kind_name)}"
    return kind.heading


def _item_lines(item: Item, kind: Kind | None) -> list[str]:
    out = _entry("", written_name(item.id), item.text)
    out += _entry("  ", "status", written_status(item))
    out += _entry("  ", "said by", item.said_by.value)
    for label, name in _TEXT_LABELS.items():
        if value := getattr(item, name):
            out += _entry("  ", label, value)
    for rejected in item.rejected:
        out += _entry("  ", "rejected", rejected.option)
        if rejected.why:
            out += _entry("  ", "because", rejected.why)
    plain = _own_fields(kind)
    for name, value in item.fields:
        out += _entry("  ", name if name in plain else f"field {written_name(name)}", value)
    for evidence in item.evidence:
        out += _evidence_lines("  ", evidence)
    return out + _history_lines(item)


def _history_lines(item: Item) -> list[str]:
    """What a program keeps of an item, where it differs from the default."""
    out: list[str] = []
    if item.proposed_by is not Proposer.OFFLINE:
        out += _entry("  ", "proposed by", item.proposed_by.value)
    if not item.verified:
        out += _entry("  ", "verified", "no")
    if item.externalised:
        out += _entry("  ", "externalised", "yes")
    for label, name in _NUMBER_LABELS.items():
        if number := getattr(item, name):
            out += _entry("  ", label, str(number))
    if item.value:
        out += _entry("  ", "score", repr(item.value))
    return out


def _own_fields(kind: Kind | None) -> frozenset[str]:
    """Names that may stand as labels of their own, because the kind has them."""
    names = (*kind.required, *kind.optional) if kind else ()
    return frozenset(n for n in names if _PLAIN_FIELD.fullmatch(n) and n not in _LABELS)


def _evidence_lines(indent: str, evidence: Evidence) -> list[str]:
    label = f"evidence {written_name(evidence.span)}" if evidence.span else "evidence"
    return _entry(indent, label, evidence.quote)


def _entry(indent: str, label: str, value: str) -> list[str]:
    first, *others = written_lines(value)
    return [
        f"{indent}- {label}: {first}".rstrip(),
        *(f"{indent}  > {line}".rstrip() for line in others),
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)


# ---- reading --------------------------------------------------------------------------------


def record_from_markdown(text: str, *, kinds: KindTable = DEFAULT_KINDS) -> HandoffRecord:
    """Read a record from its document, as written or as a person changed it.

    An item called `new` gets the next id of its section's kind. Raises RecordError that names the
    line (1-based) and what was expected.
    """
    reader = _Document(kinds)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        reader.line(number, line)
    return reader.record()


@dataclass(slots=True)
class _Entry:
    """One `- label: value` with its further lines."""

    number: int
    label: str
    lines: list[str]
    attributes: list[_Entry] = field(default_factory=list)

    @property
    def value(self) -> str:
        return "\n".join(read_line(line) for line in self.lines)


@dataclass(slots=True)
class _Section:
    """A heading with the quoted block and the entries below it."""

    number: int
    heading: str
    block: list[str] = field(default_factory=list)
    entries: list[_Entry] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(read_line(line) for line in self.block)


def _wrong(number: int, problem: str) -> NoReturn:
    raise RecordError(f"line {number}: {problem}")


class _Document:
    """Sorts lines into sections and entries, then reads them."""

    def __init__(self, kinds: KindTable) -> None:
        self._kinds = kinds
        self._sections = [_Section(0, "")]
        self._entry: _Entry | None = None
        self._by_heading: dict[str, str] = {}

    def line(self, number: int, line: str) -> None:
        """Take one line of the document."""
        section = self._sections[-1]
        if heading := _HEADING.match(line):
            self._sections.append(_Section(number, heading[1]))
            self._entry = None
        elif entry := _ENTRY.match(line):
            made = _Entry(number, entry[2], [entry[3] or ""])
            if not entry[1]:
                section.entries.append(made)
            elif section.entries:
                section.entries[-1].attributes.append(made)
            else:
                _wrong(number, "an indented entry stands below no item")
            self._entry = made
        elif quoted := _CONTINUED.match(line):
            in_block = not quoted[1] and section.heading in (_GOAL, _NEXT)
            if not in_block and self._entry is None:
                _wrong(number, "a quoted line continues nothing")
            lines = section.block if in_block or self._entry is None else self._entry.lines
            lines.append(quoted[2] or "")
        elif line.strip() and line.strip() != _TITLE and not _COMMENT.match(line):
            _wrong(number, f"expected `- name: text`, `> more text` or `## heading`: {line!r:.60}")

    def record(self) -> HandoffRecord:
        """The record that the document holds."""
        record = HandoffRecord(goal_status="open")
        items: list[Item] = []
        self._read_kinds()
        for section in self._sections:
            match section.heading:
                case "":
                    record = self._front(section, record)
                case "Goal":
                    status = _single(section, "status", "open")
                    record = replace(record, goal=section.text, goal_status=status)
                case "Next":
                    evidence = tuple(_evidence(entry) for entry in section.entries)
                    record = replace(record, next=section.text, next_evidence=evidence)
                case "Bookkeeping":
                    record = self._books(section, record)
                case _:
                    items += self._items(section)
        return replace(record, items=_numbered(items, record, self._kinds))

    def _read_kinds(self) -> None:
        """Add kinds that only the document knows, before a section of theirs is read."""
        books = [e for s in self._sections if s.heading == _BOOKS for e in s.entries]
        given = [(e.number, _parsed_json(e)) for e in books if e.label == "kind"]
        self._kinds = with_kinds(self._kinds, given)
        self._by_heading = {_heading_of(k.name, self._kinds): k.name for k in self._kinds.kinds}

    def _front(self, section: _Section, record: HandoffRecord) -> HandoffRecord:
        for entry in section.entries:
            if entry.label not in ("version", "revision"):
                _wrong(entry.number, f"{entry.label!r} belongs below a heading")
            number = _whole(entry)
            if entry.label == "version" and not 1 <= number <= RECORD_VERSION:
                most = f"version {number} is not 1 to {RECORD_VERSION}"
                _wrong(entry.number, f"{most}; upgrade Clew")
            if entry.label == "revision":
                record = replace(record, revision=number)
        return record

    def _books(self, section: _Section, record: HandoffRecord) -> HandoffRecord:
        for entry in section.entries:
            if entry.label == "kind":
                continue
            value = _parsed_json(entry)
            where = f"line {entry.number}: {entry.label}"
            if entry.label == "index":
                made = index_entry_from_json(value, where)
                record = replace(record, index=(*record.index, made))
            elif entry.label == "mention":
                mention = mention_from_json(value, where)
                record = replace(record, mentions=(*record.mentions, mention))
            elif entry.label == "counters" and isinstance(value, dict):
                if any(type(n) is not int for n in value.values()):
                    _wrong(entry.number, "counters are whole numbers")
                record = replace(record, counters=tuple(value.items()))
            else:
                _wrong(entry.number, f"{entry.label!r} is none of kind, index, mention, counters")
        return record

    def _items(self, section: _Section) -> list[Item]:
        name = self._by_heading.get(section.heading, "")
        if not name and section.heading.startswith("kind "):
            name = read_line(section.heading.removeprefix("kind "))
        if not name:
            known = ", ".join(self._by_heading)
            _wrong(section.number, f"no section is called {section.heading!r}; there are {known}")
        own = _own_fields(self._kinds.get(name))
        return [_item(entry, name, own) for entry in section.entries]


def _numbered(items: list[Item], record: HandoffRecord, kinds: KindTable) -> tuple[Item, ...]:
    """Give new items their ids; refuse an id that stands twice."""
    highest = dict(record.counters)
    for item in items:
        if match := _ID.fullmatch(item.id):
            highest[match[1]] = max(highest.get(match[1], 0), int(match[2]))
    done: dict[str, Item] = {}
    for item in items:
        named = item
        if not item.id:
            kind = kinds.get(item.kind)
            if kind is None:
                raise RecordError(f"a new item needs a kind that is in force, not {item.kind!r}")
            highest[kind.letter] = highest.get(kind.letter, 0) + 1
            named = replace(item, id=f"{kind.letter}-{highest[kind.letter]}")
        if named.id in done:
            raise RecordError("the id is given to two items", item=named.id)
        done[named.id] = named
    return tuple(done.values())


def _item(entry: _Entry, kind: str, own_fields: frozenset[str]) -> Item:
    is_new = entry.label in _NEW
    item = Item(
        id="" if is_new else read_line(entry.label),
        kind=kind,
        text=entry.value,
        said_by=Speaker.USER if is_new else Speaker.DERIVED,
        proposed_by=Proposer.PERSON if is_new else Proposer.OFFLINE,
    )
    for attribute in entry.attributes:
        item = _with_attribute(item, attribute, own_fields)
    return item


_READERS: dict[str, Callable[[Item, _Entry], Item]] = {
    "status": lambda item, entry: with_written_status(item, entry.value),
    "said by": lambda item, entry: replace(item, said_by=Speaker(entry.value)),
    "proposed by": lambda item, entry: replace(item, proposed_by=Proposer(entry.value)),
    "verified": lambda item, entry: replace(item, verified=_yes(entry)),
    "externalised": lambda item, entry: replace(item, externalised=_yes(entry)),
    "score": lambda item, entry: replace(item, value=float(entry.value)),
    "why": lambda item, entry: replace(item, why=entry.value),
    "superseded by": lambda item, entry: replace(item, superseded_by=entry.value),
    "reason": lambda item, entry: replace(item, reason=entry.value),
    "uses": lambda item, entry: replace(item, uses=_whole(entry)),
    "first seen": lambda item, entry: replace(item, first_seen=_whole(entry)),
    "last used": lambda item, entry: replace(item, last_used=_whole(entry)),
    "rejected": lambda item, entry: replace(
        item, rejected=(*item.rejected, Rejected(option=entry.value))
    ),
}


def _with_attribute(item: Item, entry: _Entry, own_fields: frozenset[str]) -> Item:
    label, _, rest = entry.label.partition(" ")
    if entry.label in own_fields or label == "field":
        name = read_line(rest) if label == "field" else entry.label
        return replace(item, fields=(*item.fields, (name, entry.value)))
    if label == "evidence":
        return replace(item, evidence=(*item.evidence, _evidence(entry)))
    if entry.label == "because":
        if not item.rejected:
            _wrong(entry.number, "`because` follows a `rejected`")
        last = replace(item.rejected[-1], why=entry.value)
        return replace(item, rejected=(*item.rejected[:-1], last))
    read = _READERS.get(entry.label)
    if read is None:
        known = ", ".join(sorted((*_READERS, "because", "evidence S-n", "field NAME", *own_fields)))
        _wrong(entry.number, f"{entry.label!r} is none of {known}")
    try:
        return read(item, entry)
    except ValueError:
        _wrong(entry.number, f"{entry.label} cannot be {entry.value!r:.40}")


def _evidence(entry: _Entry) -> Evidence:
    label, _, span = entry.label.partition(" ")
    if label != "evidence":
        _wrong(entry.number, f"expected `- evidence S-n: quote`, not {entry.label!r}")
    return Evidence(span=read_line(span), quote=entry.value)


def _single(section: _Section, label: str, default: str) -> str:
    for entry in section.entries:
        if entry.label != label:
            _wrong(entry.number, f"expected `- {label}: …`, not {entry.label!r}")
    return section.entries[-1].value if section.entries else default


def _yes(entry: _Entry) -> bool:
    if entry.value not in ("yes", "no"):
        _wrong(entry.number, f"{entry.label} is yes or no, not {entry.value!r:.40}")
    return entry.value == "yes"


def _whole(entry: _Entry) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", entry.value):
        _wrong(entry.number, f"{entry.label} is a whole number, not {entry.value!r:.40}")
    return int(entry.value)


def _parsed_json(entry: _Entry) -> Any:
    try:
        return json.loads(entry.lines[0])
    except (ValueError, RecursionError):
        _wrong(entry.number, f"{entry.label} is no JSON")
