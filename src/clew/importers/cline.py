"""Cline: a task folder, or its `api_conversation_history.json` alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clew.importers.session import CompactionSeen, ImportedSession
from clew.importers.shapes import Ledger, mapping, plain_text, sequence, string
from clew.importers.source import Source
from clew.transcript import Format

FAMILY = "cline"
_MARKS = ("<environment_details>", "] Result:", "<task>")


def recognises(source: Source) -> bool:
    """Whether the document is a conversation of Cline, old or new."""
    document = source.document
    if isinstance(document, dict):
        return "system_prompt" in document and isinstance(document.get("messages"), list)
    first = mapping(sequence(document)[0]) if sequence(document) else {}
    texts = " ".join(string(mapping(b).get("text"))[-4000:] for b in sequence(first.get("content")))
    opening = plain_text(first.get("content"))[:200]
    return first.get("role") == "user" and (_MARKS[0] in texts or _MARKS[2] in opening)


def read(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The conversation as Anthropic messages; calls stay tags in text, as the model wrote them.

    Truncations stand in `ui_messages.json` beside the file. With `live` the last one is applied.
    """
    ledger = Ledger(source)
    document = source.document
    outer = mapping(document)
    entries = sequence(outer.get("messages")) if outer else sequence(document)
    messages: list[dict[str, Any]] = []
    for entry in map(mapping, entries):
        if entry.get("role") in ("user", "assistant") and entry.get("content"):
            messages.append({"role": entry["role"], "content": entry["content"]})
        else:
            ledger.leave_out("entry that is no message")
    compactions = _truncations(source.path, len(messages), ledger)
    if live and compactions:
        messages = _truncated(messages, compactions[-1], ledger)
    return (
        ImportedSession(
            source=source.name,
            format=Format.ANTHROPIC,
            family=FAMILY,
            messages=tuple(messages),
            system=outer.get("system_prompt"),
            compactions=tuple(
                CompactionSeen(index=min(index, len(messages)), kind=f"truncation {first}-{last}")
                for index, first, last in compactions
            ),
            left_out=ledger.left_out(),
            warnings=ledger.warnings(),
            session_id=string(outer.get("sessionId")),
        ),
    )


def _truncated(
    messages: list[dict[str, Any]], cut: tuple[int, int, int], ledger: Ledger
) -> list[dict[str, Any]]:
    _, first, last = cut
    kept = [*messages[:first], *messages[last + 1 :]]
    ledger.leave_out("message truncated by the agent", len(messages) - len(kept))
    return kept


def _truncations(path: Path | None, count: int, ledger: Ledger) -> list[tuple[int, int, int]]:
    """Each new range that later requests leave out: (position, first, last), inclusive."""
    screen = path.parent / "ui_messages.json" if path is not None else None
    if screen is None or not screen.is_file():
        return []
    try:
        records = json.loads(screen.read_text(encoding="utf-8", errors="replace"))
    except (ValueError, RecursionError, OSError):
        ledger.note("ui_messages.json beside the file is not readable; truncations are unknown")
        return []
    found: list[tuple[int, int, int]] = []
    before: Any = None
    for record in map(mapping, sequence(records)):
        reach = sequence(record.get("conversationHistoryDeletedRange"))
        if reach == before or not _is_range(reach):
            continue
        before = reach
        found.append((min(_position(record, count), count), reach[0], reach[1]))
    return found


def _is_range(reach: list[Any]) -> bool:
    numbers = [n for n in reach if isinstance(n, int) and not isinstance(n, bool) and n >= 0]
    return len(reach) == 2 and numbers == reach


def _position(record: Mapping[str, Any], count: int) -> int:
    index = record.get("conversationHistoryIndex")
    return index + 1 if isinstance(index, int) and not isinstance(index, bool) else count
