"""Messages without secrets, for everything that is not the archive."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clew.ports import Redactor
from clew.transcript import (
    CompactionPart,
    Message,
    OpaquePart,
    Part,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from clew.transcript.digest import digest_of
from clew.transcript.parts import ContentPart, MediaPart


class RedactedMessages:
    """Gives each message without secrets; a message that holds none comes back as it is."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._known: dict[str, Message] = {}

    def text(self, text: str) -> str:
        """A text without secrets."""
        return self._redactor.redact(text)

    def message(self, message: Message) -> Message:
        """A message whose parts hold no secrets, with a digest of its own; for reading only."""
        known = self._known.get(message.digest)
        if known is None:
            parts = tuple(self._part(part) for part in message.parts)
            changed = any(a is not b for a, b in zip(parts, message.parts, strict=True))
            known = self._without_secrets(message, parts) if changed else message
            self._known[message.digest] = known
        return known

    def _without_secrets(self, message: Message, parts: tuple[Part, ...]) -> Message:
        plain = self._plain(message.plain)
        return replace(message, parts=parts, native=plain, plain=plain, digest=digest_of(plain))

    def _plain(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value)
            case dict():
                return {key: self._plain(inner) for key, inner in value.items()}
            case list():
                return [self._plain(inner) for inner in value]
            case _:
                return value

    def _part(self, part: Part) -> Part:
        match part:
            case TextPart() | ReasoningPart() | CompactionPart() | OpaquePart():
                clean = self.text(part.text)
                return part if clean == part.text else replace(part, text=clean)
            case ToolCallPart():
                clean = self.text(part.arguments)
                return part if clean == part.arguments else replace(part, arguments=clean)
            case ToolResultPart():
                inner = tuple(self._content(p) for p in part.parts)
                changed = any(a is not b for a, b in zip(inner, part.parts, strict=True))
                return replace(part, parts=inner) if changed else part
            case MediaPart():
                return part

    def _content(self, part: ContentPart) -> ContentPart:
        if isinstance(part, MediaPart):
            return part
        clean = self.text(part.text)
        return part if clean == part.text else replace(part, text=clean)
