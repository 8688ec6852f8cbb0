"""Stubs: what stands in the place of a part that was taken out, and where the part can be had.

A stub shortens one leaf of a message. It says that it is shortened, how much is missing and the
handle that brings the whole back; the lines it shows are verbatim and in their order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clew.ports import TokenCounter
from clew.transcript import (
    MediaPart,
    Message,
    OpaquePart,
    Part,
    Path,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    digest_of_text,
)

STUB_MARK = "[clew:"
"""How the note inside every stub begins; for readers only, nothing is decided by it."""

_KEEP_ARGUMENT_CHARS = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One replaceable place of a message: `number` counts from 1 in the message."""

    number: int
    path: Path
    text: str
    what: str
    is_media: bool = False
    is_arguments: bool = False


def leaves(message: Message) -> Iterator[Leaf]:
    """The places of a message that a stub may stand in, in order.

    Reasoning, provider compaction, sealed calls and server-side blocks are not among them: they
    stay whole or go with their message.
    """
    number = 0
    for part in message.parts:
        for leaf in _of_part(part):
            number += 1
            yield Leaf(
                number=number,
                path=leaf.path,
                text=leaf.text,
                what=leaf.what,
                is_media=leaf.is_media,
                is_arguments=leaf.is_arguments,
            )


def _of_part(part: Part) -> Iterator[Leaf]:
    match part:
        case TextPart():
            yield Leaf(number=0, path=part.path, text=part.text, what="text")
        case MediaPart():
            yield Leaf(number=0, path=part.path, text=part.source, what=part.kind, is_media=True)
        case ToolCallPart():
            if not part.server_side and not part.seal and part.arguments_path:
                yield Leaf(
                    number=0,
                    path=part.arguments_path,
                    text=part.arguments,
                    what=f"the arguments of {part.name}",
                    is_arguments=True,
                )
        case ToolResultPart():
            if not part.server_side:
                yield from _of_result(part)
        case _:
            return


def _of_result(part: ToolResultPart) -> Iterator[Leaf]:
    for inner in part.parts:
        match inner:
            case TextPart():
                yield Leaf(number=0, path=inner.path, text=inner.text, what="result")
            case MediaPart():
                yield Leaf(
                    number=0, path=inner.path, text=inner.source, what=inner.kind, is_media=True
                )
            case OpaquePart():
                continue


def leaf_handle(position: int, number: int) -> str:
    """Handle of one leaf: message at a 0-based chain position, leaf number from 1."""
    return f"S-{position + 1}.{number}"


def stub_text(
    leaf: Leaf, handle: str, counter: TokenCounter, allowance_tokens: int, *, recall_tool: str = ""
) -> str:
    """What to show in place of a leaf, at most about `allowance_tokens` large.

    `recall_tool` is the name of the tool that takes the handle, empty when the agent has none:
    a pointer is only given to a reader who can follow it.
    """
    if leaf.is_media:
        fetch = _fetch(handle, recall_tool)
        return f"{STUB_MARK} {leaf.what} sha256 {digest_of_text(leaf.text)[:12]}, {fetch}]"
    if leaf.is_arguments:
        return _argument_stub(leaf.text, handle, recall_tool)
    total = counter.count_text(leaf.text)
    head, tail = excerpt(leaf.text, counter, max(8, allowance_tokens))
    shown = counter.count_text(head) + counter.count_text(tail)
    note = (
        f"{STUB_MARK} {max(0, total - shown):,} of {total:,} tokens of this {leaf.what} are not "
        f"shown here, {_fetch(handle, recall_tool)}]"
    )
    return "\n".join(piece for piece in (head, note, tail) if piece)


def _fetch(handle: str, recall_tool: str) -> str:
    if recall_tool:
        return f"whole text by {recall_tool}(handle={handle!r})"
    return f"kept whole in the archive as {handle}"


def excerpt(text: str, counter: TokenCounter, allowance_tokens: int) -> tuple[str, str]:
    """The first and the last lines of a text, together about `allowance_tokens` large.

    Whole lines where they fit; a single line that is too long is cut between characters, never
    inside a surrogate pair or a combined emoji. Two thirds go to the front.
    """
    tokens = max(1, counter.count_text(text))
    if tokens <= allowance_tokens:
        return text, ""
    chars_per_token = max(0.3, len(text) / tokens)
    front_chars = int(allowance_tokens * chars_per_token * 2 / 3)
    back_chars = int(allowance_tokens * chars_per_token / 3)
    for _ in range(12):
        front = _front(text, front_chars)
        back = _back(text, back_chars) if len(front) < len(text) else ""
        size = counter.count_text(front) + counter.count_text(back)
        if size <= allowance_tokens or not (front or back):
            return front, back
        scale = allowance_tokens / size * 0.9
        front_chars, back_chars = int(front_chars * scale), int(back_chars * scale)
    return "", ""


_JOINERS = "\u200d\ufe0f\ufe0e"


def _front(text: str, chars: int) -> str:
    piece = text[: max(0, chars)]
    line_end = piece.rfind("\n")
    if line_end > chars // 2:
        return piece[:line_end]
    return piece[: _border(text, len(piece))]


def _back(text: str, chars: int) -> str:
    if chars <= 0:
        return ""
    start = max(0, len(text) - chars)
    line_end = text.find("\n", start)
    if 0 <= line_end < start + chars // 2 and _border(text, line_end + 1) == line_end + 1:
        return text[line_end + 1 :]
    return text[_border(text, start) :]


def _border(text: str, at: int) -> int:
    """The nearest place at or before `at` that splits no character made of several code points."""
    while 0 < at < len(text) and (_continues(text[at]) or text[at - 1] in _JOINERS):
        at -= 1
    return at


def _continues(char: str) -> bool:
    code = ord(char)
    return (
        char in _JOINERS
        or 0x0300 <= code <= 0x036F
        or 0x1F3FB <= code <= 0x1F3FF
        or 0xDC00 <= code <= 0xDFFF
        or 0x20D0 <= code <= 0x20FF
    )


def _argument_stub(arguments: str, handle: str, recall_tool: str) -> str:
    """Arguments with long string values shortened and marked; keys stay, the result parses."""
    note = _fetch(handle, recall_tool)
    try:
        parsed = json.loads(arguments)
    except ValueError:
        return f"{STUB_MARK} {len(arguments):,} characters of a script or patch, {note}]"
    short = json.dumps(_shorten(parsed, note), ensure_ascii=False)
    try:
        short.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(_shorten(parsed, note), ensure_ascii=True)
    return short


def _shorten(value: Any, note: str) -> Any:
    if isinstance(value, str) and len(value) > _KEEP_ARGUMENT_CHARS * 2:
        cut = _border(value, _KEEP_ARGUMENT_CHARS)
        return f"{value[:cut]} {STUB_MARK} {len(value) - cut:,} more characters, {note}]"
    if isinstance(value, Mapping):
        return {key: _shorten(inner, note) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shorten(inner, note) for inner in value]
    return value
