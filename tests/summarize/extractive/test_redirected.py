"""Who breaks the work off and says something else does not want what was being done."""

from __future__ import annotations

import pytest

from clew.record.items import Item, Speaker
from tests.summarize.extractive.told import Native, agent, bash, call, items, proposed, user

STOPPED = user("[Request interrupted by user]")
WORK = bash("ls pkg/beta", "a.go b.go", said="I'll compare it with the beta provider.")


def dead(*story: list[Native]) -> list[Item]:
    return items(proposed(user("Review the new provider."), *story), "dead_end")


@pytest.mark.parametrize(
    "said",
    [
        "That's not the best comparison, try the alpha provider.",
        "use the alpha provider, it is the reference",
        "no, leave the tests out of it for now",
    ],
)
def test_what_was_being_done_is_a_dead_end_with_what_the_person_said(said: str) -> None:
    found = dead(WORK, STOPPED, user(said))
    assert [item.text for item in found] == [f"ls pkg/beta \u2192 {said}"]
    assert found[0].said_by is Speaker.USER
    assert found[0].evidence[0].quote == said


@pytest.mark.parametrize(
    "story",
    [
        [WORK, STOPPED, user("continue, but not too long")],
        [WORK, STOPPED, user("why do you use the beta provider and not alpha?")],
        [WORK, STOPPED, user("/clear")],
        [WORK, STOPPED, user("sorry, go ahead and use it")],
        [WORK, agent("Both read alike."), user("try the alpha provider, it is better")],
        [STOPPED, user("try the alpha provider, it is better")],
    ],
    ids=["goes on", "asks", "command", "agrees", "not broken off", "nothing was done"],
)
def test_who_goes_on_or_breaks_nothing_off_turns_no_way_down(story: list[list[Native]]) -> None:
    assert dead(*story) == []


def test_what_a_program_prints_is_nobodys_word_for_it() -> None:
    printed = bash("./run.sh", "[Request interrupted by user]\n3 passed")
    found = dead(printed, user("Let's also add a test, only for alpha"))
    assert not [item for item in found if item.said_by is Speaker.USER]


def test_who_answers_a_question_in_their_own_words_stops_nothing() -> None:
    asks = call("AskUserQuestion", {"questions": [{"question": "Which one?"}]}, "")
    assert dead(asks, STOPPED, user("use the second one, it is a no brainer")) == []
