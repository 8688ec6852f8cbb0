"""Asking the caller's hooks before a compaction, about its record, and after it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any, assert_never

from clew.assess import Assessment
from clew.consult import (
    AfterCompaction,
    Afterword,
    BeforeCompaction,
    Consent,
    Edited,
    Edits,
    Pinned,
    ProposedRecord,
    Step,
)
from clew.cuts import Selection
from clew.errors import RecordError
from clew.history import History
from clew.outcome import Compacted
from clew.policy import Compact
from clew.ports import Checkpoint
from clew.record.apply import apply_delta
from clew.record.delta import (
    Add,
    Close,
    Delta,
    Dismiss,
    Operation,
    Revise,
    SetNext,
    Supersede,
    rewritten,
)
from clew.record.edited import edits_between
from clew.record.items import Proposer
from clew.record.lineage import Lineage, balance
from clew.record.record import HandoffRecord
from clew.summarize.request import SummaryRequest
from clew.turn import Consult, Effect, Proposed, Turn

_WHO = {Proposer.PERSON: "a person", Proposer.CALLER: "a program of the caller"}


def consent_to(
    turn: Turn,
    history: History,
    selection: Selection,
    assessment: Assessment,
    decision: Compact,
) -> Generator[Effect, Any, Consent]:
    """What the hooks say before a compaction."""
    if Step.BEFORE not in turn.consulted:
        return Consent()
    budget, situation = turn.budget, assessment.situation
    about = BeforeCompaction(
        session_id=turn.session_id,
        why=decision.why,
        boundary=decision.boundary,
        hard=decision.hard,
        must=situation.used_tokens > situation.limit_tokens,
        tokens=assessment.used_tokens,
        trigger=budget.trigger_tokens,
        backstop=budget.backstop_tokens,
        budget=budget.transcript_budget_tokens,
        handles=tuple(history.handle_at(history.positions[e.first]) for e in selection.middle),
        absorbed_messages=sum(len(e.indices) for e in selection.middle),
        middle_tokens=turn.scaled(selection.middle_tokens),
        record=history.record,
        pins=turn.pins,
        focus=turn.focus,
    )
    consent: Consent = yield Consult(about=about)
    return replace(consent, vetoed=False) if about.must else consent


def with_wishes(turn: Turn, consent: Consent) -> Turn:
    """The turn with the focus and the pins that the hooks want."""
    focus = turn.focus if consent.focus is None else consent.focus
    return _with_pins(replace(turn, focus=focus), consent.pinned)


def _with_pins(turn: Turn, pinned: Pinned | None) -> Turn:
    if pinned is None:
        return turn
    return replace(
        turn,
        pins=pinned.texts,
        notes_upto=pinned.notes_upto,
        note_sequences=pinned.note_sequences,
    )


def afterword_to(
    turn: Turn, decision: Compact, made: Compacted, checkpoint: Checkpoint, lineage: Lineage
) -> Generator[Effect, Any, Turn]:
    """Tell the hooks what was done; gives the turn with the texts they added."""
    if Step.AFTER not in turn.consulted:
        return turn
    limit = turn.budget.transcript_budget_tokens
    about = AfterCompaction(
        session_id=turn.session_id,
        checkpoint_id=checkpoint.checkpoint_id,
        why=decision.why,
        boundary=decision.boundary,
        tokens_before=checkpoint.tokens_before,
        tokens_after=checkpoint.tokens_after,
        budget=limit,
        room_tokens=max(0, limit - checkpoint.tokens_after),
        absorbed_messages=made.absorbed_messages,
        handles=made.handles,
        record_tokens=made.record_tokens,
        summarizer=made.summarizer,
        items=lineage.counts(),
    )
    said: Afterword = yield Consult(about=about)
    return _with_pins(turn, said.pinned)


def edited_by_hooks(
    turn: Turn,
    history: History,
    request: SummaryRequest,
    proposed: Proposed,
    applied: tuple[HandoffRecord, Lineage, tuple[str, ...]],
) -> Generator[Effect, Any, tuple[HandoffRecord, Lineage, tuple[str, ...]]]:
    """The record after every edit of it, with its books and what was refused.

    An edit is held to the rules of the record one operation at a time; the goal is out of its
    reach, and the books have to balance against the record before.
    """
    record, lineage, warnings = applied
    if Step.EDIT not in turn.consulted:
        return applied
    about = ProposedRecord(
        session_id=turn.session_id,
        record=record,
        before=history.record,
        lineage=lineage,
        summarizer=proposed.summarizer,
        findings=(*proposed.warnings, *warnings),
        handles=tuple(span.handle for span in request.spans),
        target_tokens=request.target_tokens,
        kinds=request.kinds,
    )
    answer: Edits = yield Consult(about=about)
    for edit in answer.edits:
        try:
            record, lineage, refused = _applied(turn, history, record, lineage, edit)
        except Exception as error:  # noqa: BLE001 - whatever a hook put into its answer
            refused = (f"an edit was refused whole: {_problem(error)}",)
        warnings = (*warnings, *refused)
    return record, lineage, warnings


def _applied(
    turn: Turn, history: History, record: HandoffRecord, lineage: Lineage, edit: Edited
) -> tuple[HandoffRecord, Lineage, tuple[str, ...]]:
    by = Proposer(edit.by)
    wanted = edit.record
    operations = edit.operations
    refused: tuple[str, ...] = ()
    if wanted is not None:
        operations = (*edits_between(record, wanted), *operations)
        if wanted.goal != record.goal:
            refused = ("an edit of the goal was refused: it is set once",)
    signed, unusable = _each_signed(turn, operations, by)
    delta = Delta(operations=signed, proposed_by=by, summarizer="edit")
    done = apply_delta(record, delta, kinds=turn.policy.kinds, position=history.count)
    after = replace(done.record, revision=record.revision)
    books = balance(
        history.record,
        after,
        revised=(*lineage.revised, *done.lineage.revised),
        dismissed=(*lineage.dismissed, *done.lineage.dismissed),
    )
    said = tuple(f"an edit was refused: {why}" for _, why in done.rejected)
    return after, books, (*refused, *unusable, *said)


def _each_signed(
    turn: Turn, operations: tuple[Operation, ...], by: Proposer
) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    """The operations that can be read, signed, and what was refused of the others."""
    signed: list[Operation] = []
    refused: list[str] = []
    for operation in operations:
        try:
            signed.append(_signed(turn, operation, by))
        except Exception as error:  # noqa: BLE001 - whatever a hook put into its answer
            refused.append(f"an edit was refused: {_problem(error)}")
    return tuple(signed), tuple(refused)


def _problem(error: Exception) -> str:
    return str(error) if isinstance(error, RecordError) else "it holds a value of the wrong type"


def _signed(turn: Turn, operation: Operation, by: Proposer) -> Operation:
    """The operation with who made it in the books, and without secrets."""
    clean = rewritten(operation, turn.redact_text)
    match clean:
        case Add(item=item):
            return Add(item=replace(item, proposed_by=by))
        case Supersede(item=item, reason=reason):
            return replace(clean, item=replace(item, proposed_by=by), reason=_reason(by, reason))
        case Close(reason=reason, status=status):
            return replace(clean, reason=_reason(by, reason or str(status)))
        case Revise(reason=reason) | Dismiss(reason=reason):
            return replace(clean, reason=_reason(by, reason))
        case SetNext():
            return clean
        case _:
            assert_never(clean)


def _reason(by: Proposer, reason: str) -> str:
    return f"{_WHO[by]}: {reason}" if reason.strip() else _WHO[by]
