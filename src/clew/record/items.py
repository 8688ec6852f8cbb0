"""One entry of the handoff record, where it came from and who said it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, make_dataclass, replace
from enum import StrEnum
from operator import attrgetter
from typing import Any, cast


class Speaker(StrEnum):
    """Who said what an item claims. Authority never grows: derived text stays derived."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    DERIVED = "derived"


class Status(StrEnum):
    """What became of an item. OPEN and ACTIVE items are live."""

    ACTIVE = "active"
    OPEN = "open"
    DONE = "done"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    CLOSED = "closed"
    UNKNOWN = "unknown"


LIVE = frozenset({Status.ACTIVE, Status.OPEN, Status.UNKNOWN})


class Proposer(StrEnum):
    """Who put an item into the record."""

    OFFLINE = "offline"
    MODEL = "model"
    CALLER = "caller"
    AGENT = "agent"
    PERSON = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A verbatim quote and the span it stands in (`S-41`; empty for a caller's own note)."""

    span: str
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """An option that was not taken, and why."""

    option: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One entry of the record.

    `id` is `<letter>-<n>`. `fields` are the kind's further fields (action, key, error, …) as
    pairs in a fixed order. `uses` counts how often the agent itself came back to it, `last_used`
    is the chain position of the latest use, `value` the selection score (unitless, higher stays
    longer). `externalised` items live behind their handle and are not rendered in full.
    `reason` says why the status is what it is; `superseded_by` names the item that replaced it.
    """

    id: str
    kind: str
    text: str
    status: Status = Status.ACTIVE
    evidence: tuple[Evidence, ...] = ()
    said_by: Speaker = Speaker.DERIVED
    why: str = ""
    rejected: tuple[Rejected, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    proposed_by: Proposer = Proposer.OFFLINE
    verified: bool = True
    externalised: bool = False
    superseded_by: str = ""
    reason: str = ""
    uses: int = 0
    first_seen: int = 0
    last_used: int = 0
    value: float = 0.0

    def field(self, name: str, default: str = "") -> str:
        """One of the kind's further fields."""
        return dict(self.fields).get(name, default)

    def changed(self, **values: Any) -> Item:
        """This item with other values, in a quarter of the time that dataclasses.replace takes.

        A compaction changes every item some times. TypeError for a name that no attribute has.
        """
        if type(self) is not Item:
            return replace(self, **values)
        made = _Unfrozen(*_values_of(self))
        for name, value in values.items():
            if name not in _NAMES:
                raise TypeError(f"an item has no {name!r}")
            setattr(made, name, value)
        made.__class__ = Item
        return cast(Item, made)

    def rewritten(self, each: Callable[[str], str]) -> Item:
        """This item with every text that somebody wrote put through a function."""
        return replace(
            self,
            text=each(self.text),
            why=each(self.why),
            reason=each(self.reason),
            evidence=quotes_rewritten(self.evidence, each),
            rejected=tuple(Rejected(option=each(r.option), why=each(r.why)) for r in self.rejected),
            fields=tuple((name, each(value)) for name, value in self.fields),
        )

    def with_fields(self, values: Mapping[str, str]) -> Item:
        """This item with fields set (empty values are left out)."""
        merged = {**dict(self.fields), **values}
        return replace(self, fields=tuple((k, v) for k, v in merged.items() if v))

    @property
    def live(self) -> bool:
        """Whether the item still holds."""
        return self.status in LIVE


_NAMES = tuple(each.name for each in fields(Item))
_values_of = attrgetter(*_NAMES)
_Unfrozen: Any = make_dataclass("_Unfrozen", _NAMES, slots=True)
"""An item while its values are put in: its class has the same attributes, and lets them change."""


def quotes_rewritten(
    evidence: tuple[Evidence, ...], each: Callable[[str], str]
) -> tuple[Evidence, ...]:
    """The same evidence with every quote put through a function."""
    return tuple(replace(e, quote=each(e.quote)) for e in evidence)
