"""Schedules of compactions over a recorded growth, priced alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from growth import Growth

from clew.policy import (
    ARMING_PRICES,
    PATIENCE_PRICES,
    Ratios,
    carrying_cost,
    compaction_price,
    setup_cost,
)
from clew.replay.cost import making_cost, optimum

MIN_RECLAIM, COOLDOWN, TRIGGER, BACKSTOP = 0.05, 0.10, 0.70, 0.85
"""The defaults of a policy, as shares of the transcript budget."""


@dataclass(slots=True, kw_only=True)
class Since:
    """What was sent since the last compaction, by which call that was made; the first is 0."""

    start: int = 0
    sent: list[int] = field(default_factory=list)


Due = Callable[[int, int, Since], int | None]
"""Before call `n`, with a context so large: the call whose cut a compaction makes, or None."""


def price(growth: Growth, ratios: Ratios, due: Due) -> tuple[float, int]:
    """Price of a schedule in uncached input tokens, and how often it compacts."""
    prices, count = price_by_call(growth, ratios, due)
    return prices[-1], count


def price_by_call(growth: Growth, ratios: Ratios, due: Due) -> tuple[list[float], int]:
    """What a schedule has cost after each call, and how often it compacts in all."""
    raw = growth.raw_tokens
    totals, count, size = [raw[0] * ratios.cache_write], 0, raw[0]
    since = Since(sent=[size])
    for n in range(1, len(raw)):
        before, size = size, size + raw[n] - raw[n - 1]
        cut = due(n, size, since)
        left = size if cut is None else growth.floor_tokens[cut] + raw[n] - raw[cut]
        if left < size:
            head = min(growth.head_tokens, left)
            made = making_cost(ratios, size - left, growth.record_tokens)
            made += head * ratios.cached_read + (left - head) * ratios.cache_write
            size, count = left, count + 1
            since = Since(start=n, sent=[size])
        else:
            made = before * ratios.cached_read + max(0, size - before) * ratios.cache_write
            since.sent.append(size)
        totals.append(totals[-1] + made)
    return totals, count


def never(n: int, size: int, since: Since) -> int | None:
    """Send everything, whether it fits or not."""
    return None


def always(n: int, size: int, since: Since) -> int | None:
    """Compact before every call."""
    return n


def fixed(growth: Growth, share: float) -> Due:
    """Compact as soon as the transcript has reached a share of its budget."""
    return lambda n, size, since: n if growth.share(size) >= share else None


def at_calls(calls: frozenset[int]) -> Due:
    """Compact before these calls, counted from 0."""
    return lambda n, size, since: n if n in calls else None


@dataclass(slots=True, kw_only=True)
class CostRule:
    """Compact once carrying has cost as much as a compaction, as the policy has it.

    `boundaries` waits for one, within the policy's patience; `prefetch` has the summary made ahead,
    ready by the next call, and counts in `waits` the calls that have to wait for one all the same.
    """

    growth: Growth
    ratios: Ratios
    boundaries: bool = True
    prefetch: bool = False
    waits: int = 0
    _asked: int | None = None
    _missed: bool = False

    def __call__(self, n: int, size: int, since: Since) -> int | None:
        if since.start == n - 1:
            self._asked, self._missed = None, False
        growth, share = self.growth, self.growth.share(size)
        hard = share >= BACKSTOP
        if not hard and not self._armed(n, size, share, since):
            return None
        moment = not self.boundaries or growth.boundaries[n] or self._missed
        late = self._prices(n, since) >= PATIENCE_PRICES
        if not self.prefetch:
            return n if hard or moment or late else None
        return self._made_ahead(n, hard, moment or late)

    def _made_ahead(self, n: int, hard: bool, wanted: bool) -> int | None:
        asked, raw = self._asked, self.growth.raw_tokens
        grown = raw[n] - raw[asked] if asked is not None else 0
        if asked is None or grown > self.growth.tail_tokens / 2:
            self._asked = n
        if not (hard or wanted):
            return None
        if asked is not None and grown <= self.growth.tail_tokens:
            return asked
        if not hard and asked is None:
            self._missed = True
            return None
        self.waits += 1
        return n

    def _armed(self, n: int, size: int, share: float, since: Since) -> bool:
        floor, budget = self.growth.floor_tokens[n], self.growth.budget.transcript_budget_tokens
        paid = self._prices(n, since) >= ARMING_PRICES
        cooldown = COOLDOWN * budget
        if paid:
            cooldown = min(cooldown, floor - self.growth.fixed_tokens)
        young = since.start > 0 and size - since.sent[0] < cooldown
        armed = paid or share >= TRIGGER
        return armed and not young and size - floor >= MIN_RECLAIM * budget

    def _prices(self, n: int, since: Since) -> float:
        floor, raw = self.growth.floor_tokens[n], self.growth.raw_tokens
        rewritten = floor - self.growth.head_tokens - (raw[n] - raw[n - 1])
        setup = setup_cost(
            self.ratios,
            record_tokens=self.growth.record_tokens,
            rewritten_tokens=max(0, rewritten),
        )
        whole = compaction_price(
            self.ratios,
            setup=setup,
            folded_tokens=max(0, since.sent[-1] + raw[n] - raw[n - 1] - floor),
            planned_calls=self.growth.planned_calls[n],
        )
        beyond = sum(max(0, size - floor) for size in since.sent)
        return carrying_cost(self.ratios, token_calls=beyond) / max(whole, 1.0)


def best(growth: Growth, ratios: Ratios, floors: Sequence[int] | None = None) -> float:
    """Price of the best schedule that knows the future."""
    return optimum(
        growth.raw_tokens,
        ratios,
        floor_tokens=growth.floor_tokens if floors is None else floors,
        head_tokens=growth.head_tokens,
        record_tokens=growth.record_tokens,
        limit_tokens=growth.limit_tokens,
    )
