"""From a history to the situation the policy decides on. Cheap while nothing can be armed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from clew.ahead import readiness_of, standing
from clew.budget.measure import MESSAGE_OVERHEAD_TOKENS
from clew.carrying import Carried, carried_of, may_have_paid
from clew.cuts import CutView, Selection, TailBounds, goal_index, select
from clew.evict.stubs import Leaf, leaves
from clew.history import History, stubs_by_position
from clew.policy import (
    ARMING_PRICES,
    Boundary,
    Plan,
    Situation,
    detect,
)
from clew.render import Insertions
from clew.residency import Eviction, best_eviction
from clew.tools_seen import ended_tasks
from clew.tools_seen.seen import CallSeen, Outcome, TodoItem
from clew.transcript import Exchange, ExchangeKind, Message, Role
from clew.turn import Turn

_RECENT_EXCHANGES = 6
PENDING_SHARE = 0.10
"""Share of the transcript budget that exchanges with something pending may hold verbatim."""
_SETTLED = (Outcome.OK, Outcome.REFUSED, Outcome.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """The situation, and what a compaction would select and an eviction take out.

    Both are None while that is too early.
    """

    situation: Situation
    used_tokens: int
    inserted_tokens: int
    selection: Selection | None = None
    eviction: Eviction | None = None


def assess(turn: Turn, history: History, insertions: Insertions) -> Assessment:
    """Measure a history against the budget.

    Below the boundary floor nothing is selected before carrying may have paid for a compaction, so
    that the usual call stays cheap.
    """
    budget = turn.budget
    inserted = inserted_tokens(turn, insertions)
    used = turn.scaled(sum(history.sizes) + inserted)
    limit = budget.transcript_budget_tokens
    oversized = oversized_tokens(turn, history)
    early = used < budget.boundary_floor_tokens and not turn.asked
    if early and not may_have_paid(turn, history, inserted):
        situation = _situation(turn, history, used, oversized, None, inserted, Carried(), Plan())
        return Assessment(situation=situation, used_tokens=used, inserted_tokens=inserted)
    selection = selection_of(turn, history, inserted, hard=used > limit)
    plan = plan_of(turn, history)
    carried = carried_of(turn, history, inserted, selection, plan.planned_calls)
    situation = _situation(turn, history, used, oversized, selection, inserted, carried, plan)
    eviction = _eviction(turn, history, situation, carried, plan)
    if eviction is not None:
        situation = replace(
            situation,
            evictable_tokens=turn.scaled(max(0, eviction.plan.freed_tokens)),
            eviction_pays=eviction.pays
            and turn.scaled(eviction.plan.freed_tokens) >= situation.min_reclaim_tokens,
        )
    return Assessment(
        situation=situation,
        used_tokens=used,
        inserted_tokens=inserted,
        selection=selection,
        eviction=eviction,
    )


def _eviction(
    turn: Turn, history: History, situation: Situation, carried: Carried, plan: Plan
) -> Eviction | None:
    """What an eviction would take out; looked for only while compaction waits, armed."""
    used = situation.used_tokens
    armed = used >= situation.trigger_tokens or situation.carried_prices >= ARMING_PRICES
    if (
        turn.asked
        or not armed
        or used >= situation.backstop_tokens
        or situation.boundary is not None
    ):
        return None
    if situation.call_open or situation.oversized_tokens:
        return None
    return best_eviction(
        turn,
        history,
        pending_indices(turn, history),
        plan.remaining_calls,
        used,
        most_calls=carried.patient_calls,
    )


def inserted_tokens(turn: Turn, insertions: Insertions) -> int:
    """Counted tokens of the messages that Clew puts into the context itself."""
    texts = [t for t in (insertions.goal, *insertions.pins, insertions.record) if t]
    if not texts:
        return 0
    return turn.meter.count_inserted(texts) + MESSAGE_OVERHEAD_TOKENS * len(texts)


def used_tokens(turn: Turn, history: History, insertions: Insertions) -> int:
    """Tokens of what would go out, as the provider counts them."""
    return turn.scaled(sum(history.sizes) + inserted_tokens(turn, insertions))


def view_of(turn: Turn, history: History) -> CutView:
    """What the laws of cuts look at."""
    body = history.body
    digests = turn.pinned_digests
    pinned = [i for i, m in enumerate(body) if m.digest in digests] if digests else ()
    return CutView(
        body=body,
        exchanges=history.exchanges,
        is_person=partial(_is_person_at, turn, body),
        pinned=frozenset(pinned),
        pending=pending_indices(turn, history),
    )


def _is_person_at(turn: Turn, body: Sequence[Message], index: int) -> bool:
    return turn.is_person(body[index])


def selection_of(turn: Turn, history: History, inserted_tokens: int, *, hard: bool) -> Selection:
    """The cut a compaction would make now; a hard one may squeeze the tail to the last exchange."""
    budget = turn.budget
    record = turn.unscaled(budget.record_tokens)
    fits = turn.unscaled(budget.trigger_tokens) - record - inserted_tokens
    head = history.head_count if history.absorbed_count > 0 else None
    bounds = TailBounds(messages=budget.tail_messages, tokens=turn.unscaled(budget.tail_tokens))
    view = view_of(turn, history)
    chosen = select(view, history.sizes, bounds, head_count=head, fits_tokens=fits)
    if hard and chosen.floor_tokens > fits:
        least = TailBounds(messages=1, tokens=0)
        tight = select(view, history.sizes, least, head_count=head, fits_tokens=fits)
        if tight.floor_tokens < chosen.floor_tokens:
            return tight
    return chosen


# ---- parts that are too large ---------------------------------------------------------------


def part_limit_tokens(turn: Turn) -> int:
    """The largest size of one part, in counted tokens."""
    share = turn.policy.eviction.part_share
    return max(1, int(turn.unscaled(turn.budget.transcript_budget_tokens) * share))


def oversized_leaves(turn: Turn, history: History) -> list[tuple[int, Leaf]]:
    """Leaves above the limit for one part that have no stub yet, as (body index, leaf).

    The goal is touched once, before it first goes out and before the first checkpoint; then alone,
    so that no rewind behind it undoes that. Afterwards never again.
    """
    limit = part_limit_tokens(turn)
    if not turn.policy.eviction.enabled:
        return []
    stubbed = stubs_by_position(history.stubs)
    goal_at = goal_index(history.body, turn.is_person)
    found: list[tuple[int, Leaf]] = []
    for index, size in enumerate(history.sizes):
        if size <= limit or history.body[index].digest in turn.pinned_digests:
            continue
        if index == goal_at and _goal_is_fixed(turn, history, index):
            continue
        done = stubbed.get(history.positions[index], {})
        found.extend(
            (index, leaf)
            for leaf in leaves(history.body[index])
            if leaf.path not in done and _leaf_tokens(turn, leaf) > limit
        )
    goal = [pair for pair in found if pair[0] == goal_at]
    return goal or found


def _goal_is_fixed(turn: Turn, history: History, index: int) -> bool:
    return history.checkpoint is not None or history.body[index].digest in turn.begun


def _leaf_tokens(turn: Turn, leaf: Leaf) -> int:
    if leaf.is_media:
        return 0
    return turn.meter.counter.count_text(leaf.text)


def oversized_tokens(turn: Turn, history: History) -> int:
    """How many tokens stubs for oversized parts would free, roughly."""
    limit = part_limit_tokens(turn)
    if not history.sizes or max(history.sizes) <= limit:
        return 0
    return sum(_leaf_tokens(turn, leaf) // 2 for _, leaf in oversized_leaves(turn, history))


# ---- the situation --------------------------------------------------------------------------


def _situation(
    turn: Turn,
    history: History,
    used: int,
    oversized: int,
    selection: Selection | None,
    inserted: int,
    carried: Carried,
    plan: Plan,
) -> Situation:
    budget, limit = turn.budget, turn.budget.transcript_budget_tokens
    late = selection is not None
    recent = recent_calls(turn, history) if late else ()
    detected = _boundary(turn, history, recent, plan.before) if late else None
    record_growth = budget.record_tokens if history.checkpoint is None else 0
    floor = foldable = 0
    if selection is not None:
        floor = turn.scaled(selection.floor_tokens + inserted)
        foldable = max(0, turn.scaled(selection.middle_tokens) - record_growth)
    return Situation(
        used_tokens=used,
        limit_tokens=limit,
        trigger_tokens=budget.trigger_tokens,
        backstop_tokens=budget.backstop_tokens,
        boundary_floor_tokens=budget.boundary_floor_tokens,
        foldable_tokens=foldable,
        floor_tokens=floor + record_growth,
        new_tokens=max(0, used - _tokens_after_last(history)),
        cooldown_tokens=int(limit * turn.policy.cooldown),
        min_reclaim_tokens=max(1, int(limit * turn.policy.min_reclaim)),
        compacted_before=history.checkpoint is not None and history.absorbed_count > 0,
        carried_prices=carried.prices,
        boundary=turn.signal or detected or _awaited(turn, history),
        signalled=turn.signal is not None,
        asked=turn.asked,
        call_open=bool(history.exchanges and history.exchanges[-1].open_calls),
        work_done=plan.finished and _answered(history, len(history.exchanges) - 1),
        oversized_tokens=turn.scaled(oversized),
        readiness=readiness_of(turn, history, selection),
    )


def _tokens_after_last(history: History) -> int:
    checkpoint = history.checkpoint
    return checkpoint.tokens_after if checkpoint is not None else 0


def recent_calls(turn: Turn, history: History) -> tuple[tuple[CallSeen, ...], ...]:
    """What the calls of the latest exchanges did, oldest first."""
    last = [e for e in history.exchanges if e.kind is ExchangeKind.ASSISTANT][-_RECENT_EXCHANGES:]
    return tuple(calls_of(turn, history, e) for e in last)


def calls_of(turn: Turn, history: History, exchange: Exchange) -> tuple[CallSeen, ...]:
    """What the calls of an exchange did, told from texts without secrets.

    Agents that write their calls as text get the result as the next user message: it is looked at
    too.
    """
    known = turn.seen.calls.get(id(exchange))
    if known is not None:
        return known[1]
    body = history.body
    indices = list(exchange.indices)
    silent = exchange.kind is ExchangeKind.ASSISTANT and not exchange.open_calls
    silent = silent and not any(body[i].calls for i in indices)
    followed = exchange.last + 1 < len(body)
    if silent and followed:
        indices.append(exchange.last + 1)
    found = turn.see([turn.redacted(body[i]) for i in indices])
    if followed or not silent:
        turn.seen.calls[id(exchange)] = (exchange, found)
    return found


def plan_of(turn: Turn, history: History) -> Plan:
    """The agent's list before its latest change, and as it stands now; without one, calls alone.

    Calls whose messages have been absorbed count as their number tells.
    """
    found: list[tuple[TodoItem, ...]] = []
    since = 0
    answers = [e for e in history.exchanges if e.kind is ExchangeKind.ASSISTANT]
    for exchange in reversed(answers):
        calls = calls_of(turn, history, exchange)
        found.extend(call.todo for call in reversed(calls) if call.todo)
        if len(found) >= 2:
            break
        since += not found
    share = history.count / len(history.body) if history.absorbed_count and history.body else 1.0
    return Plan(
        now=found[0] if found else (),
        before=found[1] if len(found) > 1 else (),
        calls_so_far=round(len(answers) * share),
        calls_since=since,
    )


def _boundary(
    turn: Turn,
    history: History,
    recent: tuple[tuple[CallSeen, ...], ...],
    todo_before: tuple[TodoItem, ...],
) -> Boundary | None:
    if not history.exchanges:
        return None
    last = history.exchanges[-1]
    spoke = last.kind is ExchangeKind.USER and turn.is_person(history.body[last.first])
    answered = spoke and _answered(history, len(history.exchanges) - 2)
    return detect(
        recent,
        user_spoke_last=spoke,
        answered_before=answered,
        todo_before=todo_before,
        rules=turn.policy.boundaries,
    )


def _awaited(turn: Turn, history: History) -> Boundary | None:
    """A boundary that came before its summary was ready; it holds while the summary does."""
    return turn.awaited if turn.awaited and standing(turn, history) is not None else None


def _answered(history: History, number: int) -> bool:
    """Whether an exchange is a final answer: the assistant spoke and called nothing."""
    if number < 0:
        return False
    exchange = history.exchanges[number]
    messages = [history.body[i] for i in exchange.indices]
    return exchange.kind is ExchangeKind.ASSISTANT and not any(m.calls for m in messages)


# ---- what still waits -----------------------------------------------------------------------


def pending_indices(turn: Turn, history: History) -> frozenset[int]:
    """Body indices of exchanges with a call that waits for a person or a job.

    A ticket is settled when a later call about it ended well or was refused, when a later message
    of a person names it, or when the harness says that it came to its end. A job stays verbatim
    through one compaction; at the next the record's line and its handle stand for it, since nobody
    may ever ask for the end of a process that has long been gone.
    """
    waiting: dict[str, list[int]] = {}
    for exchange in history.exchanges:
        if waiting:
            _settle_by_text(waiting, [history.body[i] for i in exchange.indices], turn)
        old = history.positions[exchange.first] < history.absorbed_count
        for call in calls_of(turn, history, exchange):
            ticket = call.approval or ("" if old else call.job)
            if call.outcome is Outcome.PENDING and ticket:
                waiting.setdefault(ticket, []).extend(exchange.indices)
            elif call.outcome in _SETTLED:
                # A look at a session that has ended names it as what it looks at.
                for name in (call.approval, call.job, call.resource):
                    waiting.pop(name, None)
    return _newest_within(waiting.values(), history, turn)


def _newest_within(
    waiting: Iterable[Sequence[int]], history: History, turn: Turn
) -> frozenset[int]:
    """The newest of these exchanges that fit a share of the budget; the record names the others.

    Waiting jobs can pile up for hours; kept without a bound they would become the floor.
    """
    left = int(turn.unscaled(turn.budget.transcript_budget_tokens) * PENDING_SHARE)
    kept: set[int] = set()
    for indices in sorted(waiting, key=max, reverse=True):
        left -= sum(history.sizes[i] for i in set(indices) - kept)
        if left < 0:
            break
        kept.update(indices)
    return frozenset(kept)


def _settle_by_text(waiting: dict[str, list[int]], messages: Sequence[Message], turn: Turn) -> None:
    for message in messages:
        if message.role is not Role.USER:
            continue
        over = ended_tasks(message.text)
        named = message.text if turn.is_person(message) else ""
        for ticket in [t for t in waiting if t in over or t in named]:
            del waiting[ticket]
