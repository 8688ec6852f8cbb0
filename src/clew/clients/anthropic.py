"""Anthropic's Messages, through the official package."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from clew.clients.failures import said_by, sdk_failure, unreadable, without_bounds
from clew.errors import MissingExtraError, SummarizerError
from clew.ports import ModelReply, ModelRequest, ModelUsage, StopReason
from clew.transcript import Format

_STOPS: Final = {
    "end_turn": StopReason.END,
    "stop_sequence": StopReason.END,
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "tool_use": StopReason.TOOL_CALL,
    "refusal": StopReason.REFUSAL,
}
_SCHEMA_WORDS: Final = ("output_config", "output_format", "json_schema", "structured output")


class AnthropicClient:
    """Asks one model.

    `base_url` None is Anthropic itself. `structured_output` turns False when the server refuses
    an output format; `timeout_seconds` bounds each wait. The package's own retries are off.
    """

    def __init__(
        self,
        model: str,
        *,
        window_tokens: int,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_seconds: float = 180.0,
    ) -> None:
        self._sdk = _package()
        self._model = model
        self._window_tokens = window_tokens
        self._timeout = timeout_seconds
        self._options: dict[str, Any] = {
            "base_url": base_url,
            "api_key": api_key,
            "timeout": timeout_seconds,
            "max_retries": 0,
        }
        self.structured_output = True
        self.live_formats = frozenset({Format.ANTHROPIC})

    @property
    def name(self) -> str:
        """`anthropic:model`."""
        return f"anthropic:{self._model}"

    @property
    def window_tokens(self) -> int:
        """Context window of the model."""
        return self._window_tokens

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once; raises SummarizerError."""
        try:
            with self._sdk.Anthropic(**self._options) as client:
                return self._reply(client.messages.create(**self._arguments(request)))
        except self._errors as error:
            raise self._failure(error, request) from error

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        """Ask once, awaited; a cancellation closes the connection."""
        try:
            async with self._sdk.AsyncAnthropic(**self._options) as client:
                async with asyncio.timeout(self._timeout):
                    return self._reply(await client.messages.create(**self._arguments(request)))
        except self._errors as error:
            raise self._failure(error, request) from error

    def _arguments(self, request: ModelRequest) -> dict[str, Any]:
        if (live := request.live) is not None:
            # A tool choice would change the prefix that is cached; the message forbids calls.
            beside = {"system": live.system, "tools": live.tools}
            return {
                "model": self._model,
                "max_tokens": request.max_output_tokens,
                "messages": [*live.messages, live.message_of(request.prompt)],
                **{name: value for name, value in beside.items() if value},
            }
        arguments: dict[str, Any] = {
            "model": self._model,
            "max_tokens": request.max_output_tokens,
            "system": request.system,
            "messages": [{"role": "user", "content": request.prompt}],
        }
        if request.schema is not None and self.structured_output:
            schema = without_bounds(request.schema)
            arguments["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return arguments

    def _reply(self, answer: Any) -> ModelReply:
        blocks = getattr(answer, "content", None)
        if not isinstance(blocks, list):
            raise unreadable(self.name, "it holds no content")
        text = "".join(block.text for block in blocks if block.type == "text")
        stop = _STOPS.get(answer.stop_reason or "", StopReason.OTHER)
        usage = answer.usage
        read = usage.cache_read_input_tokens or 0
        written = usage.cache_creation_input_tokens or 0
        return ModelReply(
            text=text,
            stop=stop,
            usage=ModelUsage(
                input_tokens=usage.input_tokens + read + written,
                cached_tokens=read,
                output_tokens=usage.output_tokens,
            ),
        )

    @property
    def _errors(self) -> tuple[type[Exception], ...]:
        return (self._sdk.AnthropicError, OSError, TimeoutError, json.JSONDecodeError, TypeError)

    def _failure(self, error: Exception, request: ModelRequest) -> SummarizerError:
        failure = sdk_failure(self._sdk, self.name, error, timeout_seconds=self._timeout)
        said = said_by(self._sdk, error).lower()
        refused = failure.permanent and any(word in said for word in _SCHEMA_WORDS)
        if refused and self.structured_output and request.schema:
            self.structured_output = False
            return SummarizerError("no structured output here", summarizer=self.name)
        return failure


def _package() -> Any:
    try:
        import anthropic
    except ImportError as error:
        raise MissingExtraError(
            package="anthropic", extra="anthropic", purpose="a summarizer behind Anthropic"
        ) from error
    return anthropic
