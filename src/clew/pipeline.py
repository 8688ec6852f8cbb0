"""The stages in order. Read this first.

`prepare` is a generator: it yields what it needs from the outside world (find a checkpoint, fetch
archived messages, propose a delta, commit) and is sent the answers. It is written once; a
synchronous and an asynchronous driver run it (clew.session.drivers).

    find -> adopt -> resume -> assess -> decide -> hold | evict | fold -> commit -> render
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clew.adopt import history_of
from clew.ahead import due, swapped
from clew.assess import (
    Assessment,
    assess,
    oversized_leaves,
    part_limit_tokens,
    used_tokens,
    view_of,
)
from clew.cuts import Selection, goal_index
from clew.fold import Folded, fold, request_for
from clew.former import aliases_of, with_former, with_given_out
from clew.history import History, advance, origin_of, record_of, stubs_by_position
from clew.hooking import afterword_to, consent_to, with_wishes
from clew.outcome import Compacted, Evicted, Held, Outcome
from clew.policy import Compact, Evict, Hold, Why, decide
from clew.ports import Checkpoint, Stub
from clew.record.record import HandoffRecord
from clew.render import Insertions, Rendered, render
from clew.repair import NOTHING_BEFORE, RESULT_WITHOUT_CALL
from clew.residency import stubs_of
from clew.settle import settling_commit
from clew.shrink import (
    cut_goal,
    evict_commit,
    floor_error,
    make_stubs,
    measured,
    squeeze,
    with_stubs,
)
from clew.transcript import Message, Role
from clew.turn import Ahead, Commit, Effect, Prefetch, Turn

_MOST_ROUNDS = 4
"""Stubs, then a fold, then stubs again is the longest way to a context that fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """The result of one call, before the session dresses it as a Context."""

    rendered: Rendered
    history: History
    insertions: Insertions
    outcome: Outcome
    tokens_after: int
    folded: Folded | None = None
    warnings: tuple[str, ...] = ()


def prepare(turn: Turn) -> Generator[Effect, Any, Prepared]:
    """Decide what goes out for one model call, and make it so.

    Raises FloorExceededError when what is protected alone does not fit; nothing is then changed.
    """
    history = yield from history_of(turn)
    turn, history = yield from with_former(turn, history)
    adopted = _adopted(turn, history)
    prepared = yield from _prepared(turn, history)
    if isinstance(prepared.outcome, Held) and adopted and not prepared.outcome.adopted:
        return replace(prepared, outcome=replace(prepared.outcome, adopted=adopted))
    return prepared


def _prepared(turn: Turn, history: History) -> Generator[Effect, Any, Prepared]:
    outcome: Outcome | None = None
    folded: Folded | None = None
    freed: list[str] = []
    freed_tokens = 0
    for _ in range(_MOST_ROUNDS):
        insertions = insertions_for(turn, history)
        assessment = assess(turn, history, insertions)
        decision = decide(assessment.situation)
        match decision:
            case Hold():
                yield from _prefetched(turn, history, insertions, assessment, decision)
                outcome = outcome or _held(decision)
                break
            case Evict():
                before = sum(history.sizes)
                history, handles = yield from _evict(
                    turn, history, insertions, assessment, decision
                )
                freed_tokens += before - sum(history.sizes)
                freed.extend(handles)
                if not handles:
                    outcome = Held(why=Why.NOTHING_TO_FOLD, detail=decision.detail)
                    break
                outcome = Evicted(
                    why=decision.why,
                    handles=tuple(freed),
                    freed_tokens=turn.scaled(freed_tokens),
                    detail=_detail(turn, assessment, decision),
                )
                if decision.why is Why.EVICTION_PAYS:
                    break
            case Compact():
                step = yield from _compact(turn, history, insertions, assessment, decision)
                turn, history, outcome, folded = step
                break
    return (yield from _finished(turn, history, outcome, folded))


def _adopted(turn: Turn, history: History) -> str:
    """The checkpoint that this call begins with, where this session never had it in force."""
    if history.checkpoint is None:
        return ""
    origin = origin_of(history.checkpoint)
    return "" if origin in turn.known else origin


def insertions_for(turn: Turn, history: History) -> Insertions:
    """What Clew puts into the context itself: a goal that stands nowhere else, pins, the record."""
    goal = ""
    head = history.head_count
    if turn.goal:
        goal = "" if _goal_stands(turn, history, turn.goal) else turn.goal
    elif history.absorbed_count and not _goal_in(turn, history.body[:head]):
        goal = history.record.goal
    pins = pins_for(turn, history)
    goal_at = goal_index(history.body, turn.is_person) if pins else None
    return Insertions(
        goal=goal,
        pins=pins,
        record=history.record_text,
        head=0 if goal_at is None else goal_at + 1,
    )


def _goal_in(turn: Turn, head: Sequence[Message]) -> bool:
    """Whether the goal stands in the head; a sentence that a repair put there is none."""
    at = goal_index(head, turn.is_person)
    return at is not None and head[at].text not in (NOTHING_BEFORE, RESULT_WITHOUT_CALL)


_GOAL_CHARS = 24
"""A goal shorter than this stands only where a message says nothing else."""

_FIRST_MESSAGES = 4


def _goal_stands(turn: Turn, history: History, goal: str) -> bool:
    """Whether system text or a person's first messages, as they go out, hold the caller's goal.

    A goal that was too large to go out whole stands in what was left of its message.
    """
    stubs = stubs_by_position(history.stubs) if history.stubs else {}
    raw: list[Message] = []
    shown: list[Message] = [*history.lead]
    for index in range(min(history.head_count or _FIRST_MESSAGES, len(history.body))):
        message = history.body[index]
        if message.role is Role.USER and not message.results:
            raw.append(message)
            shown.append(turn.shown.one(message, stubs.get(history.positions[index], {})))
    if any(_holds(message.text, goal) for message in shown):
        return True
    limit = turn.unscaled(turn.budget.transcript_budget_tokens) // 4
    was_there = any(_holds(message.text, goal) for message in raw)
    return was_there and turn.meter.counter.count_text(goal) > limit


def _holds(text: str, goal: str) -> bool:
    return goal in text if len(goal) >= _GOAL_CHARS else goal.strip() == text.strip()


def pins_for(turn: Turn, history: History) -> tuple[str, ...]:
    """Pinned texts, and the words of pinned messages that are not in the history any more."""
    if not turn.message_pins:
        return turn.pins
    there = {message.digest for message in history.body}
    gone = [text for digest, text in turn.message_pins if digest not in there]
    return (*turn.pins, *gone)


def _evict(
    turn: Turn, history: History, insertions: Insertions, assessment: Assessment, decision: Evict
) -> Generator[Effect, Any, tuple[History, tuple[str, ...]]]:
    """Put parts behind handles, in one commit: what the plan chose, or what is too large."""
    if decision.why is Why.EVICTION_PAYS and assessment.eviction is not None:
        stubs = stubs_of(turn, history, assessment.eviction.plan)
    else:
        stubs = _stubs_for_oversized(turn, history)
    if not stubs:
        return history, ()
    after = with_stubs(turn, history, stubs)
    commit = evict_commit(
        turn, history, after, insertions, (assessment.used_tokens, assessment.used_tokens)
    )
    before = {(stub.handle, stub.text) for stub in history.stubs}
    history = yield from _committed(turn, history, commit, history.record)
    new = (stub for stub in history.stubs if (stub.handle, stub.text) not in before)
    return history, tuple(stub.handle for stub in new)


def _detail(turn: Turn, assessment: Assessment, decision: Evict) -> str:
    if decision.why is Why.EVICTION_PAYS and assessment.eviction is not None:
        return assessment.eviction.told(turn.scaled)
    return decision.detail


def _stubs_for_oversized(turn: Turn, history: History) -> tuple[Stub, ...]:
    limit = part_limit_tokens(turn)
    goal_at = goal_index(history.body, turn.is_person)
    chosen = [
        (index, leaf, limit // 2 if index != goal_at else limit * 3 // 4)
        for index, leaf in oversized_leaves(turn, history)
    ]
    return make_stubs(turn, history, chosen) if chosen else ()


def _held(decision: Hold) -> Held:
    return Held(
        why=decision.why,
        armed_by=decision.armed_by,
        detail=decision.detail,
        boundary=decision.boundary,
    )


_WAITING = frozenset({Why.NO_BOUNDARY, Why.PREPARING})


def _prefetched(
    turn: Turn, history: History, insertions: Insertions, assessment: Assessment, decision: Hold
) -> Generator[Effect, Any, None]:
    """Have the summary made while compaction waits, armed; the context stays as it is."""
    selection = assessment.selection
    if not turn.prefetch or decision.why not in _WAITING or selection is None:
        return
    if not selection.middle or _futile(turn, assessment):
        return
    wanted = due(turn, history, selection)
    if wanted is not None:
        ahead, extends = wanted
        request = request_for(turn, history, selection, insertions)
        yield Prefetch(request=request, ahead=ahead, extends=extends)


def _futile(turn: Turn, assessment: Assessment) -> str:
    """Why a model is not asked so soon again; empty where it may be, or where none works."""
    used, wanted = assessment.used_tokens, assessment.situation.cooldown_tokens
    tried = used - turn.futile_tokens
    # Without a model every worker tries again, so that one that saw no attempt decides the same.
    spared = turn.summarizer_reads and turn.futile_tokens > 0 and not turn.asked
    if not spared or tried >= wanted or used > turn.budget.transcript_budget_tokens:
        return ""
    return f"the last attempt freed too little; {tried:,} of {wanted:,} new tokens"


def _swapped(
    turn: Turn, history: History, insertions: Insertions, assessment: Assessment, chosen: Selection
) -> tuple[Selection, Ahead | None]:
    """The cut to make: that of the summary made ahead, where it still serves."""
    if not turn.prefetch or turn.ahead is None:
        return chosen, None
    record = turn.budget.record_tokens if not insertions.record else 0
    room = turn.budget.trigger_tokens - record
    fits = turn.unscaled(room) - assessment.inserted_tokens
    return swapped(turn, history, view_of(turn, history), chosen, fits)


def _compact(
    turn: Turn,
    history: History,
    insertions: Insertions,
    assessment: Assessment,
    decision: Compact,
) -> Generator[Effect, Any, tuple[Turn, History, Outcome, Folded | None]]:
    selection = assessment.selection
    over = assessment.situation.used_tokens > assessment.situation.limit_tokens
    if selection is None or not selection.middle:
        return turn, history, Held(why=Why.NOTHING_TO_FOLD, detail=decision.detail), None
    if futile := _futile(turn, assessment):
        return turn, history, Held(why=Why.COOLDOWN, detail=futile), None
    consent = yield from consent_to(turn, history, selection, assessment, decision)
    turn = with_wishes(turn, consent)
    if consent.vetoed:
        return turn, history, Held(why=Why.VETOED, detail=consent.reason), None
    insertions = insertions_for(turn, history)
    selection, ahead = _swapped(turn, history, insertions, assessment, selection)
    folded = yield from fold(
        turn,
        history,
        selection,
        insertions,
        tokens_before=assessment.used_tokens,
        limit_tokens=turn.unscaled(turn.budget.transcript_budget_tokens),
        ahead=ahead,
    )
    after_tokens = folded.commit.checkpoint.tokens_after
    needed = assessment.situation.min_reclaim_tokens if not (over or turn.asked) else 1
    if after_tokens > assessment.used_tokens - needed:
        detail = f"{assessment.used_tokens:,} tokens would become {after_tokens:,}"
        return turn, history, Held(why=Why.NOT_SMALLER, detail=detail), None
    after = yield from _committed(turn, history, folded.commit, folded.history.record)
    assert after.checkpoint is not None
    if (other := after.checkpoint.checkpoint_id) != folded.commit.checkpoint.checkpoint_id:
        return turn, after, Held(why=Why.ALREADY, adopted=other), folded
    made = _compacted(decision, folded, selection)
    turn = yield from afterword_to(turn, decision, made, after.checkpoint, folded.lineage)
    return turn, after, made, folded


def _compacted(decision: Compact, folded: Folded, selection: Selection) -> Compacted:
    detail = decision.detail
    if selection.yielded:
        detail = f"{detail}; gave way: {', '.join(selection.yielded)}"
    return Compacted(
        why=decision.why,
        boundary=decision.boundary,
        absorbed_messages=folded.absorbed_messages,
        handles=tuple(span.handle for span in folded.spans if span.kind == "span"),
        record_tokens=folded.rendered_record.tokens,
        summarizer=folded.proposed.summarizer,
        hard=decision.hard,
        detail=detail,
    )


def _committed(
    turn: Turn, history: History, commit: Commit, ours: HandoffRecord
) -> Generator[Effect, Any, History]:
    """Commit, and go on from the checkpoint that holds (another worker may have been first)."""
    made = with_given_out(turn, history, commit.checkpoint)
    facts = {**made.facts, "notes": list(turn.note_sequences)}
    made = replace(made, facts=facts, aliases=(*made.aliases, *aliases_of(turn)))
    commit = replace(commit, checkpoint=made)
    checkpoint: Checkpoint = yield commit
    mine = checkpoint.record_json == commit.checkpoint.record_json
    record = ours if mine else record_of(checkpoint)
    return measured(turn, advance(history, checkpoint, record))


def _finished(
    turn: Turn, history: History, outcome: Outcome | None, folded: Folded | None
) -> Generator[Effect, Any, Prepared]:
    """Make sure that it fits, then lay it out."""
    limit = turn.budget.transcript_budget_tokens
    warnings: list[str] = [history.doubt] if history.doubt else []
    warnings.extend(folded.warnings if folded is not None else ())
    insertions = insertions_for(turn, history)
    used = used_tokens(turn, history, insertions)
    if used > limit:
        squeezed = squeeze(turn, history, turn.unscaled(limit), turn.unscaled(used))
        after = used_tokens(turn, squeezed, insertions)
        if after > limit:
            raise floor_error(turn, squeezed, insertions, after)
        handles = tuple(s.handle for s in squeezed.stubs if s not in history.stubs)
        commit = evict_commit(turn, history, squeezed, insertions, (used, after))
        history = yield from _committed(turn, history, commit, history.record)
        if not isinstance(outcome, Compacted):
            outcome = Evicted(why=Why.OVER_BUDGET, handles=handles, freed_tokens=used - after)
        used = after
    history = yield from _settled(turn, history, insertions)
    warnings.extend(
        cut_goal(turn, history, outcome.handles if isinstance(outcome, Evicted) else ())
    )
    rendered = render(history, insertions, turn.codec, turn.shown)
    return Prepared(
        rendered=rendered,
        history=history,
        insertions=insertions,
        outcome=outcome or Held(why=Why.BELOW_TRIGGER),
        tokens_after=used,
        folded=folded,
        warnings=tuple(warnings),
    )


def _settled(
    turn: Turn, history: History, insertions: Insertions
) -> Generator[Effect, Any, History]:
    """Commit what no compaction or eviction has: messages taken out by repair, changed pins.

    Without that a caller that keeps its contexts would not be recognised by what it sends back.
    """
    for _ in range(_MOST_ROUNDS):
        commit = settling_commit(turn, history, insertions)
        if commit is None:
            break
        history = yield from _committed(turn, history, commit, history.record)
    return history
