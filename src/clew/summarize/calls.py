"""What each call of a summarizer's model took, and what calls took together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.ports import ModelUsage, Rates

ANSWERED = "answered"
REMEMBERED = "remembered"
"""The outcome of a call that was not made again: its answer was known from before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One call: to which model (`provider:model`), what came of it, and what it took.

    `outcome` is `answered`, `remembered` (nothing was sent) or the reason of a failure. Tokens are
    those the provider reported; `cost` is in the currency of the prices, None where none is known.
    """

    model: str
    outcome: str
    seconds: float = 0.0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTotals:
    """Several calls together; `cost` is that of the calls whose price is known, None for none."""

    calls: int = 0
    seconds: float = 0.0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    def plus(self, calls: Iterable[ModelCall]) -> CallTotals:
        """These totals with further calls; remembered ones were not made."""
        made = [call for call in calls if call.outcome != REMEMBERED]
        known = [cost for cost in (self.cost, *(call.cost for call in made)) if cost is not None]
        return CallTotals(
            calls=self.calls + len(made),
            seconds=self.seconds + sum(call.seconds for call in made),
            input_tokens=self.input_tokens + sum(call.input_tokens for call in made),
            cached_tokens=self.cached_tokens + sum(call.cached_tokens for call in made),
            output_tokens=self.output_tokens + sum(call.output_tokens for call in made),
            cost=sum(known) if known else None,
        )


def cost_of(usage: ModelUsage, rates: Rates | None) -> float | None:
    """What a call cost at prices per million tokens; None where no price is known."""
    if rates is None:
        return None
    fresh = max(0, usage.input_tokens - usage.cached_tokens)
    price = fresh * rates.input + usage.cached_tokens * rates.cached_read
    return (price + usage.output_tokens * rates.output) / 1e6
