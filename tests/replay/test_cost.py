from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.policy import Ratios
from clew.replay.cost import Sent, causes_of_sent, cost_of_raw, making_cost, optimum

RATIOS = Ratios()


def cost_of_schedule(
    raw: list[int], cuts: tuple[int, ...], floors: list[int], *, head: int, limit: int
) -> float | None:
    """The price of one schedule, call by call; None when a context is larger than allowed."""
    total, size = 0.0, 0
    for call, tokens in enumerate(raw):
        grown = tokens - (raw[call - 1] if call else 0)
        floor = floors[call]
        if call in cuts:
            total += making_cost(RATIOS, max(0, size + grown - floor), 900)
            total += min(head, floor) * RATIOS.cached_read
            total += (floor - min(head, floor)) * RATIOS.cache_write
            size = floor
        else:
            total += size * RATIOS.cached_read + grown * RATIOS.cache_write
            size += grown
            if size > limit and call:
                return None
    return total


@given(
    grown=st.lists(st.integers(0, 4_000), min_size=1, max_size=8),
    floors=st.lists(st.integers(0, 3_000), min_size=8, max_size=8),
    head=st.integers(0, 1_000),
    limit=st.integers(2_000, 12_000),
)
def test_the_optimum_is_the_cheapest_of_all_schedules(
    grown: list[int], floors: list[int], head: int, limit: int
) -> None:
    raw = [sum(grown[: n + 1]) for n in range(len(grown))]
    every = [cut for n in range(len(raw)) for cut in combinations(range(1, len(raw)), n)]
    prices = [
        price
        for cuts in every
        if (price := cost_of_schedule(raw, cuts, floors, head=head, limit=limit)) is not None
    ]
    found = optimum(
        raw, RATIOS, floor_tokens=floors, head_tokens=head, record_tokens=900, limit_tokens=limit
    )
    assert found == pytest.approx(min(prices))


def test_a_session_that_fits_is_cheapest_untouched_when_folding_costs_more() -> None:
    raw = [1_000, 2_000, 3_000]
    model = Ratios(summarizer_reads=True)
    best = optimum(
        raw, model, floor_tokens=[900] * 3, head_tokens=0, record_tokens=900, limit_tokens=10_000
    )
    assert best == cost_of_raw(raw, RATIOS) == pytest.approx(3_000 * 1.25 + 3_000 * 0.1)


def test_a_long_session_is_cheaper_folded_than_raw() -> None:
    raw = [500 * n for n in range(1, 600)]
    best = optimum(
        raw,
        RATIOS,
        floor_tokens=[8_000] * len(raw),
        head_tokens=500,
        record_tokens=900,
        limit_tokens=150_000,
    )
    assert best < cost_of_raw(raw, RATIOS) / 3


def test_calls_as_sent_pay_for_reading_writing_and_folding() -> None:
    sent = [
        Sent(shared_tokens=0, fresh_tokens=1_000),
        Sent(shared_tokens=1_000, fresh_tokens=100),
        Sent(shared_tokens=200, fresh_tokens=900, folded_tokens=400, record_tokens=300),
        Sent(shared_tokens=0, fresh_tokens=0, evicted_tokens=80),
    ]
    offline = {
        "cached_read": 1_200 * 0.1,
        "cache_write": 2_000 * 1.25,
        "summarizer_input": 0.0,
        "summarizer_output": 0.0,
        "fetched_back": (400 + 80) * 0.05 * 1.25,
    }
    assert causes_of_sent(sent, RATIOS) == pytest.approx(offline)
    assert causes_of_sent(sent, Ratios(summarizer_reads=True)) == pytest.approx(
        {**offline, "summarizer_input": 400.0, "summarizer_output": 300 * 5.0}
    )


def test_no_calls_cost_nothing() -> None:
    assert cost_of_raw([], RATIOS) == 0
    assert optimum([], RATIOS, floor_tokens=[], head_tokens=1, record_tokens=1, limit_tokens=1) == 0
