"""What the agent recommends is a choice once the person takes it up, and not before."""

from __future__ import annotations

import pytest

from tests.summarize.extractive.told import agent, items, proposed, user

SAID = "I'd go **`p`** \u2014 it stands for the pier, and leaves `/` to the search of tides."
ANSWER = f"There are three keys for it.\n\n1. `p`\n2. `f`\n3. `\\`\n\n{SAID}"


def chosen(reply: str, answer: str = ANSWER) -> list[str]:
    story = (user("which key?"), agent(answer), user(reply), agent("Working on it."))
    made = [item for item in items(proposed(*story), "decision") if item.said_by.value == "agent"]
    assert all(item.evidence[1].quote == reply for item in made)
    return [item.text for item in made]


@pytest.mark.parametrize(
    "reply", ["p, make it so", "yes", "Do it", "ok, let's do that", "sounds good!", "go ahead"]
)
def test_a_recommendation_that_was_taken_up_is_a_choice(reply: str) -> None:
    assert chosen(reply) == [SAID]


@pytest.mark.parametrize(
    "reply",
    [
        "let's go with tides.db",  # another name than the one that was recommended
        "yes, but use the second one",
        "hmm, which one is quicker?",
        "f",
        "Yes. " + "And then look at the lamp of the pier and tell me what it says. " * 4,
    ],
)
def test_another_pick_a_condition_or_a_question_is_none(reply: str) -> None:
    assert chosen(reply) == []


@pytest.mark.parametrize(
    "answer",
    [
        "I'd do one of these: the pier, or the lamp of the harbour.",
        "I'd go in this order, with a look at the lamp after each step:",
        "If you want, I'd add the moon to the table of tides as well.",
        "Next I'd recommend the table of the harbour for a closer look.",
        "The table of the harbour has a row for each of the tides.",
    ],
)
def test_an_order_an_offer_or_a_statement_recommends_nothing(answer: str) -> None:
    assert chosen("yes", answer) == []
