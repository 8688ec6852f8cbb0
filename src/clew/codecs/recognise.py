"""Which wire format a list of native messages is in, told by content alone.

Every message allows some formats; the list is in the one they all allow. Plain texts with a role
are the same in three formats and decide nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.codecs.plain import AS_UNSET, plain_of
from clew.errors import InvalidTranscriptError
from clew.transcript import Format

_CHAT, _RESPONSES = Format.OPENAI_CHAT, Format.OPENAI_RESPONSES
_ANTHROPIC, _GEMINI = Format.ANTHROPIC, Format.GEMINI

# The first that remains is taken, so this is the order of the more common reading.
_ALL = (_CHAT, _ANTHROPIC, _RESPONSES, _GEMINI)
EVERY_FORMAT = frozenset(_ALL)
_CHAT_KEYS = (
    "tool_calls",
    "function_call",
    "tool_call_id",
    "reasoning_content",
    "reasoning_details",
)
_CHAT_BLOCKS = frozenset(("image_url", "video_url", "input_audio", "file", "refusal"))
_ANTHROPIC_BLOCKS = frozenset(
    ("image", "document", "redacted_thinking", "search_result", "container_upload", "compaction")
)
_RESPONSES_BLOCKS = frozenset(
    ("input_text", "output_text", "input_image", "input_file", "summary_text", "refusal")
)
_BY_ROLE: Mapping[str, frozenset[Format]] = {
    "user": frozenset(_ALL),
    "assistant": frozenset((_CHAT, _ANTHROPIC, _RESPONSES)),
    "system": frozenset(_ALL),
    "developer": frozenset((_CHAT, _RESPONSES)),
    "tool": frozenset((_CHAT, _GEMINI)),
    "function": frozenset((_CHAT, _GEMINI)),
    "model": frozenset((_GEMINI,)),
}


def recognise(messages: Sequence[Any], system: Any = None) -> Format:
    """The format of these messages; an empty or purely ambiguous list is openai-chat.

    `system` is what is sent beside the messages, and decides between formats that the messages
    leave open. Raises InvalidTranscriptError for the first message that does not go with those
    before it.
    """
    return choose(narrow(EVERY_FORMAT, messages), system)


def narrow(
    possible: frozenset[Format], messages: Sequence[Any], start: int = 0
) -> frozenset[Format]:
    """The formats of `possible` that the messages from `start` on leave open.

    Raises InvalidTranscriptError for the first message that goes with none of them.
    """
    for index in range(start, len(messages)):
        allowed = _allowed(messages[index], index)
        if not possible & allowed:
            so_far = " or ".join(f for f in _ALL if f in possible)
            own = " or ".join(f for f in _ALL if f in allowed) or "no known format"
            raise InvalidTranscriptError(
                f"a message of {own} in a list of {so_far}",
                index=index,
                expected=f"a message of {so_far}",
            )
        possible &= allowed
    return possible


def choose(possible: frozenset[Format], system: Any = None, tools: Any = None) -> Format:
    """The likeliest of several formats, by the shape of what is sent beside the messages."""
    wanted: tuple[Format, ...] = ()
    if isinstance(system, list | tuple):
        wanted = (_ANTHROPIC,)
    elif isinstance(system, Mapping) and "parts" in system:
        wanted = (_GEMINI,)
    first = tools[0] if isinstance(tools, list | tuple) and tools else None
    if isinstance(first, Mapping):
        if "input_schema" in first:
            wanted = (*wanted, _ANTHROPIC)
        elif "functionDeclarations" in first or "function_declarations" in first:
            wanted = (*wanted, _GEMINI)
        elif "function" not in first and first.get("type") == "function":
            wanted = (*wanted, _RESPONSES)
    return next(f for f in (*wanted, *_ALL) if f in possible)


def _allowed(native: Any, index: int) -> frozenset[Format]:
    plain = native if type(native) is dict else plain_of(native, index, AS_UNSET)[0]
    role, kind = plain.get("role"), plain.get("type")
    if "parts" in plain:
        return frozenset((_GEMINI,))
    if role is None:
        item = isinstance(kind, str) or ("id" in plain and len(plain) == 1)
        if item:
            return frozenset((_RESPONSES,))
        raise InvalidTranscriptError(
            "neither a role nor a type", index=index, expected="a message of a known format"
        )
    allowed = _BY_ROLE.get(role) if isinstance(role, str) else None
    if allowed is None:
        raise InvalidTranscriptError(
            f"the role is {role!r}", index=index, expected=f"one of {', '.join(_BY_ROLE)}"
        )
    if any(plain.get(key) is not None for key in _CHAT_KEYS):
        return allowed & {_CHAT}
    content = plain.get("content")
    if kind == "message":  # an item of Responses, or a whole answer of Anthropic
        allowed &= {_RESPONSES, _ANTHROPIC} if "model" in plain else {_RESPONSES}
    elif isinstance(kind, str):
        allowed &= {_RESPONSES}
    if isinstance(content, list | tuple):
        for block in content:
            allowed &= _allowed_block(block)
    elif content is None:
        allowed &= {_CHAT}
    return allowed - {_GEMINI}


def _allowed_block(block: Any) -> frozenset[Format]:
    kind = block.get("type") if isinstance(block, Mapping) else getattr(block, "type", None)
    every = frozenset(_ALL)
    if not isinstance(kind, str):
        return every
    if kind == "text":
        return frozenset((_CHAT, _ANTHROPIC))
    if kind == "thinking":
        return frozenset((_ANTHROPIC, _CHAT))
    allowed: frozenset[Format] = frozenset()
    if kind in _CHAT_BLOCKS:
        allowed |= {_CHAT}
    if kind in _RESPONSES_BLOCKS or kind == "input_audio":
        allowed |= {_RESPONSES}
    if kind in _ANTHROPIC_BLOCKS or kind.endswith(("tool_use", "tool_result")):
        allowed |= {_ANTHROPIC}
    return allowed or every
