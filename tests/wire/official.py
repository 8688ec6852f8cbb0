"""Do the official packages take these messages? Their own types say so, without a network."""

from __future__ import annotations

import copy
from typing import Any

from anthropic.types import MessageParam
from google.genai import types as genai
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter, ValidationError

_CHAT: TypeAdapter[Any] = TypeAdapter(ChatCompletionMessageParam)
_RESPONSES: TypeAdapter[Any] = TypeAdapter(ResponseInputItemParam)
_ANTHROPIC: TypeAdapter[Any] = TypeAdapter(MessageParam)


def official_problems(wire: str, messages: list[Any]) -> list[str]:
    """What the official types say against each message; empty when they take them all."""
    problems = []
    for index, message in enumerate(messages):
        try:
            _validate(wire, message)
        except ValidationError as error:
            problems.append(f"{index}: {error.errors()[0]['loc']} {error.errors()[0]['msg']}")
    return problems


def _validate(wire: str, message: Any) -> None:
    plain = _with_valid_text(copy.deepcopy(message))
    match wire:
        case "openai-chat":
            _drained(_CHAT.validate_python(plain))
        case "openai-responses":
            _drained(_RESPONSES.validate_python(plain))
        case "anthropic":
            _drained(_ANTHROPIC.validate_python(plain))
        case "gemini":
            genai.Content.model_validate(plain)
        case _:
            raise ValueError(wire)


def _drained(value: Any) -> None:
    """Iterable fields are validated only when they are read."""
    if isinstance(value, dict):
        for inner in value.values():
            _drained(inner)
    elif not isinstance(value, str | bytes) and hasattr(value, "__iter__"):
        for inner in value:
            _drained(inner)


def _with_valid_text(value: Any) -> Any:
    """Lone surrogates are legal input for Clew; the Rust core of pydantic cannot hold them."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _with_valid_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_valid_text(inner) for inner in value]
    return value
