"""What a message costs: every string that is sent, each once, media at the provider's price."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clew.budget.media import media_part_tokens
from clew.ports import TokenCounter
from clew.transcript import (
    CompactionPart,
    Format,
    MediaPart,
    Message,
    OpaquePart,
    Part,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    canonical_json,
)

MESSAGE_OVERHEAD_TOKENS = 4
"""Role marks and separators of one message (the figure OpenAI documents for chat)."""

CALL_OVERHEAD_TOKENS = 8
"""Names of fields, ids and braces around one call or result."""

SEALED_CHARS_PER_TOKEN = 4
"""Sealed reasoning is base64 of the hidden text: about 3 bytes of it for 4 characters, and some
4 characters of text a token, so its characters are taken as four a token at most."""


class Meter:
    """Counts messages of one format, each digest once.

    `counter` counts text; what it said for a digest is kept, so that a growing transcript is
    never counted twice.
    """

    def __init__(self, counter: TokenCounter, format: Format) -> None:
        self.counter = counter
        self.format = format
        self._known: dict[str, int] = {}
        self._inserted: dict[str, int] = {}

    def count(self, messages: Sequence[Message]) -> list[int]:
        """Tokens of each message, in order."""
        missing = {m.digest: m for m in messages if m.digest not in self._known}
        if missing:
            self._count_missing(list(missing.values()))
        return [self._known[m.digest] for m in messages]

    def count_one(self, message: Message) -> int:
        """Tokens of one message."""
        return self.count((message,))[0]

    def count_inserted(self, texts: Sequence[str]) -> int:
        """Tokens of the texts that Clew puts into a context itself: goal, pins and record.

        They go out again with call after call, so that those of the latest call are remembered.
        """
        missing = [text for text in texts if text not in self._inserted]
        counts = dict(zip(missing, self.counter.count_texts(missing), strict=True))
        counts = {text: counts[text] if text in counts else self._inserted[text] for text in texts}
        self._inserted = counts
        return sum(counts[text] for text in texts)

    def count_part(self, part: Part) -> int:
        """Tokens of one part on its own."""
        texts: list[str] = []
        fixed = _gather(part, self.format, texts)
        return fixed + sum(self.counter.count_texts(texts))

    def _count_missing(self, messages: Sequence[Message]) -> None:
        texts: list[str] = []
        owners: list[int] = []
        fixed: list[int] = []
        for number, message in enumerate(messages):
            before = len(texts)
            total = MESSAGE_OVERHEAD_TOKENS
            if message.speaker:
                texts.append(message.speaker)
            for part in message.parts:
                total += _gather(part, self.format, texts)
            fixed.append(total)
            owners.extend([number] * (len(texts) - before))
        for number, tokens in zip(owners, self.counter.count_texts(texts), strict=True):
            fixed[number] += tokens
        for message, tokens in zip(messages, fixed, strict=True):
            self._known[message.digest] = tokens


def _gather(part: Part, format: Format, texts: list[str]) -> int:
    """Append the strings of a part to `texts`; return the tokens that are no text."""
    match part:
        case TextPart():
            texts.append(part.text)
            return 0
        case ReasoningPart():
            texts.append(part.text)
            return len(part.sealed) // SEALED_CHARS_PER_TOKEN
        case ToolCallPart():
            texts.extend((part.name, part.arguments))
            return CALL_OVERHEAD_TOKENS + len(part.seal) // SEALED_CHARS_PER_TOKEN
        case ToolResultPart():
            return CALL_OVERHEAD_TOKENS + sum(_gather(p, format, texts) for p in part.parts)
        case MediaPart():
            texts.append(part.name)
            return media_part_tokens(part, format)
        case CompactionPart():
            texts.append(part.text)
            return len(part.sealed) // SEALED_CHARS_PER_TOKEN
        case OpaquePart():
            texts.append(part.text)
            return 0


def count_system(system: Any, counter: TokenCounter) -> int:
    """Tokens of a system prompt as given: a string, blocks, or an object with a JSON form."""
    return sum(counter.count_texts(list(_strings(system))))


def count_tools(tools: Any, counter: TokenCounter) -> int:
    """Tokens of tool definitions: their JSON text, once."""
    if not tools:
        return 0
    return counter.count_text(canonical_json(_plain(tools)))


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if value is None or isinstance(value, str | int | float | bool | bytes):
        return value
    return repr(value)


def _strings(value: Any) -> Iterable[str]:
    plain = _plain(value)
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, Mapping):
        for key, inner in plain.items():
            if key not in ("type", "cache_control"):
                yield from _strings(inner)
    elif isinstance(plain, list):
        for inner in plain:
            yield from _strings(inner)
