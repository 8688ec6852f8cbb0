"""Reasons and rejected options that nobody gave are left out; the claim stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.record import Add, HandoffRecord, Item, Rejected, Supersede
from clew.verify import Rule, Severity
from tests.verify.building import claim, request, span, verdict_on

SAID = (
    "I looked at three ways to store the offset. Part files are out, since the importer of finance "
    "picks up every file that matches invoices-*. Redis would be a new dependency, which is not "
    "allowed. I store the byte offset of the CSV in the checkpoint and write it atomically."
)
MIDDLE = request(
    span("S-1", user="Maximum tries of 3 reached: say so in the log."),
    span("S-2", agent=SAID),
)
CHOICE = claim(
    "store the byte offset of the CSV in the checkpoint and write it atomically",
    "S-2",
    "I store the byte offset of the CSV in the checkpoint and write it atomically",
    kind="decision",
)


def standing(item: Item, old: HandoffRecord | None = None) -> tuple[Item, list[str]]:
    verdict = verdict_on(replace(MIDDLE, old=old) if old else MIDDLE, item)
    (operation,) = verdict.accepted
    assert isinstance(operation, Add)
    found = [f for f in verdict.findings if f.rule is Rule.GROUNDING]
    assert all(f.severity is Severity.WARNING for f in found)
    assert operation.item.verified, "the claim itself is not in doubt"
    return operation.item, [f.problem for f in found]


@pytest.mark.parametrize(
    "why",
    [
        "The importer of finance picks up every file that matches invoices-*.",
        "finance's importer would pick up part files that match",
        "Redis is a new dependency and new dependencies are not allowed",
        "",
    ],
)
def test_a_reason_that_somebody_gave_stays(why: str) -> None:
    assert standing(replace(CHOICE, why=why)) == (replace(CHOICE, why=why), [])


@pytest.mark.parametrize(
    "why",
    [
        "The user is aware of the limitation and knows that it prevents the operation.",
        "This ensures minimal context, reducing the risk of errors and improving efficiency.",
        "The user explicitly asked for it.",
        "性能更好",
    ],
)
def test_a_reason_of_the_models_own_is_left_out_and_the_claim_stands(why: str) -> None:
    item, (problem,) = standing(replace(CHOICE, why=why))
    assert item == CHOICE
    assert "nobody gave the reason" in problem


def test_options_that_were_turned_down_stay_with_the_reason_that_was_given() -> None:
    given = (
        Rejected(option="part files", why="the importer picks up every file that matches"),
        Rejected(option="Redis", why="a new dependency"),
    )
    assert standing(replace(CHOICE, rejected=given)) == (replace(CHOICE, rejected=given), [])


def test_the_option_that_was_chosen_is_not_among_the_rejected() -> None:
    wrong = Rejected(option="store the byte offset of the CSV in the checkpoint", why="")
    item, (problem,) = standing(replace(CHOICE, rejected=(wrong, Rejected(option="Redis"))))
    assert [each.option for each in item.rejected] == ["Redis"]
    assert "is what was chosen" in problem


def test_an_option_that_an_earlier_decision_chose_was_not_rejected() -> None:
    old = HandoffRecord(goal="Reconcile the ledgers", items=(replace(CHOICE, id="D-1"),))
    other = claim("part files are out", "S-2", "Part files are out", kind="decision")
    wrong = Rejected(option="the byte offset of the CSV in the checkpoint")
    item, (problem,) = standing(replace(other, rejected=(wrong,)), old)
    assert item.rejected == ()
    assert "is what was chosen" in problem


def test_a_choice_that_is_replaced_may_be_among_the_rejected() -> None:
    old = HandoffRecord(goal="Reconcile the ledgers", items=(replace(CHOICE, id="D-1"),))
    rejected = (Rejected(option="the byte offset of the CSV in the checkpoint"),)
    other = replace(CHOICE, text="part files are out", rejected=rejected)
    operation = Supersede(ids=("D-1",), item=other, reason="looked at again")
    (stands,) = verdict_on(replace(MIDDLE, old=old), operation).accepted
    assert isinstance(stands, Supersede)
    assert stands.item.rejected == rejected


def test_what_a_choice_names_as_its_contrast_was_rejected() -> None:
    text = "store the byte offset in the checkpoint instead of part files of the importer"
    item = replace(CHOICE, text=text, rejected=(Rejected(option="part files of the importer"),))
    assert standing(item)[0].rejected == item.rejected


def test_options_and_reasons_that_nobody_spoke_of_are_left_out() -> None:
    made_up = (
        Rejected(option="a Kafka queue between both services", why="too slow"),
        Rejected(option="Redis", why="its licence changed last year"),
    )
    item, problems = standing(replace(CHOICE, rejected=made_up))
    assert item.rejected == (Rejected(option="Redis"),)
    assert len(problems) == 2
