"""Numbers of an answer stand for the entries of the list the agent offered."""

from __future__ import annotations

import pytest

from clew.record.items import Speaker, Status
from clew.summarize.extractive.choices import offered_in, picked
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.reading import Reading

LIST = "I recommend:\n\n1. **Share the error parser**\n2. Cap the token cache\n3. Sign the tags\n"
OFFER = Reading(handle="S-5", position=4, prose=(LIST,), finished=True)


def answer(text: str) -> Claim:
    return claim(
        "directive", text, span="S-7", position=6, said_by=Speaker.USER, status=Status.OPEN
    )


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("ok, do 1+2 next", "ok, do 1+2 next [1: Share the error parser] [2: Cap the token cache]"),
        ("on 3, ask first", "on 3, ask first [3: Sign the tags]"),
        ("do 7", "do 7"),
        ("set it to 1.5 and port 2:80", "set it to 1.5 and port 2:80"),
        ("use python3", "use python3"),
        (f"do 1 {'because it matters ' * 12}", f"do 1 {'because it matters ' * 12}"),
    ],
)
def test_numbers_of_a_short_answer_are_spelled_out(said: str, shown: str) -> None:
    assert picked(answer(said), offered_in(OFFER)).item.text == shown


def test_the_entry_is_quoted_with_its_span() -> None:
    made = picked(answer("do 2"), offered_in(OFFER)).item
    assert [(e.span, e.quote) for e in made.evidence] == [
        ("S-7", "do 2"),
        ("S-5", "Cap the token cache"),
    ]


def test_only_a_final_answer_offers_a_choice() -> None:
    assert offered_in(Reading(handle="S-5", position=4, prose=(LIST,))) is None
    one = Reading(handle="S-5", position=4, prose=("1. Only this",), finished=True)
    assert offered_in(one) is None
    assert picked(answer("do 1"), None).item.text == "do 1"
