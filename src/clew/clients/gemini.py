"""Gemini's generateContent, through the official package."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from clew.clients.failures import lost, refusal, unreadable
from clew.errors import MissingExtraError, SummarizerError
from clew.ports import ModelReply, ModelRequest, ModelUsage, StopReason
from clew.transcript import Format

_STOPS: Final = {
    "STOP": StopReason.END,
    "MAX_TOKENS": StopReason.LENGTH,
    "SAFETY": StopReason.REFUSAL,
    "RECITATION": StopReason.REFUSAL,
    "BLOCKLIST": StopReason.REFUSAL,
    "PROHIBITED_CONTENT": StopReason.REFUSAL,
    "SPII": StopReason.REFUSAL,
    "MODEL_ARMOR": StopReason.REFUSAL,
    "MALFORMED_FUNCTION_CALL": StopReason.TOOL_CALL,
    "UNEXPECTED_TOOL_CALL": StopReason.TOOL_CALL,
    "TOO_MANY_TOOL_CALLS": StopReason.TOOL_CALL,
}
_SCHEMA_WORDS: Final = ("response_json_schema", "responsejsonschema", "response_mime_type",
                        "responsemimetype", "json mode", "response schema")  # fmt: skip
# The package raises its transport's errors as they come; which transport depends on what is there.
_TRANSPORTS: Final = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "aiohttp", "requests"})


class GeminiClient:
    """Asks one model.

    `base_url` None is Google itself. `structured_output` turns False when the server refuses a
    response schema; `timeout_seconds` bounds each wait. The package's own retries are off.
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
        self._genai = _package()
        self._model = model
        self._window_tokens = window_tokens
        self._timeout = timeout_seconds
        self._base_url = base_url
        self._api_key = api_key
        self.structured_output = True
        self.live_formats = frozenset({Format.GEMINI})

    @property
    def name(self) -> str:
        """`gemini:model`."""
        return f"gemini:{self._model}"

    @property
    def window_tokens(self) -> int:
        """Context window of the model."""
        return self._window_tokens

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once; raises SummarizerError."""
        client: Any = None
        try:
            client = self._client()
            return self._reply(client.models.generate_content(**self._arguments(request)))
        except Exception as error:
            raise self._failure(error, request) from error
        finally:
            if client is not None:
                client.close()

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        """Ask once, awaited; a cancellation closes the connection."""
        client: Any = None
        try:
            client = self._client()
            async with asyncio.timeout(self._timeout):
                answer = await client.aio.models.generate_content(**self._arguments(request))
            return self._reply(answer)
        except Exception as error:
            raise self._failure(error, request) from error
        finally:
            if client is not None:
                with suppress(OSError, RuntimeError):
                    await client.aio.aclose()
                client.close()

    def _client(self) -> Any:
        types = self._genai.types
        options = types.HttpOptions(
            base_url=self._base_url,
            timeout=int(self._timeout * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
        )
        return self._genai.Client(api_key=self._api_key, http_options=options)

    def _arguments(self, request: ModelRequest) -> dict[str, Any]:
        shaped: dict[str, Any] = {}
        contents: Any = request.prompt
        system: Any = request.system
        if (live := request.live) is not None:
            contents = [*live.messages, live.message_of(request.prompt)]
            system = live.system or None
            if live.tools:
                forbidden = {"function_calling_config": {"mode": "NONE"}}
                shaped = {"tools": live.tools, "tool_config": forbidden}
        if request.schema is not None and self.structured_output:
            shaped = {
                "response_mime_type": "application/json",
                "response_json_schema": dict(request.schema),
            }
        config = self._genai.types.GenerateContentConfig(
            system_instruction=system,
            max_output_tokens=request.max_output_tokens,
            temperature=0,
            **shaped,
        )
        return {"model": self._model, "contents": contents, "config": config}

    def _reply(self, answer: Any) -> ModelReply:
        usage = _usage(answer.usage_metadata)
        if not answer.candidates:
            feedback = answer.prompt_feedback
            if feedback is not None and feedback.block_reason:
                return ModelReply(text="", stop=StopReason.REFUSAL, usage=usage)
            raise unreadable(self.name, "it holds no candidate")
        candidate = answer.candidates[0]
        parts = (candidate.content.parts or []) if candidate.content is not None else []
        reason = candidate.finish_reason
        stop = _STOPS.get(getattr(reason, "value", str(reason)), StopReason.OTHER)
        if any(part.function_call for part in parts):
            stop = StopReason.TOOL_CALL
        text = "".join(part.text for part in parts if part.text and not part.thought)
        return ModelReply(text=text, stop=stop, usage=usage)

    def _failure(self, error: Exception, request: ModelRequest) -> SummarizerError:
        if isinstance(error, SummarizerError):
            return error
        if isinstance(error, self._genai.errors.APIError):
            return self._refusal(error, request)
        module = type(error).__module__.partition(".")[0]
        if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
            return lost(self.name, f"no answer within {self._timeout:g} s")
        if isinstance(error, OSError) or module in _TRANSPORTS:
            return lost(self.name, f"no connection ({type(error).__name__})")
        if isinstance(error, json.JSONDecodeError) or "UnknownApiResponse" in type(error).__name__:
            return unreadable(self.name, type(error).__name__)
        return SummarizerError(str(error)[:200], summarizer=self.name, permanent=True)

    def _refusal(self, error: Any, request: ModelRequest) -> SummarizerError:
        message = str(error.message or "")
        details = json.dumps(error.details, default=str) if error.details else ""
        headers = getattr(error.response, "headers", None)
        failure = refusal(
            self.name,
            int(error.code or 500),
            f"{message} {details}" if "retryDelay" in details else message,
            headers=headers if isinstance(headers, Mapping) else None,
        )
        refused = any(word in message.lower() for word in _SCHEMA_WORDS)
        if refused and failure.permanent and self.structured_output and request.schema:
            self.structured_output = False
            return SummarizerError("no structured output here", summarizer=self.name)
        return failure


def _package() -> Any:
    try:
        from google import genai
    except ImportError as error:
        raise MissingExtraError(
            package="google-genai", extra="gemini", purpose="a summarizer behind Gemini"
        ) from error
    return genai


def _usage(usage: Any) -> ModelUsage:
    if usage is None:
        return ModelUsage()
    written = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
    return ModelUsage(
        input_tokens=usage.prompt_token_count or 0,
        cached_tokens=usage.cached_content_token_count or 0,
        output_tokens=written,
    )
