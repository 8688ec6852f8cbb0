"""An answer that only proposes has found nothing; one behind a look has."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.proposals import asks_for_a_proposal
from clew.summarize.extractive.reading import Reading
from tests.summarize.extractive.told import Native, agent, bash, items, proposed, user

SAID = "The lamp in `tide.c` is only lit for **2 to 3 minutes**."
ANSWER = agent(
    f"It needs three scenes:\n\n- {SAID}\n- The second scene has 20 rows of `moon.md`.\n"
)


def told(*story: list[Native]) -> bool:
    return any(SAID in item.text for item in items(proposed(*story), "fact"))


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("ok, what would you recommend next?", True),
        ("how long do you think the film will be", True),
        ("what's next", True),
        ("how could we light the lamp?", True),
        ("What about the clock test that fails?", False),
        ("anything left", True),
        ("what parts would be cool to film", True),
        ("which commit?", False),
        ("why is there a lamp in the harbour?", False),
        ("what is the coverage of tide.c now", False),
        ("where is the row filtered?", False),
        ("is it a problem for the data?", False),
        ("light the lamp, and leave the rest", False),
    ],
)
def test_who_asks_how_it_could_be_asks_for_a_proposal(question: str, asks: bool) -> None:
    assert asks_for_a_proposal(Reading(handle="S-1", position=0, typed=(question,))) is asks


def test_what_is_proposed_is_no_finding_and_what_was_asked_for_is() -> None:
    assert not told(user("how could we film the tide?"), ANSWER)
    assert told(user("how is the tide filmed?"), ANSWER)


def test_an_answer_behind_a_look_tells_what_was_found() -> None:
    assert told(user("how could we film the tide?"), bash("cat tide.c", "lamp: 2 to 3"), ANSWER)


def test_the_answer_to_a_later_question_is_no_proposal() -> None:
    first = agent("There are three ways.")
    assert told(user("how could we film it?"), first, user("how is it filmed now?"), ANSWER)
