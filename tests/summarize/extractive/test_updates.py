"""An update takes the place of the one statement of its sort that it shares a word with."""

from __future__ import annotations

import pytest

from bench.suites.pairs import SAMPLES, Sample, stands
from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.updates import both_hold, of_one_sort, without_changed
from clew.summarize.extractive.values import sorts_of_value


def said(text: str, speaker: Speaker = Speaker.USER, *, corrects: bool = False) -> Claim:
    return claim("fact", text, span="S-9", position=8, said_by=speaker, corrects=corrects)


def replaced(
    update: str, *earlier: str, speaker: Speaker = Speaker.USER, corrects: bool = True
) -> int | None:
    held = [said(text, speaker) for text in earlier]
    new = said(update, corrects=corrects)
    return of_one_sort(new, [(each.item, each.topics) for each in held])


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The east hall is now cooled to 21 degrees.", "The west hall is cooled to 24 degrees."),
        ("The project spending ceiling is $500 now.", "The conference spending ceiling is $300."),
        ("The fee for tests is 40 euros now.", "The fee for training is 30 euros."),
        ("The left pump now makes 300 turns.", "The right pump makes 900 turns."),
    ],
)
def test_two_things_that_a_word_tells_apart_stand_side_by_side(one: str, other: str) -> None:
    assert replaced(one, other) is None


@pytest.mark.parametrize(
    ("update", "earlier"),
    [
        ("Jo left, so Ada Byrne is head of sales.", "Head of sales: Jo Marsh."),
        ("For readers abroad, show times in CET.", "Put every time in UTC."),
        ("Give distances in metric units.", "Use imperial units."),
    ],
)
def test_what_holds_all_words_or_says_how_to_show_a_thing_needs_no_word_of_change(
    update: str, earlier: str
) -> None:
    assert replaced(update, "The door code is AB-9.", earlier, corrects=False) == 1


@pytest.mark.parametrize(
    ("update", "earlier"),
    [
        ("For invoices, show times in CET.", "For letters, show times in UTC."),
        ("Store all timestamps in UTC.", "The office is on Pacific time."),
        ("The courier picks up mail at 16:45.", "The lab picks up samples at 11:15."),
    ],
)
def test_without_a_word_of_change_another_case_or_subject_replaces_nothing(
    update: str, earlier: str
) -> None:
    assert replaced(update, earlier, corrects=False) is None


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("Never email the client before 9 am.", "Never email the client after 6 pm."),
        ("Never restart the broker after 18:00.", "Never restart the broker before 10:00."),
        ("Never deploy on Monday.", "Never deploy on Friday."),
        ("Tests must run on Python 3.12 too.", "Tests must run on Python 3.11."),
        ("Never spend more than $2,000 on all orders.",
         "Never spend more than $500 on a single order."),
        ("Keep the logs of the audit for 90 days.", "Keep the logs for 30 days."),
        ("The rate limit for writes is 20 requests per minute.",
         "The rate limit is 100 requests per minute."),
    ],
)  # fmt: skip
def test_what_can_hold_beside_it_replaces_nothing_without_a_word_of_change(
    later: str, earlier: str
) -> None:
    assert stands(earlier, later)
    assert both_hold(later, earlier)


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("Never spend more than $700 on an order.", "Never spend more than $500 on an order."),
        ("Never email the client after 5 pm.", "Never email the client after 6 pm."),
        ("The rate limit is 20 requests per minute.", "The rate limit is 100 requests per minute."),
    ],
)
def test_one_limit_has_one_value_at_a_time(later: str, earlier: str) -> None:
    assert not both_hold(later, earlier)
    assert not stands(earlier, later)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_few_statements_that_only_look_like_an_update_replace_anything(sample: Sample) -> None:
    wrongly = [pair for pair in sample.others if not stands(*pair)]
    assert len(wrongly) * 20 <= len(sample.others)
    seen = sum(not stands(*pair) for pair in sample.updates)
    assert seen * 2 >= len(sample.updates)


def test_rare_words_say_more_about_what_is_meant_than_common_ones() -> None:
    earlier = ("Field-trip expenses are at most $700.", "The ceiling for lunch is $9.",
               "The ceiling for taxis is $40.")  # fmt: skip
    assert replaced("New ceiling: trip costs are $500 at most.", *earlier) == 0


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("Branch fix/ab-12 must stay unpushed.", "We rebased onto fix/cd-34.",
         "Branch [changed] must stay unpushed."),
        ("Never spend more than $700 or 3 days.", "The cap is $500 and 2 days now.",
         "Never spend more than [changed] or [changed]."),
        ("Never push on a Friday.", "The cap is $500 now.", ""),
    ],
)  # fmt: skip
def test_of_a_rule_only_the_value_that_changed_is_taken_out(old: str, new: str, left: str) -> None:
    assert without_changed(old, new) == left


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("The db must be backed up by 10:00.", "The db restart is at 11:00 now."),
        ("Don't restart the db at 10:00.", "The db restart is at 11:00."),
        ("Never touch the db between 9:00 and 12:00.", "The db restart moved to 11:00."),
        ("Always back up the db at 10:00.", "The db restart is at 11:00 now."),
        ("Never spend more than $700 on the offsite.", "The offsite costs $500 now."),
        ("Never merge into release/2.4.", "We now merge into release/2.5."),
    ],
)
def test_what_happens_elsewhere_changes_no_value_of_a_rule(rule: str, later: str) -> None:
    assert stands(rule, later)


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Never spend more than $700 on the offsite.", "The cap for the offsite is $500 now."),
        ("Branch fix/ab-12 must stay unpushed.", "We rebased onto fix/cd-34."),
        ("Never use mocks in the payment tests.", "Mocks in the payment tests are fine now."),
    ],
)
def test_a_limit_another_name_or_its_end_changes_a_rule(rule: str, later: str) -> None:
    assert not stands(rule, later)


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
        ("we are 76 guests", "number of guest"),
        ("the storage is on VLAN 412", "number of vlan"),
        ("Hey John, it is done", ""),
        ("ask Ada Byrne", "person"),
        ("at 15:30", "clock"),
        ("at most 15 %", "percent"),
        ("nothing of the kind", ""),
    ],
)
def test_what_sort_of_value_a_text_gives(text: str, sort: str) -> None:
    assert sorts_of_value(text) == (frozenset({sort}) if sort else frozenset())
