"""The JSON view of a native message: the dict itself, or what an SDK object would send.

The native object is never changed and never replaced; only what Clew reads is derived here.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from clew.errors import InvalidTranscriptError
from clew.transcript import Format, OpaquePart, digest_of
from clew.transcript.parts import Path

MESSAGE = "a dict or an SDK message object"
AS_UNSET: Mapping[str, Any] = {"mode": "json", "exclude_unset": True, "warnings": False}
AS_ALIASED: Mapping[str, Any] = {
    "mode": "json",
    "exclude_none": True,
    "by_alias": True,
    "warnings": False,
}


def plain_of(native: Any, index: int, dump: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The JSON view of a native message and its digest.

    A dict that is JSON all the way down is its own view. `dump` are the arguments with which the
    SDK of the format serialises its objects. Raises InvalidTranscriptError naming `index`.
    """
    try:
        if type(native) is dict:
            try:
                return native, digest_of(native)
            except TypeError:
                pass  # an SDK object stands somewhere inside
        view = _view(native, dump)
        if not isinstance(view, dict):
            raise InvalidTranscriptError(
                f"{type(native).__name__} is no message", index=index, expected=MESSAGE
            )
        return view, digest_of(view)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidTranscriptError(
            f"the message has no JSON form ({error})", index=index, expected=MESSAGE
        ) from error


def _view(value: Any, dump: Mapping[str, Any]) -> Any:
    if value is None or isinstance(value, str | int | float | bytes):
        return value
    if isinstance(value, Mapping):
        return {key: _view(inner, dump) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_view(inner, dump) for inner in value]
    if callable(getattr(value, "model_dump", None)):
        return _dumped(value, dump)
    if callable(getattr(value, "to_dict", None)):
        return _view(value.to_dict(), dump)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _dumped(value: Any, dump: Mapping[str, Any]) -> Any:
    private = getattr(value, "__api_exclude__", None)
    arguments = {**dump, "exclude": private} if private else dump
    try:
        return value.model_dump(**arguments)
    except TypeError:
        return value.model_dump()


def json_text(value: Any) -> str:
    """Compact JSON of a value with its own key order, every script spelled out."""
    return _ENCODER.encode(value)


def text_of_bytes(value: object) -> str:
    """Base64 of bytes, as the JSON APIs spell them; raises TypeError for anything else."""
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(bytes(value)).decode("ascii")
    raise TypeError(f"{type(value).__name__} has no JSON form")


# Made once: a message is read in microseconds, and making an encoder takes as long.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=text_of_bytes)


def string(value: Any) -> str:
    """The value when it is a text, base64 of bytes, else the empty text."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return text_of_bytes(value) if isinstance(value, bytes | bytearray) else ""


def argument_text(value: Any) -> str:
    """Arguments as text: as sent when they are a text, empty when absent, else their JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json_text(value)


def json_object(text: str) -> dict[str, Any] | None:
    """The JSON object that a text holds, None when it holds none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def opaque(value: Any, path: Path, type_name: str = "") -> OpaquePart:
    """A part for something this codec does not know."""
    named = value.get("type") if isinstance(value, dict) else None
    return OpaquePart(
        type_name=type_name or string(named) or type(value).__name__,
        text=value if isinstance(value, str) else json_text(value),
        path=path,
    )


def blocks_of(value: Any, index: int, where: str) -> list[Any] | tuple[Any, ...]:
    """The value as a list of blocks; raises InvalidTranscriptError naming `where` for others."""
    if isinstance(value, list | tuple):
        return value
    raise InvalidTranscriptError(
        f"{where} is {type(value).__name__}", index=index, expected="a text or a list of blocks"
    )


def entries_of(value: Any) -> list[Any] | tuple[Any, ...]:
    """The entries of an optional list, none when there is no list."""
    return value if isinstance(value, list | tuple) else ()


def refuse_foreign(plain: Mapping[str, Any], index: int, own: Format) -> None:
    """Raise InvalidTranscriptError for a message with the calls or results of another format.

    Read as text they would lose their pairs, and no provider of the format takes them.
    """
    found = _written_as(plain)
    if found is not None and found is not own:
        raise InvalidTranscriptError(
            f"a message of {found.value} in a list of {own.value}",
            index=index,
            expected=f"a message of {own.value}",
        )


def _written_as(plain: Mapping[str, Any]) -> Format | None:
    """The only format that such a message can have; None where it may have several."""
    if isinstance(plain.get("parts"), list):
        return Format.GEMINI
    if "role" not in plain:
        return Format.OPENAI_RESPONSES if isinstance(plain.get("type"), str) else None
    if any(plain.get(key) for key in ("tool_calls", "function_call", "tool_call_id")):
        return Format.OPENAI_CHAT  # its blocks may repeat these calls in another way
    content = plain.get("content")
    if isinstance(content, list | tuple) and plain["role"] in ("user", "assistant"):
        for block in content:
            if isinstance(block, dict) and block.get("type") in ("tool_use", "tool_result"):
                return Format.ANTHROPIC
    return None


def role_of(plain: Mapping[str, Any], index: int, known: Mapping[str, Any]) -> str:
    """The role of a message; raises InvalidTranscriptError when it is missing or unknown."""
    role = plain.get("role")
    if isinstance(role, str) and role in known:
        return role
    problem = "the role is missing" if role is None else f"the role is {role!r}"
    raise InvalidTranscriptError(problem, index=index, expected=f"one of {', '.join(known)}")
