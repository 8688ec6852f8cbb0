"""One message: a canonical view on a native object that is kept as it came."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from clew.errors import UnknownFormatError
from clew.transcript.parts import Part, TextPart, ToolCallPart, ToolResultPart


class Format(StrEnum):
    """The wire formats that Clew reads and writes."""

    OPENAI_CHAT = "openai-chat"
    OPENAI_RESPONSES = "openai-responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"

    @classmethod
    def _missing_(cls, value: object) -> Format:
        raise UnknownFormatError(f"{value!r}", tried=tuple(known.value for known in cls))


class Role(StrEnum):
    """Who a message speaks for. TOOL is a message that holds only results."""

    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Message:
    """A native message (or Responses item) and what it says.

    `native` is the very object the caller gave. `plain` is its JSON view (the same object when
    it is already a dict). `digest` is the hex SHA-256 of the canonical JSON of `plain`.
    `speaker` is a stable speaker name where the format has one.
    """

    role: Role
    parts: tuple[Part, ...]
    native: Any
    plain: dict[str, Any]
    digest: str
    speaker: str = ""

    @property
    def text(self) -> str:
        """The text parts, in order, joined by line ends (no results, no reasoning)."""
        return "\n".join([p.text for p in self.parts if isinstance(p, TextPart)])

    @property
    def calls(self) -> tuple[ToolCallPart, ...]:
        """The tool calls of this message, in order."""
        return tuple([p for p in self.parts if isinstance(p, ToolCallPart)])

    @property
    def results(self) -> tuple[ToolResultPart, ...]:
        """The tool results of this message, in order."""
        return tuple([p for p in self.parts if isinstance(p, ToolResultPart)])

    @property
    def is_user_turn(self) -> bool:
        """Whether a person speaks here: a user message that holds more than results."""
        return self.role is Role.USER
