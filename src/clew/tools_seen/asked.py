"""What a person answered to a tool of an agent's own program that asks.

Only results of these tools are read, for their programs write them themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.tools_seen.json_text import object_in
from clew.tools_seen.seen import CallSeen, Outcome
from clew.transcript import ToolResultPart

_SENTENCES = frozenset({("claude_code", "AskUserQuestion"), ("opencode", "question")})
"""Family and tool of those that put questions and answers into one sentence."""
_OBJECTS = frozenset({("codex", "request_user_input"), ("gemini_cli", "ask_user")})
"""Family and tool of those that give an object with the answers by the name of the question."""
_OPENS = re.compile(
    r"\s*(?:User has answered your|Your) questions?(?: ha(?:s|ve) been answered)?: "
)
_BETWEEN = '"="'
_ENDS = re.compile(r'"(?=, "|\. You can now|\s+user notes: |\s+selected preview:|\s*\Z)')
_NEXT = ', "'
_UNANSWERED = frozenset({"Unanswered", "(no answer)", "(no option selected)"})
_LONGEST = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A question and its answer; `quote` is what stands of them in the result, word for word.

    Where a result names a question by a key only, `question` is empty and `key` is that.
    """

    answer: str
    quote: str
    question: str = ""
    key: str = ""


def answered_in_result(result: ToolResultPart, calls: Sequence[CallSeen]) -> tuple[Answered, ...]:
    """What a person answered in a result; `calls` are those of the exchange."""
    asked = [call for call in calls if call.call_id == result.call_id]
    return answered_in(result.text, asked[0]) if len(asked) == 1 else ()


def answered_in(text: str, call: CallSeen) -> tuple[Answered, ...]:
    """What a person answered in the result of a call; nothing where the call is of another tool."""
    tool = (call.family, call.tool)
    if call.outcome in {Outcome.FAILED, Outcome.REFUSED} or len(text) > _LONGEST:
        return ()
    if tool in _SENTENCES:
        return tuple(_pairs(text))
    return tuple(_entries(text)) if tool in _OBJECTS else ()


def _pairs(text: str) -> Iterator[Answered]:
    opening = _OPENS.match(text)
    if opening is None:
        return
    at = opening.end()
    while text.startswith('"', at):
        middle = text.find(_BETWEEN, at + 1)
        end = _ENDS.search(text, middle + len(_BETWEEN)) if middle >= 0 else None
        if end is None:
            return
        answer = text[middle + len(_BETWEEN) : end.start()].strip()
        if answer and answer not in _UNANSWERED:
            question = text[at + 1 : middle]
            yield Answered(question=question, answer=answer, quote=text[at : end.end()])
        following = text.find(_NEXT, end.end())
        at = following + len(_NEXT) - 1 if following >= 0 else len(text)


def _entries(text: str) -> Iterator[Answered]:
    answers = object_in(text).get("answers")
    for key, value in answers.items() if isinstance(answers, dict) else ():
        given = value.get("answers") if isinstance(value, dict) else value
        words = given if isinstance(given, list) else [given]
        said = [word.strip() for word in words if isinstance(word, str) and word.strip()]
        quote = json.dumps(said[0], ensure_ascii=False)[1:-1] if said else ""
        if quote and quote in text:
            yield Answered(key=key, answer=", ".join(said), quote=quote)
