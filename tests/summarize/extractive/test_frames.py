"""What a statement is about, and what tells it from one that only looks like it."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.frames import are_two, frame_of


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The timeout of the pool is 30 seconds.", {"timeout", "pool"}),
        ("We raised the timeout to 45 seconds.", set()),
        ("Set the timeout to 45 seconds.", set()),
        ("In winter, the ferry leaves at 7:15.", {"ferry"}),
        ("Ada Byrne owns the pager.", set()),
        ("Head of sales: Ada Byrne", {"head", "sal"}),
        ("", set()),
    ],
)
def test_the_subject_stands_in_front_of_the_verb(text: str, subject: set[str]) -> None:
    assert frame_of(text).subject == subject


def test_values_are_no_words_of_a_statement_but_what_a_path_begins_with_is() -> None:
    frame = frame_of("Hey Ada, the branch fix/pay-12 ends on 2027-01-02")
    assert frame.words == {"branch", "end", "fix"}
    assert frame.sorts == {"a/a-9", "date"}


def test_who_owns_a_thing_is_its_owner() -> None:
    assert frame_of("Bo owns it").words & frame_of("the owner of the thing").words == {"own"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the east hall is cold", "the west hall is warm"),
        ("flour for the bakery is here", "flour for the mill is there"),
        ("Exports are limited", "Imports are limited"),
        ("I owe Tim for the bread", "I owe Lea for the bread"),
        ("Team A has five members", "Team B has five members"),
        ("Ada is on call this week", "Ada is on call next week"),
        ("Ticket AB-12 is blocked", "Ticket AB-34 is blocked"),
        ("Ada Byrne pays within 14 days", "Bo Yates pays within 30 days"),
    ],
)
def test_two_things_are_told_apart(one: str, other: str) -> None:
    assert are_two(frame_of(one), frame_of(other))
    assert are_two(frame_of(other), frame_of(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The flight leaves at noon", "Our flight got rebooked to 3 pm"),
        ("Ada Byrne owns the pager", "Bo Yates owns the pager now"),
        ("The cap of the project is $200", "Keep project spend below $300"),
    ],
)
def test_one_thing_in_other_words_is_not(one: str, other: str) -> None:
    assert not are_two(frame_of(one), frame_of(other))
