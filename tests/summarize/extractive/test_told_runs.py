"""Agents that talk to each other tell in a message what did not work."""

from __future__ import annotations

import json

import pytest

from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.told_runs import told_failures

ASKS = "Please run the script fetch.py and list the labels."
PAGE = "Here is a screenshot of [{}](https://a.example/x).\n\n{}"


def told(*texts: str) -> list[str]:
    readings = [
        Reading(handle=f"S-{place + 1}", position=place, prose=(text,))
        for place, text in enumerate(texts)
    ]
    return [made.item.text for made in told_failures(readings)]


def ledger(reason: str, *, progress: bool, ask: str = "Search the forum for it.") -> str:
    entries = {
        "is_request_satisfied": {"reason": "The date is still missing.", "answer": False},
        "is_progress_being_made": {"reason": reason, "answer": progress},
        "instruction_or_question": {"reason": "It may help.", "answer": ask},
    }
    return f"Updated Ledger:\n{json.dumps(entries, indent=2)}"


@pytest.mark.parametrize(
    ("message", "came"),
    [
        (
            "The script ran but produced no output to console. The Unix exit code was: 0.",
            "The script ran but produced no output to console",
        ),
        (
            (
                "The script ran, then exited with Unix exit code: 1\nIts output was:\n"
                "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'\n"
            ),
            "KeyError: 'x'",
        ),
        (
            (
                "The script ran, then exited with Unix exit code: 0\nIts output was:\n"
                "No issues found with the label.\n"
            ),
            "No issues found with the label.",
        ),
        ("exitcode: 1 (execution failed)\nCode output: unknown language r", "unknown language r"),
    ],
)
def test_a_run_gave_nothing_or_failed(message: str, came: str) -> None:
    assert told(ASKS, "Next speaker Terminal", message) == [f"{ASKS} → {came}"]


@pytest.mark.parametrize(
    "message",
    [
        "The script ran, then exited with Unix exit code: 0\nIts output was:\n00 - Bug\n01 - Doc",
        "exitcode: 0 (execution succeeded)\nCode output: 12",
        "The script ran well, I think.",
        "I typed 'x' into 'Search'.\n\n" + PAGE.format("Issues", "- 3 results"),
    ],
)
def test_what_gave_something_is_none(message: str) -> None:
    assert told(ASKS, message) == []


def test_a_browser_tells_what_it_typed_and_where_it_was_let_in() -> None:
    typed = "I typed 'label:x' into 'Search'."
    nothing = f"{typed}\n\n{PAGE.format('Issues', '- No results matched your search.')}"
    walled = f"I clicked 'Homes'.\n\n{PAGE.format('Access to this page has been denied', '')}"
    assert told(nothing, walled) == [
        f"{typed} → No results matched your search.",
        "I clicked 'Homes'. → Access to this page has been denied",
    ]


def test_a_ledger_without_progress_is_about_the_instruction_before_it() -> None:
    first = ledger("We found the page.", progress=True)
    stuck = ledger("The search gave nothing new.", progress=False, ask="Try the archive instead.")
    assert told(first, "I looked.", stuck) == [
        "Search the forum for it. → The search gave nothing new."
    ]
    assert told(first, "I looked.", ledger("We are getting on.", progress=True)) == []


@pytest.mark.parametrize(
    "text",
    ["Updated Ledger:\n{", "Updated Ledger:\n{}", 'Updated Ledger:\n{"is_progress_being_made": 1}'],
)
def test_a_ledger_that_cannot_be_read_tells_nothing(text: str) -> None:
    assert told(ASKS, text) == []


def test_a_run_that_nobody_asked_for_is_left_out() -> None:
    assert told("exitcode: 1 (execution failed)\nCode output: unknown language r") == []


def ledger_of(**reasons: tuple[str, bool]) -> str:
    entries = {name: {"reason": why, "answer": so} for name, (why, so) in reasons.items()}
    return f"Updated Ledger:\n{json.dumps(entries, indent=2)}"


def test_a_ledger_that_says_it_turns_in_a_loop_tells_of_a_failure() -> None:
    loop = "The same search was tried three times without a result."
    said = ledger_of(
        is_request_satisfied=("The date is still missing.", False),
        is_in_loop=(loop, True),
        is_progress_being_made=("Some sources were found.", True),
    )
    assert told(ASKS, said) == [f"{ASKS} \u2192 {loop}"]


@pytest.mark.parametrize(
    ("missing", "told_of"),
    [
        ("The page tells of the sale but does not list the board.", True),
        ("The search returned no member of the board.", True),
        ("The board of that year is not known yet.", False),
        ("The page lists the whole board.", False),
    ],
)
def test_a_ledger_tells_which_source_did_not_hold_it_though_the_work_goes_on(
    missing: str, told_of: bool
) -> None:
    said = ledger_of(
        is_request_satisfied=(missing, False),
        is_in_loop=("This is the first try.", False),
        is_progress_being_made=("A source was opened.", True),
    )
    assert told(ASKS, said) == ([f"{ASKS} \u2192 {missing}"] if told_of else [])


WALL = "Press and hold to confirm you are a human (and not a bot)."


def test_a_page_that_wants_a_human_shows_nothing() -> None:
    page = f"I clicked 'Sales'.\n\nHere is a screenshot of [Sales](https://x.org).\n\n{WALL}\n"
    assert told(ASKS, page) == [f"I clicked 'Sales'. \u2192 {WALL}"]
    open_page = page.replace(WALL, "A human wrote this page, and a bot read it.")
    assert told(ASKS, open_page) == []


def test_a_file_that_could_not_be_opened_tells_why() -> None:
    said = "## Error 404\n\nFile not found: /work/list.pdf"
    missing = f"Address: file:///work/list.pdf\nTitle: Error 404\n{said}"
    assert told(ASKS, missing) == [
        "Address: file:///work/list.pdf \u2192 File not found: /work/list.pdf"
    ]
    mute = "Address: file:///work/a.mp3\nDuration: 0:35\n\nError. Could not write down this sound."
    assert told(ASKS, mute) == [
        "Address: file:///work/a.mp3 \u2192 Error. Could not write down this sound."
    ]
    shown = missing.replace("Title: Error 404", "Title: The list")
    assert told(ASKS, shown) == []
