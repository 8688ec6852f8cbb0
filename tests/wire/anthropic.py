"""Anthropic Messages: what the API refuses. Messages of one role in a row are one turn."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from tests.wire.violation import Violation

ID = re.compile(r"^[a-zA-Z0-9_-]+$")
THINKING = ("thinking", "redacted_thinking")


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    index: int
    blocks: list[dict[str, Any]]


def check_anthropic(
    system: Any, messages: list[dict[str, Any]], thinking: bool = False, *, sent: bool = True
) -> list[Violation]:
    found = _system(system)
    for index, message in enumerate(messages):
        found += _shape(index, message)
    if found:
        return found
    turns = _turns(messages)
    if not turns:
        return [Violation("empty", 0, "no messages")]
    if turns[0].role != "user":
        found.append(Violation("role", 0, "the first message is not the user's"))
    if sent and turns[-1].role != "user":
        found.append(Violation("role", turns[-1].index, "the last message is not the user's"))
    for at, turn in enumerate(turns):
        following = turns[at + 1] if at + 1 < len(turns) else None
        before = turns[at - 1] if at else None
        if turn.role == "assistant":
            found += _calls(turn, following)
            found += _server_pairs(turn)
        else:
            found += _results(turn, before)
    return found + _unique(turns) + (_thinking(turns) if thinking else [])


def _system(system: Any) -> list[Violation]:
    if system is None or isinstance(system, str):
        return []
    blocks = isinstance(system, list) and all(
        isinstance(b, dict) and b.get("type") == "text" and b.get("text") for b in system
    )
    return [] if blocks else [Violation("system", -1, "system is neither text nor text blocks")]


def _shape(index: int, message: dict[str, Any]) -> list[Violation]:
    role, content = message.get("role"), message.get("content")
    if role not in ("user", "assistant"):
        return [Violation("role", index, f"unknown role {role!r}")]
    if isinstance(content, str):
        return [] if content.strip() else [Violation("empty", index, "blank text")]
    if not isinstance(content, list):
        return [Violation("shape", index, "content is neither text nor blocks")]
    if not content:
        return [Violation("empty", index, "no blocks")]
    found = []
    for block in content:
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            found.append(Violation("shape", index, "a block without a type"))
        else:
            found += _block(index, role, block)
    return found


def _block(index: int, role: str, block: dict[str, Any]) -> list[Violation]:
    kind = block["type"]
    found = []
    if kind == "text" and not str(block.get("text") or "").strip():
        found.append(Violation("empty", index, "blank text block"))
    if kind == "tool_use":
        if role != "assistant" or not isinstance(block.get("input"), dict):
            found.append(Violation("shape", index, "tool_use by the user or without an object"))
        if not ID.match(str(block.get("id") or "")):
            found.append(Violation("id", index, f"tool_use id {block.get('id')!r}"))
    if kind == "tool_result":
        if role != "user" or not isinstance(block.get("content", ""), str | list):
            found.append(Violation("shape", index, "tool_result by the model or without content"))
        if isinstance(block.get("content"), list):
            for inner in block["content"]:
                found += _block(index, role, inner)
    if kind == "thinking" and not block.get("signature"):
        found.append(Violation("thinking", index, "thinking without a signature"))
    if kind in THINKING and role != "assistant":
        found.append(Violation("thinking", index, "thinking by the user"))
    if kind == "redacted_thinking" and not block.get("data"):
        found.append(Violation("thinking", index, "redacted thinking without data"))
    return found


def _turns(messages: list[dict[str, Any]]) -> list[Turn]:
    turns: list[Turn] = []
    for index, message in enumerate(messages):
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if turns and turns[-1].role == message["role"]:
            turns[-1].blocks.extend(blocks)
        else:
            turns.append(Turn(message["role"], index, list(blocks)))
    return turns


def _ids(turn: Turn | None, kind: str, key: str) -> Counter[str]:
    blocks = turn.blocks if turn else []
    return Counter(str(b.get(key)) for b in blocks if b["type"] == kind)


def _unique(turns: list[Turn]) -> list[Violation]:
    """The API wants ids of tool_use unique over the whole request."""
    seen = Counter(i for turn in turns for i in _ids(turn, "tool_use", "id").elements())
    return [Violation("id", 0, f"id {i} twice") for i, n in seen.items() if n > 1]


def _calls(turn: Turn, following: Turn | None) -> list[Violation]:
    calls = _ids(turn, "tool_use", "id")
    found = []
    missing = calls - _ids(following, "tool_result", "tool_use_id")
    if missing:
        found.append(Violation("pairing", turn.index, f"no result for {sorted(missing)}"))
    return found


def _results(turn: Turn, before: Turn | None) -> list[Violation]:
    found = []
    extra = _ids(turn, "tool_result", "tool_use_id") - _ids(before, "tool_use", "id")
    if extra:
        found.append(Violation("pairing", turn.index, f"no call for {sorted(extra)}"))
    kinds = [b["type"] == "tool_result" for b in turn.blocks]
    if kinds != sorted(kinds, reverse=True):
        found.append(Violation("order", turn.index, "other blocks before a tool_result"))
    return found


def _server_pairs(turn: Turn) -> list[Violation]:
    found, waiting = [], set[str]()
    for block in turn.blocks:
        kind = block["type"]
        if kind.endswith("_tool_use"):
            waiting.add(str(block.get("id")))
        elif kind.endswith("_tool_result"):
            if block.get("tool_use_id") not in waiting:
                found.append(Violation("pairing", turn.index, f"{kind} without its call"))
            waiting.discard(str(block.get("tool_use_id")))
    if waiting:
        found.append(
            Violation("pairing", turn.index, f"server calls {sorted(waiting)} have no result")
        )
    return found


def _thinking(turns: list[Turn]) -> list[Violation]:
    """In an open tool loop the first message of the model since the user spoke has to think."""
    spoken = [
        at
        for at, turn in enumerate(turns)
        if turn.role == "user" and any(b["type"] != "tool_result" for b in turn.blocks)
    ]
    loop = [turn for turn in turns[(spoken[-1] if spoken else 0) :] if turn.role == "assistant"]
    if loop and loop[0].blocks[0]["type"] not in THINKING:
        return [Violation("thinking", loop[0].index, "the open tool loop lost its thinking")]
    return []
