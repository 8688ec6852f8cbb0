"""What the agent sets itself for all that comes stays open; nothing done once keeps it."""

from __future__ import annotations

import pytest

from clew.record.items import Status
from clew.summarize.extractive.lessons import FOR_GOOD, HOLDS, lessons_in
from clew.summarize.extractive.reading import Reading
from tests.summarize.extractive.told import agent, bash, items, proposed, user


def told(text: str) -> list[str]:
    found = lessons_in(Reading(handle="S-3", position=2, prose=(text,)))
    return [made.item.text for made in found]


@pytest.mark.parametrize(
    "said",
    [
        "From now on I'll run the linter before each commit.",
        "I will run one command at a time from here on.",
        "Going forward, I will read a file before I edit it.",
        "I\u2019ll stop changing the header.",
        "The fix on my side is simple: stop issuing commands that overlap.",
    ],
)
def test_a_sentence_sets_something_for_good(said: str) -> None:
    assert told(f"That was the cause.\n\n{said}\n\nNow the rest.") == [said.rstrip(".")]


@pytest.mark.parametrize(
    "heading",
    [
        "What I need to change:",
        "I'll just keep going and be stricter about commits:",
        "From here on I'll be more careful:",
        "**Lessons learned:**",
    ],
)
def test_a_list_under_a_heading_is_one(heading: str) -> None:
    text = f"It ran twice.\n\n{heading}\n- no parallel writes\n- check the index first.\n\nDone."
    assert told(text) == ["no parallel writes; check the index first"]


@pytest.mark.parametrize(
    "text",
    [
        "What you need to change:\n- the token in the file",
        "I'll stop here.",
        "I'll stop once the tests pass.",
        "I'll stop the server.",
        "If it fails, from now on I'll run it alone.",
        "Should I run one at a time from now on?",
        "The field is ignored from now on.",
        "Users will see it in the future.",
        "What changed:\n- the parser reads lines",
        "I need to change the parser:\n- it reads lines twice",
    ],
)
def test_other_words_set_nothing(text: str) -> None:
    assert told(text) == []


def test_it_stays_open_when_the_user_says_to_go_on() -> None:
    said = "From now on I'll run the linter before each commit."
    made = proposed(
        [
            *user("Mend the parser."),
            *agent(f"The build broke because of me. {said}"),
            *user("ok, continue"),
            *bash("ruff check .", "All checks passed!"),
            *agent("The linter ran, and the commit is in."),
            *user("next"),
            *bash("git commit -m x", "[main 1234567] x"),
            *agent("Done."),
        ]
    )
    kept = [i for i in items(made, "commitment") if i.field(HOLDS) == FOR_GOOD]
    assert [(i.text, i.status) for i in kept] == [(said.rstrip("."), Status.OPEN)]
