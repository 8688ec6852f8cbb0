"""OpenAI Chat Completions messages, with the fields that other servers of this format add."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.codecs.editing import deleted, placed, replaced
from clew.codecs.media import addressed_media, inline_media, kind_of
from clew.codecs.plain import (
    AS_UNSET,
    argument_text,
    blocks_of,
    entries_of,
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

_ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_THOUGHTS = frozenset(("reasoning_details", "thinking_blocks", "reasoning_content", "reasoning"))


class OpenAIChat:
    """Reads and writes Chat Completions messages."""

    format = Format.OPENAI_CHAT
    adjacent_results = True

    def parse(self, native: Any, index: int) -> Message:
        """Read one message; raises InvalidTranscriptError when it is none."""
        plain, digest = plain_of(native, index, AS_UNSET)
        refuse_foreign(plain, index, self.format)
        role = _ROLES[role_of(plain, index, _ROLES)]
        content = plain.get("content")
        parts: tuple[Part, ...]
        if role is Role.TOOL:
            parts = (_result(plain, content, index),)
        elif role is Role.ASSISTANT:
            parts = (*_reasoning(plain), *_content(content, index), *_spoken(plain, index))
        else:
            parts = tuple(_content(content, index))
        speaker = "" if role is Role.TOOL else string(plain.get("name"))
        return Message(
            role=role, parts=parts, native=native, plain=plain, digest=digest, speaker=speaker
        )

    def text_message(self, role: Role, text: str) -> Any:
        """A new message that holds only text."""
        if role is Role.TOOL:
            raise InvalidTranscriptError("a tool message answers a call", expected="another role")
        return {"role": role.value, "content": text}

    def replace(self, message: Message, edits: Mapping[Path, str]) -> Any:
        """A new message with the leaves at these paths replaced; arguments stay a JSON object."""
        return replaced(message.plain, edits, _leaf)

    def without(self, message: Message, paths: Sequence[Path]) -> Any | None:
        """A new message without the blocks at these paths; None when nothing is left."""
        if any(not path for path in paths):
            return None
        plain = deleted(message.plain, paths)
        if "tool_calls" in plain and not plain["tool_calls"]:
            del plain["tool_calls"]
        if plain.get("content") == []:
            plain["content"] = None
        plain.setdefault("content", None)
        kept = ("content", "tool_calls", "function_call", "refusal", "audio")
        return plain if any(plain.get(key) for key in kept) else None

    def rename(self, message: Message, ids: Mapping[Path, str]) -> Any:
        """A new message in which the calls, or the result, at these paths have other ids."""
        return placed(
            message.plain,
            {(*path, "id") if path else ("tool_call_id",): name for path, name in ids.items()},
        )

    def name(self, message: Message, names: Mapping[Path, str]) -> Any:
        """A new message of a tool that names another tool."""
        key = "name" if "name" in message.plain else "tool_name"
        return placed(message.plain, {(*path, key): name for path, name in names.items()})

    def answer(self, following: Message | None, calls: Sequence[ToolCallPart], text: str) -> Any:
        """Messages that answer `calls`, behind `following` when other results stand there."""
        answers: list[Any] = [] if following is None else [following.native]
        for call in calls:
            if call.path == ("function_call",):
                answers.append({"role": "function", "name": call.name, "content": text})
            else:
                answers.append({"role": "tool", "tool_call_id": call.call_id, "content": text})
        return answers

    def join(self, first: Any, second: Any) -> Any | None:
        """Results may stand in several messages here."""
        return None


def _leaf(path: Path, current: Any, text: str) -> Any:
    if path[-1:] == ("arguments",):
        value = json_object(text)
        if isinstance(current, dict):
            return {"text": text} if value is None else value
        return json_text({"text": text}) if value is None else text
    if not path and isinstance(current, dict):
        return {**current, "content": text}
    return {"type": "text", "text": text} if isinstance(current, dict) else text


def _content(content: Any, index: int) -> list[Any]:
    if isinstance(content, str):
        return [TextPart(text=content, path=("content",))]
    if content is None:
        return []
    blocks = blocks_of(content, index, "content")
    return [_block(block, ("content", at)) for at, block in enumerate(blocks)]


def _block(block: Any, path: Path) -> Part:
    if not isinstance(block, dict):
        return TextPart(text=block, path=path) if isinstance(block, str) else opaque(block, path)
    kind = string(block.get("type"))
    if kind in ("text", "refusal") and isinstance(block.get(kind), str):
        return TextPart(text=block[kind], path=(*path, kind))
    if kind == "thinking":
        return ReasoningPart(
            text=_thought(block.get("thinking")), sealed=string(block.get("signature")), path=path
        )
    return _media(kind, block.get(kind), path) or opaque(block, path)


def _thought(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(string(inner.get("text")) for inner in value if isinstance(inner, dict))
    return string(value)


def _media(kind: str, body: Any, path: Path) -> MediaPart | None:
    if kind in ("image_url", "video_url"):
        given = body if isinstance(body, dict) else {"url": body}
        media = MediaKind.IMAGE if kind == "image_url" else MediaKind.VIDEO
        return addressed_media(media, given.get("url"), path, detail=string(given.get("detail")))
    if not isinstance(body, dict):
        return None
    if kind == "input_audio":
        encoding = f"audio/{string(body.get('format'))}"
        return inline_media(MediaKind.AUDIO, encoding, body.get("data"), path)
    if kind == "file":
        name = string(body.get("filename"))
        source = string(body.get("file_data")) or body.get("file_id")
        part = addressed_media(MediaKind.DOCUMENT, source, path, name=name)
        if kind_of(part.media_type) is not MediaKind.IMAGE:
            return part
        return addressed_media(MediaKind.IMAGE, source, path, name=name)
    return None


def _result(plain: Mapping[str, Any], content: Any, index: int) -> ToolResultPart:
    parts: list[ContentPart] = []
    for part in _content(content, index):
        if isinstance(part, ReasoningPart):
            parts.append(TextPart(text=part.text, path=part.path))
        else:
            parts.append(part)
    return ToolResultPart(
        call_id=string(plain.get("tool_call_id")),
        name=string(plain.get("name")) or string(plain.get("tool_name")),
        parts=tuple(parts),
        path=(),
    )


def _reasoning(plain: Mapping[str, Any]) -> list[Part]:
    if plain.keys().isdisjoint(_THOUGHTS):
        return []
    parts: list[Part] = []
    told: set[str] = set()
    for key in ("reasoning_details", "thinking_blocks"):
        for at, entry in enumerate(entries_of(plain.get(key))):
            if isinstance(entry, dict):
                part = _detail(entry, (key, at))
                told.add(part.text)
                parts.append(part)
    for key in ("reasoning_content", "reasoning"):
        text = plain.get(key)
        # Servers repeat the same words in several fields; they are one thought.
        if isinstance(text, str) and text not in told:
            told.add(text)
            parts.append(ReasoningPart(text=text, path=(key,)))
    return parts


def _detail(entry: Mapping[str, Any], path: Path) -> ReasoningPart:
    texts = [string(entry.get(key)) for key in ("text", "summary", "thinking")]
    seals = [string(entry.get(key)) for key in ("signature", "data")]
    return ReasoningPart(
        text="\n".join(filter(None, texts)),
        sealed="".join(seals),
        item_id=string(entry.get("id")),
        path=path,
    )


def _spoken(plain: Mapping[str, Any], index: int) -> list[Part]:
    parts: list[Part] = []
    refusal, audio = plain.get("refusal"), plain.get("audio")
    if isinstance(refusal, str):
        parts.append(TextPart(text=refusal, path=("refusal",)))
    if isinstance(audio, dict):
        parts.append(
            MediaPart(kind=MediaKind.AUDIO, source=string(audio.get("id")), path=("audio",))
        )
    calls = plain.get("tool_calls")
    if calls is not None:
        for at, call in enumerate(blocks_of(calls, index, "tool_calls")):
            parts.append(_call(call, ("tool_calls", at), index))
    legacy = plain.get("function_call")
    if isinstance(legacy, dict):
        parts.append(_function("", legacy, ("function_call",), ("function_call",)))
    return parts


def _call(call: Any, path: Path, index: int) -> ToolCallPart:
    if not isinstance(call, dict):
        raise InvalidTranscriptError(
            f"a tool call is {type(call).__name__}", index=index, expected="a dict with a function"
        )
    call_id, kind = string(call.get("id")), string(call.get("type")) or "function"
    body = call.get(kind)
    if kind == "function" and isinstance(body, dict):
        return _function(call_id, body, path, (*path, "function"), _seal(call))
    if kind == "custom" and isinstance(body, dict):
        return ToolCallPart(
            call_id=call_id,
            name=string(body.get("name")),
            arguments=argument_text(body.get("input")),
            kind=CallKind.CUSTOM,
            path=path,
            arguments_path=(*path, "custom", "input"),
        )
    flat = isinstance(call.get("name"), str) and "arguments" in call
    if flat:  # some recorders leave out the inner object
        return _function(call_id, call, path, path)
    return ToolCallPart(
        call_id=call_id,
        name=kind,
        arguments=argument_text(body),
        kind=CallKind.UNKNOWN,
        path=path,
        arguments_path=path,
    )


def _function(
    call_id: str, body: Mapping[str, Any], path: Path, inner: Path, seal: str = ""
) -> ToolCallPart:
    return ToolCallPart(
        call_id=call_id,
        name=string(body.get("name")),
        arguments=argument_text(body.get("arguments")),
        seal=seal,
        path=path,
        arguments_path=(*inner, "arguments"),
    )


def _seal(call: Mapping[str, Any]) -> str:
    # Gemini behind this format sends its signature beside the call and wants it back there.
    extra = call.get("extra_content")
    google = extra.get("google") if isinstance(extra, dict) else None
    own = call.get("provider_specific_fields")
    for holder in (google, own):
        if isinstance(holder, dict) and holder.get("thought_signature"):
            return string(holder["thought_signature"])
    return ""
