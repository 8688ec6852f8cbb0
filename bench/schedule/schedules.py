"""Schedules of compactions over a recorded growth, priced alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clew.policy import Ratios, compaction_cost
from clew.replay.cost import folding_cost, optimum


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """What a session would send at each call, whole, and what a compaction leaves of it.

    All in tokens with system and tools; `limit_tokens` is the transcript budget on top of those.
    """

    raw_tokens: Sequence[int]
    floor_tokens: int
    head_tokens: int
    record_tokens: int
    limit_tokens: int
    fixed_tokens: int


Due = Callable[[int, int], bool]
"""Whether to compact before call `n`, when the context is so many tokens large."""


def price(growth: Growth, ratios: Ratios, due: Due) -> tuple[float, int]:
    """Price of a schedule in uncached input tokens, and how often it compacts."""
    raw, floor = growth.raw_tokens, growth.floor_tokens
    head = min(growth.head_tokens, floor)
    total, base, count, before = raw[0] * ratios.cache_write, 0, 0, raw[0]
    for n in range(1, len(raw)):
        size = raw[n] - base
        if size > floor and due(n, size):
            total += folding_cost(ratios, size - floor, growth.record_tokens)
            total += head * ratios.cached_read + (floor - head) * ratios.cache_write
            base, count, before = raw[n] - floor, count + 1, floor
            continue
        total += before * ratios.cached_read + max(0, size - before) * ratios.cache_write
        before = size
    return total, count


def fixed(growth: Growth, share: float) -> Due:
    """Compact as soon as the transcript has reached a share of its budget."""
    at = growth.fixed_tokens + share * (growth.limit_tokens - growth.fixed_tokens)
    return lambda _, size: size >= at


def at_calls(calls: frozenset[int]) -> Due:
    """Compact before these calls, counted from 0."""
    return lambda n, _: n in calls


def cost_rule(growth: Growth, ratios: Ratios, above_share: float = 0.0) -> Due:
    """Compact as soon as carrying what is beyond the floor has cost as much as a compaction."""
    carried = 0.0
    large_enough = fixed(growth, above_share)

    def due(n: int, size: int) -> bool:
        nonlocal carried
        beyond = size - growth.floor_tokens
        carried += beyond * ratios.cached_read
        cost = compaction_cost(
            ratios,
            middle_tokens=beyond,
            record_tokens=growth.record_tokens,
            floor_tokens=growth.floor_tokens,
        )
        if not large_enough(n, size):
            return False
        if carried < cost and size < 0.85 * growth.limit_tokens:
            return False
        carried = 0.0
        return True

    return due


def best(growth: Growth, ratios: Ratios) -> float:
    """Price of the best schedule that knows the future."""
    return optimum(
        growth.raw_tokens,
        ratios,
        floor_tokens=growth.floor_tokens,
        head_tokens=growth.head_tokens,
        record_tokens=growth.record_tokens,
        limit_tokens=growth.limit_tokens,
    )
