"""What settles a question, an approval and the first request of a run."""

from __future__ import annotations

import pytest

from clew.record.items import Item, Speaker, Status
from clew.summarize.extractive.answers import AWAITED_APPROVAL, answer_to
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.goals import goal_status_after
from clew.summarize.extractive.reading import Reading


def blocker(text: str, awaited: str = "") -> Item:
    fields = (("awaited", awaited),) if awaited else ()
    return Item(
        id="B-1", kind="blocker", text=text, status=Status.OPEN, said_by=Speaker.TOOL, fields=fields
    )


def typed(text: str) -> Reading:
    return Reading(handle="S-9", position=8, typed=(text,))


def brought(text: str) -> Reading:
    return Reading(handle="S-9", position=8, results=(text,))


@pytest.mark.parametrize(
    ("later", "quote"),
    [
        (typed("Go on, please."), None),
        (typed("T-9 approved."), "T-9 approved."),
        (typed("Thanks.\nAs for T-9: refused."), "As for T-9: refused."),
        (brought("ticket T-9: approved, paid 640.00"), "ticket T-9: approved, paid 640.00"),
        (brought("ticket T-9: under review"), None),
        (brought("ticket T-8: approved"), None),
    ],
)
def test_an_approval_waits_for_words_about_it(later: Reading, quote: str | None) -> None:
    answer = answer_to(blocker("T-9: request_refund", AWAITED_APPROVAL), 1, [later])
    assert (answer.evidence.quote if answer else None) == quote


def test_any_reply_answers_a_question_of_the_agent() -> None:
    answer = answer_to(blocker("Which lane?"), 1, [typed("The second.")])
    assert answer is not None
    assert answer.evidence.quote == "The second."


def said(text: str) -> Reading:
    return Reading(handle="S-3", position=2, prose=(text,), finished=True)


@pytest.mark.parametrize(
    ("report", "reply", "status"),
    [
        ("The plan has three steps.", "The plan is agreed, carry it out.", "done"),
        ("All rows are ported.", "Looks good. Now the other archive.", "done"),
        ("All rows are ported.", "Go on.", "open"),
        ("Eight of eleven tables are done.", "Looks good, go on.", "open"),
        ("3/5 tables so far.", "Approved.", "open"),
        ("Shall I go on?", "Go ahead.", "open"),
    ],
)
def test_a_goal_is_done_when_a_whole_report_was_agreed_to(
    report: str, reply: str, status: str
) -> None:
    readings = [said(report), typed(reply)]
    assert goal_status_after("open", readings, built_in_cues()) == status


@pytest.mark.parametrize(
    "rule",
    [
        "Before you send anything to a customer, ask me.",
        "Не трогай каталог billing.",
        "Ändere nichts in billing/.",
        "Ne touche pas au dossier billing.",
        "Nunca cambies la carpeta billing.",
        "请不要修改billing目录。",
        "billingは絶対に変更しないでください。",
        "billing 폴더는 절대 수정하지 마세요.",
    ],
)
def test_rules_are_known_in_many_languages(rule: str) -> None:
    assert built_in_cues().has("rule", rule)
