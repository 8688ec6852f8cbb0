"""What a person answered to a tool that asks is a choice of theirs, with what they passed over."""

from __future__ import annotations

import json

from clew.record.items import Item, Speaker
from tests.summarize.extractive.told import Native, agent, call, items, proposed, user

DIRECTORY = "Should the tests stand in a directory of their own?"
REUSE = "Import the helpers or copy them?"
ARGUMENTS = {
    "questions": [
        {
            "id": "where",
            "question": DIRECTORY,
            "options": [{"label": "Own directory (Recommended)"}, {"label": "Inside integration"}],
        },
        {"id": "how", "question": REUSE, "options": [{"label": "Import"}, {"label": "Copy"}]},
    ]
}


def decisions(*parts: list[Native]) -> list[Item]:
    return items(proposed(*parts), "decision")


def test_an_answer_is_a_choice_of_the_user_with_its_question_and_the_other_options() -> None:
    pair = f'"{DIRECTORY}"="Own directory (Recommended)"'
    result = (
        f'User has answered your questions: {pair}, "{REUSE}"="whatever is less work". '
        "You can now continue with the user's answers in mind."
    )
    first, second = decisions(user("go"), call("AskUserQuestion", ARGUMENTS, result), agent("Ok."))
    assert first.text == f"Own directory (Recommended) (to: {DIRECTORY})"
    assert first.said_by is Speaker.USER
    assert first.evidence[0].quote == pair
    assert [rejected.option for rejected in first.rejected] == ["Inside integration"]
    assert second.text == f"whatever is less work (to: {REUSE})"
    assert second.rejected == ()


def test_an_answer_by_key_is_put_to_its_question() -> None:
    result = json.dumps({"answers": {"how": {"answers": ["Copy"]}}})
    (made,) = decisions(user("go"), call("request_user_input", ARGUMENTS, result), agent("Ok."))
    assert made.text == f"Copy (to: {REUSE})"
    assert [evidence.quote for evidence in made.evidence] == ["Copy", REUSE]
    assert [rejected.option for rejected in made.rejected] == ["Import"]


def test_several_options_may_be_taken() -> None:
    questions = {"questions": [{"question": REUSE, "options": ["A", "B", "C"]}]}
    result = json.dumps({"answers": {"0": "A, C"}})
    (made,) = decisions(user("go"), call("ask_user", questions, result), agent("Ok."))
    assert [rejected.option for rejected in made.rejected] == ["B"]


def test_the_same_words_of_another_tool_are_nobodys_choice() -> None:
    result = f'User has answered your questions: "{REUSE}"="Copy".'
    assert decisions(user("go"), call("Bash", {"command": "cat x"}, result), agent("Ok.")) == []
