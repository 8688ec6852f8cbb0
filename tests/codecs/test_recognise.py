"""A format is told by content; what cannot be one list of messages is refused by index."""

from __future__ import annotations

import json
from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from google.genai import types as genai
from openai.types.chat import ChatCompletionMessage
from openai.types.responses import ResponseFunctionToolCall

from clew.codecs import codec_for, recognise
from clew.errors import InvalidTranscriptError, UnknownFormatError
from clew.transcript import Format, ToolCallPart, digest_of
from tests.conftest import shared_path

U: dict[str, Any] = {"role": "user", "content": "go"}
TEXT = {"type": "text", "text": "a"}
TOOL_USE = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}],
}
ITEM = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
PARTS = {"role": "user", "parts": [{"text": "a"}]}
TOOL = {"role": "tool", "tool_call_id": "c", "content": "x"}


@pytest.mark.parametrize(
    ("messages", "system", "expected"),
    [
        ([], None, Format.OPENAI_CHAT),
        ([U], None, Format.OPENAI_CHAT),
        ([U, {"role": "user", "content": [TEXT]}], None, Format.OPENAI_CHAT),
        ([U], [TEXT], Format.ANTHROPIC),
        ([U, TOOL_USE], None, Format.ANTHROPIC),
        ([U, ITEM], None, Format.OPENAI_RESPONSES),
        (
            [{"role": "user", "content": [{"type": "input_text", "text": "a"}]}],
            None,
            Format.OPENAI_RESPONSES,
        ),
        ([PARTS], None, Format.GEMINI),
        ([], {"parts": [{"text": "s"}]}, Format.GEMINI),
        ([U, TOOL], None, Format.OPENAI_CHAT),
        ([{"role": "assistant", "content": None, "tool_calls": []}], None, Format.OPENAI_CHAT),
    ],
)
def test_recognised(messages: list[Any], system: Any, expected: Format) -> None:
    assert recognise(messages, system) is expected


@pytest.mark.parametrize(
    ("messages", "index", "expected"),
    [
        ([U, TOOL_USE, ITEM], 2, "anthropic"),
        ([TOOL, PARTS], 1, "openai-chat"),
        ([U, ITEM, TOOL], 2, "openai-responses"),
        ([{"content": "x"}], 0, "a message of a known format"),
        ([U, {"role": "wizard", "content": "x"}], 1, "one of user"),
        ([U, "text"], 1, "a dict"),
        ([None], 0, "a dict"),
    ],
)
def test_a_mixed_list_is_refused_by_index(messages: list[Any], index: int, expected: str) -> None:
    with pytest.raises(InvalidTranscriptError) as refused:
        recognise(messages)
    assert refused.value.index == index
    assert expected in refused.value.expected


@pytest.mark.parametrize(
    ("wire", "native"),
    [
        ("openai-chat", 7),
        ("openai-chat", "text"),
        ("openai-chat", {"content": "x"}),
        ("openai-chat", {"role": "user", "content": 7}),
        ("openai-chat", {"role": "assistant", "tool_calls": {"a": 1}}),
        ("openai-chat", {"role": "user", "content": {1, 2}}),
        ("openai-responses", {"content": "x"}),
        ("openai-responses", {"role": "user", "content": None}),
        ("anthropic", {"role": "tool", "content": "x"}),
        ("anthropic", {"role": "user", "content": None}),
        ("anthropic", {"role": "user", "content": ["x"]}),
        ("gemini", {"role": "user"}),
        ("gemini", {"role": "user", "parts": "x"}),
        ("gemini", {"role": "assistant", "parts": []}),
    ],
)
def test_what_is_no_message_is_refused_with_what_was_expected(wire: str, native: Any) -> None:
    with pytest.raises(InvalidTranscriptError) as refused:
        codec_for(wire).parse(native, 3)
    assert refused.value.index == 3
    assert refused.value.expected


def test_a_message_too_deep_for_json_is_refused() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidTranscriptError):
        codec_for("openai-chat").parse({"role": "user", "content": deep}, 0)


def test_an_unknown_format_is_named_with_those_that_exist() -> None:
    with pytest.raises(
        UnknownFormatError, match="openai-chat, openai-responses, anthropic, gemini"
    ):
        codec_for("cohere")


CASES = (
    "01-orphaned-tool-result",
    "03-nonadjacent-call-and-output",
    "04-pending-approval-folded",
    "07-thinking-block-in-open-tool-loop",
    "09-floor-above-trigger",
    "10-summariser-request-overflows",
    "12-bad-summary-accepted",
    "14-negative-budget",
    "16-image-counting-and-loss",
    "19-todo-list-and-running-helpers",
    "21-arguments-and-surrogates-cut",
    "22-secret-and-injected-text-in-handoff",
)


@pytest.mark.parametrize("name", CASES)
def test_the_field_cases_are_recognised_and_read(name: str) -> None:
    case = json.loads(shared_path("cases", f"{name}.json").read_text())
    natives = case["messages"]
    assert recognise(natives, case.get("system")) == case["format"]
    messages = [codec_for(case["format"]).parse(n, i) for i, n in enumerate(natives)]
    assert [m.digest for m in messages] == [digest_of(n) for n in natives]
    assert all(m.parts for m in messages)


SDK_OBJECTS = {
    "openai-chat": ChatCompletionMessage.model_validate(
        {
            "role": "assistant",
            "content": "x",
            "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            ],
        }
    ),
    "openai-responses": ResponseFunctionToolCall.model_validate(ITEM),
    "anthropic": AnthropicMessage.model_validate(
        {
            "id": "m",
            "type": "message",
            "model": "c",
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
            **TOOL_USE,
        }
    ),
    "gemini": genai.Content.model_validate(
        {
            "role": "model",
            "parts": [{"function_call": {"name": "f", "args": {}}, "thought_signature": b"ab"}],
        }
    ),
}


@pytest.mark.parametrize("wire", list(SDK_OBJECTS))
def test_sdk_objects_are_read_and_kept(wire: str) -> None:
    native = SDK_OBJECTS[wire]
    message = codec_for(wire).parse(native, 0)
    assert message.native is native
    assert [c.name for c in message.calls] == ["f"]
    assert codec_for(wire).parse(message.plain, 0).digest == message.digest
    assert recognise([native]) == wire


def test_sdk_objects_inside_a_dict_are_read_too() -> None:
    answer = SDK_OBJECTS["anthropic"]
    assert isinstance(answer, AnthropicMessage)
    native = {"role": "assistant", "content": answer.content}
    message = codec_for("anthropic").parse(native, 0)
    assert message.native is native
    assert isinstance(message.parts[0], ToolCallPart)
    assert message.digest == codec_for("anthropic").parse(message.plain, 0).digest
