"""What a schedule of compactions costs, what the raw history costs, and the best that was possible.

The unit is one uncached input token. A call reads the prefix it shares with the call before from
the provider's cache and writes the rest to it; a compaction adds what `clew.policy.compaction_cost`
charges for making the record and for fetching back what is missed. The agent's own answers cost
the same in every schedule and are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf

from clew.policy import Ratios

UNIT = "input-token equivalents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Three prices of one session. `raw` sends everything each time, whatever the window.

    `prepared` is what the policy did, `optimum` the best schedule that knows the future, with the
    same floor and within the same limit.
    """

    raw: float
    prepared: float
    optimum: float
    unit: str = UNIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One call as it went out: tokens in common with the call before, and the others."""

    shared_tokens: int
    fresh_tokens: int
    folded_tokens: int = 0
    record_tokens: int = 0


def cost_of_sent(sent: Sequence[Sent], ratios: Ratios) -> float:
    """Price of the calls as they went out."""
    return sum(
        call.shared_tokens * ratios.cached_read
        + call.fresh_tokens * ratios.cache_write
        + (
            folding_cost(ratios, call.folded_tokens, call.record_tokens)
            if call.folded_tokens
            else 0
        )
        for call in sent
    )


def folding_cost(ratios: Ratios, folded_tokens: int, record_tokens: int) -> float:
    """Price of one compaction apart from the rewritten prefix."""
    fetched = folded_tokens * ratios.refetch_share * ratios.cache_write
    if not ratios.summarizer_reads:
        return fetched
    return fetched + folded_tokens + record_tokens * ratios.output


def cost_of_raw(raw_tokens: Sequence[int], ratios: Ratios) -> float:
    """Price of sending the whole history at every call."""
    total, before = 0.0, 0
    for tokens in raw_tokens:
        total += before * ratios.cached_read + max(0, tokens - before) * ratios.cache_write
        before = tokens
    return total


def optimum(
    raw_tokens: Sequence[int],
    ratios: Ratios,
    *,
    floor_tokens: int,
    head_tokens: int,
    record_tokens: int,
    limit_tokens: int,
) -> float:
    """Price of the best schedule that knows the future.

    A schedule compacts before some calls, each time down to `floor_tokens`, of which the first
    `head_tokens` stay cached, and lets the context grow in between as the session did. A context
    above `limit_tokens` is allowed only straight after a compaction, where nothing could help.
    Dynamic programming over the call of the latest compaction: at most n * n / 2 steps.
    """
    count = len(raw_tokens)
    if not count:
        return 0.0
    sums = list(accumulate(raw_tokens, initial=0))
    head = min(head_tokens, floor_tokens)
    entering = head * ratios.cached_read + (floor_tokens - head) * ratios.cache_write
    best = [inf] * (count + 1)
    best[0] = 0.0
    for start in range(count):
        first = floor_tokens if start else raw_tokens[0]
        entry = best[start] + (entering if start else first * ratios.cache_write)
        base = raw_tokens[start] - first
        for end in range(start + 1, count + 1):
            size = raw_tokens[end - 1] - base
            if size > limit_tokens and end > start + 1:
                break
            carried = sums[end - 1] - sums[start] - base * (end - 1 - start)
            grown = raw_tokens[end - 1] - raw_tokens[start]
            price = entry + carried * ratios.cached_read + grown * ratios.cache_write
            if end < count:
                folded = max(0, raw_tokens[end] - base - floor_tokens)
                price += folding_cost(ratios, folded, record_tokens)
            best[end] = min(best[end], price)
    return best[count]
