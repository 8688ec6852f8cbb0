"""From a summarizer's answer to a delta that was checked: model, code, or both.

Whoever proposes, the offline delta stands behind: it accounts for every directive, failed call,
commitment and side effect, so that what a model leaves out is never missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from clew.record.claims import normalised
from clew.record.delta import Add, Close, Delta, Dismiss, Operation, Revise, SetNext, Supersede
from clew.record.items import Proposer
from clew.summarize.request import SummaryRequest
from clew.verify import Finding, verify_delta


@dataclass(frozen=True, slots=True, kw_only=True)
class Combined:
    """A delta that is safe to apply, and what happened to the proposal."""

    delta: Delta
    accepted: int
    dropped: tuple[Finding, ...]


def combine(request: SummaryRequest, proposed: Delta, offline: Delta) -> Combined:
    """The accepted operations of a proposal with the gaps filled by the offline delta.

    Offline operations come first, since they hold what code knows for certain (directives, effects,
    environment, plan); of the proposal's operations those that verification passed follow.
    A claim that both make stands once.
    """
    verdict = verify_delta(proposed, request, request.kinds)
    accepted = tuple(_as_model(operation) for operation in verdict.accepted)
    said = {key for operation in accepted if (key := _claim(operation))}
    settled = {i for operation in accepted for i in _targets(operation)}
    filling = [
        operation
        for operation in offline.operations
        if _claim(operation) not in said
        and not settled.intersection(_targets(operation))
        and not (isinstance(operation, SetNext) and _sets_next(accepted))
    ]
    return Combined(
        delta=Delta(
            operations=(*filling, *accepted),
            proposed_by=Proposer.OFFLINE,
            summarizer=proposed.summarizer,
        ),
        accepted=len(accepted),
        dropped=verdict.findings,
    )


def _sets_next(operations: tuple[Operation, ...]) -> bool:
    return any(isinstance(operation, SetNext) for operation in operations)


def _as_model(operation: Operation) -> Operation:
    match operation:
        case Add(item=item):
            return replace(operation, item=replace(item, proposed_by=Proposer.MODEL))
        case Supersede(item=item):
            return replace(operation, item=replace(item, proposed_by=Proposer.MODEL))
        case _:
            return operation


def _claim(operation: Operation) -> str:
    match operation:
        case Add(item=item) | Supersede(item=item):
            return f"{item.kind}:{normalised(item.text)}"
        case _:
            return ""


def _targets(operation: Operation) -> tuple[str, ...]:
    match operation:
        case Revise(id=item_id) | Close(id=item_id):
            return (item_id,)
        case Supersede(ids=ids):
            return ids
        case Add() | Dismiss() | SetNext():
            return ()
