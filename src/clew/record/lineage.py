"""The books of a compaction: which items went in and what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from clew.errors import LineageError, RecordError
from clew.record.items import Item, Status
from clew.record.record import HandoffRecord


class Fate(StrEnum):
    """What became of an item; each that went in has exactly one."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    CLOSED = "closed"
    EXTERNALISED = "externalised"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFate:
    """One line of the books.

    `by` names the superseding item, `reason` says why it was closed, `handle` brings an
    externalised item back; each is empty for the other fates.
    """

    id: str
    fate: Fate
    by: str = ""
    reason: str = ""
    handle: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A wording or field that was replaced in place, as it was and as it is."""

    id: str
    before: str
    after: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissal:
    """A failed call that was judged to be no dead end, and why."""

    span: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """Every item that went in with its fate, and the ids that are new."""

    fates: tuple[ItemFate, ...] = ()
    added: tuple[str, ...] = ()
    revised: tuple[Revision, ...] = ()
    dismissed: tuple[Dismissal, ...] = ()

    def counts(self) -> dict[str, int]:
        """How many went in and how many came out with each fate."""
        tally = Counter(fate.fate for fate in self.fates)
        return {"in": len(self.fates), **{fate.value: tally[fate] for fate in Fate}}

    def of(self, item_id: str) -> ItemFate | None:
        """The fate of one item that went in, or None."""
        return next((fate for fate in self.fates if fate.id == item_id), None)

    def with_externalised(self, handles: Mapping[str, str]) -> Lineage:
        """These books after a rendering moved items behind handles.

        `handles` maps item id to handle; a settled item keeps its fate, a new item stays added.
        Raises LineageError for an id that is not in the books.
        """
        known = {fate.id for fate in self.fates} | set(self.added)
        if unknown := tuple(sorted(handles.keys() - known)):
            raise LineageError(missing=(), unknown=unknown)
        fates = tuple(
            ItemFate(id=fate.id, fate=Fate.EXTERNALISED, handle=handles[fate.id])
            if fate.fate is Fate.ACTIVE and fate.id in handles
            else fate
            for fate in self.fates
        )
        return replace(self, fates=fates)

    def to_json(self) -> dict[str, Any]:
        """The JSON form, counts included."""
        return {
            "counts": self.counts(),
            "fates": [
                {"id": f.id, "fate": f.fate.value, "by": f.by, "reason": f.reason,
                 "handle": f.handle}
                for f in self.fates
            ],
            "added": list(self.added),
            "revised": [
                {"id": r.id, "before": r.before, "after": r.after, "reason": r.reason}
                for r in self.revised
            ],
            "dismissed": [{"span": d.span, "reason": d.reason} for d in self.dismissed],
        }  # fmt: skip


def lineage_from_json(value: Any) -> Lineage:
    """Read the JSON form of a lineage; raises RecordError when it is none."""
    try:
        lineage = Lineage(
            fates=tuple(
                ItemFate(id=f["id"], fate=Fate(f["fate"]), by=f.get("by", ""),
                         reason=f.get("reason", ""), handle=f.get("handle", ""))
                for f in value["fates"]
            ),
            added=tuple(value["added"]),
            revised=tuple(Revision(**r) for r in value.get("revised", ())),
            dismissed=tuple(Dismissal(**d) for d in value.get("dismissed", ())),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"no JSON form of a lineage ({error})") from error
    if value.get("counts", lineage.counts()) != lineage.counts():
        raise RecordError("the counts of a lineage do not match its fates")
    return lineage


def balance(
    before: HandoffRecord,
    after: HandoffRecord,
    *,
    externalised: Mapping[str, str] | None = None,
    revised: tuple[Revision, ...] = (),
    dismissed: tuple[Dismissal, ...] = (),
) -> Lineage:
    """The lineage between two records, or LineageError when the books do not balance.

    `externalised` maps item id to the handle it now lives behind; such an item may have left the
    record. Raises RecordError when the goal was edited.
    """
    if before.goal and before.goal != after.goal:
        raise RecordError("the goal is set once and cannot be edited")
    handles = dict(externalised or {})
    went_in = {item.id: item for item in before.items}
    came_out = {item.id: item for item in after.items}
    missing = {i for i in went_in if i not in came_out and not handles.get(i)}
    missing |= {i for i in went_in.keys() & came_out.keys() if went_in[i].kind != came_out[i].kind}
    missing |= {
        i for i in went_in.keys() & came_out.keys()
        if came_out[i].status is Status.SUPERSEDED and came_out[i].superseded_by not in came_out
    }  # fmt: skip
    tally = Counter(item.id for item in after.items)
    unknown = {i for i, n in tally.items() if n > 1} | (
        handles.keys() - went_in.keys() - came_out.keys()
    )
    if missing or unknown:
        raise LineageError(missing=tuple(sorted(missing)), unknown=tuple(sorted(unknown)))
    return Lineage(
        fates=tuple(_fate(i, came_out.get(i), handles.get(i, "")) for i in went_in),
        added=tuple(i for i in came_out if i not in went_in),
        revised=revised,
        dismissed=dismissed,
    )


def _fate(item_id: str, item: Item | None, handle: str) -> ItemFate:
    if item is None:
        return ItemFate(id=item_id, fate=Fate.EXTERNALISED, handle=handle)
    if item.status is Status.SUPERSEDED:
        return ItemFate(id=item_id, fate=Fate.SUPERSEDED, by=item.superseded_by)
    if not item.live:
        return ItemFate(id=item_id, fate=Fate.CLOSED, reason=item.reason or item.status.value)
    if handle or item.externalised:
        return ItemFate(id=item_id, fate=Fate.EXTERNALISED, handle=handle or item_id)
    return ItemFate(id=item_id, fate=Fate.ACTIVE)
