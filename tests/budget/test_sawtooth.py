"""The sawtooth says what a budget means in turns, and what it cannot catch."""

from __future__ import annotations

import json

import pytest

from clew.budget import Budget, Sawtooth, sawtooth
from clew.errors import BudgetError


def worked_example(tail_tokens: int) -> Sawtooth:
    budget = Budget(
        200_000,
        prefix_tokens=19_000,
        plan_tokens=800,
        retrieval_tokens=8_000,
        output_reserve_tokens=7_200,
        tail_tokens=tail_tokens,
    )
    return sawtooth(budget.resolve(), growth_tokens=2_400, p95_tokens=18_000, p99_tokens=31_000)


@pytest.mark.parametrize(
    ("tail_tokens", "floor", "reclaimed", "turns"),
    [(12_000, 13_900, 101_600, 42), (32_000, 33_900, 81_600, 34)],
)
def test_both_tails_of_the_worked_example(
    tail_tokens: int, floor: int, reclaimed: int, turns: int
) -> None:
    result = worked_example(tail_tokens)
    assert result.floor_tokens == floor
    assert result.reclaimed_tokens == reclaimed
    assert result.turns_bought == turns


def test_a_p95_burst_fits_the_gap_and_a_p99_burst_cannot_be_caught() -> None:
    result = worked_example(12_000)
    assert result.gap_tokens == 24_750
    assert result.p95_left_tokens == 6_750
    assert result.p99_left_tokens == -6_250
    (advice,) = result.advice
    assert "p99 burst of 31,000 tokens cannot be caught" in advice
    assert "lower the trigger to 109,250" in advice


def test_the_advised_trigger_catches_the_burst() -> None:
    budget = Budget(
        200_000,
        prefix_tokens=19_000,
        plan_tokens=800,
        retrieval_tokens=8_000,
        output_reserve_tokens=7_200,
        trigger=109_250,
    )
    result = sawtooth(budget.resolve(), growth_tokens=2_400, p99_tokens=31_000)
    assert result.p99_left_tokens == 0
    assert result.advice == ()


def test_a_burst_that_no_trigger_can_catch_is_said_to_be_so() -> None:
    result = sawtooth(Budget(20_000).resolve(), p99_tokens=19_000)
    assert any("no trigger above the floor" in sentence for sentence in result.advice)


def test_the_json_has_the_promised_keys_and_nothing_else() -> None:
    text = json.dumps(worked_example(12_000).as_json())
    assert list(json.loads(text)) == [
        "transcript_budget_tokens",
        "trigger_tokens",
        "backstop_tokens",
        "gap_tokens",
        "floor_tokens",
        "reclaimed_tokens",
        "turns_bought",
        "p95_left_tokens",
        "p99_left_tokens",
        "advice",
    ]


def test_what_is_not_known_stays_unknown() -> None:
    result = sawtooth(Budget(200_000).resolve())
    assert result.turns_bought is None
    assert result.p95_left_tokens is None
    assert result.p99_left_tokens is None


def test_a_floor_above_the_trigger_reclaims_nothing_and_says_so() -> None:
    result = sawtooth(Budget(10_000).resolve(), head_tokens=8_000, growth_tokens=100)
    assert result.reclaimed_tokens < 0
    assert result.turns_bought == 0
    assert any("reclaims nothing" in sentence for sentence in result.advice)


def test_few_turns_are_pointed_out() -> None:
    result = sawtooth(Budget(200_000).resolve(), growth_tokens=40_000)
    assert result.turns_bought == 3
    assert any("buys only 3 turns" in sentence for sentence in result.advice)


@pytest.mark.parametrize(
    ("numbers", "named"),
    [
        ({"growth_tokens": 0}, "growth"),
        ({"growth_tokens": -1}, "growth = -1"),
        ({"head_tokens": -1}, "head = -1"),
        ({"p95_tokens": -1}, "p95 = -1"),
        ({"p95_tokens": 20, "p99_tokens": 10}, "p99 10 < p95 20"),
    ],
)
def test_nonsense_is_refused(numbers: dict[str, int], named: str) -> None:
    with pytest.raises(BudgetError, match=named):
        sawtooth(Budget(200_000).resolve(), **numbers)
