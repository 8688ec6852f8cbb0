"""Claude Code: JSONL journals in `~/.claude/projects`, one content block a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.importers.session import CompactionSeen, ImportedSession, ReportedUsage
from clew.importers.shapes import Ledger, mapping, plain_text, sequence, string, whole
from clew.importers.source import Line, Source
from clew.transcript import Format

FAMILY = "claude_code"
_BOUNDARIES = ("compact_boundary", "microcompact_boundary")


def recognises(source: Source) -> bool:
    """Whether these lines are a journal of Claude Code."""
    if not source.is_lines and not isinstance(source.document, dict):
        return False
    marks = ("sessionId", "parentUuid", "leafUuid", "isSidechain", "snapshot")
    for line in source.lines[:200]:
        if line.value.get("type") in ("user", "assistant") and (
            "parentUuid" in line.value or "sessionId" in line.value
        ):
            return isinstance(line.value.get("message"), dict)
        if not any(mark in line.value for mark in marks) and "type" not in line.value:
            return False
    return False


def read(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The main conversation of a journal.

    Side chains, progress and rewound branches are left out and counted. Text that the harness put
    into the conversation stays, and is listed in `harness`. Without `live` the agent's own
    summaries are left out, because what they summarise is there; with `live` the conversation
    starts at the last one.
    """
    return (_Reader(source, live=live).session(),)


class _Reader:
    """One pass over the records of a journal."""

    def __init__(self, source: Source, *, live: bool) -> None:
        self._source = source
        self._live = live
        self._ledger = Ledger(source)
        self._messages: list[dict[str, Any]] = []
        self._by_id: dict[str, int] = {}
        self._asked: dict[str, int] = {}
        self._usage: dict[int, ReportedUsage] = {}
        self._compactions: list[CompactionSeen] = []
        self._harness: set[int] = set()
        self._seen: set[str] = set()
        self._session_id = ""
        self._model = ""

    def session(self) -> ImportedSession:
        """Read everything."""
        records = self._records()
        path = _live_path(records, self._ledger)
        for line in records:
            self._take(line.value, path)
        return ImportedSession(
            source=self._source.name,
            format=Format.ANTHROPIC,
            family=FAMILY,
            messages=tuple(self._messages),
            usage=tuple(self._usage[i] for i in sorted(self._usage)),
            compactions=tuple(self._compactions),
            harness=tuple(sorted(self._harness)),
            left_out=self._ledger.left_out(),
            warnings=self._ledger.warnings(),
            session_id=self._session_id,
            model=self._model,
        )

    def _records(self) -> list[Line]:
        kept = []
        for line in self._source.lines:
            uuid = string(line.value.get("uuid"))
            if uuid and uuid in self._seen:
                self._ledger.leave_out("repeated record")
                continue
            self._seen.add(uuid)
            if line.value.get("isSidechain") is True:
                self._ledger.leave_out("side chain record")
                continue
            kept.append(line)
        return kept

    def _take(self, record: Mapping[str, Any], path: _LivePath) -> None:
        kind = string(record.get("type"))
        self._session_id = self._session_id or string(record.get("sessionId"))
        if kind == "system" and record.get("subtype") in _BOUNDARIES:
            self._boundary(record)
        elif kind in ("user", "assistant"):
            if not path.holds(record):
                self._ledger.leave_out(f"{kind} record of a rewound branch")
            elif kind == "assistant":
                self._assistant(record)
            else:
                self._user(record)
        elif kind == "attachment":
            self._attachment(mapping(record.get("attachment")))
        elif kind == "progress":
            self._ledger.leave_out(f"progress ({mapping(record.get('data')).get('type', '?')})")
        else:
            self._ledger.leave_out(f"{kind or 'untyped'} record")

    def _boundary(self, record: Mapping[str, Any]) -> None:
        micro = record.get("subtype") == "microcompact_boundary"
        facts = mapping(record.get("microcompactMetadata" if micro else "compactMetadata"))
        tokens = whole(facts.get("preTokens")) or None
        trigger = string(facts.get("trigger")) or "auto"
        kind = "microcompact" if micro else trigger
        if self._live and not micro:
            self._restart()
        self._compactions.append(
            CompactionSeen(index=len(self._messages), kind=kind, tokens_before=tokens)
        )

    def _restart(self) -> None:
        self._ledger.leave_out("message before the last compaction", len(self._messages))
        self._messages.clear()
        self._by_id.clear()
        self._asked.clear()
        self._usage.clear()
        self._harness.clear()
        self._compactions.clear()

    def _attachment(self, attachment: Mapping[str, Any]) -> None:
        kind = string(attachment.get("type"))
        prompt = plain_text(attachment.get("prompt"))
        if kind == "queued_command" and prompt and attachment.get("commandMode") != "bash":
            self._messages.append({"role": "user", "content": prompt})
        else:
            self._ledger.leave_out(f"attachment ({kind or '?'})")

    def _user(self, record: Mapping[str, Any]) -> None:
        content = mapping(record.get("message")).get("content")
        if record.get("isCompactSummary") is True:
            self._summary(plain_text(content))
            return
        if not isinstance(content, str | list) or not content:
            self._ledger.leave_out("user record without content")
            return
        blocks = sequence(content)
        results = [b for b in blocks if mapping(b).get("type") == "tool_result"]
        if results and self._answer(results, blocks):
            return
        if record.get("isMeta") is True:
            self._harness.add(len(self._messages))
        self._messages.append({"role": "user", "content": content})

    def _answer(self, results: list[Any], blocks: list[Any]) -> bool:
        """Put results directly behind the message with their calls, whatever came in between.

        Results of parallel calls arrive one by one, and a message that the person queued may stand
        among them; the model saw the results together and first.
        """
        asked = {self._asked.get(string(mapping(b).get("tool_use_id"))) for b in results}
        at = asked.pop() if len(asked) == 1 else None
        if at is None or at + 1 >= len(self._messages):
            return False
        following = self._messages[at + 1]
        first = mapping((sequence(following["content"]) or [None])[0])
        if first.get("type") == "tool_result":
            following["content"] = [*following["content"], *blocks]
            return True
        if any(message["role"] == "assistant" for message in self._messages[at + 1 :]):
            return False
        self._messages.insert(at + 1, {"role": "user", "content": blocks})
        self._harness = {n + 1 if n > at else n for n in self._harness}
        return True

    def _summary(self, text: str) -> None:
        if self._compactions:
            last = self._compactions.pop()
            self._compactions.append(
                CompactionSeen(
                    index=last.index, kind=last.kind, tokens_before=last.tokens_before, summary=text
                )
            )
        if self._live:
            self._harness.add(len(self._messages))
            self._messages.append({"role": "user", "content": text})
        else:
            self._ledger.leave_out("summary by the agent's own compaction")

    def _assistant(self, record: Mapping[str, Any]) -> None:
        message = mapping(record.get("message"))
        if message.get("model") == "<synthetic>" or record.get("isApiErrorMessage") is True:
            self._ledger.leave_out("synthetic assistant record")
            return
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not isinstance(blocks, list) or not blocks:
            self._ledger.leave_out("assistant record without content")
            return
        identity = string(message.get("id"))
        at = self._by_id.get(identity) if identity else None
        if at is None:
            at = len(self._messages)
            self._messages.append({"role": "assistant", "content": list(blocks)})
            if identity:
                self._by_id[identity] = at
        else:
            self._messages[at]["content"].extend(blocks)
        for block in blocks:
            if mapping(block).get("type") == "tool_use":
                self._asked[string(mapping(block).get("id"))] = at
        self._note_usage(at, message)

    def _note_usage(self, at: int, message: Mapping[str, Any]) -> None:
        """Lines of one call repeat the usage; the last line holds the final numbers."""
        usage = mapping(message.get("usage"))
        if not usage:
            return
        cached = whole(usage.get("cache_read_input_tokens"))
        created = whole(usage.get("cache_creation_input_tokens"))
        self._model = string(message.get("model")) or self._model
        self._usage[at] = ReportedUsage(
            index=at,
            input_tokens=whole(usage.get("input_tokens")) + cached + created,
            output_tokens=whole(usage.get("output_tokens")),
            cached_tokens=cached,
            model=string(message.get("model")),
        )


class _LivePath:
    """Which records belong to the branch that the session ended on."""

    def __init__(self) -> None:
        self.uuids: set[str] = set()
        self.message_ids: set[str] = set()
        self.call_ids: set[str] = set()
        self.everything = False

    def holds(self, record: Mapping[str, Any]) -> bool:
        """Whether the record itself, its message or its call is on the branch."""
        if self.everything or string(record.get("uuid")) in self.uuids:
            return True
        message = mapping(record.get("message"))
        if string(message.get("id")) in self.message_ids:
            return True
        blocks = sequence(message.get("content"))
        ids = [string(mapping(b).get("tool_use_id")) for b in blocks]
        return any(call in self.call_ids for call in ids if call)


def _live_path(records: list[Line], ledger: Ledger) -> _LivePath:
    """Walk back from the last leaf, across compaction boundaries and lost lines."""
    path = _LivePath()
    order = [line.value for line in records if string(line.value.get("uuid"))]
    place = {string(value["uuid"]): i for i, value in enumerate(order)}
    spoken = [i for i, v in enumerate(order) if v.get("type") in ("user", "assistant")]
    if not spoken:
        path.everything = True
        return path
    at, lost = spoken[-1], 0
    while at >= 0 and string(order[at]["uuid"]) not in path.uuids:
        record = order[at]
        path.uuids.add(string(record["uuid"]))
        parent = string(record.get("parentUuid")) or string(record.get("logicalParentUuid"))
        if parent in place and place[parent] < at:
            at = place[parent]
        elif parent or record.get("subtype") == "compact_boundary":
            lost += 1
            at -= 1
        else:
            # A root in the middle of a file: an earlier piece of the same journal stands before.
            at -= 1
    if lost:
        ledger.note(f"{lost} parent links lead nowhere; the order of the file was used there")
    _widen(path, order)
    return path


def _widen(path: _LivePath, order: list[Any]) -> None:
    """Parallel calls fork the tree: their messages and results belong to the branch too."""
    for record in order:
        message = mapping(record.get("message"))
        if string(record["uuid"]) in path.uuids and message.get("role") == "assistant":
            path.message_ids.add(string(message.get("id")))
    path.message_ids.discard("")
    for record in order:
        message = mapping(record.get("message"))
        if string(message.get("id")) in path.message_ids or (
            string(record["uuid"]) in path.uuids and message.get("role") == "assistant"
        ):
            for block in sequence(message.get("content")):
                if mapping(block).get("type") == "tool_use":
                    path.call_ids.add(string(mapping(block).get("id")))
