"""What any rule can keep at every ending, against every schedule there is."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew import Budget
from clew.policy import Ratios

sys.path.insert(0, str(Path(__file__).parents[1] / "bench" / "schedule"))


def growth_from(sizes: list[int]) -> Any:
    """A run of few calls, each of which adds so many tokens, above a floor of what came last."""
    from growth import Growth  # type: ignore[import-not-found]  # a script beside the package

    raw = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    budget = Budget(4_000, prefix_tokens=0, tail_tokens=400, record_tokens=100)
    return Growth(
        raw_tokens=raw,
        floor_tokens=[min(size, 300 + grown) for size, grown in zip(raw, sizes, strict=True)],
        boundaries=[False] * len(raw),
        planned_calls=[None] * len(raw),
        head_tokens=min(100, raw[0]),
        record_tokens=100,
        fixed_tokens=0,
        tail_tokens=400,
        budget=budget.resolve(prefix_tokens=0),
    )


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(100, 900), min_size=4, max_size=5), st.booleans())
def test_no_schedule_of_all_keeps_a_smaller_factor(sizes: list[int], reads: bool) -> None:
    import endings  # type: ignore[import-not-found]  # a script beside the package
    from schedules import at_calls, fixed, price_by_call  # type: ignore[import-not-found]

    growth, ratios = growth_from(sizes), Ratios(summarizer_reads=reads)
    triggers = [fixed(growth, share) for share in (0.3, 0.6)]
    found = endings.least_factor(growth, ratios, triggers, 0.0)
    twice = endings._twice(growth)
    lowest = [
        min(prices)
        for prices in zip(*(price_by_call(twice, ratios, t)[0] for t in triggers), strict=True)
    ]
    calls = range(1, len(twice.raw_tokens))
    every = [
        max(
            price / low
            for price, low in zip(
                price_by_call(twice, ratios, at_calls(frozenset(chosen)))[0], lowest, strict=True
            )
        )
        for count in range(len(calls) + 1)
        for chosen in combinations(calls, count)
    ]
    assert found == pytest.approx(min(every), abs=0.002)
