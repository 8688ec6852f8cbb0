"""Transcripts as they occur: valid in each wire format, and damaged in the ways seen in the field.

`transcripts(wire)` draws a story (the user speaks, the model thinks, calls tools once or in
parallel, answers) and tells it in one format, ending where a request would be sent. `broken(wire)`
damages such a list.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st

from clew.transcript import Format
from tests.telling import SENTENCES, TELLERS, Native

Draw = Callable[[st.SearchStrategy[Any]], Any]

__all__ = [
    "DAMAGES",
    "Draw",
    "Native",
    "broken",
    "holds_calls",
    "holds_results",
    "texts",
    "transcripts",
]


# One number decides the small choices of a story: drawing each of them by itself would take longer
# than what most tests do with it. How long it is and what is said in it still shrink.
seeds = st.integers(0, 2**32 - 1)
texts = st.one_of(st.sampled_from(SENTENCES), st.text(min_size=1, max_size=24).map("t".__add__))


@st.composite
def transcripts(
    draw: Draw, wire: Format, min_exchanges: int = 1, max_exchanges: int = 8
) -> list[Native]:
    """A valid list of native messages; an exchange is a user message or a message of the model."""
    chance = Random(draw(seeds))
    pool = (*draw(st.lists(texts, max_size=2)), *SENTENCES)
    teller = TELLERS[wire](chance, pool)
    count = draw(st.integers(min_exchanges, max_exchanges))
    told = [*teller.opening(), *teller.user()]
    state = "user"
    for left in range(count - 1, 0, -1):
        state = chance.choice(_follow(state, left == 1))
        told += {"user": teller.user, "calls": teller.calls, "text": teller.text}[state]()
    return [*told, *teller.closing()]


def _follow(state: str, last: bool) -> tuple[str, ...]:
    if state == "text":
        return ("user",)
    return ("calls",) if last else ("calls", "text")


# ---- damage ---------------------------------------------------------------------------------


def holds_results(message: Native) -> bool:
    """Whether a native message holds results of the client, in any format."""
    blocks = message.get("content") if isinstance(message.get("content"), list) else []
    return (
        message.get("role") == "tool"
        or str(message.get("type", "")).endswith("_output")
        or any(b.get("type") == "tool_result" for b in blocks or ())
        or any(
            "functionResponse" in p or "function_response" in p for p in message.get("parts", ())
        )
    )


def holds_calls(message: Native) -> bool:
    """Whether a native message holds calls for the client to answer, in any format."""
    blocks = message.get("content") if isinstance(message.get("content"), list) else []
    return (
        bool(message.get("tool_calls"))
        or (str(message.get("type", "")).endswith("_call") and "call_id" in message)
        or any(b.get("type") == "tool_use" for b in blocks or ())
        or any("functionCall" in p or "function_call" in p for p in message.get("parts", ()))
    )


DAMAGES = (
    "drop a result",
    "drop a call",
    "double a result",
    "cut the end",
    "cut the front",
    "late",
    "a turn in pieces",
    "another name",
)


@st.composite
def broken(
    draw: Draw, wire: Format, min_exchanges: int = 2, max_exchanges: int = 8
) -> list[Native]:
    """A transcript with one to three things wrong with its calls and results."""
    told: list[Native] = draw(transcripts(wire, min_exchanges, max_exchanges))
    for damage in draw(st.lists(st.sampled_from(DAMAGES), min_size=1, max_size=3)):
        told = _damaged(draw, told, damage) or told
    return told


def _damaged(draw: Draw, told: list[Native], damage: str) -> list[Native]:
    answers = [at for at, message in enumerate(told) if holds_results(message)]
    calls = [at for at, message in enumerate(told) if holds_calls(message)]
    if damage.startswith("cut"):
        at = draw(st.integers(0, len(told) - 1)) if len(told) > 1 else 0
        return told[: at + 1] if damage == "cut the end" else told[at:]
    places = calls if damage in ("drop a call", "a turn in pieces") else answers
    if not places:
        return told
    at = draw(st.sampled_from(places))
    match damage:
        case "double a result":
            return [*told[: at + 1], copy.deepcopy(told[at]), *told[at + 1 :]]
        case "late":
            return [*told[:at], *told[at + 1 :], told[at]]
        case "a turn in pieces":
            return [*told[:at], *_pieces(told[at]), *told[at + 1 :]]
        case "another name":
            return [*told[:at], _misnamed(told[at]), *told[at + 1 :]]
        case _:
            return [*told[:at], *told[at + 1 :]]


def _pieces(message: Native) -> list[Native]:
    """A content of Gemini as one for each part, and others as they are."""
    parts = message.get("parts", ())
    return [{**message, "parts": [part]} for part in parts] or [message]


def _misnamed(message: Native) -> Native:
    """The results of a message with the name of another tool, where the format has a name."""
    if message.get("role") == "tool":
        return {**message, "name": "another_tool"}
    parts = copy.deepcopy(message.get("parts", []))
    for part in parts:
        body = part.get("functionResponse") or part.get("function_response")
        if body and body.get("id"):
            body["name"] = "another_tool"
    return {**message, "parts": parts} if parts else message
