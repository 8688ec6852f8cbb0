"""mini-SWE-agent and SWE-agent: commands in text, made into structured calls of a `bash` tool."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from clew.importers.session import ImportedSession, ReportedUsage
from clew.importers.shapes import Ledger, json_text, mapping, plain_text, sequence, string, whole
from clew.importers.source import Source
from clew.transcript import Format

MINI = "mini_swe_agent"
SWE = "swe_agent_traj"
BASH_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "bash",
        "description": "Run one command in the shell.",
        "parameters": {
            "type": "object",
            "properties": {"command": {"type": "string"}},
            "required": ["command"],
        },
    },
}
_FENCE = re.compile(
    r"^```(?:bash|sh|shell|mswea_bash_command)[ \t]*\r?\n(.*?)\r?\n?^```[ \t]*$",
    re.MULTILINE | re.DOTALL,
)


def recognises_mini(source: Source) -> bool:
    """Whether the document is a trajectory of mini-SWE-agent."""
    document = mapping(source.document)
    return isinstance(document.get("messages"), list) and (
        string(document.get("trajectory_format")).startswith("mini-swe-agent")
        or "mini_version" in mapping(document.get("info"))
    )


def recognises_swe(source: Source) -> bool:
    """Whether the document is a trajectory of SWE-agent."""
    document = mapping(source.document)
    return isinstance(document.get("trajectory"), list) and (
        isinstance(document.get("history"), list) or "info" in document
    )


def read_mini(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """Chat messages; the bash fence of an assistant becomes a call, the next message its result."""
    del live  # nothing is ever compacted here
    document = mapping(source.document)
    return (_Chat(source, MINI).read(sequence(document.get("messages")), _fenced),)


def read_swe(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """Chat messages; the action of an assistant becomes a call, the next message its result."""
    del live  # nothing is ever compacted here
    document = mapping(source.document)
    history = sequence(document.get("history")) or _from_steps(sequence(document["trajectory"]))
    return (_Chat(source, SWE).read(history, _acted),)


def _fenced(message: Mapping[str, Any]) -> str:
    """The one command in an assistant's text; none when there are several or no fences."""
    found = _FENCE.findall(plain_text(message.get("content")))
    return found[0] if len(found) == 1 else ""


def _acted(message: Mapping[str, Any]) -> str:
    return string(message.get("action")).strip("\n")


def _from_steps(steps: list[Any]) -> list[Any]:
    """A history made from the steps, for files that keep none."""
    history: list[Any] = []
    for step in map(mapping, steps):
        history.append(
            {"role": "assistant", "content": step.get("response"), "action": step.get("action")}
        )
        history.append({"role": "user", "content": step.get("observation")})
    return history


class _Chat:
    """Builds chat messages with synthetic calls."""

    def __init__(self, source: Source, family: str) -> None:
        self._source = source
        self._family = family
        self._ledger = Ledger(source)
        self._messages: list[dict[str, Any]] = []
        self._usage: list[ReportedUsage] = []
        self._harness: list[int] = []
        self._waiting = ""
        self._made = 0
        self._model = ""

    def read(self, history: list[Any], command_of: Any) -> ImportedSession:
        """Take over a history of messages."""
        for entry in map(mapping, history):
            match string(entry.get("role")):
                case "system" | "user" | "developer" | "exit":
                    self._said(entry)
                case "assistant":
                    self._assistant(entry, command_of(entry))
                case "tool":
                    self._result(entry)
                case role:
                    self._ledger.leave_out(f"message with the role {role or '?'}")
        if self._made:
            self._ledger.note(f"{self._made} commands in text became calls of a tool named bash")
        return ImportedSession(
            source=self._source.name,
            format=Format.OPENAI_CHAT,
            family=self._family,
            messages=tuple(self._messages),
            tools=[BASH_TOOL] if self._made else None,
            usage=tuple(self._usage),
            harness=tuple(self._harness),
            left_out=self._ledger.left_out(),
            warnings=self._ledger.warnings(),
            model=self._model,
        )

    def _said(self, entry: Mapping[str, Any]) -> None:
        text = plain_text(entry.get("content"))
        role = "user" if entry.get("role") == "exit" else string(entry.get("role"))
        if role == "user" and self._waiting:
            self._messages.append({"role": "tool", "tool_call_id": self._waiting, "content": text})
            self._waiting = ""
        else:
            # The task is the only thing a person says here; the rest is the harness.
            if role == "user" and any(m["role"] == "assistant" for m in self._messages):
                self._harness.append(len(self._messages))
            self._messages.append({"role": role, "content": text})

    def _assistant(self, entry: Mapping[str, Any], command: str) -> None:
        self._waiting = ""
        message: dict[str, Any] = {
            "role": "assistant",
            "content": plain_text(entry.get("content")) or None,
        }
        calls = [_call(call) for call in map(mapping, sequence(entry.get("tool_calls"))) if call]
        if not calls and command:
            self._made += 1
            self._waiting = f"call_{self._made}"
            function = {"name": "bash", "arguments": json_text({"command": command})}
            calls = [{"id": self._waiting, "type": "function", "function": function}]
        if calls:
            message["tool_calls"] = calls
        elif message["content"] is None:
            message["content"] = ""
        self._note_usage(mapping(mapping(entry.get("extra")).get("response")))
        self._messages.append(message)

    def _result(self, entry: Mapping[str, Any]) -> None:
        ids = sequence(entry.get("tool_call_ids"))
        call = string(entry.get("tool_call_id")) or (string(ids[0]) if ids else "")
        text = plain_text(entry.get("content"))
        self._messages.append({"role": "tool", "tool_call_id": call, "content": text})

    def _note_usage(self, response: Mapping[str, Any]) -> None:
        usage = mapping(response.get("usage"))
        if not usage:
            return
        self._model = string(response.get("model")) or self._model
        details = mapping(usage.get("prompt_tokens_details"))
        self._usage.append(
            ReportedUsage(
                index=len(self._messages),
                input_tokens=whole(usage.get("prompt_tokens")),
                output_tokens=whole(usage.get("completion_tokens")),
                cached_tokens=whole(details.get("cached_tokens")),
                model=self._model,
            )
        )


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = mapping(call.get("function"))
    return {
        "id": string(call.get("id")),
        "type": "function",
        "function": {
            "name": string(function.get("name")),
            "arguments": json_text(function.get("arguments", {})),
        },
    }
