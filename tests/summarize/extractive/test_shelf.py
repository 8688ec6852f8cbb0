"""What is found by its words is what a look at everything would find."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.sentences import likeness
from clew.summarize.extractive.shelf import Shelf

WORDS = ("pool", "server", "gate", "lease", "printer", "wiki", "tenant", "ticket")
TOPICS = st.frozensets(st.sampled_from(WORDS))


def said(text: str, topics: frozenset[str] | None = None) -> Claim:
    made = claim("fact", text, span="S-1", position=0, said_by=Speaker.USER)
    return made if topics is None else Claim(item=made.item, topics=topics)


def shelf_of(held: list[frozenset[str]]) -> Shelf:
    shelf = Shelf()
    for key, topics in enumerate(held):
        shelf.put(key, said(f"statement {key}").item, topics)
    return shelf


@given(held=st.lists(TOPICS, max_size=12), asked=TOPICS, share=st.sampled_from((0.5, 0.75, 0.85)))
def test_nothing_that_is_alike_is_missed(
    held: list[frozenset[str]], asked: frozenset[str], share: float
) -> None:
    shelf = shelf_of(held)
    alike = {key for key, topics in enumerate(held) if likeness(topics, asked) >= share}
    found = shelf.alike(asked, share)
    assert alike <= set(found)
    assert found == sorted(found)
    assert shelf.sharing(asked) == [key for key, topics in enumerate(held) if topics & asked]


def test_what_was_taken_away_or_replaced_is_not_found_by_its_old_words() -> None:
    shelf = shelf_of([frozenset({"pool"}), frozenset({"pool", "gate"})])
    assert shelf.named_alike("The statement stands") == [0, 1]
    shelf.put(1, said("The lease ends").item, frozenset({"lease"}))
    shelf.take(0)
    shelf.take(7)
    assert shelf.sharing(frozenset({"pool", "gate"})) == []
    assert shelf.sharing(frozenset({"lease"})) == [1]
    assert shelf.same("The lease ends") == {1}
    assert shelf.same("statement 1") == set()
    assert shelf.named_alike("The statement stands") == []
    assert shelf.named_alike("The lease is over") == [1]


@pytest.mark.parametrize("speaker", [Speaker.AGENT, Speaker.TOOL])
def test_only_what_a_person_said_is_found_by_its_frame(speaker: Speaker) -> None:
    shelf = Shelf()
    made = claim("fact", "The lease ends", span="S-1", position=0, said_by=speaker)
    shelf.put(0, made.item, made.topics)
    assert shelf.named_alike("The lease is over") == []


def test_a_statement_meets_few_of_many_that_are_made_alike() -> None:
    draw = random.Random(7)
    shelf, met = Shelf(), 0
    for key in range(2_000):
        name = "".join(draw.choice("bcdfgklmnprstaeiou") for _ in range(7))
        made = said(f"The {name} in the yard holds some liters of {name}.")
        met += len(shelf.alike(made.topics, 0.85))
        shelf.put(key, made.item, made.topics)
    assert met < 50
