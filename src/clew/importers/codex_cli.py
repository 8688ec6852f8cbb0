"""Codex: rollout journals in `~/.codex/sessions`, the items of the Responses API line by line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.importers.session import CompactionSeen, ImportedSession, ReportedUsage
from clew.importers.shapes import Ledger, mapping, sequence, string, whole
from clew.importers.source import Source
from clew.transcript import Format

FAMILY = "codex_cli"
_ITEMS = (
    "message", "reasoning", "function_call", "function_call_output", "custom_tool_call",
    "custom_tool_call_output", "web_search_call", "local_shell_call", "local_shell_call_output",
    "image_generation_call", "mcp_call", "file_search_call", "tool_search_call",
    "tool_search_output", "compaction", "code_interpreter_call",
)  # fmt: skip


def recognises(source: Source) -> bool:
    """Whether these lines are a rollout of Codex."""
    kinds = ("session_meta", "response_item", "turn_context", "event_msg", "compacted")
    return any(
        line.value.get("type") in kinds and isinstance(line.value.get("payload"), dict)
        for line in source.lines[:50]
    )


def read(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The item stream of a rollout.

    Events mirror the items for a screen and are used for usage only. A compaction leaves no
    readable summary: without `live` it is noted and the items before it stay; with `live` its
    replacement history takes their place.
    """
    return (_Reader(source, live=live).session(),)


class _Reader:
    """One pass over a rollout."""

    def __init__(self, source: Source, *, live: bool) -> None:
        self._source = source
        self._live = live
        self._ledger = Ledger(source)
        self._items: list[Any] = []
        self._usage: list[ReportedUsage] = []
        self._compactions: list[CompactionSeen] = []
        self._calls: set[tuple[str, str]] = set()
        self._total: Any = None
        self._last_input = 0
        self._meta: Mapping[str, Any] = {}
        self._metas: set[str] = set()
        self._model = ""

    def session(self) -> ImportedSession:
        """Read everything."""
        for line in self._source.lines:
            self._take(line.value)
        base = self._meta.get("base_instructions")
        system = string(mapping(base).get("text")) or string(base)
        return ImportedSession(
            source=self._source.name,
            format=Format.OPENAI_RESPONSES,
            family=FAMILY,
            messages=tuple(self._items),
            system=system or string(self._meta.get("instructions")) or None,
            tools=sequence(self._meta.get("dynamic_tools")) or None,
            usage=tuple(self._usage),
            compactions=tuple(self._compactions),
            left_out=self._ledger.left_out(),
            warnings=self._ledger.warnings(),
            session_id=string(self._meta.get("id")),
            model=self._model,
        )

    def _take(self, record: Mapping[str, Any]) -> None:
        kind, payload = string(record.get("type")), mapping(record.get("payload"))
        match kind:
            case "response_item":
                self._item(payload)
            case "compacted":
                self._compacted(payload)
            case "session_meta":
                self._session_meta(payload)
            case "turn_context":
                self._model = string(payload.get("model")) or self._model
            case "event_msg" if payload.get("type") == "token_count":
                self._token_count(mapping(payload.get("info")))
            case "event_msg":
                self._ledger.leave_out("event that mirrors an item")
            case _ if kind in _ITEMS:
                self._item(record)
            case _:
                self._ledger.leave_out(f"{kind or 'untyped'} record")

    def _session_meta(self, payload: Mapping[str, Any]) -> None:
        """The first one is the session's own; a fork repeats its parent's behind it."""
        if not self._meta:
            self._meta = payload
        elif string(payload.get("id")) != string(self._meta.get("id")):
            self._ledger.note("the session is a fork: the records of its parent are part of it")
        else:
            self._ledger.leave_out("repeated session_meta")

    def _item(self, payload: Mapping[str, Any]) -> None:
        kind = string(payload.get("type"))
        if kind not in _ITEMS:
            self._ledger.leave_out(f"{kind or 'untyped'} item")
            return
        if kind == "compaction" and not self._live:
            self._ledger.leave_out("summary by the agent's own compaction")
            return
        call = string(payload.get("call_id"))
        if call and (kind, call) in self._calls:
            self._ledger.leave_out("repeated item")
            return
        self._calls.add((kind, call))
        self._items.append(dict(payload))

    def _compacted(self, payload: Mapping[str, Any]) -> None:
        replacement = [mapping(item) for item in sequence(payload.get("replacement_history"))]
        if self._live:
            self._ledger.leave_out("item before the last compaction", len(self._items))
            self._items = [dict(item) for item in replacement if item]
            self._usage.clear()
            self._compactions.clear()
        self._compactions.append(
            CompactionSeen(
                index=len(self._items),
                kind="compacted",
                tokens_before=self._last_input or None,
                summary=string(payload.get("message")),
            )
        )

    def _token_count(self, info: Mapping[str, Any]) -> None:
        """The screen repeats a count; only a changed total is a new call."""
        total, last = info.get("total_token_usage"), mapping(info.get("last_token_usage"))
        if not last or total == self._total:
            return
        self._total = total
        self._last_input = whole(last.get("input_tokens"))
        if not self._items:
            return
        self._usage.append(
            ReportedUsage(
                index=len(self._items) - 1,
                input_tokens=self._last_input,
                output_tokens=whole(last.get("output_tokens")),
                cached_tokens=whole(last.get("cached_input_tokens")),
                model=self._model,
            )
        )
