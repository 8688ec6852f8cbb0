"""Who grants that the user is right gives up what they said or set out to do before."""

from __future__ import annotations

import pytest

from clew.record.items import Item, Speaker, Status
from clew.summarize.extractive.conceded import REASON, concedes
from clew.summarize.extractive.reading import Reading
from tests.summarize.extractive.told import Native, agent, items, proposed, user

PROPOSAL = "I'll replace the rate with an ETA that counts down to zero."


def given_up(*story: list[Native]) -> list[Item]:
    found = items(proposed(user("the goal"), *story), "dead_end")
    return [item for item in found if item.reason == REASON]


def test_a_proposal_that_the_user_objects_to_is_given_up() -> None:
    (item,) = given_up(
        agent(f"The rate never reaches zero. {PROPOSAL}"),
        user("dunno that we need an ETA that counts down, maybe just remove the rate"),
        agent("You're right, an ETA would be a guess. I'll just remove it."),
    )
    assert item.text.startswith(f"{PROPOSAL} → dunno that we need an ETA")
    assert (item.status, item.said_by) == (Status.CLOSED, Speaker.USER)
    assert [e.span for e in item.evidence] == ["S-3", "S-2", "S-4"]


@pytest.mark.parametrize(
    ("objection", "answer"),
    [
        ("ok, the ETA that counts down is what I want", "Great, on it."),
        ("dunno about that", "You're right, I'll leave it."),
        ("does the ETA count down in seconds?", "You're right to ask: it does."),
    ],
)
def test_without_a_grant_or_without_what_it_is_about_nothing_is(
    objection: str, answer: str
) -> None:
    assert given_up(agent(PROPOSAL), user(objection), agent(answer)) == []


@pytest.mark.parametrize(
    ("text", "grants"),
    [
        ("You're absolutely right. Let me fix that:", True),
        ("You’re right", True),
        ("I apologize for the confusion.", True),
        ("Ah, I see the mismatch: the wrapper is old.", True),
        ("You're right to be skeptical.", False),
        ("Good call, the other name is better.", False),
        ("The rightmost column is empty.", False),
    ],
)
def test_what_grants_that_somebody_is_right(text: str, grants: bool) -> None:
    assert concedes(Reading(handle="S-3", position=2, prose=(text,))) is grants


@pytest.mark.parametrize(
    ("answer", "granted"),
    [
        (
            "You're right, that's dumb. It parses all rows even though none changed. Let me see.",
            "It parses all rows even though none changed.",
        ),
        ("You're right! You can run it on your machine as well.", ""),
        ("You're right. I'll not do it again in this way here.", ""),
        ("You're right. Is it not what the plan says about it?", ""),
        ("The second run parses all rows even though nothing changed.", ""),
    ],
    ids=["granted", "agrees", "sets out", "asks", "no concession"],
)
def test_what_is_granted_stands_where_no_earlier_words_are_found(answer: str, granted: str) -> None:
    story = [user("rows are parsed again on each start, why on earth"), agent(answer)]
    found = given_up(*story)
    assert [item.text for item in found] == ([granted] if granted else [])
