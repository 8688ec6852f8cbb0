"""A program that gives up says so in the last line; a log that holds such words does not."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.gave_up import given_up, stopped_in
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome

STOPS = "Only 3 reflections allowed, stopping."


def call(action: Action) -> CallSeen:
    return CallSeen(
        call_id="c", family="f", tool="edit", action=action, resource="a.py", outcome=Outcome.FAILED
    )


@pytest.mark.parametrize(
    "line",
    [
        STOPS,
        "Agent reached maximum iteration in headless mode. Current iteration: 30",
        "RuntimeError: Agent has reached the maximum number of steps",
        "Max turns exceeded",
        "Maximum number of attempts reached.",
    ],
)
def test_the_last_line_says_that_it_stops(line: str) -> None:
    reading = Reading(handle="S-2", position=1, results=(f"no match in a.py\n{line}\n",))
    assert stopped_in(reading) == line


@pytest.mark.parametrize(
    "text",
    [
        f"{STOPS}\na\nb\nc\nd",
        "Only 3 files allowed, skipping.",
        "max_turns = 30",
        "The agent stops when a limit is reached.",
        "",
    ],
)
def test_other_output_stops_nothing(text: str) -> None:
    assert stopped_in(Reading(handle="S-2", position=1, results=(text,))) == ""


def test_it_is_about_the_last_call() -> None:
    tried = Reading(handle="S-1", position=0, arguments=("a.py",), calls=(call(Action.WRITE),))
    answer = Reading(handle="S-2", position=1, results=(f"no match\n{STOPS}",))
    assert [made.item.text for made in given_up([tried, answer])] == [f"edit a.py → {STOPS}"]
    assert given_up([answer]) == []
    assert given_up([]) == []
    assert given_up([tried, answer, tried]) == []


def test_a_file_that_holds_such_words_is_only_read() -> None:
    read = Reading(handle="S-1", position=0, calls=(call(Action.READ),), results=(STOPS,))
    assert given_up([read]) == []
