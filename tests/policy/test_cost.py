"""What carrying costs, what a compaction costs, and when one has paid for the other."""

from __future__ import annotations

import pytest

from clew.policy import Ratios, carrying_cost, compaction_cost, rewrite_pays
from clew.ports import Rates


def test_offline_a_compaction_costs_the_new_prefix_and_what_is_fetched_back() -> None:
    price = compaction_cost(Ratios(), middle_tokens=40_000, record_tokens=900, floor_tokens=14_000)
    assert price == pytest.approx(14_000 * (1.25 - 0.1) + 40_000 * 0.05 * 1.25)


def test_a_model_is_billed_for_reading_the_middle_and_writing_the_record() -> None:
    offline = compaction_cost(
        Ratios(), middle_tokens=40_000, record_tokens=900, floor_tokens=14_000
    )
    model = compaction_cost(
        Ratios(summarizer_reads=True), middle_tokens=40_000, record_tokens=900, floor_tokens=14_000
    )
    assert model - offline == pytest.approx(40_000 + 5 * 900)


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
