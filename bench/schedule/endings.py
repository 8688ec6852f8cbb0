"""How near any rule that does not know the end of a run can stay to the best fixed trigger.

A rule sees the calls one by one, so that what it does up to a call is the same wherever the run
ends after it. The best fixed trigger is chosen for each ending anew. Whether a schedule stays
within a factor at every ending is found call by call: behind a compaction only its place and what
was paid until then matter, and paying less is never worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from math import inf
from statistics import median

from growth import Growth
from schedules import Due, price_by_call

from clew.policy import Ratios
from clew.replay.cost import making_cost

_EXACT = 0.001
_LARGEST = 4.0


def least_factor(
    growth: Growth, ratios: Ratios, triggers: Sequence[Due], long_enough: float
) -> float:
    """The least factor over the best of some triggers that a schedule can keep at every ending.

    Endings are those calls, from where the transcript has reached a share of its budget, of the run
    and of its growth once more. Found by halving, to a thousandth; at most n * n / 2 steps each.
    """
    twice = _twice(growth)
    lowest = [min(prices) for prices in zip(*_prices(twice, ratios, triggers), strict=True)]
    first = next(n for n, size in enumerate(twice.raw_tokens) if twice.share(size) >= long_enough)
    low, high = 0.0, _LARGEST
    while high - low > _EXACT:
        middle = (low + high) / 2
        bounds = [middle * price if n >= first else inf for n, price in enumerate(lowest)]
        low, high = (low, middle) if _kept(twice, ratios, bounds) else (middle, high)
    return high


def _prices(growth: Growth, ratios: Ratios, triggers: Sequence[Due]) -> list[list[float]]:
    return [price_by_call(growth, ratios, trigger)[0] for trigger in triggers]


def _twice(growth: Growth) -> Growth:
    """The run, and behind it its growth once more above the floors it has by then."""
    raw, floors = list(growth.raw_tokens), list(growth.floor_tokens)
    grown = [after - before for before, after in zip([raw[0], *raw], raw, strict=False)]
    usual = int(median(floors[len(floors) // 2 :]))
    raw += list(accumulate(grown, initial=raw[-1]))[1:]
    floors += [max(usual, floor) for floor in growth.floor_tokens]
    return replace(growth, raw_tokens=raw, floor_tokens=floors)


def _kept(growth: Growth, ratios: Ratios, bounds: Sequence[float]) -> bool:
    """Whether a schedule costs no more than its bound after every call."""
    raw, floors, count = growth.raw_tokens, growth.floor_tokens, len(growth.raw_tokens)
    sums = list(accumulate(raw, initial=0))
    entered = [0.0] + [inf] * (count - 1)
    for start in range(count):
        first = floors[start] if start else raw[0]
        head = min(growth.head_tokens, first) if start else 0
        paid = entered[start] + head * ratios.cached_read + (first - head) * ratios.cache_write
        base = raw[start] - first
        for end in range(start + 1, count + 1):
            if raw[end - 1] - base > growth.limit_tokens and end > start + 1:
                break
            carried = sums[end - 1] - sums[start] - base * (end - 1 - start)
            grown = raw[end - 1] - raw[start]
            price = paid + carried * ratios.cached_read + grown * ratios.cache_write
            if price > bounds[end - 1]:
                break
            if end == count:
                return True
            folded = max(0, raw[end] - base - floors[end])
            made = making_cost(ratios, folded, growth.record_tokens)
            entered[end] = min(entered[end], price + made)
    return False
