"""Gemini CLI: one JSON file a session, calls with their results inside the model's message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.importers.session import ImportedSession, ReportedUsage
from clew.importers.shapes import Ledger, mapping, plain_text, sequence, string, whole
from clew.importers.source import Source
from clew.transcript import Format

FAMILY = "gemini_cli"


def recognises(source: Source) -> bool:
    """Whether the document is a session of Gemini CLI."""
    document = mapping(source.document)
    messages = sequence(document.get("messages"))
    return "sessionId" in document and any(
        mapping(m).get("type") in ("user", "gemini", "info") and "role" not in mapping(m)
        for m in messages[:20]
    )


def read(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The conversation as contents. Thoughts never go back to the model and are left out."""
    del live  # no compaction is recorded in this format
    document = mapping(source.document)
    ledger = Ledger(source)
    contents: list[dict[str, Any]] = []
    usage: list[ReportedUsage] = []
    for entry in map(mapping, sequence(document.get("messages"))):
        match string(entry.get("type")):
            case "user":
                contents.append(
                    {"role": "user", "parts": [{"text": plain_text(entry.get("content"))}]}
                )
            case "gemini":
                if (reported := _usage(entry, len(contents))) is not None:
                    usage.append(reported)
                _model(entry, contents, ledger)
            case kind:
                ledger.leave_out(f"{kind or 'untyped'} message")
    kept = [u for u in usage if u.index < len(contents)]
    return (
        ImportedSession(
            source=source.name,
            format=Format.GEMINI,
            family=FAMILY,
            messages=tuple(contents),
            usage=tuple(kept),
            left_out=ledger.left_out(),
            warnings=ledger.warnings(),
            session_id=string(document.get("sessionId")),
            model=kept[-1].model if kept else "",
        ),
    )


def _model(entry: Mapping[str, Any], contents: list[dict[str, Any]], ledger: Ledger) -> None:
    parts: list[dict[str, Any]] = []
    answers: list[Any] = []
    if thoughts := sequence(entry.get("thoughts")):
        ledger.leave_out("thought", len(thoughts))
    if text := plain_text(entry.get("content")):
        parts.append({"text": text})
    for call in map(mapping, sequence(entry.get("toolCalls"))):
        identity, name = string(call.get("id")), string(call.get("name"))
        arguments = call.get("args")
        parts.append(
            {
                "functionCall": {
                    "id": identity,
                    "name": name,
                    "args": arguments if isinstance(arguments, dict) else {},
                }
            }
        )
        results = [r for r in sequence(call.get("result")) if "functionResponse" in mapping(r)]
        if results:
            answers.extend(results)
        elif call.get("status") in ("error", "cancelled"):
            shown = string(call.get("resultDisplay")) or f"[{call.get('status')}]"
            answers.append(
                {"functionResponse": {"id": identity, "name": name, "response": {"error": shown}}}
            )
    if not parts:
        ledger.leave_out("empty model message")
        return
    contents.append({"role": "model", "parts": parts})
    if answers:
        contents.append({"role": "user", "parts": answers})


def _usage(entry: Mapping[str, Any], index: int) -> ReportedUsage | None:
    tokens = mapping(entry.get("tokens"))
    if not tokens:
        return None
    return ReportedUsage(
        index=index,
        input_tokens=whole(tokens.get("input")),
        output_tokens=whole(tokens.get("output")) + whole(tokens.get("thoughts")),
        cached_tokens=whole(tokens.get("cached")),
        model=string(entry.get("model")),
    )
