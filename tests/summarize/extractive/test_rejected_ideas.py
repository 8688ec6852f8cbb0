"""An idea that the agent turned down in prose is a way that fails, and a guess at one is not."""

from __future__ import annotations

import pytest

from clew.record.items import Speaker
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.rejected_ideas import ideas_in
from tests.summarize.extractive.told import agent, items, proposed, user


def told(text: str) -> list[str]:
    found = ideas_in(Reading(handle="S-3", position=2, prose=(text,)))
    return [made.item.text for made in found]


@pytest.mark.parametrize(
    "idea",
    [
        "So `q` can't be a quit key there; only keys that print nothing are free.",
        "**Drop the prefix-index idea** \u2014 measured at zero wall-clock benefit for real cost.",
        "So dropping the order does skip the scoring, but the scoring was never the bottleneck.",
        "My added wording about the IDs is a micro-optimization, not a requirement.",
        "My earlier guess about the disk was simply **wrong** \u2014 it idles all the time.",
        "Prefix index: not worth it, the match takes 30 ms with it and without it.",
        "The test failures show that `<= 2` is too generous.",
        "The first pattern was too broad, so I'm running a narrower one.",
        "Enriching the outer records alone is not enough.",
        "As expected, I cannot commit the scripts because they hold the forbidden string.",
        "I can't edit files while plan mode is active, but this is what I'd apply.",
        "That won't work because of the newlines in it.",
        'So the "cache fix" of last week was a misdiagnosis.',
        "The flaky network was a red herring in all of this.",
        "The counts come from this run \u2014 wrong on a second run (it would show 3 of 90).",
        "The export is owned by `root`, so I cannot read it for you.",
        "The files are encrypted, making them impossible to convert with what is here.",
    ],
)
def test_a_sentence_that_turns_an_idea_down_is_kept(idea: str) -> None:
    assert told(f"I measured both.\n\n{idea}\n\nNext I'll look at the log.") == [idea]


@pytest.mark.parametrize(
    "text",
    [
        "I'm moving the pass to the end so it cannot be overwritten.",
        "If the lock was never the bottleneck, we could drop it.",
        "Maybe my earlier fix was wrong.",
        "Should we drop the index idea?",
        "**Skipping (not worth the risk):** two names for one thing.",
        "I drop the table and create it again.",
        "The problem is that the hook is too aggressive.",
        "I'm documenting it too, otherwise the option is too complex.",
        "I can't find it in the log because it is long.",
        "If it is off, we can't connect without a key.",
        "The report is too long.",
        "| drop the index plan | zero benefit | 3 ms |",
    ],
)
def test_guesses_questions_and_work_are_none(text: str) -> None:
    assert told(text) == []


def test_it_is_a_dead_end_that_the_agent_told() -> None:
    said = "Drop the index idea \u2014 measured at no measurable benefit for 300 MB."
    (made,) = items(proposed(user("Is it worth an index?"), agent(said)), "dead_end")
    assert (made.text, made.said_by, made.live) == (said, Speaker.AGENT, True)


def test_an_option_that_is_doubted_is_turned_down_where_another_one_is_offered() -> None:
    doubted = "Since the router is small, running a container for it might be too heavy."
    assert told(f"{doubted}\n\n**Alternative:** a page of its own.") == [doubted]
    assert told(f"{doubted} It has 64 MB.") == []
    assert told("It might be too late for the train. Alternatively, take the bus.") == []


def test_a_way_of_which_nothing_comes_is_left_for_another_one() -> None:
    said = "The store's `find_all` matches nothing (no path), so I'll write a walk of its own."
    assert told(said) == [said]
    assert told("`find_all` matches nothing yet, so the page is empty.") == []
    assert told("`find_all` is missing, so I'll write it now.") == []
