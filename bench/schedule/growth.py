"""How a recorded session grew, and what a compaction before each of its calls would have left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.budget import ResolvedBudget
from clew.cuts import CutView, TailBounds, select
from clew.policy import Plan, detect
from clew.replay.recording import Recording, is_person
from clew.tools_seen import CallSeen, see_exchange
from clew.transcript import Exchange, ExchangeGrouper, ExchangeKind, Message

RECENT_EXCHANGES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """One entry for each call: what it would send whole, and what a compaction would leave of it.

    All in tokens with system and tools, `fixed_tokens` of them; `budget` is that of the transcript
    on top. `floor_tokens` follows the laws of cuts. The first `head_tokens` stay cached.
    `boundaries` says where an event with natural closure is, `planned_calls` how many calls the
    agent's own list has left, None where it does not tell.
    """

    raw_tokens: Sequence[int]
    floor_tokens: Sequence[int]
    boundaries: Sequence[bool]
    planned_calls: Sequence[float | None]
    head_tokens: int
    record_tokens: int
    fixed_tokens: int
    tail_tokens: int
    budget: ResolvedBudget

    @property
    def limit_tokens(self) -> int:
        """The largest context."""
        return self.fixed_tokens + self.budget.transcript_budget_tokens

    def share(self, size: int) -> float:
        """The share of its budget that the transcript takes in a context of this size."""
        return (size - self.fixed_tokens) / self.budget.transcript_budget_tokens


class _Calls:
    """What the calls of an exchange did, looked at once."""

    def __init__(self, body: Sequence[Message]) -> None:
        self._body = body
        self._seen: dict[tuple[int, ...], tuple[CallSeen, ...]] = {}

    def of(self, exchange: Exchange, shown: int) -> tuple[CallSeen, ...]:
        """As the session tells it: a result may be the next user message."""
        indices = tuple(exchange.indices)
        silent = not any(self._body[i].calls for i in indices)
        if silent and exchange.kind is ExchangeKind.ASSISTANT and exchange.last + 1 < shown:
            indices = (*indices, exchange.last + 1)
        if indices not in self._seen:
            self._seen[indices] = tuple(see_exchange([self._body[i] for i in indices]))
        return self._seen[indices]


def growth_of(recording: Recording, budget: ResolvedBudget, record_tokens: int) -> Growth:
    """Read a recording call by call."""
    lead = recording.lead_count
    body, sizes = recording.messages[lead:], recording.sizes[lead:]
    front = recording.fixed_tokens + recording.lead_tokens
    fits = budget.trigger_tokens - 2 * record_tokens
    bounds = TailBounds(messages=budget.tail_messages, tokens=budget.tail_tokens)
    calls = _Calls(body)
    raw, floors, boundaries, planned = [], [], [], []
    for call in recording.calls():
        shown = call.shown - lead
        grouper = ExchangeGrouper(adjacent_results=recording.codec.adjacent_results)
        grouper.feed(body[:shown])
        view = CutView(
            body=body[:shown],
            exchanges=tuple(grouper.exchanges()),
            is_person=lambda index: is_person(body[index]),
        )
        cut = select(view, sizes[:shown], bounds, fits_tokens=fits)
        raw.append(front + sum(sizes[:shown]))
        floors.append(front + cut.floor_tokens + record_tokens)
        plan = _plan(view, calls)
        boundaries.append(_boundary(view, calls, plan))
        planned.append(plan.planned_calls)
    return Growth(
        raw_tokens=raw,
        floor_tokens=floors,
        boundaries=boundaries,
        planned_calls=planned,
        head_tokens=recording.head_tokens(),
        record_tokens=record_tokens,
        fixed_tokens=front,
        tail_tokens=budget.tail_tokens,
        budget=budget,
    )


def _plan(view: CutView, calls: _Calls) -> Plan:
    answers = [e for e in view.exchanges if e.kind is ExchangeKind.ASSISTANT]
    todos, since = [], 0
    for exchange in reversed(answers):
        seen = calls.of(exchange, len(view.body))
        todos += [call.todo for call in reversed(seen) if call.todo]
        if len(todos) > 1:
            break
        since += not todos
    now, before = (*todos, (), ())[:2]
    return Plan(now=now, before=before, calls_so_far=len(answers), calls_since=since)


def _boundary(view: CutView, calls: _Calls, plan: Plan) -> bool:
    shown, exchanges = len(view.body), view.exchanges
    if not exchanges:
        return False
    answers = [e for e in exchanges if e.kind is ExchangeKind.ASSISTANT]
    spoke = exchanges[-1].kind is ExchangeKind.USER and view.is_person(exchanges[-1].first)
    before = exchanges[-2] if len(exchanges) > 1 else None
    answered = before is not None and before.kind is ExchangeKind.ASSISTANT
    if before is not None and answered:
        answered = not any(view.body[i].calls for i in before.indices)
    found = detect(
        [calls.of(exchange, shown) for exchange in answers[-RECENT_EXCHANGES:]],
        user_spoke_last=spoke,
        answered_before=spoke and answered,
        todo_before=plan.before,
    )
    return found is not None
