"""A message with the calls or results of another format is refused, not read as text."""

from __future__ import annotations

from typing import Any

import pytest

import clew
from clew.codecs import codec_for
from clew.errors import InvalidTranscriptError
from clew.transcript import Format

Native = dict[str, Any]
USER: Native = {"role": "user", "content": "go"}
FUNCTION = {"name": "f", "arguments": "{}"}
CHAT_CALL: Native = {
    "role": "assistant",
    "content": "t",
    "tool_calls": [{"id": "b", "type": "function", "function": FUNCTION}],
}
USE: Native = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}],
}
RESULT: Native = {
    "role": "user",
    "content": [{"type": "tool_result", "tool_use_id": "a", "content": "r"}],
}
ITEM: Native = {"type": "function_call", "call_id": "a", **FUNCTION}
CONTENT: Native = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
WRITTEN: dict[Format, tuple[Native, ...]] = {
    Format.OPENAI_CHAT: (CHAT_CALL,),
    Format.ANTHROPIC: (USE, RESULT),
    Format.OPENAI_RESPONSES: (ITEM,),
    Format.GEMINI: (CONTENT,),
}
CASES = [
    pytest.param(wire, native, other, id=f"{other.value} in {wire.value} {number}")
    for wire in Format
    for other in Format
    if other is not wire
    for number, native in enumerate(WRITTEN[other])
]


@pytest.mark.parametrize(("wire", "native", "other"), CASES)
def test_every_codec_names_the_format_of_what_is_not_its_own(
    wire: Format, native: Native, other: Format
) -> None:
    with pytest.raises(InvalidTranscriptError) as caught:
        codec_for(wire).parse(native, 3)
    assert caught.value.index == 3
    assert str(caught.value) == (
        f"message 3: a message of {other.value} in a list of {wire.value}; "
        f"expected a message of {wire.value}"
    )


@pytest.mark.parametrize("wire", [Format.ANTHROPIC, Format.OPENAI_RESPONSES])
def test_a_list_may_not_change_its_format_once_it_is_known(wire: Format) -> None:
    result = {"type": "function_call_output", "call_id": "a", "output": "r"}
    begun = [USER, *WRITTEN[wire], *([result] if wire is Format.OPENAI_RESPONSES else [])]
    session = clew.Session()
    context = session.prepare(begun)
    assert context.messages == begun
    with pytest.raises(InvalidTranscriptError, match="message 3: a message of openai-chat in"):
        session.prepare([*begun, CHAT_CALL, USER])
    assert session.prepare(begun).messages == begun


def test_blocks_of_a_chat_message_may_repeat_its_tool_calls() -> None:
    native = {**CHAT_CALL, "content": USE["content"]}
    assert len(codec_for(Format.OPENAI_CHAT).parse(native, 0).calls) == 1
