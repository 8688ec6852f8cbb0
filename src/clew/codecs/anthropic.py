"""Anthropic Messages: roles user and assistant, content as text or blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.codecs.editing import deleted, placed, replaced
from clew.codecs.media import addressed_media, inline_media
from clew.codecs.plain import (
    AS_UNSET,
    argument_text,
    blocks_of,
    json_object,
    json_text,
    opaque,
    plain_of,
    refuse_foreign,
    role_of,
    string,
)
from clew.errors import InvalidTranscriptError
from clew.transcript import (
    CallKind,
    CompactionPart,
    Format,
    MediaKind,
    MediaPart,
    Message,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from clew.transcript.parts import ContentPart, Path

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
_RESULT = "tool_result"
_CALL_KINDS = {
    "tool_use": CallKind.FUNCTION,
    "server_tool_use": CallKind.SERVER,
    "mcp_tool_use": CallKind.MCP,
}


class Anthropic:
    """Reads and writes Anthropic messages."""

    format = Format.ANTHROPIC
    adjacent_results = True

    def parse(self, native: Any, index: int) -> Message:
        """Read one message; raises InvalidTranscriptError when it is none."""
        plain, digest = plain_of(native, index, AS_UNSET)
        refuse_foreign(plain, index, self.format)
        role = _ROLES[role_of(plain, index, _ROLES)]
        content = plain.get("content")
        parts: tuple[Part, ...]
        if isinstance(content, str):
            parts = (TextPart(text=content, path=("content",)),)
        else:
            blocks = blocks_of(content, index, "content")
            parts = tuple(
                _block(block, ("content", at), role is Role.ASSISTANT, index)
                for at, block in enumerate(blocks)
            )
            only_results = parts and all(isinstance(p, ToolResultPart) for p in parts)
            role = Role.TOOL if role is Role.USER and only_results else role
        return Message(role=role, parts=parts, native=native, plain=plain, digest=digest)

    def text_message(self, role: Role, text: str) -> Any:
        """A new message that holds only text."""
        if role not in (Role.USER, Role.ASSISTANT):
            raise InvalidTranscriptError(
                f"Anthropic messages have no {role.value} role", expected="user or assistant"
            )
        return {"role": role.value, "content": text}

    def replace(self, message: Message, edits: Mapping[Path, str]) -> Any:
        """A new message with the leaves at these paths replaced; input stays an object."""
        return replaced(message.plain, edits, _leaf)

    def without(self, message: Message, paths: Sequence[Path]) -> Any | None:
        """A new message without the blocks at these paths; None when nothing is left."""
        if any(path in ((), ("content",)) for path in paths):
            return None
        plain = deleted(message.plain, paths)
        return plain if plain["content"] else None

    def rename(self, message: Message, ids: Mapping[Path, str]) -> Any:
        """A new message in which the calls and results at these paths have other ids."""
        results = {result.path for result in message.results}
        key_of = {path: "tool_use_id" if path in results else "id" for path in ids}
        return placed(message.plain, {(*path, key_of[path]): name for path, name in ids.items()})

    def name(self, message: Message, names: Mapping[Path, str]) -> Any:
        """The message as it is: results have no name in this format."""
        return message.native

    def answer(self, following: Message | None, calls: Sequence[ToolCallPart], text: str) -> Any:
        """One user message with a result for each call; other results of the batch stay first."""
        answers = [
            {"type": _RESULT, "tool_use_id": call.call_id, "content": text} for call in calls
        ]
        if following is None:
            return [{"role": "user", "content": answers}]
        blocks = _blocks(following.plain["content"])
        behind = 1 + max((at for at, b in enumerate(blocks) if _is_result(b)), default=-1)
        content = [*blocks[:behind], *answers, *blocks[behind:]]
        return [{**following.plain, "content": content}]

    def join(self, first: Any, second: Any) -> Any | None:
        """Results may stand in several messages here."""
        return None


def _is_result(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == _RESULT


def _blocks(content: Any) -> list[Any]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content or ())


def _leaf(path: Path, current: Any, text: str) -> Any:
    if path[-1:] == ("input",) and isinstance(current, dict):
        value = json_object(text)
        return {"text": text} if value is None else value
    if isinstance(current, dict) and string(current.get("type")).endswith(_RESULT):
        return {**current, "content": text}
    return {"type": "text", "text": text} if isinstance(current, dict) else text


def _block(block: Any, path: Path, by_model: bool, index: int) -> Part:
    if not isinstance(block, dict):
        raise InvalidTranscriptError(
            f"a content block is {type(block).__name__}", index=index, expected="a dict with a type"
        )
    kind = string(block.get("type"))
    match kind:
        case "thinking":
            thought, seal = string(block.get("thinking")), string(block.get("signature"))
            return ReasoningPart(text=thought, sealed=seal, path=path)
        case "redacted_thinking":
            return ReasoningPart(sealed=string(block.get("data")), path=path)
        case "compaction":
            sealed = string(block.get("encrypted_content"))
            return CompactionPart(text=string(block.get("content")), sealed=sealed, path=path)
        case _ if kind == "tool_use" or (by_model and kind.endswith("_tool_use")):
            return _call(block, kind, path)
        case _ if kind == _RESULT or (kind.endswith("_tool_result") and "tool_use_id" in block):
            return _result(block, kind, path, by_model, index)
        case _:
            return _content_block(block, kind, path)


def _content_block(block: Any, kind: str, path: Path) -> ContentPart:
    if kind == "text" and isinstance(block.get("text"), str):
        return TextPart(text=block["text"], path=(*path, "text"))
    source = block.get("source")
    if kind in ("image", "document") and isinstance(source, dict):
        media = MediaKind.IMAGE if kind == "image" else MediaKind.DOCUMENT
        return _media(media, source, string(block.get("title")), path)
    return opaque(block, path)


def _media(kind: MediaKind, source: Mapping[str, Any], name: str, path: Path) -> MediaPart:
    media_type = string(source.get("media_type"))
    match source.get("type"):
        case "base64":
            return inline_media(kind, media_type, source.get("data"), path, name=name)
        case "text":
            return MediaPart(
                kind=kind,
                media_type=media_type or "text/plain",
                source=string(source.get("data")),
                inline=True,
                name=name,
                path=path,
            )
        case "content":
            text = json_text(source.get("content"))
            return MediaPart(kind=kind, source=text, inline=True, name=name, path=path)
        case _:
            address = string(source.get("url")) or string(source.get("file_id"))
            return addressed_media(kind, address, path, media_type=media_type, name=name)


def _call(block: Mapping[str, Any], kind: str, path: Path) -> ToolCallPart:
    return ToolCallPart(
        call_id=string(block.get("id")),
        name=string(block.get("name")),
        arguments=argument_text(block.get("input")),
        kind=_CALL_KINDS.get(kind, CallKind.UNKNOWN),
        server_side=kind != "tool_use",
        path=path,
        arguments_path=(*path, "input"),
    )


def _result(
    block: Mapping[str, Any], kind: str, path: Path, by_model: bool, index: int
) -> ToolResultPart:
    content, inner = block.get("content"), (*path, "content")
    parts: tuple[ContentPart, ...]
    if isinstance(content, str):
        parts = (TextPart(text=content, path=inner),)
    elif content is None:
        parts = ()
    elif isinstance(content, list | tuple):
        parts = tuple(
            _content_block(b, string(b.get("type")), (*inner, at))
            if isinstance(b, dict)
            else opaque(b, (*inner, at))
            for at, b in enumerate(content)
        )
    elif kind == _RESULT:
        raise InvalidTranscriptError(
            f"the content of a tool_result is {type(content).__name__}",
            index=index,
            expected="a text or a list of blocks",
        )
    else:
        parts = (opaque(content, inner),)
    failed = block.get("is_error")
    return ToolResultPart(
        call_id=string(block.get("tool_use_id")),
        parts=parts,
        is_error=failed if isinstance(failed, bool) else _server_error(content),
        server_side=by_model,
        path=path,
    )


def _server_error(content: Any) -> bool | None:
    return True if isinstance(content, dict) and "error_code" in content else None
