"""Reported usage corrects the estimate upwards, and only when it can be believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.budget import Believed, Calibration, Ignored, IgnoredReason


def after(*reports: tuple[int, int]) -> Calibration:
    calibration = Calibration()
    for estimated, reported in reports:
        calibration = calibration.observe(estimated_tokens=estimated, reported_tokens=reported)
    return calibration


def test_twice_the_estimate_is_used_from_the_next_decision_on() -> None:
    calibration = after((1_000, 2_000))
    assert calibration.factor == 2
    assert calibration.corrected(1_500) == 3_000


def test_a_report_below_the_estimate_never_lowers_it() -> None:
    calibration = after((1_000, 700), (1_200, 800))
    assert calibration.factor == 1
    assert calibration.corrected(999) == 999


def test_the_factor_rises_faster_than_it_falls() -> None:
    risen = after((10_000, 10_000), (10_000, 11_000)).factor
    fallen = after((10_000, 11_000), (10_000, 10_000)).factor
    assert risen - 1 > 1.1 - fallen > 0


def test_reports_that_agree_settle_on_their_ratio() -> None:
    reports = [(size, size * 3 // 2) for size in range(1_000, 60_000, 2_000)]
    assert after(*reports).factor == pytest.approx(1.5, abs=0.01)


def running_total(rounds: int, first_context: int) -> list[tuple[int, int]]:
    """Gives true contexts with reports that sum up all requests of the run."""
    reports, total = [], 0
    for number in range(rounds):
        context = first_context + 100 * number
        total += context
        reports.append((context, total))
    return reports


@pytest.mark.parametrize("first_context", [210, 600, 1_000, 3_000])
def test_a_running_total_is_not_believed(first_context: int) -> None:
    reports = running_total(30, first_context)
    calibration = after(*reports)
    assert calibration.factor < 1.25
    assert isinstance(calibration.last, Ignored)


def test_a_total_over_the_run_does_not_start_a_compaction_early() -> None:
    calibration = Calibration()
    for number in range(30):
        true_size = 200 * (number + 1)
        reported = 1_000 * (number + 1) + 50 * number * (number + 1)
        calibration = calibration.observe(estimated_tokens=true_size, reported_tokens=reported)
        assert calibration.corrected(true_size) < 10_000


def test_usage_from_before_a_compaction_is_void_after_it() -> None:
    before = after((80_000, 80_000))
    stale = before.observe(estimated_tokens=50_000, reported_tokens=80_000)
    assert stale.factor == before.factor
    assert isinstance(stale.last, Ignored)
    assert stale.last.reason is IgnoredReason.BEFORE_COMPACTION
    fresh = stale.observe(estimated_tokens=51_000, reported_tokens=52_000)
    assert isinstance(fresh.last, Believed)


def test_a_change_of_tokenizer_is_believed_once_three_reports_agree() -> None:
    reports = [(60_000, 60_000), (61_000, 97_000), (62_000, 99_000), (63_000, 101_000)]
    assert after(*reports[:3]).factor == 1
    assert after(*reports).factor == pytest.approx(1.3, abs=0.01)


@pytest.mark.parametrize(
    ("estimated", "reported", "reason"),
    [
        (10_000, 0, IgnoredReason.NOT_A_COUNT),
        (10_000, -5, IgnoredReason.NOT_A_COUNT),
        (0, 10, IgnoredReason.NOT_A_COUNT),
        (50, 120, IgnoredReason.TOO_SMALL),
        (10_000, 30_001, IgnoredReason.TOO_HIGH),
        (10_000, 12, IgnoredReason.TOO_LOW),
    ],
)
def test_a_report_that_is_not_plausible_is_ignored_with_its_reason(
    estimated: int, reported: int, reason: IgnoredReason
) -> None:
    calibration = after((estimated, reported))
    assert calibration.factor == 1
    assert isinstance(calibration.last, Ignored)
    assert calibration.last.reason is reason
    assert f"{reported:,}" in calibration.last.sentence


counts = st.integers(min_value=-10, max_value=3_000_000)


@given(reports=st.lists(st.tuples(counts, counts), max_size=40), size=st.integers(0, 10**7))
def test_the_factor_is_bounded_and_never_lowers_an_estimate(
    reports: list[tuple[int, int]], size: int
) -> None:
    calibration = after(*reports)
    assert 1 <= calibration.factor <= 3
    assert size <= calibration.corrected(size) <= 3 * size
    assert after(*reports) == calibration
