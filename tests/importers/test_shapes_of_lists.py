"""Message lists and request bodies: the wire format is told by what stands in them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from clew.errors import ImportSourceError
from clew.importers import load_session, parse_session
from clew.transcript import Format

CHAT = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
CHAT_CALL = [
    {"role": "user", "content": "u"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "1", "content": "r"},
]  # fmt: skip
ANTHROPIC = [
    {"role": "user", "content": "u"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]},
]
RESPONSES = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "u"}]},
    {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
]
GEMINI = [{"role": "user", "parts": [{"text": "u"}]}]
PLAIN = [{"role": "user", "content": "u"}]

LISTS: list[tuple[Any, Format]] = [
    (CHAT, Format.OPENAI_CHAT),
    (CHAT_CALL, Format.OPENAI_CHAT),
    (ANTHROPIC, Format.ANTHROPIC),
    (RESPONSES, Format.OPENAI_RESPONSES),
    (GEMINI, Format.GEMINI),
    ([{"role": "developer", "content": "d"}, *RESPONSES], Format.OPENAI_RESPONSES),
    ([{"role": "system", "content": "s"}, *ANTHROPIC], Format.ANTHROPIC),
    (PLAIN, Format.OPENAI_CHAT),
    ({"messages": PLAIN}, Format.OPENAI_CHAT),
    ({"messages": PLAIN, "system": "s"}, Format.ANTHROPIC),
    ({"messages": PLAIN, "format": "anthropic"}, Format.ANTHROPIC),
    ({"contents": GEMINI, "systemInstruction": {"parts": []}}, Format.GEMINI),
    ({"input": RESPONSES, "instructions": "i"}, Format.OPENAI_RESPONSES),
    ({"input": "hello", "instructions": "i"}, Format.OPENAI_RESPONSES),
    ({"request": {"body": {}}, "messages": PLAIN}, Format.OPENAI_CHAT),
    ({"body": {"messages": ANTHROPIC, "system": "s"}}, Format.ANTHROPIC),
]


@pytest.mark.parametrize(("document", "wire"), LISTS)
def test_the_format_is_recognised_by_content(document: Any, wire: Format) -> None:
    session = parse_session(json.dumps(document))
    assert session.format is wire
    assert session.messages


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([*CHAT_CALL, *ANTHROPIC], "entry 4 is a message of anthropic in a list of openai-chat"),
        ([*ANTHROPIC, *CHAT_CALL], "entry 3 is a message of openai-chat in a list of anthropic"),
        ([*RESPONSES, *GEMINI], "entry 2 is a message of gemini in a list of openai-responses"),
        ([*GEMINI, *PLAIN], "entry 1 is a message of another format in a list of gemini"),
        ([*PLAIN, *GEMINI], "entry 0 is a message of another format in a list of gemini"),
    ],
)
def test_a_list_of_several_formats_is_refused_with_file_and_entry(
    entries: list[Any], told: str, tmp_path: Path
) -> None:
    path = tmp_path / "mixed.json"
    path.write_text(json.dumps(entries))
    with pytest.raises(ImportSourceError, match=r"mixed\.json: ") as caught:
        load_session(path)
    assert told in str(caught.value)
    assert "expected messages of one format" in str(caught.value)


def test_messages_system_and_tools_are_kept_as_they_are() -> None:
    body = {"messages": ANTHROPIC, "system": [{"type": "text", "text": "s"}], "tools": [{"n": 1}]}
    session = parse_session(json.dumps(body))
    assert list(session.messages) == ANTHROPIC
    assert (session.system, session.tools) == (body["system"], body["tools"])
    assert session.warnings == ()


def test_messages_line_by_line_with_a_broken_line() -> None:
    text = "\n".join([json.dumps(CHAT_CALL[0]), "{broken", json.dumps(CHAT_CALL[1])])
    session = parse_session(text)
    assert list(session.messages) == CHAT_CALL[:2]
    assert session.warnings == ("1 malformed line skipped (line 2): not a JSON object",)


def test_an_entry_that_is_no_message_is_named() -> None:
    session = parse_session(json.dumps([*CHAT_CALL, 7]))
    assert len(session.messages) == 3
    assert dict(session.left_out) == {"entry that is no message": 1}
    assert any("entry 3" in warning for warning in session.warnings)


UNREADABLE = [
    (b"", "empty"),
    (b"   \n", "empty"),
    (b"hello\nworld", "neither JSON"),
    (b"5", "a JSON number"),
    (b"null", "just null"),
    (b'"hello"', "a JSON text"),
    (b"{}", "keys (none)"),
    (b"[]", "list of 0 entries"),
    (b"[1, 2]", "list of 2 entries"),
    (b'{"spans": []}', "keys spans"),
    (b"PK\x03\x04rest", "zip"),
    (b"\x00\x01\xff\xfe", "binary"),
    (b'{"messages": [{"role": "user", "conte', "broken JSON"),
    (
        b'[\n{"role": "user",\n"content": "a"},\n{"role": "assistant", "content": "b"}',
        "broken JSON",
    ),
    (b"[" * 50_000, "too deeply"),
]


def test_broken_json_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text('{\n "messages": [\n  {"role": "user", "content": "a"},\n  {"role": "us')
    with pytest.raises(ImportSourceError) as caught:
        load_session(path)
    assert caught.value.line == 4
    assert str(caught.value).startswith(f"{path}:4: broken JSON")


@pytest.mark.parametrize(("raw", "said"), UNREADABLE)
def test_unreadable_input_is_refused_with_file_and_expectation(
    tmp_path: Path, raw: bytes, said: str
) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(raw)
    with pytest.raises(ImportSourceError) as caught:
        load_session(path)
    assert caught.value.source == str(path)
    assert said in caught.value.problem
    assert "expected" in caught.value.problem


def test_a_missing_file_and_a_strange_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportSourceError, match="No such file"):
        load_session(tmp_path / "absent.jsonl")
    with pytest.raises(ImportSourceError, match="folder without"):
        load_session(tmp_path)


def test_standard_input_is_a_source(monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BytesIO(json.dumps(PLAIN).encode())

    monkeypatch.setattr("sys.stdin", Input())
    session = load_session("-")
    assert (session.source, list(session.messages)) == ("<stdin>", PLAIN)
