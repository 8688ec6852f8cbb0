"""The model behind a summarizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class StopReason(StrEnum):
    """Why a model stopped."""

    END = "end"
    LENGTH = "length"
    REFUSAL = "refusal"
    TOOL_CALL = "tool_call"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request to a summarizer's model: plain text only, no tools offered.

    `schema` is a JSON schema for servers with structured output.
    """

    system: str
    prompt: str
    max_output_tokens: int
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUsage:
    """Tokens a provider reported for one call."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What the model answered."""

    text: str
    stop: StopReason
    usage: ModelUsage = ModelUsage()


class ModelClient(Protocol):
    """A model that can be asked. Raises SummarizerError with `permanent` set truthfully."""

    @property
    def name(self) -> str:
        """`provider:model`."""
        ...

    @property
    def window_tokens(self) -> int:
        """Context window of the model."""
        ...

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once."""
        ...

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        """Ask once, awaited; safe to cancel."""
        ...
