"""What waits for the user at the end of an answer, and what is next where nobody says so."""

from __future__ import annotations

import pytest

from clew.record.items import Evidence, Item, Speaker, Status
from clew.record.record import HandoffRecord
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.prose import next_action, open_question, still_open
from clew.summarize.extractive.questions import asked_last
from clew.summarize.extractive.reading import Reading


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ("Pushed to master.\n\nIs there anything else you would like me to help with?", ""),
        ("The build was there already. Let me know if you need anything else!", ""),
        (
            "Which of the two do you prefer?\n\nLet me know if you have any questions.",
            "Which of the two do you prefer?",
        ),
        ("Shall I push it? Feel free to look first.", "Shall I push it?"),
        ("Let me know if 3.12 is fine for you.", "Let me know if 3.12 is fine for you."),
        ("**Should I remove it?**", "**Should I remove it?**"),
        ("I found nothing else.", ""),
        ("", ""),
    ],
)
def test_only_what_waits_for_an_answer_is_a_question(answer: str, asked: str) -> None:
    cues = built_in_cues()
    assert asked_last(answer, cues) == asked
    handed = Reading(handle="S-4", position=3, prose=(answer,), finished=True)
    question = open_question(handed, cues)
    assert (question.item.text if question is not None else "") == asked
    assert next_action([handed], cues) == ((asked, "S-4") if asked else None)


def promise(number: int, seen: int, state: str = "") -> Item:
    text = f"I'll write part {number}."
    return Item(
        id=f"C-{number}",
        kind="commitment",
        text=text,
        status=Status.OPEN,
        evidence=(Evidence(span=f"S-{seen + 1}", quote=text),),
        said_by=Speaker.AGENT,
        fields=(("state", state),) if state else (),
        first_seen=seen,
        last_used=seen,
    )


@pytest.mark.parametrize(
    ("items", "following"),
    [
        # The plan comes before what was said in passing, and what it is at before what waits.
        ((promise(1, 2, "open"), promise(2, 2, "active"), promise(3, 50)), "I'll write part 2."),
        ((promise(1, 2, "open"), promise(3, 50)), "I'll write part 1."),
        # Of promises the newest, and none that was given before the exchanges that are folded.
        ((promise(1, 41), promise(2, 50)), "I'll write part 2."),
        ((promise(1, 2), promise(2, 9)), ""),
    ],
)
def test_an_old_promise_is_not_what_comes_next(items: tuple[Item, ...], following: str) -> None:
    record = HandoffRecord(goal="the goal", items=items)
    assert still_open(record, since=40)[0] == following
