"""What a schedule of compactions costs, what the raw history costs, and the best that was possible.

The unit is one uncached input token. A call reads the prefix it shares with the call before from
the provider's cache and writes the rest to it; a compaction adds what `clew.policy` charges for
making the record and for fetching back what is missed. The agent's own answers cost
the same in every schedule and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf

from clew.policy import Ratios, folding_cost, setup_cost

UNIT = "input-token equivalents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Three prices of one session. `raw` sends everything each time, whatever the window.

    `prepared` is what the policy did, and `causes` what for; `optimum` is the best schedule that
    knows the future, with the same floor and within the same limit.
    """

    raw: float
    prepared: float
    optimum: float
    unit: str = UNIT
    causes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One call as it went out: tokens in common with the call before, and the others.

    `folded_tokens` went into a record of `record_tokens`, `evicted_tokens` behind handles.
    """

    shared_tokens: int
    fresh_tokens: int
    folded_tokens: int = 0
    record_tokens: int = 0
    evicted_tokens: int = 0


def causes_of_sent(sent: Sequence[Sent], ratios: Ratios) -> dict[str, float]:
    """Price of the calls as they went out, by what it was paid for."""
    folds = [call for call in sent if call.folded_tokens]
    made = setup_cost(
        ratios, record_tokens=sum(call.record_tokens for call in folds), rewritten_tokens=0
    )
    read = sum(call.folded_tokens for call in folds) if ratios.summarizer_reads else 0
    gone = sum(call.folded_tokens + call.evicted_tokens for call in sent)
    return {
        "cached_read": sum(call.shared_tokens for call in sent) * ratios.cached_read,
        "cache_write": sum(call.fresh_tokens for call in sent) * ratios.cache_write,
        "summarizer_input": float(read),
        "summarizer_output": made,
        "fetched_back": gone * ratios.refetch_share * ratios.cache_write,
    }


def making_cost(ratios: Ratios, folded_tokens: int, record_tokens: int) -> float:
    """Price of one compaction apart from the rewritten prefix."""
    made = setup_cost(ratios, record_tokens=record_tokens, rewritten_tokens=0)
    return made + folding_cost(ratios, middle_tokens=folded_tokens)


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
    floor_tokens: Sequence[int],
    head_tokens: int,
    record_tokens: int,
    limit_tokens: int,
) -> float:
    """Price of the best schedule that knows the future.

    A schedule compacts before some calls, each time down to what `floor_tokens` has for that call,
    of which the first `head_tokens` stay cached, and lets the context grow in between as the
    session did. A context above `limit_tokens` is allowed only straight after a compaction, where
    nothing could help. Dynamic programming over the call of the latest compaction: at most
    n * n / 2 steps.
    """
    count = len(raw_tokens)
    if not count:
        return 0.0
    sums = list(accumulate(raw_tokens, initial=0))
    best = [inf] * (count + 1)
    best[0] = 0.0
    for start in range(count):
        first = floor_tokens[start] if start else raw_tokens[0]
        head = min(head_tokens, first) if start else 0
        entry = best[start] + head * ratios.cached_read + (first - head) * ratios.cache_write
        base = raw_tokens[start] - first
        for end in range(start + 1, count + 1):
            size = raw_tokens[end - 1] - base
            if size > limit_tokens and end > start + 1:
                break
            carried = sums[end - 1] - sums[start] - base * (end - 1 - start)
            grown = raw_tokens[end - 1] - raw_tokens[start]
            price = entry + carried * ratios.cached_read + grown * ratios.cache_write
            if end < count:
                folded = max(0, raw_tokens[end] - base - floor_tokens[end])
                price += making_cost(ratios, folded, record_tokens)
            best[end] = min(best[end], price)
    return best[count]
