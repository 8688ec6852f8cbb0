"""Builds chat messages from records that keep calls and results apart."""

from __future__ import annotations

from typing import Any

from clew.importers.session import CompactionSeen, ImportedSession, ReportedUsage
from clew.importers.shapes import Ledger, json_text
from clew.importers.source import Source
from clew.transcript import Format


class ChatBuilder:
    """Collects messages in order; results follow the message of their call."""

    def __init__(self, source: Source, family: str, *, part: int = 0, lines: bool = True) -> None:
        self.ledger = Ledger(source, lines=lines)
        self.messages: list[dict[str, Any]] = []
        self.usage: list[ReportedUsage] = []
        self.compactions: list[CompactionSeen] = []
        self.harness: list[int] = []
        self.tools: Any = None
        self.model = ""
        self.session_id = ""
        self._source = source
        self._family = family
        self._part = part
        self._numbered = 0

    def say(self, role: str, text: str, *, harness: bool = False) -> None:
        """A message that holds only text."""
        if harness:
            self.harness.append(len(self.messages))
        self.messages.append({"role": role, "content": text})

    def call(self, text: str, calls: list[tuple[str, str, Any]]) -> list[str]:
        """An assistant message with calls (id, name, arguments); gives back the ids used."""
        built, ids = [], []
        for given, name, arguments in calls:
            self._numbered += not given
            identity = given or f"call_{self._numbered}"
            ids.append(identity)
            function = {"name": name, "arguments": json_text(arguments)}
            built.append({"id": identity, "type": "function", "function": function})
        message: dict[str, Any] = {"role": "assistant", "content": text or None}
        if built:
            message["tool_calls"] = built
        else:
            message["content"] = text
        self.messages.append(message)
        return ids

    def add_call(self, identity: str, name: str, arguments: Any) -> None:
        """One more call in the last assistant message."""
        function = {"name": name, "arguments": json_text(arguments)}
        call = {"id": identity, "type": "function", "function": function}
        self.messages[-1].setdefault("tool_calls", []).append(call)

    def answer(self, identity: str, text: str) -> None:
        """The result of a call."""
        self.messages.append({"role": "tool", "tool_call_id": identity, "content": text})

    def session(self) -> ImportedSession:
        """What was collected."""
        return ImportedSession(
            source=self._source.name,
            format=Format.OPENAI_CHAT,
            family=self._family,
            messages=tuple(self.messages),
            tools=self.tools,
            usage=tuple(self.usage),
            compactions=tuple(self.compactions),
            harness=tuple(self.harness),
            left_out=self.ledger.left_out(),
            warnings=self.ledger.warnings(),
            session_id=self.session_id,
            model=self.model,
            part=self._part,
        )
