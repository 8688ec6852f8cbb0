"""A budget gives a usable order of numbers, or says with the arithmetic why it cannot."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.budget import Budget, ResolvedBudget
from clew.errors import BudgetError
from tests.conftest import shared_path


def assert_usable(budget: ResolvedBudget) -> None:
    assert 0 < budget.trigger_tokens < budget.backstop_tokens <= budget.transcript_budget_tokens
    assert 0 <= budget.boundary_floor_tokens < budget.trigger_tokens
    assert 0 < budget.tail_tokens < budget.trigger_tokens
    assert 0 < budget.record_tokens < budget.trigger_tokens
    assert budget.tail_tokens + budget.record_tokens < budget.trigger_tokens
    assert budget.gap_tokens > 0
    reserved = (
        budget.prefix_tokens
        + budget.plan_tokens
        + budget.retrieval_tokens
        + budget.output_reserve_tokens
    )
    assert budget.transcript_budget_tokens + reserved == budget.window_tokens


def test_the_worked_example_comes_out_to_the_token() -> None:
    budget = Budget(
        200_000,
        prefix_tokens=19_000,
        plan_tokens=800,
        retrieval_tokens=8_000,
        output_reserve_tokens=7_200,
    ).resolve()
    assert budget.transcript_budget_tokens == 165_000
    assert budget.trigger_tokens == 115_500
    assert budget.backstop_tokens == 140_250
    assert budget.boundary_floor_tokens == 66_000
    assert budget.gap_tokens == 24_750
    assert budget.tail_tokens == 12_000
    assert budget.record_tokens == 900
    assert budget.adjusted == ()


def test_a_ratio_is_a_fraction_of_the_transcript_budget_and_an_int_is_tokens() -> None:
    as_ratio = Budget(110_000, prefix_tokens=0, output_reserve_tokens=10_000, trigger=0.55)
    as_tokens = Budget(110_000, prefix_tokens=0, output_reserve_tokens=10_000, trigger=55_000)
    assert as_ratio.resolve().trigger_tokens == as_tokens.resolve().trigger_tokens == 55_000


@pytest.mark.parametrize(
    ("window_tokens", "reserve_tokens"),
    [(8_000, 800), (32_768, 3_276), (200_000, 8_000), (1_000_000, 8_000)],
)
def test_the_output_reserve_is_a_tenth_of_the_window_and_at_most_8000(
    window_tokens: int, reserve_tokens: int
) -> None:
    assert Budget(window_tokens).resolve().output_reserve_tokens == reserve_tokens


def test_a_measured_prefix_counts_only_where_none_is_stated() -> None:
    assert Budget(100_000).resolve(prefix_tokens=9_000).prefix_tokens == 9_000
    assert Budget(100_000, prefix_tokens=4_000).resolve(prefix_tokens=9_000).prefix_tokens == 4_000


def test_a_prefix_that_fills_the_window_is_refused_with_the_sum() -> None:
    budget = Budget(16_000, output_reserve_tokens=8_000)
    with pytest.raises(BudgetError) as refused:
        budget.resolve(prefix_tokens=9_000)
    for number in ("16,000", "9,000", "8,000", "-1,000"):
        assert number in refused.value.arithmetic


def test_defaults_that_do_not_fit_a_small_window_are_scaled_down_and_named() -> None:
    budget = Budget(8_192).resolve()
    assert_usable(budget)
    assert budget.tail_tokens <= budget.trigger_tokens // 3
    assert any("12,000" in sentence for sentence in budget.adjusted)
    assert any("900" in sentence for sentence in budget.adjusted)


def test_a_default_boundary_floor_yields_to_a_low_trigger_and_says_so() -> None:
    budget = Budget(200_000, trigger=0.30).resolve()
    assert_usable(budget)
    assert any("boundary floor" in sentence for sentence in budget.adjusted)


@pytest.mark.parametrize(
    ("window_tokens", "settings", "named"),
    [
        (0, {}, "window_tokens = 0"),
        (-5, {}, "window_tokens = -5"),
        (True, {}, "window_tokens = True"),
        (8_192, {"output_reserve_tokens": 16_384}, "-8,192"),
        (8_192, {"output_reserve_tokens": 8_192}, "= 0 tokens"),
        (8_192, {"output_reserve_tokens": -1}, "output_reserve_tokens = -1"),
        (8_192, {"prefix_tokens": -1}, "prefix_tokens = -1"),
        (8_192, {"plan_tokens": -1}, "plan_tokens = -1"),
        (8_192, {"retrieval_tokens": 9_000}, "9,000"),
        (200_000, {"trigger": 0.9}, "172,800 < backstop 163,200"),
        (200_000, {"trigger": 0.85}, "163,200 < backstop 163,200"),
        (200_000, {"trigger": 1.2}, "trigger = 1.2"),
        (200_000, {"trigger": 1.0}, "trigger = 1.0"),
        (200_000, {"trigger": 0}, "trigger = 0"),
        (200_000, {"trigger": -0.5}, "trigger = -0.5"),
        (200_000, {"trigger": float("nan")}, "trigger = nan"),
        (200_000, {"backstop": 300_000}, "300,000"),
        (200_000, {"boundary_floor": 0.75}, "144,000 >= trigger 134,400"),
        (200_000, {"tail_tokens": 150_000}, "150,000"),
        (200_000, {"tail_tokens": -1}, "tail_tokens = -1"),
        (200_000, {"tail_messages": 0}, "tail_messages = 0"),
        (200_000, {"record_tokens": 0}, "record_tokens = 0"),
        (200_000, {"record_tokens": 140_000}, "140,000"),
        (200_000, {"tail_tokens": "12000"}, "tail_tokens = '12000'"),
    ],
)
def test_nonsense_is_refused_at_the_start_with_its_numbers(
    window_tokens: int, settings: dict[str, Any], named: str
) -> None:
    with pytest.raises(BudgetError) as refused:
        Budget(window_tokens, **settings)
    assert named in str(refused.value)


WINDOWS = (1, 512, 8_192, 32_768, 1_000_000)


def combinations() -> list[tuple[int, int, int]]:
    return [
        (window, reserve, tail)
        for window in WINDOWS
        for reserve, tail in product(
            (0, 1, window - 1, window, 4 * window), (0, 1, 20_000, window, 10**9)
        )
    ]


def test_every_combination_of_window_reserve_and_tail_is_usable_or_refused() -> None:
    usable = 0
    for window, reserve, tail in combinations():
        try:
            budget = Budget(window, output_reserve_tokens=reserve, tail_tokens=tail).resolve()
        except BudgetError:
            continue
        assert_usable(budget)
        usable += 1
    assert len(combinations()) == 125
    assert usable == 20


def test_a_recorded_case_of_settings_that_give_a_negative_number_is_refused() -> None:
    case = json.loads(shared_path("cases", "14-negative-budget.json").read_text("utf-8"))["budget"]
    with pytest.raises(BudgetError) as refused:
        Budget(
            case["window_tokens"],
            output_reserve_tokens=case["reserve_output_tokens"],
            tail_tokens=case["keep_tail_tokens"],
            trigger=case["trigger_fraction"],
        )
    assert "8,192" in refused.value.arithmetic
    assert "16,384" in refused.value.arithmetic


shares = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True), st.integers(min_value=-10, max_value=10**7)
)


@given(
    window_tokens=st.integers(min_value=-10, max_value=10**7),
    prefix_tokens=st.one_of(st.none(), st.integers(min_value=-10, max_value=10**6)),
    reserve=st.one_of(st.none(), st.integers(min_value=-10, max_value=10**6)),
    trigger=st.one_of(st.just(0.7), shares),
    backstop=st.one_of(st.just(0.85), shares),
    floor=st.one_of(st.just(0.4), shares),
    tail=st.one_of(st.just(12_000), shares),
)
def test_any_numbers_are_usable_or_refused(
    window_tokens: int,
    prefix_tokens: int | None,
    reserve: int | None,
    trigger: float,
    backstop: float,
    floor: float,
    tail: float,
) -> None:
    try:
        budget = Budget(
            window_tokens,
            prefix_tokens=prefix_tokens,
            output_reserve_tokens=reserve,
            trigger=trigger,
            backstop=backstop,
            boundary_floor=floor,
            tail_tokens=tail,
        )
    except BudgetError:
        return
    assert_usable(budget.resolve(prefix_tokens=0))


@given(window_tokens=st.integers(min_value=100, max_value=4_000_000))
def test_defaults_work_for_every_window_of_a_hundred_tokens_and_more(window_tokens: int) -> None:
    assert_usable(Budget(window_tokens).resolve())


def test_a_smaller_window_of_another_model_shrinks_token_counts_in_proportion() -> None:
    budget = Budget(200_000, output_reserve_tokens=20_000, tail_tokens=32_000, trigger=100_000)
    small = budget.with_window(50_000)
    assert (small.output_reserve_tokens, small.tail_tokens, small.trigger) == (5_000, 8_000, 25_000)
    assert_usable(small.resolve())


def test_a_larger_window_of_another_model_keeps_token_counts() -> None:
    budget = Budget(50_000, output_reserve_tokens=5_000, tail_tokens=8_000)
    large = budget.with_window(200_000)
    assert (large.output_reserve_tokens, large.tail_tokens) == (5_000, 8_000)
    assert large.resolve().trigger_tokens == 136_500
