"""What works now, and what was to fail, is told with words of failure and is none."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.verdicts import (
    is_assent,
    is_error_line,
    is_no_failure,
    means_to_fail,
)

CUES = built_in_cues()


@pytest.mark.parametrize(
    "said",
    [
        "The two failing tests now pass.",
        "The previously failing job is green.",
        "Both failing tests are checking that the counter is reset.",
        "Done \u2014 I reverted the custom logger and switched to the one of the package.",
        "Returns files that still have uncommitted changes",
        "All the tests that were failing succeeded.",
        "The red step failed for the expected reason.",
        "The new test fails as expected.",
        "It fails without the fix, so it tests the right thing.",
        "The build that failed on arm64 works now.",
    ],
)
def test_what_works_now_or_was_to_fail_is_no_failure(said: str) -> None:
    assert is_no_failure(said, CUES)


@pytest.mark.parametrize(
    "said",
    [
        "The two failing tests still fail.",
        "Two tests pass now, but the third one fails.",
        "It still uses the old temp folder.",
        "None of it works and the upload failed.",
        "There are two failing tests in parser.py.",
        "The failing test now fails with a KeyError.",
        "The build succeeded, the deploy failed.",
        "Now the loader crashes.",
        "The tests that failed are in parser.py.",
        "It does not work as expected.",
    ],
)
def test_what_fails_beside_what_works_is_a_failure(said: str) -> None:
    assert not is_no_failure(said, CUES)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("I\u2019m running a focused red-step validation for those gaps now.", True),
        ("Let me verify that the new test fails without the fix.", True),
        ("I write the failing test first.", True),
        ("This should fail until the parser knows the flag.", True),
        ("I read the file, then I\u2019ll run a red-step check.", False),
        ("Let me see whether it still fails.", False),
        ("This should not fail on arm64.", False),
        ("I will make the label red and test it.", False),
    ],
)
def test_a_red_step_is_announced_with_its_call(said: str, meant: bool) -> None:
    reading = Reading(handle="S-3", position=2, prose=(said,))
    assert means_to_fail(reading) is meant


@pytest.mark.parametrize(
    ("line", "agrees"),
    [
        ("no, this is fine. ", True),
        ("ok great, thanks", True),
        ("that looks good", True),
        ("Perfect!", True),
        ("no, use the other table", False),
        ("this is fine for now, but add a test", False),
        ("thanks for the second table", False),
    ],
)
def test_a_line_that_only_agrees_asks_for_nothing(line: str, agrees: bool) -> None:
    assert is_assent(line) is agrees


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("SyntaxError: Unexpected token '||'", True),
        ("fatal: bad object HEAD", True),
        ("TypeError: x is undefined, why?", False),
        ("Error handling is missing in a.py", False),
        ("KeyError: 'id'\nplease fix", False),
    ],
)
def test_an_error_line_alone_is_no_request(text: str, bare: bool) -> None:
    assert is_error_line(text) is bare
