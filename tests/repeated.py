"""Transcripts in which an id stands for several calls, as gateways and agents write them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from clew.transcript import Format
from tests.strategies import Draw, seeds, transcripts
from tests.telling import Native

_KEYS = ("id", "call_id", "tool_call_id", "tool_use_id")


@st.composite
def repeating(
    draw: Draw, wire: Format, min_exchanges: int = 2, max_exchanges: int = 12
) -> list[Native]:
    """A transcript, valid but for ids of calls that were used before; results stand in order."""
    told: list[Native] = draw(transcripts(wire, min_exchanges, max_exchanges))
    chance = Random(draw(seeds))
    out: list[Native] = []
    before: list[str] = []
    now: dict[str, str] = {}
    for message in told:
        ids = tuple(ids_of_calls(message))
        if ids and wire is Format.OPENAI_CHAT:
            now = {}  # a story in this format may itself use the same ids in each exchange
        for call_id in ids:
            now[call_id] = chance.choice([call_id, call_id, *before[-2:]])
            before.append(now[call_id])
        out.append(_with_ids(message, now))
    return out


def ids_of_calls(message: Native) -> Iterator[str]:
    """The ids of the calls in a native message, in any format, in order."""
    for call in message.get("tool_calls") or ():
        yield call["id"]
    if str(message.get("type", "")).endswith("_call") and "call_id" in message:
        yield message["call_id"]
    for block in _blocks(message.get("content")):
        if block.get("type") == "tool_use":
            yield block["id"]
    for part in _blocks(message.get("parts")):
        body = part.get("functionCall") or part.get("function_call") or {}
        if body.get("id"):
            yield body["id"]


def _blocks(value: Any) -> list[Native]:
    return [block for block in value if isinstance(block, dict)] if isinstance(value, list) else []


def _with_ids(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_with_ids(inner, names) for inner in value]
    if not isinstance(value, dict):
        return value
    return {
        key: names.get(inner, inner)
        if key in _KEYS and isinstance(inner, str)
        else _with_ids(inner, names)
        for key, inner in value.items()
    }
