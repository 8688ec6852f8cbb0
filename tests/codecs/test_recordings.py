"""Recorded sessions of real agents, message by message as they were sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.codecs import codec_for, recognise
from clew.repair import RepairKind, repair
from clew.transcript import (
    CallKind,
    Format,
    Message,
    OpaquePart,
    ToolCallPart,
    ToolResultPart,
    digest_of,
)
from clew.transcript.serde import dump_transcript, load_transcript
from tests.conftest import shared_path
from tests.wire.check import violations


def lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue  # lines malformed in the source
        if isinstance(record, dict):
            yield record


def claude_code(path: Path) -> list[Any]:
    records = [r for r in lines(path) if r.get("type") in ("user", "assistant")]
    return [r["message"] for r in records if "content" in r.get("message", {})]


def codex(path: Path) -> list[Any]:
    return [r["payload"] for r in lines(path) if r.get("type") == "response_item"]


def chat(path: Path) -> list[Any]:
    document = json.loads(path.read_text())
    if isinstance(document, dict):
        return list(document["messages"])
    return list(document[0]["traj"])


def gemini(path: Path) -> list[Any]:
    """Calls and results of a session, as the contents that were sent."""
    contents: list[Any] = []
    for record in json.loads(path.read_text())["messages"]:
        if record["type"] == "user":
            content = record["content"]
            parts = content if isinstance(content, list) else [{"text": content}]
            contents.append({"role": "user", "parts": parts})
        for call in record.get("toolCalls", ()):
            body = {key: call[key] for key in ("id", "name", "args")}
            contents.append({"role": "model", "parts": [{"functionCall": body}]})
            answers = [p for p in call.get("result") or () if "functionResponse" in p]
            contents.append({"role": "user", "parts": answers})
    return contents


READERS = {
    Format.ANTHROPIC: ("claude_code", "*.jsonl", claude_code),
    Format.OPENAI_RESPONSES: ("codex_cli", "*.jsonl", codex),
    Format.OPENAI_CHAT: ("litellm_completion_logs", "*.json", chat),
    Format.GEMINI: ("gemini_cli", "*.json", gemini),
}


def recordings(wire: Format) -> list[list[Any]]:
    folder, pattern, read = READERS[wire]
    paths = sorted(
        shared_path("corpora", "dev", folder).glob(pattern), key=lambda p: p.stat().st_size
    )
    return [read(path) for path in paths[:7]]


def parse(wire: Format, natives: list[Any]) -> tuple[Message, ...]:
    codec = codec_for(wire)
    return tuple(codec.parse(native, index) for index, native in enumerate(natives))


@pytest.mark.parametrize("wire", tuple(READERS))
def test_recordings_are_read_kept_and_written(wire: Format) -> None:
    for natives in recordings(wire):
        assert recognise(natives) is wire or len(natives) < 3
        messages = parse(wire, natives)
        assert all(m.native is native for m, native in zip(messages, natives, strict=True))
        assert [m.digest for m in messages] == [digest_of(native) for native in natives]
        assert (
            load_transcript(dump_transcript(messages, wire), codec_for)[1][0].native == natives[0]
        )


@pytest.mark.parametrize("wire", tuple(READERS))
def test_nothing_in_a_recording_is_unknown(wire: Format) -> None:
    known_opaque = {"tool_reference"}
    for natives in recordings(wire):
        for message in parse(wire, natives):
            inner = [p for r in message.parts if isinstance(r, ToolResultPart) for p in r.parts]
            opaque = {p.type_name for p in (*message.parts, *inner) if isinstance(p, OpaquePart)}
            assert opaque <= known_opaque
            kinds = [p.kind for p in message.parts if isinstance(p, ToolCallPart)]
            assert CallKind.UNKNOWN not in kinds


@pytest.mark.parametrize("wire", [Format.ANTHROPIC, Format.OPENAI_RESPONSES, Format.OPENAI_CHAT])
def test_recordings_are_whole_after_repair(wire: Format) -> None:
    for natives in recordings(wire):
        repaired = repair(parse(wire, natives), codec_for(wire))
        left = violations(wire, [m.native for m in repaired.messages])
        assert {v.rule for v in left}.isdisjoint({"pairing", "adjacency", "reasoning", "empty"})
        assert repair(repaired.messages, codec_for(wire)).repairs == ()
        if wire is Format.OPENAI_RESPONSES:
            allowed = {RepairKind.STRANDED_REASONING, RepairKind.DANGLING_CALL}
            assert {r.kind for r in repaired.repairs} <= allowed
