"""A request behind a live prompt, as each provider gets it over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from clew.clients import OpenAIClient
from clew.codecs import codec_for
from clew.ports import LivePrompt, ModelRequest, StopReason
from clew.transcript import Format, Role
from tests.clients.server import ANTHROPIC, DIALECTS, GEMINI, OPENAI, Json, LoopbackServer, Scripted
from tests.clients.test_clients import KEY, Complete, both_ways, made

CHAT = [
    {"role": "user", "content": "port the tables"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "c1", "content": "11 tables"},
]  # fmt: skip
RESPONSES = [
    {"type": "message", "role": "user", "content": "port the tables"},
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "11 tables"},
]
MESSAGES = [
    {"role": "user", "content": "port the tables"},
    {"role": "assistant", "content": [
        {"type": "tool_use", "id": "c1", "name": "look", "input": {}}]},
    {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "c1", "content": "11 tables",
         "cache_control": {"type": "ephemeral"}}]},
]  # fmt: skip
CONTENTS = [
    {"role": "user", "parts": [{"text": "port the tables"}]},
    {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"n": 11}}}]},
]
SCHEMA = {"type": "object", "properties": {}}
TOOLS: dict[Format, list[Json]] = {
    Format.OPENAI_CHAT: [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}],
    Format.OPENAI_RESPONSES: [
        {"type": "function", "name": "look", "parameters": SCHEMA, "strict": False}
    ],
    Format.ANTHROPIC: [{"name": "look", "input_schema": SCHEMA}],
    Format.GEMINI: [{"functionDeclarations": [{"name": "look", "parametersJsonSchema": SCHEMA}]}],
}


def behind(wire: Format, messages: list[Any]) -> ModelRequest:
    codec = codec_for(wire)
    live = LivePrompt(
        format=wire,
        messages=tuple(messages),
        system="You port tables.",
        tools=TOOLS[wire],
        tokens=100,
        digest="d",
        places={},
        message_of=lambda text: codec.text_message(Role.USER, text),
        clean=str,
    )
    return ModelRequest(system="", prompt="Operations now.", max_output_tokens=321, live=live)


def sent(dialect: Any, complete: Complete, asked: ModelRequest, body: Json) -> tuple[Any, Json]:
    with LoopbackServer(Scripted(body=body)) as server:
        reply = complete(made(dialect, server), asked)
        (seen,) = server.seen
    return reply, seen.body


@both_ways
def test_openai_chat(complete: Complete) -> None:
    asked = behind(Format.OPENAI_CHAT, CHAT)
    reply, body = sent(OPENAI, complete, asked, OPENAI.answer("END"))
    assert body["messages"] == [
        {"role": "system", "content": "You port tables."},
        *CHAT,
        {"role": "user", "content": "Operations now."},
    ]
    assert body["tools"] == TOOLS[Format.OPENAI_CHAT]
    assert body["tool_choice"] == "none"
    assert "response_format" not in body
    assert (reply.text, reply.usage.cached_tokens) == ("END", 100)


@both_ways
def test_openai_responses(complete: Complete) -> None:
    answer = {
        "id": "r1", "object": "response", "created_at": 1, "model": "m", "status": "completed",
        "output": [
            {"type": "reasoning", "id": "rs", "summary": []},
            {"type": "message", "id": "m1", "role": "assistant", "status": "completed",
             "content": [{"type": "output_text", "text": "END", "annotations": []}]},
        ],
        "parallel_tool_calls": True, "tool_choice": "none", "tools": [],
        "usage": {"input_tokens": 120, "output_tokens": 30, "total_tokens": 150,
                  "input_tokens_details": {"cached_tokens": 100},
                  "output_tokens_details": {"reasoning_tokens": 0}},
    }  # fmt: skip
    asked = behind(Format.OPENAI_RESPONSES, RESPONSES)
    reply, body = sent(OPENAI, complete, asked, answer)
    assert body["input"][:3] == RESPONSES
    assert body["instructions"] == "You port tables."
    assert body["tools"] == TOOLS[Format.OPENAI_RESPONSES]
    assert body["tool_choice"] == "none"
    assert body["store"] is False
    assert (reply.text, reply.stop, reply.usage.cached_tokens) == ("END", StopReason.END, 100)
    cut = {**answer, "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    assert sent(OPENAI, complete, asked, cut)[0].stop is StopReason.LENGTH
    call = {"type": "function_call", "call_id": "c2", "name": "look", "arguments": "{}"}
    called = {**answer, "output": [call]}
    assert sent(OPENAI, complete, asked, called)[0].stop is StopReason.TOOL_CALL


@both_ways
def test_anthropic_leaves_the_tool_choice_that_its_cache_depends_on(complete: Complete) -> None:
    asked = behind(Format.ANTHROPIC, MESSAGES)
    reply, body = sent(ANTHROPIC, complete, asked, ANTHROPIC.answer("END"))
    assert body["messages"][:3] == MESSAGES
    assert body["messages"][3]["role"] == "user"
    assert "Operations now." in str(body["messages"][3]["content"])
    assert body["system"] == "You port tables."
    assert body["tools"] == TOOLS[Format.ANTHROPIC]
    assert "tool_choice" not in body
    assert "output_config" not in body
    assert (reply.text, reply.usage.cached_tokens) == ("END", 100)


@both_ways
def test_gemini(complete: Complete) -> None:
    asked = behind(Format.GEMINI, CONTENTS)
    reply, body = sent(GEMINI, complete, asked, GEMINI.answer("END"))
    assert body["contents"][:3] == CONTENTS
    assert body["contents"][3]["parts"] == [{"text": "Operations now."}]
    assert body["systemInstruction"]["parts"] == [{"text": "You port tables."}]
    (tool,) = body["tools"]
    assert tool["functionDeclarations"][0]["name"] == "look"
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    assert reply.text == "END"


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.name)
def test_each_client_says_which_formats_it_takes(dialect: Any) -> None:
    client = dialect.make("m", window_tokens=1, base_url="http://127.0.0.1:9", api_key=KEY)
    taken = {f for f in Format if f in client.live_formats}
    wanted = {"openai": {"openai-chat", "openai-responses"}}.get(dialect.name, {dialect.name})
    assert {f.value for f in taken} == wanted


def test_without_tools_no_tool_choice_is_sent() -> None:
    asked = behind(Format.OPENAI_CHAT, CHAT[:1])
    assert asked.live is not None
    bare = LivePrompt(**{f: getattr(asked.live, f) for f in asked.live.__slots__} | {"tools": None})
    request = ModelRequest(system="", prompt="x", max_output_tokens=9, live=bare)
    with LoopbackServer(Scripted(body=OPENAI.answer("END"))) as server:
        OpenAIClient("m", window_tokens=9, base_url=server.url + "/v1", api_key=KEY).complete(
            request
        )
        (seen,) = server.seen
    assert "tools" not in seen.body
    assert "tool_choice" not in seen.body
