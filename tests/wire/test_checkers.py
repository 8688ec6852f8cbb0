"""The independent checkers refuse what the providers refuse, each rule by one bad input."""

from __future__ import annotations

from typing import Any

import pytest

from tests.wire.anthropic import check_anthropic
from tests.wire.chat import check_openai_chat
from tests.wire.check import violations
from tests.wire.official import official_problems
from tests.wire.violation import rules

Native = dict[str, Any]
U: Native = {"role": "user", "content": "go"}
A: Native = {"role": "assistant", "content": "done"}


def calling(*ids: str) -> Native:
    body = {"name": "f", "arguments": "{}"}
    calls = [{"id": i, "type": "function", "function": body} for i in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def told(call_id: str) -> Native:
    return {"role": "tool", "tool_call_id": call_id, "content": "ok"}


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        ([U, calling("a", "b"), told("a")], "pairing"),
        ([U, calling("a"), U], "adjacency"),
        ([U, calling("a"), U, told("a")], "pairing"),
        ([U, told("a")], "pairing"),
        ([U, calling("a"), told("a"), told("a")], "pairing"),
        ([U, calling("a", "a"), told("a"), told("a")], "id"),
        ([A, U], "role"),
        ([U, A], "role"),
        ([U, {"role": "alien", "content": "x"}, U], "role"),
        ([U, {"role": "assistant", "content": ""}, U], "empty"),
        ([{"role": "user", "content": []}], "empty"),
        ([U, {"role": "user", "content": 7}], "shape"),
        ([U, {"role": "system", "content": "late"}, U], "system"),
        ([{"role": "system", "content": "alone"}], "role"),
    ],
)
def test_chat_refuses(messages: list[Native], rule: str) -> None:
    assert rule in rules(check_openai_chat(messages))


@pytest.mark.parametrize("messages", [[U, U], [U, A, A, U], [U, calling("a"), told("a"), U]])
def test_strict_servers_want_alternation(messages: list[Native]) -> None:
    assert check_openai_chat(messages) == []
    assert "role" in rules(check_openai_chat(messages, strict_alternation=True))


def says(*blocks: Native) -> Native:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: Native) -> Native:
    return {"role": "user", "content": list(blocks)}


TEXT = {"type": "text", "text": "t"}
THOUGHT = {"type": "thinking", "thinking": "t", "signature": "s"}


def use(call_id: str) -> Native:
    return {"type": "tool_use", "id": call_id, "name": "f", "input": {}}


def result(call_id: str) -> Native:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "ok"}


SERVER = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}
FOUND = {"type": "zz_tool_result", "tool_use_id": "s1", "content": []}


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        ([U, says(use("a"), use("b")), user(result("a"))], "pairing"),
        ([U, says(use("a")), user(TEXT), says(TEXT), user(result("a"))], "pairing"),
        ([U, says(use("a")), user(TEXT, result("a"))], "order"),
        ([U, says(use("a"), use("a")), user(result("a"), result("a"))], "id"),
        ([U, says(use("a.b")), user(result("a.b"))], "id"),
        ([U, user(result("a"))], "pairing"),
        ([U, says(SERVER, TEXT), U], "pairing"),
        ([U, says(FOUND, TEXT), U], "pairing"),
        ([U, says({"type": "text", "text": " \n"}), U], "empty"),
        ([U, {"role": "assistant", "content": []}, U], "empty"),
        ([says(TEXT), U], "role"),
        ([U, says(TEXT)], "role"),
        ([{"role": "system", "content": "x"}, U], "role"),
        ([U, says({"type": "thinking", "thinking": "t", "signature": ""}, TEXT), U], "thinking"),
        ([], "empty"),
    ],
)
def test_anthropic_refuses(messages: list[Native], rule: str) -> None:
    assert rule in rules(check_anthropic(None, messages))


def test_anthropic_wants_the_thinking_of_an_open_loop() -> None:
    whole = [U, says(THOUGHT, use("a")), user(result("a"))]
    lost = [U, says(use("a")), user(result("a"))]
    assert check_anthropic(None, whole, thinking=True) == []
    assert check_anthropic(None, lost) == []
    assert rules(check_anthropic(None, lost, thinking=True)) == {"thinking"}
    assert check_anthropic(None, [*lost, A, U], thinking=True) == []


def test_anthropic_wants_text_as_system() -> None:
    assert check_anthropic("s", [U]) == check_anthropic([TEXT], [U]) == []
    assert rules(check_anthropic([{"type": "image"}], [U])) == {"system"}


def call(call_id: str) -> Native:
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}"}


def output(call_id: str, kind: str = "function_call_output") -> Native:
    return {"type": kind, "call_id": call_id, "output": "ok"}


REASONING = {"type": "reasoning", "id": "rs_1", "summary": []}


@pytest.mark.parametrize(
    ("items", "rule"),
    [
        ([U, call("a")], "pairing"),
        ([U, output("a")], "pairing"),
        ([U, output("a"), call("a")], "pairing"),
        ([U, call("a"), output("a"), output("a")], "pairing"),
        ([U, call("a"), output("a", "custom_tool_call_output")], "pairing"),
        ([U, REASONING], "reasoning"),
        ([U, REASONING, U], "reasoning"),
        ([U, call("a"), REASONING, output("a")], "reasoning"),
        ([U, REASONING, A, REASONING, A, U], "id"),
        ([U, A], "role"),
        ([A, U], "role"),
        ([U, {"id": "x"}, U], "shape"),
        ([{"role": "user", "content": []}], "empty"),
        ([{"role": "user", "content": [{"type": "output_text", "text": "x"}]}], "shape"),
    ],
)
def test_responses_refuses(items: list[Native], rule: str) -> None:
    assert rule in rules(violations("openai-responses", items))


def model(*parts: Native) -> Native:
    return {"role": "model", "parts": list(parts)}


def said(*parts: Native) -> Native:
    return {"role": "user", "parts": list(parts)}


SAID = said({"text": "go"})
CALL = {"functionCall": {"name": "f", "args": {}}}
ANSWER = {"functionResponse": {"name": "f", "response": {"output": "ok"}}}


@pytest.mark.parametrize(
    ("contents", "rule"),
    [
        ([SAID, model(CALL, CALL), said(ANSWER)], "pairing"),
        ([SAID, model(CALL), SAID], "pairing"),
        ([SAID, said(ANSWER)], "pairing"),
        ([SAID, model(CALL), said({"functionResponse": {"name": "g", "response": {}}})], "pairing"),
        ([SAID, model({"text": "x"}), model(CALL), said(ANSWER)], "adjacency"),
        ([model({"text": "x"}), SAID], "role"),
        ([SAID, model({"text": "x"})], "role"),
        ([{"role": "assistant", "parts": [{"text": "x"}]}], "role"),
        ([said()], "empty"),
        ([said({"text": ""})], "empty"),
        ([said({"text": "a", "functionCall": {"name": "f"}})], "shape"),
        ([SAID, model({"functionCall": {"name": "f", "args": "{}"}}), said(ANSWER)], "shape"),
    ],
)
def test_gemini_refuses(contents: list[Native], rule: str) -> None:
    assert rule in rules(violations("gemini", contents))


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        ("openai-chat", {"role": "user", "content": 7}),
        ("openai-chat", {"role": "tool", "content": "no id"}),
        ("openai-responses", {"type": "function_call", "name": "f"}),
        ("anthropic", {"role": "user", "content": [{"type": "tool_result"}]}),
        ("gemini", {"role": "user", "parts": [{"nonsense": 1}]}),
    ],
)
def test_the_official_types_refuse(wire: str, message: Native) -> None:
    assert official_problems(wire, [message]) != []


@pytest.mark.parametrize(
    ("wire", "messages"),
    [
        ("openai-chat", [U, calling("a", "b"), told("b"), told("a")]),
        ("anthropic", [U, says(THOUGHT, use("a"), use("b")), user(result("b")), user(result("a"))]),
        ("anthropic", [U, says(SERVER, FOUND, TEXT), U]),
        ("openai-responses", [U, REASONING, call("a"), U, output("a")]),
        ("gemini", [SAID, model(CALL, CALL), said(ANSWER, ANSWER)]),
    ],
)
def test_valid_lists_pass(wire: str, messages: list[Native]) -> None:
    assert violations(wire, messages) == []
