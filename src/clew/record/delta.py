"""The operations a summarizer may propose on a record. Code applies them, one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from clew.record.items import Evidence, Item, Proposer, Status, quotes_rewritten


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


def rewritten(operation: Operation, each: Callable[[str], str]) -> Operation:
    """An operation with every text that somebody wrote put through a function."""
    match operation:
        case Add(item=item):
            return Add(item=item.rewritten(each))
        case Supersede(item=item, reason=reason):
            return replace(operation, item=item.rewritten(each), reason=each(reason))
        case Revise(text=text, evidence=evidence, fields=fields, reason=reason):
            return replace(
                operation,
                text=each(text),
                evidence=quotes_rewritten(evidence, each),
                fields=tuple((name, each(value)) for name, value in fields),
                reason=each(reason),
            )
        case Close(reason=reason, evidence=evidence):
            shown = quotes_rewritten(evidence, each)
            return replace(operation, evidence=shown, reason=each(reason))
        case Dismiss(reason=reason):
            return replace(operation, reason=each(reason))
        case SetNext(text=text, evidence=evidence):
            return replace(operation, text=each(text), evidence=quotes_rewritten(evidence, each))
        case _:
            assert_never(operation)
