"""What the agent says right behind a result takes a failure in, or says what comes next."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.admissions import account, admission, quoted_error, repeats
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.reading import Reading

CUES = built_in_cues()


def said(text: str) -> Reading:
    return Reading(handle="S-3", position=2, prose=(text,))


@pytest.mark.parametrize(
    "text",
    [
        "`NameError: name 'rows' is not defined`. So the import is gone.",
        "THOUGHT: `error: linker cc not found`\n\nI will install it.",
    ],
)
def test_an_error_that_is_repeated_is_taken_in(text: str) -> None:
    assert quoted_error(said(text)) in text
    assert quoted_error(said(text))


@pytest.mark.parametrize(
    "text",
    [
        "I'll raise `ValueError: bad row given` when the row is empty.",
        "If it prints `error: linker cc not found`, install it.",
        "The message `KeyError: no such row` no longer shows.",
        "See `src/errors.py` for the list.",
    ],
)
def test_an_error_that_is_planned_supposed_or_over_is_not(text: str) -> None:
    assert quoted_error(said(text)) == ""


def test_one_thing_may_be_over_and_another_still_wrong() -> None:
    text = "The old rows are gone and resolved, but the list still shows one of them twice."
    assert admission(said(text), CUES) == text
    assert admission(said("The crash is fixed and resolved now."), CUES) is None
    assert admission(said("Totals: ok=34, failed=0, none blocked."), CUES) is None


def test_who_reports_that_all_is_done_may_say_what_stayed() -> None:
    text = "Done. Build and lint clean.\n\n- Both keys open it. The footer still shows one of them."
    answer = Reading(handle="S-3", position=2, prose=(text,), finished=True)
    assert admission(answer, CUES) is None
    assert admission(answer.going_on, CUES) == "The footer still shows one of them."
    wrong = "Done with the edit, but the footer still shows two of them."
    assert (
        admission(Reading(handle="S-3", position=2, prose=(wrong,), finished=True), CUES) == wrong
    )


def test_who_does_it_once_more_says_why() -> None:
    text = "The pattern had an open quote in it, so I'm rerunning it with proper quoting."
    assert admission(said(text), CUES) == text
    assert repeats(text)
    assert not repeats("The build is green, so I'll commit it.")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It seems there was a syntax error in the edit. I will correct it.", True),
        ("Let me fix the missing import first.", False),
        ("Now the error is gone?", False),
        ("All three pass.", False),
    ],
)
def test_the_first_words_behind_a_failed_call_are_its_account(text: str, kept: bool) -> None:
    assert bool(account(said(text))) is kept


@pytest.mark.parametrize(
    "text",
    [
        "The last commit did not stage cleanly. One fixture is malformed.",
        "The remaining break is in the pack generation of the fake server. I will fix it there.",
    ],
)
def test_the_account_of_a_failure_needs_no_word_of_failure(text: str) -> None:
    assert account(said(text)) == text.partition(" I will")[0]


def test_who_only_thinks_gives_an_account_too() -> None:
    thought = Reading(handle="S-3", position=2, reasoning=("The index belongs to another tree.",))
    assert account(thought) == "The index belongs to another tree."


@pytest.mark.parametrize(
    "text",
    [
        "Handles cases where the agent skips the tool (it logs instead of failing).",
        "Classifies each step as `successful` or `failed` or `optional`.",
        "The package compiled (no output means success).",
        "The report is complete, with no partial-failure list at the end.",
        "That avoids accidentally verifying the provider that is installed.",
        "| 20 | Protocol error handling | the malformed request failed |",
    ],
)
def test_what_only_names_a_failure_takes_none_in(text: str) -> None:
    assert admission(said(text), CUES) is None


@pytest.mark.parametrize(
    "text",
    [
        "`npm test` fails because the module was moved.",
        "The rewind failed with the old transcript (3 of 4 cases).",
    ],
)
def test_what_says_that_something_failed_takes_it_in(text: str) -> None:
    assert admission(said(text), CUES) == text
