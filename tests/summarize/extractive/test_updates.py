"""An update takes the place of the one statement of its sort that it shares a word with."""

from __future__ import annotations

import pytest

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.updates import of_one_sort
from clew.summarize.extractive.values import sorts_of_value


def said(text: str, speaker: Speaker = Speaker.USER) -> Claim:
    return claim("fact", text, span="S-9", position=8, said_by=speaker)


def replaced(update: str, *earlier: str, speaker: Speaker = Speaker.USER) -> int | None:
    held = [said(text, speaker) for text in earlier]
    return of_one_sort(said(update), [(each.item, each.topics) for each in held])


@pytest.mark.parametrize(
    ("update", "earlier"),
    [
        ("Keep project spend under three hundred dollars.", "The project budget cap is $800."),
        ("The launch date moved to August 21.", "Launch deadline is 2027-03-19."),
        ("We are calling the project RIECI-121 now.", "The project codename is AB-9."),
        ("Ozyu Lpjmb now owns the pager this week.", "The owner this week is Tobk Rpwdu."),
    ],
)
def test_a_new_value_of_the_same_sort_replaces_the_old_one(update: str, earlier: str) -> None:
    other = "The staging host is abc.internal."
    assert replaced(update, other, earlier) == 1


def test_where_two_may_be_meant_none_is_replaced() -> None:
    trips, desks = "The project pays trips up to $300.", "The project pays desks up to $400."
    assert replaced("The project pays $500 now.", trips, desks) is None


def test_other_sorts_other_words_and_other_speakers_are_left_alone() -> None:
    assert replaced("The project ends on 2027-01-01.", "The project cap is $800.") is None
    assert replaced("Lunch costs $9 now.", "The project cap is $800.") is None
    update, earlier = "The project cap is $900 now.", "The project cap of spend is $800."
    assert replaced(update, earlier, speaker=Speaker.TOOL) is None


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("at most 40 euros", "money"),
        ("by 12 March", "date"),
        ("within 30 days", "duration"),
        ("the branch spike/abc-12", "a/a-9"),
        ("at most 15 %", "percent"),
        ("nothing of the kind", ""),
    ],
)
def test_what_sort_of_value_a_text_gives(text: str, sort: str) -> None:
    assert sorts_of_value(text) == (frozenset({sort}) if sort else frozenset())
