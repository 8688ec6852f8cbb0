"""What carrying this history has cost since its last compaction, in prices of the next one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from clew.cuts import Selection
from clew.history import History
from clew.policy import (
    ARMING_PRICES,
    PATIENCE_PRICES,
    carrying_cost,
    compaction_price,
    setup_cost,
)
from clew.transcript import Role
from clew.turn import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What carrying has cost since the last compaction, in setup costs of the one to come.

    `call_prices` is what one more call adds.
    """

    prices: float = 0.0
    call_prices: float = 0.0

    @property
    def patient_calls(self) -> float:
        """After how many more calls a compaction waits for no boundary; without end if never."""
        left = max(0.0, PATIENCE_PRICES - self.prices)
        return left / self.call_prices if self.call_prices > 0 else inf


def record_growth_tokens(turn: Turn, history: History) -> int:
    """Counted tokens by which the first record makes the context larger."""
    return 0 if history.record_text else turn.unscaled(turn.budget.record_tokens)


def may_have_paid(turn: Turn, history: History, inserted_tokens: int) -> bool:
    """Whether carrying may have paid for a compaction: certainly not where this is False.

    Cheap, for the usual call: as if a compaction left nothing but the record and what Clew adds,
    which it writes again in any case.
    """
    if not turn.policy.cost_rule:
        return False
    floor = inserted_tokens + record_growth_tokens(turn, history)
    reclaimed = turn.scaled(sum(history.sizes) + inserted_tokens - floor)
    least = turn.budget.transcript_budget_tokens * turn.policy.min_reclaim
    if reclaimed < least:
        return False
    return _carried(turn, history, inserted_tokens, floor, floor).prices >= ARMING_PRICES


def carried_of(
    turn: Turn,
    history: History,
    inserted_tokens: int,
    selection: Selection,
    planned_calls: float | None = None,
) -> Carried:
    """What carrying has cost against the compaction that `selection` would make.

    What counts is the tokens beyond the floor that it would leave, once for each call. What it
    writes again is that floor, less the head, which stays in the cache, and less what never was
    there: the newest answer and all behind it. Where the plan has fewer calls left than
    such a compaction needs to earn its price, folding counts too. Nothing where the policy has no
    cost rule.
    """
    if not turn.policy.cost_rule:
        return Carried()
    floor = selection.floor_tokens + inserted_tokens + record_growth_tokens(turn, history)
    head = sum(history.sizes[: selection.head_count])
    rewritten = floor - head - min(_unsent_tokens(history), selection.tail_tokens)
    return _carried(turn, history, inserted_tokens, floor, max(0, rewritten), planned_calls)


def _carried(
    turn: Turn,
    history: History,
    inserted: int,
    floor: int,
    rewritten: int,
    planned_calls: float | None = None,
) -> Carried:
    ratios = replace(turn.policy.ratios, summarizer_reads=turn.summarizer_reads)
    whole = sum(history.sizes) + inserted
    beyond = max(0, whole - floor)
    setup = setup_cost(
        ratios,
        record_tokens=turn.unscaled(turn.budget.record_tokens),
        rewritten_tokens=rewritten,
    )
    price = compaction_price(ratios, setup=setup, folded_tokens=beyond, planned_calls=planned_calls)
    carried = carrying_cost(ratios, token_calls=_token_calls(turn, history, whole, floor))
    a_call = carrying_cost(ratios, token_calls=beyond)
    if price <= 0:
        return Carried(prices=inf if carried else 0.0, call_prices=inf if a_call else 0.0)
    return Carried(prices=carried / price, call_prices=a_call / price)


def _unsent_tokens(history: History) -> int:
    """Size of the newest answer and of what came after it, which no call has sent yet."""
    for index in range(len(history.body) - 1, -1, -1):
        if history.body[index].role is Role.ASSISTANT:
            return sum(history.sizes[index:])
    return sum(history.sizes)


def _token_calls(turn: Turn, history: History, whole: int, floor: int) -> int:
    """Tokens beyond the floor, summed over the calls since the last compaction.

    Calls before it had a smaller context than it left, as the history stands now: its tail was not
    yet complete. Neighbouring messages of the assistant are one call where the format has an
    answer in several items. Newest call first, and no further than to one that carried nothing.
    """
    checkpoint = history.checkpoint
    left = turn.unscaled(checkpoint.tokens_after) if checkpoint is not None else 0
    separate = turn.codec.adjacent_results
    body, sizes = history.body, history.sizes
    token_calls, running = 0, whole
    for index in range(len(body) - 1, -1, -1):
        running -= sizes[index]
        if running < left or running <= floor:
            break
        assistant = body[index].role is Role.ASSISTANT
        if assistant and (separate or not index or body[index - 1].role is not Role.ASSISTANT):
            token_calls += running - floor
    return token_calls
