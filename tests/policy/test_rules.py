"""The decision for one call, rule by rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.policy import ArmedBy, Boundary, Compact, Evict, Hold, Situation, Why, decide

# A transcript budget of 10,000: armed from 7,000, hard from 8,500, by boundary signal from 4,000.
CALM = Situation(
    used_tokens=3_000,
    limit_tokens=10_000,
    trigger_tokens=7_000,
    backstop_tokens=8_500,
    boundary_floor_tokens=4_000,
    foldable_tokens=2_000,
    floor_tokens=1_000,
    new_tokens=3_000,
    cooldown_tokens=1_000,
    min_reclaim_tokens=500,
    compacted_before=False,
)
ARMED = replace(CALM, used_tokens=7_500, foldable_tokens=6_000)


@pytest.mark.parametrize(
    ("situation", "why"),
    [
        (CALM, Why.BELOW_TRIGGER),
        (replace(CALM, boundary=Boundary.TESTS_FINISHED), Why.BELOW_TRIGGER),
        (replace(CALM, signalled=True, boundary=Boundary.SUBTASK_DONE), Why.BELOW_TRIGGER),
        (replace(CALM, carried_prices=0.99, boundary=Boundary.COMMITTED), Why.BELOW_TRIGGER),
        (replace(CALM, carried_prices=1.0), Why.NO_BOUNDARY),
        (replace(CALM, carried_prices=9.0, call_open=True), Why.MID_CALL),
        (replace(CALM, carried_prices=9.0, foldable_tokens=499), Why.NOTHING_TO_FOLD),
        (ARMED, Why.NO_BOUNDARY),
        (replace(ARMED, boundary=Boundary.COMMITTED, call_open=True), Why.MID_CALL),
        (replace(ARMED, boundary=Boundary.COMMITTED, work_done=True), Why.WORK_DONE),
        (replace(ARMED, boundary=Boundary.COMMITTED, foldable_tokens=499), Why.NOTHING_TO_FOLD),
        (
            replace(ARMED, boundary=Boundary.COMMITTED, compacted_before=True, new_tokens=999),
            Why.COOLDOWN,
        ),
        (
            replace(CALM, carried_prices=9.0, compacted_before=True, new_tokens=999),
            Why.COOLDOWN,
        ),
        (replace(ARMED, used_tokens=9_000, foldable_tokens=100), Why.NOTHING_TO_FOLD),
        (replace(CALM, asked=True, foldable_tokens=0), Why.NOTHING_TO_FOLD),
    ],
)
def test_it_holds_and_says_why(situation: Situation, why: Why) -> None:
    decision = decide(situation)
    assert isinstance(decision, Hold)
    assert decision.why is why


@pytest.mark.parametrize(
    ("situation", "why", "hard"),
    [
        (replace(ARMED, boundary=Boundary.COMMITTED), Why.BOUNDARY, False),
        (
            replace(ARMED, used_tokens=4_000, boundary=Boundary.SUBTASK_DONE, signalled=True),
            Why.SIGNALLED,
            False,
        ),
        (
            replace(CALM, boundary=Boundary.USER_MESSAGE, carried_prices=1.0),
            Why.BOUNDARY,
            False,
        ),
        (replace(CALM, carried_prices=2.0), Why.WAITED, False),
        (replace(ARMED, carried_prices=2.0), Why.WAITED, False),
        (replace(ARMED, used_tokens=8_500), Why.BACKSTOP, True),
        (replace(ARMED, used_tokens=8_500, work_done=True), Why.BACKSTOP, True),
        (
            replace(ARMED, used_tokens=8_500, compacted_before=True, new_tokens=0),
            Why.BACKSTOP,
            True,
        ),
        (replace(ARMED, used_tokens=10_001, foldable_tokens=0), Why.OVER_BUDGET, True),
        (replace(CALM, asked=True), Why.ASKED, False),
    ],
)
def test_it_compacts_and_says_why(situation: Situation, why: Why, hard: bool) -> None:
    decision = decide(situation)
    assert isinstance(decision, Compact)
    assert (decision.why, decision.hard) == (why, hard)


def test_a_part_above_its_limit_goes_first() -> None:
    decision = decide(replace(CALM, oversized_tokens=2_500))
    assert decision == Evict(
        why=Why.OVERSIZED,
        target_tokens=500,
        detail="2,500 tokens stand in parts above the limit for one part",
    )


def test_eviction_comes_before_compaction_only_where_it_pays() -> None:
    stale = replace(ARMED, evictable_tokens=3_000, boundary=Boundary.COMMITTED)
    assert isinstance(decide(stale), Compact)
    paying = decide(replace(stale, eviction_pays=True))
    assert isinstance(paying, Evict)
    assert paying.target_tokens == 4_500


@pytest.mark.parametrize(
    ("situation", "armed_by"),
    [
        (ARMED, ArmedBy.TRIGGER),
        (replace(CALM, carried_prices=1.0), ArmedBy.COST),
        (replace(ARMED, used_tokens=6_000, signalled=True), ArmedBy.SIGNAL),
        (replace(ARMED, used_tokens=6_000), ArmedBy.NOTHING),
    ],
)
def test_it_says_what_armed_it(situation: Situation, armed_by: ArmedBy) -> None:
    decision = decide(situation)
    assert decision.armed_by is armed_by


def test_what_carrying_has_paid_for_needs_no_more_new_text_than_a_compaction_leaves() -> None:
    paid = replace(CALM, carried_prices=1.0, boundary=Boundary.COMMITTED, compacted_before=True)
    small_floor = replace(paid, floor_tokens=600, new_tokens=700)
    assert isinstance(decide(small_floor), Compact)
    assert decide(replace(small_floor, floor_tokens=800)).why is Why.COOLDOWN
    assert decide(replace(small_floor, carried_prices=0.0, used_tokens=7_000)).why is Why.COOLDOWN


def test_the_numbers_stand_in_the_reason() -> None:
    decision = decide(ARMED)
    assert decision.detail == "7,500 tokens; trigger 7,000, backstop 8,500, budget 10,000"
