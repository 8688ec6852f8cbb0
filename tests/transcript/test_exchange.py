"""Exchanges: what belongs together moves together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.codecs import codec_for
from clew.transcript import Exchange, ExchangeGrouper, ExchangeKind, Format
from tests.strategies import transcripts

U: dict[str, Any] = {"role": "user", "content": "go"}
S: dict[str, Any] = {"role": "system", "content": "rules"}
A: dict[str, Any] = {"role": "assistant", "content": "done"}


def grouped(wire: str, natives: list[Any]) -> tuple[Exchange, ...]:
    codec = codec_for(wire)
    grouper = ExchangeGrouper(adjacent_results=codec.adjacent_results)
    grouper.feed([codec.parse(native, index) for index, native in enumerate(natives)])
    return grouper.exchanges()


def calling(*ids: str) -> dict[str, Any]:
    body = {"name": "f", "arguments": "{}"}
    calls = [{"id": i, "type": "function", "function": body} for i in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def told(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "ok"}


def use(call_id: str) -> dict[str, Any]:
    block = {"type": "tool_use", "id": call_id, "name": "f", "input": {}}
    return {"role": "assistant", "content": [block]}


def result(call_id: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id}]}


REASONING = {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "e"}
CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "ok"}


@pytest.mark.parametrize(
    ("wire", "natives", "expected"),
    [
        (
            "openai-chat",
            [S, U, calling("a", "b"), told("b"), told("a"), A],
            [(0,), (1,), (2, 3, 4), (5,)],
        ),
        ("openai-chat", [U, A, A], [(0,), (1,), (2,)]),
        ("openai-chat", [U, told("z")], [(0,), (1,)]),
        ("anthropic", [U, use("a"), result("a"), U], [(0,), (1, 2), (3,)]),
        ("anthropic", [U, use("a"), use("b"), result("a"), result("b")], [(0,), (1, 2, 3, 4)]),
        ("openai-responses", [U, REASONING, CALL, OUTPUT, REASONING, A], [(0,), (1, 2, 3), (4, 5)]),
        ("openai-responses", [U, CALL, A, U, A, OUTPUT, A], [(0,), (1, 2, 5), (3,), (4,), (6,)]),
    ],
)
def test_grouping(wire: str, natives: list[Any], expected: list[tuple[int, ...]]) -> None:
    assert [exchange.indices for exchange in grouped(wire, natives)] == expected


def test_open_calls_and_orphans_are_told() -> None:
    (_, waiting) = grouped("openai-chat", [U, calling("a", "b"), told("a")])
    assert waiting.open_calls == ("b",)
    (orphan,) = grouped("openai-chat", [told("z")])
    assert orphan.kind is ExchangeKind.ORPHAN


@pytest.mark.parametrize("wire", tuple(Format))
@given(data=st.data())
def test_every_message_is_in_one_exchange_and_feeding_in_pieces_is_the_same(
    wire: Format, data: st.DataObject
) -> None:
    natives = data.draw(transcripts(wire))
    codec = codec_for(wire)
    messages = [codec.parse(native, index) for index, native in enumerate(natives)]
    whole = grouped(wire, natives)
    assert sorted(i for e in whole for i in e.indices) == list(range(len(natives)))
    assert all(e.open_calls == () and e.kind is not ExchangeKind.ORPHAN for e in whole)
    pieces = ExchangeGrouper(adjacent_results=codec.adjacent_results)
    for message in messages:
        pieces.feed([message])
        assert pieces.exchanges()
    assert pieces.exchanges() == whole
