"""An answer that ends with a question waits for the user; one that ends with a courtesy does not."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.prose import next_action, open_question
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
