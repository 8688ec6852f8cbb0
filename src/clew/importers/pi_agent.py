"""pi: JSONL journals with a `session` line in front."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from clew.importers.session import CompactionSeen, ImportedSession, ReportedUsage
from clew.importers.shapes import Ledger, json_text, mapping, plain_text, sequence, string, whole
from clew.importers.source import Source
from clew.transcript import Format

FAMILY = "pi_agent"
_SUMMARY = (
    "The conversation history before this point was compacted into the following summary:\n\n"
    "<summary>\n{}\n</summary>"
)
_UNSAFE = re.compile(r"[^a-zA-Z0-9_-]")


def recognises(source: Source) -> bool:
    """Whether these lines are a journal of pi."""
    lines = source.lines[:10]
    return any(line.value.get("type") == "session" and "cwd" in line.value for line in lines)


def read(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The conversation as Anthropic messages; ids are made safe for that format."""
    return (_Reader(source, live=live).session(),)


class _Reader:
    """One pass over a journal."""

    def __init__(self, source: Source, *, live: bool) -> None:
        self._source = source
        self._live = live
        self._ledger = Ledger(source)
        self._messages: list[dict[str, Any]] = []
        self._usage: list[ReportedUsage] = []
        self._compactions: list[CompactionSeen] = []
        self._harness: list[int] = []
        self._session_id = ""
        self._model = ""

    def session(self) -> ImportedSession:
        """Read everything."""
        for number, record in self._order():
            self._take(record, number)
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
            session_id=self._session_id,
            model=self._model,
        )

    def _order(self) -> list[tuple[int, Mapping[str, Any]]]:
        """Records of the last branch; with `live` what the last compaction kept, too."""
        records = [line.value for line in self._source.lines]
        branch = _branch(records)
        if len(branch) < len(records):
            self._ledger.leave_out("record of another branch", len(records) - len(branch))
        if not self._live:
            return list(enumerate(branch))
        at = max((i for i, r in enumerate(branch) if r.get("type") == "compaction"), default=-1)
        if at < 0:
            return list(enumerate(branch))
        first = _first_kept(branch, at)
        self._ledger.leave_out("record before the last compaction", max(first - 1, 0))
        kept = [(i, r) for i, r in enumerate(branch[first:at], start=first)]
        kept = [(i, r) for i, r in kept if r.get("type") != "compaction"]
        head = [(i, r) for i, r in enumerate(branch[:first]) if r.get("type") == "session"]
        return [*head, (at, branch[at]), *kept, *list(enumerate(branch))[at + 1 :]]

    def _take(self, record: Mapping[str, Any], number: int) -> None:
        kind = string(record.get("type"))
        message = mapping(record.get("message"))
        match kind, string(message.get("role")):
            case "session", _:
                self._session_id = string(record.get("id"))
            case "message", "user":
                self._messages.append({"role": "user", "content": message.get("content") or ""})
            case "message", "assistant":
                self._assistant(message)
            case "message", "toolResult":
                self._result(message)
            case "message", "bashExecution":
                self._harness.append(len(self._messages))
                self._messages.append({"role": "user", "content": _ran(message)})
            case "compaction", _:
                self._compaction(record)
            case "model_change", _:
                self._model = string(record.get("modelId")) or self._model
            case "custom_message", _ if record.get("content"):
                self._harness.append(len(self._messages))
                self._messages.append({"role": "user", "content": record["content"]})
            case _:
                self._ledger.leave_out(f"{kind or 'untyped'} record")

    def _compaction(self, record: Mapping[str, Any]) -> None:
        summary = string(record.get("summary"))
        self._compactions.append(
            CompactionSeen(
                index=len(self._messages),
                kind="compaction",
                tokens_before=whole(record.get("tokensBefore")) or None,
                summary=summary,
            )
        )
        if self._live:
            self._harness.append(len(self._messages))
            self._messages.append({"role": "user", "content": _SUMMARY.format(summary)})
        else:
            self._ledger.leave_out("summary by the agent's own compaction")

    def _assistant(self, message: Mapping[str, Any]) -> None:
        blocks = [b for b in map(self._block, sequence(message.get("content"))) if b]
        usage = mapping(message.get("usage"))
        self._model = string(message.get("model")) or self._model
        if not blocks:
            self._ledger.leave_out(f"empty assistant message ({message.get('stopReason', '?')})")
            return
        if usage:
            cached = whole(usage.get("cacheRead"))
            self._usage.append(
                ReportedUsage(
                    index=len(self._messages),
                    input_tokens=whole(usage.get("input"))
                    + cached
                    + whole(usage.get("cacheWrite")),
                    output_tokens=whole(usage.get("output")),
                    cached_tokens=cached,
                    model=self._model,
                )
            )
        self._messages.append({"role": "assistant", "content": blocks})

    def _block(self, raw: object) -> dict[str, Any] | None:
        block = mapping(raw)
        match string(block.get("type")):
            case "text":
                text = string(block.get("text"))
                return {"type": "text", "text": text} if text else None
            case "thinking":
                return {
                    "type": "thinking",
                    "thinking": string(block.get("thinking")),
                    "signature": string(block.get("thinkingSignature")),
                }
            case "toolCall":
                arguments = block.get("arguments")
                return {
                    "type": "tool_use",
                    "id": _safe(block.get("id")),
                    "name": string(block.get("name")),
                    "input": arguments if isinstance(arguments, dict) else {"input": arguments},
                }
            case kind:
                self._ledger.leave_out(f"{kind or 'untyped'} block")
                return None

    def _result(self, message: Mapping[str, Any]) -> None:
        content = message.get("content")
        result = {
            "type": "tool_result",
            "tool_use_id": _safe(message.get("toolCallId")),
            "content": content if isinstance(content, str | list) else json_text(content),
            "is_error": message.get("isError") is True,
        }
        last = self._messages[-1] if self._messages else {}
        blocks = sequence(last.get("content"))
        if last.get("role") == "user" and mapping(blocks[0] if blocks else 0).get("type") == (
            "tool_result"
        ):
            last["content"] = [*blocks, result]
        else:
            self._messages.append({"role": "user", "content": [result]})


def _branch(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records from the root to the last leaf; all of them where there are no links."""
    place = {r["id"]: i for i, r in enumerate(records) if isinstance(r.get("id"), str)}
    if not any("parentId" in r for r in records):
        return records
    kept: set[int] = {i for i, r in enumerate(records) if "parentId" not in r}
    at = max((i for i, r in enumerate(records) if "parentId" in r), default=-1)
    while at >= 0 and at not in kept:
        kept.add(at)
        parent = records[at].get("parentId")
        at = place.get(parent, at - 1) if isinstance(parent, str) else -1
    return [records[i] for i in sorted(kept)]


def _first_kept(branch: list[dict[str, Any]], at: int) -> int:
    """The position of the first record that the compaction at `at` kept."""
    index = branch[at].get("firstKeptEntryIndex")
    if isinstance(index, int) and 0 <= index <= at:
        return index
    wanted = branch[at].get("firstKeptEntryId")
    return next((i for i, r in enumerate(branch[:at]) if wanted and r.get("id") == wanted), at)


def _safe(value: object) -> str:
    return _UNSAFE.sub("_", string(value))


def _ran(message: Mapping[str, Any]) -> str:
    """A command that the person ran beside the agent, as the agent is shown it."""
    code = message.get("exitCode")
    tail = f"\nExit code: {code}" if code else ""
    output = plain_text(message.get("output"))
    return f"Ran `{string(message.get('command'))}`\n```\n{output}\n```{tail}"
