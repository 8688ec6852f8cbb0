"""The model behind a summarizer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from clew.transcript import Format


class StopReason(StrEnum):
    """Why a model stopped."""

    END = "end"
    LENGTH = "length"
    REFUSAL = "refusal"
    TOOL_CALL = "tool_call"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePrompt:
    """The agent's own prompt as it would go out now; the provider has most of it in its cache.

    `messages` are native ones of `format`, `system` and `tools` what the agent sends beside them:
    a single change of them, and nothing is read from the cache. `tokens` is what all of it takes.
    `places` has the first and last message (from 1) of each span by its handle, `message_of` gives
    a native message of the user's role, `clean` takes secrets out of an answer. `cached` says that
    it begins with all of the prompt that went out last.
    """

    format: Format
    messages: tuple[Any, ...]
    system: Any
    tools: Any
    tokens: int
    digest: str
    places: Mapping[str, tuple[int, int]]
    message_of: Callable[[str], Any]
    clean: Callable[[str], str]
    cached: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request to a summarizer's model: plain text only, no tools offered.

    `schema` is a JSON schema for servers with structured output. With `live` the prompt is one more
    message behind the agent's live prompt, `system` is empty, and no tool may be called.
    """

    system: str
    prompt: str
    max_output_tokens: int
    schema: Mapping[str, Any] | None = None
    live: LivePrompt | None = None


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
