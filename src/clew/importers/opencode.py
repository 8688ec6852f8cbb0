"""opencode: exported sessions, `{info, messages[{info, parts[]}]}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from clew.importers.session import CompactionSeen, ImportedSession, ReportedUsage
from clew.importers.shapes import Ledger, mapping, sequence, string, whole
from clew.importers.source import Source
from clew.transcript import Format

FAMILY = "opencode"
_UNSAFE = re.compile(r"[^a-zA-Z0-9_-]")
_PRUNED = "[Old tool result content cleared]"


def recognises(source: Source) -> bool:
    """Whether the document is an export of opencode."""
    document = mapping(source.document)
    entries = sequence(document.get("messages"))
    return "info" in document and any(
        isinstance(mapping(m).get("parts"), list) and "info" in mapping(m) for m in entries[:20]
    )


def read(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The conversation as Anthropic messages.

    Readable reasoning is bound to its own provider and is left out. Without `live` pruned outputs
    come back in full, because the export still holds them.
    """
    return (_Reader(source, live=live).session(),)


class _Reader:
    """One pass over the messages of an export."""

    def __init__(self, source: Source, *, live: bool) -> None:
        self._source = source
        self._live = live
        self._ledger = Ledger(source)
        self._messages: list[dict[str, Any]] = []
        self._usage: list[ReportedUsage] = []
        self._compactions: list[CompactionSeen] = []
        self._harness: list[int] = []
        self._model = ""

    def session(self) -> ImportedSession:
        """Read everything."""
        document = mapping(self._source.document)
        for entry in map(mapping, sequence(document.get("messages"))):
            info = mapping(entry.get("info"))
            parts = list(map(mapping, sequence(entry.get("parts"))))
            if not parts:
                self._ledger.leave_out("message without parts")
            elif info.get("role") == "user":
                self._user(parts)
            elif info.get("summary") is True or info.get("mode") == "compaction":
                self._summary(info, parts)
            elif info.get("role") == "assistant":
                self._assistant(info, parts)
            else:
                self._ledger.leave_out(f"message with the role {info.get('role', '?')}")
        return ImportedSession(
            source=self._source.name,
            format=Format.ANTHROPIC,
            family=FAMILY,
            messages=tuple(self._messages),
            usage=tuple(self._usage),
            compactions=tuple(self._compactions),
            harness=tuple(self._harness),
            left_out=self._ledger.left_out(),
            warnings=self._ledger.warnings(),
            session_id=string(mapping(document.get("info")).get("id")),
            model=self._model,
        )

    def _user(self, parts: list[Mapping[str, Any]]) -> None:
        if any(part.get("type") == "compaction" for part in parts):
            self._ledger.leave_out("request for a compaction")
            return
        texts = [p for p in parts if p.get("type") == "text" and string(p.get("text"))]
        for part in parts:
            if part.get("type") != "text":
                self._ledger.leave_out(f"{part.get('type', 'untyped')} part of a user message")
        if not texts:
            return
        if all(part.get("synthetic") is True for part in texts):
            self._harness.append(len(self._messages))
        blocks = [{"type": "text", "text": string(part["text"])} for part in texts]
        self._messages.append({"role": "user", "content": blocks})

    def _summary(self, info: Mapping[str, Any], parts: list[Mapping[str, Any]]) -> None:
        text = "\n".join(string(p.get("text")) for p in parts if p.get("type") == "text")
        tokens = mapping(info.get("tokens"))
        before = whole(tokens.get("input")) + whole(mapping(tokens.get("cache")).get("read"))
        if self._live:
            self._ledger.leave_out("message before the last compaction", len(self._messages))
            self._messages.clear()
            self._usage.clear()
            self._compactions.clear()
            self._harness = [0]
            self._messages.append({"role": "user", "content": "What did we do so far?"})
            self._messages.append({"role": "assistant", "content": text})
        else:
            self._ledger.leave_out("summary by the agent's own compaction")
        self._compactions.append(
            CompactionSeen(
                index=len(self._messages),
                kind="compaction",
                tokens_before=before or None,
                summary=text,
            )
        )

    def _assistant(self, info: Mapping[str, Any], parts: list[Mapping[str, Any]]) -> None:
        """One export message may hold several model calls; a step ends each of them."""
        blocks: list[dict[str, Any]] = []
        results: list[dict[str, Any]] = []
        before = len(self._messages)
        self._model = string(info.get("modelID")) or self._model
        for part in parts:
            match string(part.get("type")):
                case "text" if string(part.get("text")):
                    blocks.append({"type": "text", "text": string(part["text"])})
                case "tool":
                    self._tool(part, blocks, results)
                case "step-finish":
                    self._note_usage(part, bool(blocks))
                    self._flush(blocks, results)
                    blocks, results = [], []
                case "step-start" | "text":
                    pass
                case kind:
                    self._ledger.leave_out(f"{kind or 'untyped'} part")
        self._flush(blocks, results)
        if len(self._messages) == before:
            self._ledger.leave_out("empty assistant message")

    def _flush(self, blocks: list[dict[str, Any]], results: list[dict[str, Any]]) -> None:
        if blocks:
            self._messages.append({"role": "assistant", "content": blocks})
        if results:
            self._messages.append({"role": "user", "content": results})

    def _tool(
        self,
        part: Mapping[str, Any],
        blocks: list[dict[str, Any]],
        results: list[dict[str, Any]],
    ) -> None:
        state = mapping(part.get("state"))
        identity = _UNSAFE.sub("_", string(part.get("callID")))
        given = state.get("input")
        blocks.append(
            {
                "type": "tool_use",
                "id": identity,
                "name": string(part.get("tool")),
                "input": given if isinstance(given, dict) else {},
            }
        )
        status = string(state.get("status"))
        if status not in ("completed", "error"):
            self._ledger.leave_out(f"result of a call that is {status or 'open'}")
            return
        failed = status == "error"
        text = string(state.get("error" if failed else "output"))
        if mapping(state.get("time")).get("compacted"):
            self._ledger.note("some outputs were pruned by the agent later in the session")
            text = _PRUNED if self._live else text
        results.append(
            {
                "type": "tool_result",
                "tool_use_id": identity,
                "content": text,
                "is_error": failed,
            }
        )

    def _note_usage(self, part: Mapping[str, Any], spoke: bool) -> None:
        tokens = mapping(part.get("tokens"))
        if not tokens or not spoke:
            return
        cache = mapping(tokens.get("cache"))
        cached = whole(cache.get("read"))
        self._usage.append(
            ReportedUsage(
                index=len(self._messages),
                input_tokens=whole(tokens.get("input")) + cached + whole(cache.get("write")),
                output_tokens=whole(tokens.get("output")),
                cached_tokens=cached,
                model=self._model,
            )
        )
