"""What a person changed in a handoff document, marked as theirs; the goal only when signed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from clew.document.views import Step
from clew.errors import HandoffError, RecordError
from clew.record.items import Item, Proposer, Speaker, Status
from clew.record.kinds import DEFAULT_KINDS, KindTable
from clew.record.lineage import Lineage, Revision, balance
from clew.record.record import HandoffRecord
from clew.record.serde import item_to_json
from clew.transcript.digest import digest_of, digest_of_text

if TYPE_CHECKING:
    from clew.document.handoff import HandoffDocument

_ID = re.compile(r"([A-Z]+)-(\d+)")
_REMOVED = "removed from the handoff document by a person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Digests of what was handed off: the goal (whole), items by id, next step, pins, steps."""

    goal: str
    items: tuple[tuple[str, str], ...] = ()
    next: str = ""
    pins: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "goal": self.goal,
            "items": dict(self.items),
            "next": self.next,
            "pins": list(self.pins),
            "steps": list(self.steps),
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Baseline:
        """Read the JSON form; raises KeyError, TypeError or AttributeError when it is none."""
        return Baseline(
            goal=str(value["goal"]),
            items=tuple((str(k), str(v)) for k, v in value["items"].items()),
            next=str(value["next"]),
            pins=tuple(map(str, value["pins"])),
            steps=tuple(map(str, value["steps"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What differs from what was handed off; every name in it is a person's doing."""

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    goal_amended: bool = False
    next_changed: bool = False
    pins_changed: bool = False
    steps_added: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether anything differs."""
        return self != Changes()


def baseline_of(
    record: HandoffRecord, pins: Sequence[str] = (), steps: Sequence[Step] = ()
) -> Baseline:
    """The digests of a record, its pins and its checklist."""
    return Baseline(
        goal=digest_of_text(record.goal),
        items=tuple((item.id, _digest(item)) for item in record.items),
        next=digest_of_text(record.next)[:16],
        pins=tuple(digest_of_text(pin)[:16] for pin in pins),
        steps=tuple(digest_of_text(step.text)[:16] for step in steps),
    )


def _digest(item: Item) -> str:
    return digest_of(item_to_json(item))[:16]


def reconcile(
    document: HandoffDocument,
    base: HandoffRecord | None,
    *,
    kinds: KindTable = DEFAULT_KINDS,
) -> tuple[HandoffRecord, Changes, Lineage | None]:
    """The record to go on with, what a person changed, and the books (None without `base`).

    `base` is the record at the checkpoint that was handed off; without it the digests in the
    document tell. Raises HandoffError for an unsigned change of the goal, for an item that changed
    its kind, for books that do not balance, and when nothing tells what was changed.
    """
    kept = document.baseline
    if base is not None:
        kept = baseline_of(base)
    elif kept is None:
        raise HandoffError(
            "the digests at the end of the document are gone, so nothing tells what was changed; "
            "name the store of the run"
        )
    amended = _check_goal(document, kept, base)
    record, changes = _marked(document, kept, base, kinds)
    if amended:
        record = _amended(record, document, base, kinds)
        changes = replace(changes, goal_amended=True)
    if not changes.any and base is not None:
        record = base
    return record, changes, _books(record, base, changes)


def _check_goal(document: HandoffDocument, kept: Baseline, base: HandoffRecord | None) -> bool:
    if digest_of_text(document.goal) == kept.goal:
        return False
    if document.amended_by.strip():
        if not document.goal.strip():
            raise HandoffError("an amended goal needs a text", line=document.line_of("Goal"))
        return True
    line = document.line_of("Goal")
    if line is not None and base is not None:
        # Heading, blank, status, blank; then the goal, line by line.
        old, new = base.goal.split("\n"), document.goal.split("\n")
        same = next(
            (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
            min(len(old), len(new)),
        )
        line += 4 + min(same, len(new) - 1)
    raise HandoffError(
        "the goal was changed; restore it byte for byte, or sign the change with a line "
        "`amended_by: your name` in the front matter",
        line=line,
    )


def _marked(
    document: HandoffDocument, kept: Baseline, base: HandoffRecord | None, kinds: KindTable
) -> tuple[HandoffRecord, Changes]:
    known = dict(kept.items)
    items: list[Item] = []
    changed: list[str] = []
    added: list[str] = []
    for item in document.record.items:
        _check_kind(item, kinds, base)
        before = known.get(item.id)
        if before == _digest(item):
            items.append(item)
            continue
        (changed if before is not None else added).append(item.id)
        items.append(
            replace(item, said_by=Speaker.USER, proposed_by=Proposer.PERSON, verified=True)
        )
    present = {item.id for item in document.record.items}
    removed = tuple(item_id for item_id in known if item_id not in present)
    if base is not None:
        items.extend(_withdrawn(item) for item in base.items if item.id in removed)
    if added or removed:
        items = _ordered(items, kinds)
    listed = document.baseline or kept
    changes = Changes(
        changed=tuple(changed),
        added=tuple(added),
        removed=removed,
        next_changed=digest_of_text(document.record.next)[:16] != kept.next,
        pins_changed=_digests(document.pins) != listed.pins,
        steps_added=tuple(
            s.text for s in document.checklist if digest_of_text(s.text)[:16] not in listed.steps
        ),
    )
    return replace(document.record, items=tuple(items)), changes


def _digests(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(digest_of_text(text)[:16] for text in texts)


def _withdrawn(item: Item) -> Item:
    """An item that a person took out: settled, so that the books balance."""
    if not item.live:
        return item
    return replace(
        item, status=Status.WITHDRAWN, reason=_REMOVED, proposed_by=Proposer.PERSON,
        externalised=False,
    )  # fmt: skip


def _check_kind(item: Item, kinds: KindTable, base: HandoffRecord | None) -> None:
    before = base.get(item.id) if base is not None else None
    match = _ID.fullmatch(item.id)
    by_letter = kinds.by_letter(match[1]) if match else None
    expected = before.kind if before is not None else by_letter.name if by_letter else item.kind
    if item.kind != expected:
        raise HandoffError(
            f"{item.id} stands below {item.kind!r} and was a {expected!r}; settle it where it was "
            f"and write a `new` one here"
        )


def _amended(
    record: HandoffRecord, document: HandoffDocument, base: HandoffRecord | None, kinds: KindTable
) -> HandoffRecord:
    kind = kinds.get("decision")
    if kind is None:
        return record
    number = 1 + max(
        [n for letter, n in record.counters if letter == kind.letter]
        + [int(m[2]) for i in record.items if (m := _ID.fullmatch(i.id)) and m[1] == kind.letter],
        default=0,
    )
    noted = Item(
        id=f"{kind.letter}-{number}",
        kind=kind.name,
        text=f"The goal was amended at the hand-over by {document.amended_by.strip()}",
        why=f"it was: {base.goal}" if base is not None else "",
        said_by=Speaker.USER,
        proposed_by=Proposer.PERSON,
    )
    counters = {**dict(record.counters), kind.letter: number}
    return replace(
        record,
        items=tuple(_ordered([*record.items, noted], kinds)),
        counters=tuple(sorted(counters.items())),
    )


def _ordered(items: Sequence[Item], kinds: KindTable) -> list[Item]:
    order = {name: place for place, name in enumerate(kinds.names())}

    def place(item: Item) -> tuple[int, str, int]:
        match = _ID.fullmatch(item.id)
        return order.get(item.kind, len(order)), item.kind, int(match[2]) if match else 0

    return sorted(items, key=place)


def _books(record: HandoffRecord, base: HandoffRecord | None, changes: Changes) -> Lineage | None:
    if base is None:
        return None
    before = {item.id: item for item in base.items}
    after = {item.id: item for item in record.items}
    revised = tuple(
        Revision(id=i, before=before[i].text, after=after[i].text, reason="edited by a person")
        for i in changes.changed
        if i in before and before[i].text != after[i].text
    )
    try:
        # A signed amendment replaces the goal; the books are about the items.
        return balance(replace(base, goal=record.goal), record, revised=revised)
    except RecordError as error:
        if not changes.any:
            return None  # no edit broke them
        raise HandoffError(f"the books of the document do not balance: {error}") from error
