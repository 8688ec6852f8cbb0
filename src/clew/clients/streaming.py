"""An answer that comes in pieces: read as far as it was asked for, and no further."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clew.ports import ModelReply, ModelUsage, StopReason

_MOST_CHARACTERS_A_TOKEN: Final = 16
"""More than any answer in words has; beyond that a server does not keep to its limit."""


class Streamed:
    """Collects the chunks of one chat completion."""

    def __init__(self, max_output_tokens: int, stops: Mapping[str, StopReason]) -> None:
        self._most = max_output_tokens * _MOST_CHARACTERS_A_TOKEN
        self._stops = stops
        self._pieces: list[str] = []
        self._size = 0
        self._stop = StopReason.OTHER
        self._usage: Any = None

    def take(self, chunk: Any) -> bool:
        """Add one chunk; False once the answer is longer than any that was asked for."""
        self._usage = getattr(chunk, "usage", None) or self._usage
        for choice in (chunk.choices or [])[:1]:
            if choice.delta.content:
                self._pieces.append(choice.delta.content)
                self._size += len(choice.delta.content)
            if choice.finish_reason and self._stop is StopReason.OTHER:
                self._stop = self._stops.get(choice.finish_reason, StopReason.OTHER)
            if getattr(choice.delta, "refusal", None):
                self._stop = StopReason.REFUSAL
            elif choice.delta.tool_calls:
                self._stop = StopReason.TOOL_CALL
        return self._size <= self._most

    def reply(self, usage: ModelUsage) -> ModelReply:
        """The answer as far as it was read."""
        text = "".join(self._pieces)
        if self._size > self._most:
            return ModelReply(text=text[: self._most], stop=StopReason.LENGTH, usage=usage)
        return ModelReply(text=text, stop=self._stop, usage=usage)

    @property
    def usage(self) -> Any:
        """What the last chunk reported, as the package gives it; None when none did."""
        return self._usage
