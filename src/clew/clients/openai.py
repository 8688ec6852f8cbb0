"""Any server that speaks OpenAI's chat completions, through the official package."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from clew.clients.failures import said_by, sdk_failure, unreadable
from clew.clients.streaming import Streamed
from clew.errors import MissingExtraError, SummarizerError
from clew.ports import LivePrompt, ModelReply, ModelRequest, ModelUsage, StopReason
from clew.transcript import Format

if TYPE_CHECKING:
    import openai

_STOPS: Final = {
    "stop": StopReason.END,
    "length": StopReason.LENGTH,
    "content_filter": StopReason.REFUSAL,
    "tool_calls": StopReason.TOOL_CALL,
    "function_call": StopReason.TOOL_CALL,
}
_SCHEMA_WORDS: Final = ("response_format", "json_schema", "structured output", "grammar")
_NO_KEY: Final = "none"


class OpenAIClient:
    """Asks one model of one server.

    `base_url` None is OpenAI itself. `structured_output` turns False when the server refuses a
    response format; `timeout_seconds` bounds each wait for the server. With `stream` the answer
    comes in pieces, so that it bounds the wait for the next piece, and an answer without end is
    left where it is longer than was asked for; good for slow servers of one's own. The package's
    own retries are off: whoever asks decides about a retry.
    """

    def __init__(
        self,
        model: str,
        *,
        window_tokens: int,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_seconds: float = 180.0,
        stream: bool = False,
    ) -> None:
        self._sdk = _package()
        self._stream = stream
        self._model = model
        self._window_tokens = window_tokens
        self._timeout = timeout_seconds
        has_key = bool(api_key or os.environ.get("OPENAI_API_KEY"))
        self._options: dict[str, Any] = {
            "base_url": base_url,
            # A server of one's own often takes no key, but the package insists on one.
            "api_key": api_key if has_key or base_url is None else _NO_KEY,
            "timeout": timeout_seconds,
            "max_retries": 0,
        }
        # OpenAI's own reasoning models take only the new name, other servers often only the old.
        self._limit_name = "max_completion_tokens" if base_url is None else "max_tokens"
        self._official = base_url is None
        self._dropped: set[str] = set()
        self.structured_output = True
        self.live_formats = frozenset({Format.OPENAI_CHAT, Format.OPENAI_RESPONSES})

    @property
    def name(self) -> str:
        """`openai:model`."""
        return f"openai:{self._model}"

    @property
    def window_tokens(self) -> int:
        """Context window of the model."""
        return self._window_tokens

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once; raises SummarizerError."""
        try:
            with self._sdk.OpenAI(**self._options) as client:
                while True:
                    sent = self._arguments(request)
                    try:
                        if _is_responses(request):
                            return _response(self.name, client.responses.create(**sent))
                        answer = client.chat.completions.create(**sent)
                        return (
                            self._streamed(answer, request) if self._stream else self._reply(answer)
                        )
                    except self._sdk.BadRequestError as error:
                        if not self._adapted(error, sent):
                            raise
        except self._errors as error:
            raise self._failure(error, request) from error

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        """Ask once, awaited; a cancellation closes the connection."""
        try:
            async with self._sdk.AsyncOpenAI(**self._options) as client:
                while True:
                    sent = self._arguments(request)
                    try:
                        async with asyncio.timeout(self._timeout) as limit:
                            if _is_responses(request):
                                return _response(self.name, await client.responses.create(**sent))
                            answer = await client.chat.completions.create(**sent)
                            if self._stream:
                                return await self._astreamed(answer, request, limit)
                            return self._reply(answer)
                    except self._sdk.BadRequestError as error:
                        if not self._adapted(error, sent):
                            raise
        except self._errors as error:
            raise self._failure(error, request) from error

    def _streamed(self, chunks: Any, request: ModelRequest) -> ModelReply:
        read = Streamed(request.max_output_tokens, _STOPS)
        with chunks:
            for chunk in chunks:
                if not read.take(chunk):
                    break
        return read.reply(_usage(read.usage))

    async def _astreamed(
        self, chunks: Any, request: ModelRequest, limit: asyncio.Timeout
    ) -> ModelReply:
        read = Streamed(request.max_output_tokens, _STOPS)
        async with chunks:
            async for chunk in chunks:
                limit.reschedule(asyncio.get_running_loop().time() + self._timeout)
                if not read.take(chunk):
                    break
        return read.reply(_usage(read.usage))

    def _arguments(self, request: ModelRequest) -> dict[str, Any]:
        if request.live is not None:
            return self._in_pieces(self._behind(request, request.live), request)
        arguments: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.prompt},
            ],
            self._limit_name: request.max_output_tokens,
        }
        if "temperature" not in self._dropped:
            arguments["temperature"] = 0
        if request.schema is not None and self.structured_output:
            # OpenAI's strict mode wants every member required; servers of one's own do not, and
            # their small models do better without.
            schema = _all_required(request.schema) if self._official else dict(request.schema)
            arguments["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "record", "strict": True, "schema": schema},
            }
        return self._in_pieces(arguments, request)

    def _in_pieces(self, arguments: dict[str, Any], request: ModelRequest) -> dict[str, Any]:
        if not self._stream or _is_responses(request):
            return arguments
        if "stream_options" in self._dropped:
            return {**arguments, "stream": True}
        return {**arguments, "stream": True, "stream_options": {"include_usage": True}}

    def _behind(self, request: ModelRequest, live: LivePrompt) -> dict[str, Any]:
        """The agent's own prompt, not a byte of it changed, and one message behind it."""
        messages = [*live.messages, live.message_of(request.prompt)]
        arguments: dict[str, Any] = {"model": self._model}
        if live.tools:
            arguments |= {"tools": live.tools, "tool_choice": "none"}
        if live.format is Format.OPENAI_RESPONSES:
            if live.system:
                arguments["instructions"] = live.system
            most = request.max_output_tokens
            return {**arguments, "input": messages, "max_output_tokens": most, "store": False}
        if isinstance(live.system, str) and live.system:
            messages.insert(0, {"role": "system", "content": live.system})
        return {**arguments, "messages": messages, self._limit_name: request.max_output_tokens}

    def _adapted(self, error: openai.BadRequestError, sent: Mapping[str, Any]) -> bool:
        """Whether the request can be put in a way this server takes; each way is tried once."""
        said = said_by(self._sdk, error).lower()
        if "temperature" in said and "temperature" in sent:
            self._dropped.add("temperature")
            return True
        if "stream_options" in said and "stream_options" in sent:
            self._dropped.add("stream_options")
            return True
        if (
            "max_tokens" in said
            and "max_completion_tokens" in said
            and "limit" not in self._dropped
        ):
            self._dropped.add("limit")
            old_name = self._limit_name == "max_tokens"
            self._limit_name = "max_completion_tokens" if old_name else "max_tokens"
            return True
        return False

    def _reply(self, answer: Any) -> ModelReply:
        choices = getattr(answer, "choices", None)
        if not choices:
            raise unreadable(self.name, "it holds no choice")
        choice = choices[0]
        stop = _STOPS.get(choice.finish_reason or "", StopReason.OTHER)
        if getattr(choice.message, "refusal", None):
            stop = StopReason.REFUSAL
        elif choice.message.tool_calls:
            stop = StopReason.TOOL_CALL
        return ModelReply(text=choice.message.content or "", stop=stop, usage=_usage(answer.usage))

    @property
    def _errors(self) -> tuple[type[Exception], ...]:
        # The package lets a body that is no JSON through as it comes.
        return (self._sdk.OpenAIError, OSError, TimeoutError, json.JSONDecodeError)

    def _failure(self, error: Exception, request: ModelRequest) -> SummarizerError:
        failure = sdk_failure(self._sdk, self.name, error, timeout_seconds=self._timeout)
        said = said_by(self._sdk, error).lower()
        refused = failure.permanent and any(word in said for word in _SCHEMA_WORDS)
        if refused and self.structured_output and request.schema:
            self.structured_output = False
            return SummarizerError("no structured output here", summarizer=self.name)
        return failure


def _is_responses(request: ModelRequest) -> bool:
    return request.live is not None and request.live.format is Format.OPENAI_RESPONSES


def _response(name: str, answer: Any) -> ModelReply:
    """The reply in an answer of the Responses interface."""
    output = getattr(answer, "output", None)
    if not isinstance(output, list):
        raise unreadable(name, "it holds no output")
    parts = [p for item in output if item.type == "message" for p in item.content]
    text = "".join(p.text for p in parts if p.type == "output_text")
    stop = StopReason.END if answer.status == "completed" else StopReason.OTHER
    details = answer.incomplete_details
    if details is not None and details.reason == "max_output_tokens":
        stop = StopReason.LENGTH
    if any(p.type == "refusal" for p in parts):
        stop = StopReason.REFUSAL
    elif any(item.type.endswith("_call") for item in output):
        stop = StopReason.TOOL_CALL
    usage = answer.usage
    if usage is None:
        return ModelReply(text=text, stop=stop)
    cached = getattr(usage.input_tokens_details, "cached_tokens", None) or 0
    read = ModelUsage(
        input_tokens=usage.input_tokens, cached_tokens=cached, output_tokens=usage.output_tokens
    )
    return ModelReply(text=text, stop=stop, usage=read)


def _package() -> Any:
    try:
        import openai
    except ImportError as error:
        raise MissingExtraError(
            package="openai", extra="openai", purpose="a summarizer behind an OpenAI interface"
        ) from error
    return openai


def _all_required(schema: Any) -> Any:
    if isinstance(schema, Mapping):
        full = {name: _all_required(value) for name, value in schema.items()}
        if full.get("type") == "object":
            full["required"] = list(full["properties"])
        return full
    return schema


def _usage(usage: Any) -> ModelUsage:
    if usage is None:
        return ModelUsage()
    details = getattr(usage, "prompt_tokens_details", None)
    return ModelUsage(
        input_tokens=usage.prompt_tokens or 0,
        cached_tokens=getattr(details, "cached_tokens", None) or 0,
        output_tokens=usage.completion_tokens or 0,
    )
