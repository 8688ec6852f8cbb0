"""The operations a summarizer may propose on a record. Code applies them, one by one."""

from __future__ import annotations

from dataclasses import dataclass

from clew.record.items import Evidence, Item, Proposer, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """A new item. Its id is given when it is applied; `item.id` may be empty or a local name."""

    item: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Revise:
    """A better wording or further evidence of the same claim; the old text stays in lineage."""

    id: str
    text: str = ""
    evidence: tuple[Evidence, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """A new item that takes the place of one or more old ones."""

    ids: tuple[str, ...]
    item: Item
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """An item that no longer is open: done, answered, withdrawn or closed, with evidence."""

    id: str
    status: Status
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismiss:
    """A failed call that is no dead end, with the reason; `span` is where it failed."""

    span: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNext:
    """The next action, one sentence."""

    text: str
    evidence: tuple[Evidence, ...] = ()


Operation = Add | Revise | Supersede | Close | Dismiss | SetNext


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """What a summarizer proposes, in order. `proposed_by` is who; `summarizer` its name."""

    operations: tuple[Operation, ...] = ()
    proposed_by: Proposer = Proposer.OFFLINE
    summarizer: str = ""
