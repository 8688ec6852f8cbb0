"""What carrying costs, what a compaction costs, and when one has paid for the other."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.policy import (
    Ratios,
    carrying_cost,
    compaction_price,
    folding_cost,
    rewrite_pays,
    setup_cost,
)
from clew.ports import Rates
from clew.replay.cost import optimum


def test_offline_a_compaction_costs_what_it_writes_again() -> None:
    price = setup_cost(Ratios(), record_tokens=900, rewritten_tokens=14_000)
    assert price == pytest.approx(14_000 * (1.25 - 0.1))


def test_a_model_is_billed_for_writing_the_record() -> None:
    offline = setup_cost(Ratios(), record_tokens=900, rewritten_tokens=14_000)
    model = setup_cost(Ratios(summarizer_reads=True), record_tokens=900, rewritten_tokens=14_000)
    assert model - offline == pytest.approx(5 * 900)


def test_folding_costs_the_same_in_one_go_or_in_many() -> None:
    for ratios in (Ratios(), Ratios(summarizer_reads=True)):
        whole = folding_cost(ratios, middle_tokens=40_000)
        assert whole == pytest.approx(8 * folding_cost(ratios, middle_tokens=5_000))
    assert folding_cost(Ratios(), middle_tokens=40_000) == pytest.approx(40_000 * 0.05 * 1.25)


def test_a_model_reads_what_it_folds() -> None:
    model = folding_cost(Ratios(summarizer_reads=True), middle_tokens=40_000)
    assert model - folding_cost(Ratios(), middle_tokens=40_000) == pytest.approx(40_000)


@given(
    growth=st.lists(st.integers(1, 5_000), min_size=1, max_size=80),
    kept=st.integers(100, 30_000),
    reads=st.booleans(),
)
def test_for_any_future_the_rule_pays_at_most_twice_the_optimum(
    growth: list[int], kept: int, reads: bool
) -> None:
    """What came last is in the tail of every compaction, so every token is sent once at least."""
    ratios = Ratios(summarizer_reads=reads)
    best = _optimum(growth, kept, ratios)
    assert _ski_rental(growth, kept, ratios) <= 2 * best


@given(
    growth=st.lists(st.integers(1, 5_000), min_size=1, max_size=80),
    kept=st.integers(100, 30_000),
    reads=st.booleans(),
    planned=st.integers(0, 60),
)
def test_a_plan_that_is_wrong_costs_at_most_one_more_folding(
    growth: list[int], kept: int, reads: bool, planned: int
) -> None:
    """Setup and folding are paid twice at most, sending once: 2 * 1.0625 / 1.25 + 1."""
    ratios = Ratios(summarizer_reads=reads)
    best = _optimum(growth, kept, ratios)
    assert _ski_rental(growth, kept, ratios, planned) <= 2.7 * best


def _optimum(growth: list[int], kept: int, ratios: Ratios) -> float:
    return optimum(
        list(accumulate(growth, initial=kept)),
        ratios,
        floor_tokens=[kept, *(kept + grown for grown in growth)],
        head_tokens=0,
        record_tokens=1_000,
        limit_tokens=10**9,
    )


def _ski_rental(growth: list[int], kept: int, ratios: Ratios, planned: int | None = None) -> float:
    setup = setup_cost(ratios, record_tokens=1_000, rewritten_tokens=kept)
    total, size, carried = kept * ratios.cache_write, kept, 0.0
    for grown in growth:
        price = compaction_price(
            ratios, setup=setup, folded_tokens=size - kept, planned_calls=planned
        )
        if carried >= price:
            total += setup + folding_cost(ratios, middle_tokens=size - kept)
            size, carried = kept, 0.0
        total += size * ratios.cached_read + grown * ratios.cache_write
        size += grown
        carried += carrying_cost(ratios, token_calls=size - kept)
    return total


@pytest.mark.parametrize(
    ("planned", "folding_counts"), [(None, False), (5, True), (10, True), (20, False)]
)
def test_folding_counts_where_the_plan_ends_before_it_is_earned(
    planned: float | None, folding_counts: bool
) -> None:
    """30,000 tokens save 3,000 a call; setup and folding them cost 41,875."""
    ratios = Ratios(summarizer_reads=True)
    price = compaction_price(ratios, setup=10_000, folded_tokens=30_000, planned_calls=planned)
    assert price == pytest.approx(10_000 + (31_875 if folding_counts else 0))


def test_ratios_come_from_a_model_s_own_rates() -> None:
    ratios = Ratios.from_rates(Rates(input=3.0, output=15.0, cached_read=0.3, cache_write=3.75))
    assert (ratios.cached_read, ratios.cache_write, ratios.output) == pytest.approx((0.1, 1.25, 5))


def test_free_input_leaves_the_published_ratios() -> None:
    free = Rates(input=0.0, output=0.0, cached_read=0.0, cache_write=0.0)
    assert Ratios.from_rates(free) == Ratios()


@pytest.mark.parametrize(
    ("freed", "rewritten", "calls", "pays"),
    [
        (10_000, 10_000, 5, False),
        (10_000, 10_000, 12, True),
        (1_000, 50_000, 40, False),
        (20_000, 5_000, 3, True),
        (0, 0, 100, False),
    ],
)
def test_a_rewrite_pays_over_the_calls_that_remain(
    freed: int, rewritten: int, calls: float, pays: bool
) -> None:
    assert (
        rewrite_pays(
            Ratios(), freed_tokens=freed, rewritten_tokens=rewritten, remaining_calls=calls
        )
        is pays
    )


def test_carrying_never_earns() -> None:
    assert carrying_cost(Ratios(), token_calls=-5) == 0
    assert carrying_cost(Ratios(), token_calls=100_000) == pytest.approx(10_000)
