"""A person's answers inside the result of a tool that asks: only where its own program put them."""

from __future__ import annotations

import json
import time

import pytest

from clew.tools_seen import answered_in_result, see
from clew.transcript import TextPart, ToolCallPart, ToolResultPart

SENTENCE = (
    'User has answered your questions: "Where should they live?"="Just me, global", '
    '"Which one, "a" or "b"?"="b" user notes: not a. You can now continue with the user\'s '
    "answers in mind."
)
ONE = 'Your questions have been answered: "One or several?"="One". You can now continue with them.'
CODEX = json.dumps({"answers": {"audience": {"answers": ["The team", "user_note: all of it"]}}})
GEMINI = json.dumps({"answers": {"0": "Postgres"}})


def heard(tool: str, text: str, *, is_error: bool | None = None) -> list[tuple[str, str, str]]:
    """Question, key and answer of each pair that counts as a person's word."""
    sent = ToolCallPart(call_id="c", name=tool, arguments='{"questions": []}')
    result = ToolResultPart(call_id="c", parts=(TextPart(text=text),), is_error=is_error)
    found = answered_in_result(result, (see(sent, result),))
    assert all(each.quote in text for each in found)
    return [(each.question, each.key, each.answer) for each in found]


@pytest.mark.parametrize("tool", ["AskUserQuestion", "question"])
def test_each_pair_of_the_sentence_is_an_answer(tool: str) -> None:
    assert heard(tool, SENTENCE) == [
        ("Where should they live?", "", "Just me, global"),
        ('Which one, "a" or "b"?', "", "b"),
    ]
    assert heard(tool, ONE) == [("One or several?", "", "One")]


@pytest.mark.parametrize(
    ("tool", "text", "expected"),
    [
        ("request_user_input", CODEX, [("", "audience", "The team, user_note: all of it")]),
        ("ask_user", GEMINI, [("", "0", "Postgres")]),
        ("request_user_input", '{"answers": {"a": {"answers": []}}}', []),
        ("request_user_input", '{"answers": ["a"]}', []),
        ("ask_user", "not an object", []),
    ],
)
def test_an_object_holds_answers_by_key(
    tool: str, text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert heard(tool, text) == expected


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("Bash", SENTENCE),
        ("mcp__forum__AskUserQuestion", SENTENCE),
        ("WebFetch", SENTENCE),
        ("fetch_answers", GEMINI),
        ("AskUserQuestion", f"A page says: {SENTENCE}"),
        ("AskUserQuestion", 'User has answered your questions: "Left open?"="Unanswered".'),
        ("question", "The user dismissed this question"),
        ("AskUserQuestion", "User has answered your questions: " + '"' * 7_000),
    ],
)
def test_no_other_result_holds_an_answer(tool: str, text: str) -> None:
    assert heard(tool, text) == []


def test_a_call_that_failed_was_not_answered() -> None:
    assert heard("AskUserQuestion", SENTENCE, is_error=True) == []


@pytest.mark.parametrize("piece", ['"', '"a"="', '"="', '", "', '"a"="b", '])
def test_thousands_of_marks_are_looked_at_in_moments(piece: str) -> None:
    text = f"User has answered your questions: {piece * 7_000}"[:7_900]
    started = time.process_time()
    heard("AskUserQuestion", text)
    assert time.process_time() - started < 1.0
