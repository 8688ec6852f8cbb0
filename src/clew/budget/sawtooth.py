"""The arithmetic of the sawtooth: what one compaction reclaims and how long that lasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from clew.budget.budget import ResolvedBudget
from clew.errors import BudgetError

DEFAULT_HEAD_TOKENS: Final = 1_000
_FEW_TURNS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Sawtooth:
    """What a budget means in turns.

    `floor_tokens` is head, tail and record: where the context stands after a compaction.
    `turns_bought` is None without a growth; a burst that overruns the gap leaves a negative
    number; None where the burst is not known. `advice` is a tuple of sentences.
    """

    transcript_budget_tokens: int
    trigger_tokens: int
    backstop_tokens: int
    gap_tokens: int
    floor_tokens: int
    reclaimed_tokens: int
    turns_bought: int | None
    p95_left_tokens: int | None
    p99_left_tokens: int | None
    advice: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The value as a JSON object, keys in the order of the fields."""
        return {
            "transcript_budget_tokens": self.transcript_budget_tokens,
            "trigger_tokens": self.trigger_tokens,
            "backstop_tokens": self.backstop_tokens,
            "gap_tokens": self.gap_tokens,
            "floor_tokens": self.floor_tokens,
            "reclaimed_tokens": self.reclaimed_tokens,
            "turns_bought": self.turns_bought,
            "p95_left_tokens": self.p95_left_tokens,
            "p99_left_tokens": self.p99_left_tokens,
            "advice": list(self.advice),
        }


def sawtooth(
    budget: ResolvedBudget,
    *,
    head_tokens: int = DEFAULT_HEAD_TOKENS,
    growth_tokens: int | None = None,
    p95_tokens: int | None = None,
    p99_tokens: int | None = None,
) -> Sawtooth:
    """Work out floor, reclaimed tokens, turns and bursts of a budget.

    `growth_tokens` is the mean growth a turn, `p95_tokens` and `p99_tokens` are large single
    turns. Raises BudgetError for a negative number or a growth of zero.
    """
    _refuse_nonsense(head_tokens, growth_tokens, p95_tokens, p99_tokens)
    floor = head_tokens + budget.tail_tokens + budget.record_tokens
    reclaimed = budget.trigger_tokens - floor
    turns = None if growth_tokens is None else max(0, reclaimed) // growth_tokens
    return Sawtooth(
        transcript_budget_tokens=budget.transcript_budget_tokens,
        trigger_tokens=budget.trigger_tokens,
        backstop_tokens=budget.backstop_tokens,
        gap_tokens=budget.gap_tokens,
        floor_tokens=floor,
        reclaimed_tokens=reclaimed,
        turns_bought=turns,
        p95_left_tokens=None if p95_tokens is None else budget.gap_tokens - p95_tokens,
        p99_left_tokens=None if p99_tokens is None else budget.gap_tokens - p99_tokens,
        advice=(
            *budget.adjusted,
            *_advice_on_floor(budget, floor, turns, growth_tokens),
            *_advice_on_burst("p95", p95_tokens, budget, floor),
            *_advice_on_burst("p99", p99_tokens, budget, floor),
        ),
    )


def _refuse_nonsense(
    head_tokens: int, growth_tokens: int | None, p95_tokens: int | None, p99_tokens: int | None
) -> None:
    given = {"head": head_tokens, "p95": p95_tokens, "p99": p99_tokens, "growth": growth_tokens}
    for name, tokens in given.items():
        if tokens is not None and tokens < 0:
            raise BudgetError(f"{name} is negative", arithmetic=f"{name} = {tokens:,} tokens")
    if growth_tokens == 0:
        raise BudgetError(
            "a growth of zero never reaches the trigger", arithmetic="growth = 0 tokens"
        )
    if p95_tokens is not None and p99_tokens is not None and p99_tokens < p95_tokens:
        raise BudgetError(
            "p99 is smaller than p95", arithmetic=f"p99 {p99_tokens:,} < p95 {p95_tokens:,} tokens"
        )


def _advice_on_floor(
    budget: ResolvedBudget, floor: int, turns: int | None, growth: int | None
) -> tuple[str, ...]:
    trigger = budget.trigger_tokens
    if floor >= trigger:
        return (
            (
                f"The floor of {floor:,} tokens reaches the trigger of {trigger:,}: a compaction "
                f"reclaims nothing. Shorten the tail or the pinned head, or raise the window."
            ),
        )
    if turns is not None and growth is not None and turns < _FEW_TURNS:
        return (
            (
                f"One compaction buys only {turns} turns at {growth:,} tokens a turn. Shorten the "
                f"tail, evict large results, or delegate the turns that grow most."
            ),
        )
    if 2 * floor > trigger:
        return (
            (
                f"The floor of {floor:,} tokens is more than half of the trigger of {trigger:,}: a "
                f"shorter tail would make compactions rarer."
            ),
        )
    return ()


def _advice_on_burst(
    name: str, burst: int | None, budget: ResolvedBudget, floor: int
) -> tuple[str, ...]:
    gap = budget.gap_tokens
    if burst is None or burst <= gap:
        return ()
    catching = budget.backstop_tokens - burst
    if catching > floor:
        percent = 100 * catching // budget.transcript_budget_tokens
        remedy = f"lower the trigger to {catching:,} tokens ({percent} %), or"
    else:
        remedy = "no trigger above the floor could catch it, so"
    return (
        (
            f"A {name} burst of {burst:,} tokens cannot be caught: it overruns the gap of {gap:,} "
            f"between trigger and backstop by {burst - gap:,}; {remedy} keep any single result "
            f"below {gap:,} tokens by evicting or delegating it."
        ),
    )
