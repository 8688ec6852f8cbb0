"""Gemini contents: parts by key, in camelCase (JSON) or snake_case (Python), ids often absent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.codecs.editing import delete_at, deleted, get_at, placed, replaced, set_at
from clew.codecs.media import addressed_media, inline_media, kind_of
from clew.codecs.plain import (
    AS_ALIASED,
    argument_text,
    blocks_of,
    entries_of,
    json_object,
    opaque,
    plain_of,
    refuse_foreign,
    string,
)
from clew.errors import InvalidTranscriptError
from clew.transcript import (
    CallKind,
    Format,
    MediaPart,
    Message,
    OpaquePart,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from clew.transcript.parts import ContentPart, Path

_ROLES = {
    "user": Role.USER,
    "model": Role.ASSISTANT,
    "function": Role.TOOL,
    "tool": Role.TOOL,
    "system": Role.SYSTEM,
}
_SIGNATURES = ("thoughtSignature", "thought_signature")
_NAMED = ("functionCall", "function_call", "functionResponse", "function_response")


class Gemini:
    """Reads and writes Gemini contents."""

    format = Format.GEMINI
    adjacent_results = True

    def parse(self, native: Any, index: int) -> Message:
        """Read one content; raises InvalidTranscriptError when it is none."""
        plain, digest = plain_of(native, index, AS_ALIASED)
        refuse_foreign(plain, index, self.format)
        named = plain.get("role") or "user"
        if not isinstance(named, str) or named not in _ROLES:
            raise InvalidTranscriptError(
                f"the role is {named!r}", index=index, expected=f"one of {', '.join(_ROLES)}"
            )
        if "parts" not in plain:
            raise InvalidTranscriptError("the parts are missing", index=index, expected="parts")
        parts: list[Part] = []
        for at, part in enumerate(blocks_of(plain["parts"] or (), index, "parts")):
            if not isinstance(part, dict):
                raise InvalidTranscriptError(
                    f"a part is {type(part).__name__}", index=index, expected="a dict"
                )
            parts.extend(_part(part, ("parts", at)))
        role = _ROLES[named]
        if role is Role.USER and parts and all(isinstance(p, ToolResultPart) for p in parts):
            role = Role.TOOL
        return Message(role=role, parts=tuple(parts), native=native, plain=plain, digest=digest)

    def text_message(self, role: Role, text: str) -> Any:
        """A new content that holds only text."""
        names = {Role.USER: "user", Role.ASSISTANT: "model"}
        if role not in names:
            raise InvalidTranscriptError(
                f"Gemini contents have no {role.value} role", expected="user or assistant"
            )
        return {"role": names[role], "parts": [{"text": text}]}

    def replace(self, message: Message, edits: Mapping[Path, str]) -> Any:
        """A new content with the leaves at these paths replaced; args stay an object.

        Media inside a function response cannot become a text part: it goes, and the text stands
        in the response.
        """
        plain: Any = message.plain
        inside = {path for path in edits if _in_response(path)}
        for path in sorted(inside, key=lambda p: p[-1], reverse=True):
            plain = _moved_into_response(plain, path, edits[path])
        return replaced(plain, {p: t for p, t in edits.items() if p not in inside}, _leaf)

    def without(self, message: Message, paths: Sequence[Path]) -> Any | None:
        """A new content without the parts at these paths; None when nothing is left."""
        if any(path in ((), ("parts",)) for path in paths):
            return None
        plain = deleted(message.plain, paths)
        return plain if any(plain["parts"]) else None

    def rename(self, message: Message, ids: Mapping[Path, str]) -> Any:
        """A new content in which the calls and responses at these paths have other ids."""
        bodies = {
            path: next(key for key in _NAMED if key in get_at(message.plain, path)) for path in ids
        }
        return placed(
            message.plain, {(*path, bodies[path], "id"): name for path, name in ids.items()}
        )

    def name(self, message: Message, names: Mapping[Path, str]) -> Any:
        """A new content in which the responses at these paths name another function."""
        bodies = {
            path: next(key for key in _NAMED if key in get_at(message.plain, path))
            for path in names
        }
        return placed(
            message.plain, {(*path, bodies[path], "name"): name for path, name in names.items()}
        )

    def answer(self, following: Message | None, calls: Sequence[ToolCallPart], text: str) -> Any:
        """One user content with a response for each call, in the spelling of the batch."""
        given: list[Any] = [] if following is None else list(following.plain["parts"])
        key = "function_response" if any("function_response" in p for p in given) else ""
        answers = [{key or "functionResponse": _response(call, text)} for call in calls]
        if following is None:
            return [{"role": "user", "parts": answers}]
        behind = 1 + max((at for at, p in enumerate(given) if _is_response(p)), default=-1)
        return [{**following.plain, "parts": [*given[:behind], *answers, *given[behind:]]}]

    def join(self, first: Any, second: Any) -> Any | None:
        """One content of two with the same role, responses first, every part as it is.

        None for the user's where parts are signed: what is signed stands where it stood.
        """
        one, two = plain_of(first, 0, AS_ALIASED)[0], plain_of(second, 1, AS_ALIASED)[0]
        if (one.get("role") or "user") != (two.get("role") or "user"):
            return None
        parts = [*(one.get("parts") or ()), *(two.get("parts") or ())]
        if one.get("role") == "model":
            return {**one, "parts": parts}
        if any(key in part for part in parts for key in _SIGNATURES):
            return None
        parts.sort(key=lambda p: not _is_response(p))
        return {**one, "parts": parts}


def _is_response(part: Mapping[str, Any]) -> bool:
    return "functionResponse" in part or "function_response" in part


def _response(call: ToolCallPart, text: str) -> dict[str, Any]:
    response: dict[str, Any] = {"name": call.name, "response": {"output": text}}
    return {"id": call.call_id, **response} if call.call_id else response


def _in_response(path: Path) -> bool:
    return (
        len(path) == 5
        and path[2] in ("functionResponse", "function_response")
        and (path[3] == "parts")
    )


def _moved_into_response(plain: Any, path: Path, text: str) -> Any:
    holder = path[:3]
    plain = delete_at(plain, path)
    body = get_at(plain, holder)
    response = body.get("response") or {}
    told = string(response.get("media"))
    # Later parts are moved first, so each earlier text is put before those already there.
    stub = f"{text}\n{told}" if told else text
    return set_at(plain, holder, {**body, "response": {**response, "media": stub}})


def _leaf(path: Path, current: Any, text: str) -> Any:
    if path[-1:] == ("args",):
        value = json_object(text)
        return {"text": text} if value is None else value
    if "response" in path[3:4]:
        return text
    if isinstance(current, dict):
        for key in ("functionResponse", "function_response"):
            if key in current:
                return {**current, key: {**current[key], "response": {"output": text}}}
        return {"text": text}
    return text


def _part(part: Mapping[str, Any], path: Path) -> list[Part]:
    key = next((key for key in part if key in _READERS and part[key] is not None), None)
    signature = next((name for name in _SIGNATURES if part.get(name)), None)
    seal = string(part[signature]) if signature else ""
    if part.get("thought") is True:
        return [ReasoningPart(text=string(part.get("text")), sealed=seal, path=path)]
    if key is None:
        if signature and set(part) <= {signature, "thought"}:
            return [ReasoningPart(sealed=seal, path=path)]
        return [opaque(part, path, next(iter(part), "part"))]
    body = part[key]
    if key == "text" and isinstance(body, str):
        parts: list[Part] = [TextPart(text=body, path=(*path, "text"))]
    elif isinstance(body, dict):
        parts = [_READERS[key](body, (*path, key), seal)]
        seal = "" if isinstance(parts[0], ToolCallPart) else seal
    else:
        parts = [opaque(part, path, key)]
    if seal and signature:
        parts.append(ReasoningPart(sealed=seal, path=(*path, signature)))
    return parts


def _call(body: Mapping[str, Any], inner: Path, seal: str) -> Part:
    return ToolCallPart(
        call_id=string(body.get("id")),
        name=string(body.get("name")),
        arguments=argument_text(body.get("args")),
        seal=seal,
        path=inner[:-1],
        arguments_path=(*inner, "args"),
    )


def _server_call(body: Mapping[str, Any], inner: Path, seal: str) -> Part:
    return ToolCallPart(
        call_id=string(body.get("id")),
        name=string(body.get("toolType")) or string(body.get("tool_type")),
        arguments=argument_text(body.get("args")),
        kind=CallKind.SERVER,
        server_side=True,
        seal=seal,
        path=inner[:-1],
        arguments_path=(*inner, "args"),
    )


def _code(body: Mapping[str, Any], inner: Path, seal: str) -> Part:
    return ToolCallPart(
        call_id=string(body.get("id")),
        name="code_execution",
        arguments=string(body.get("code")),
        kind=CallKind.SERVER,
        server_side=True,
        seal=seal,
        path=inner[:-1],
        arguments_path=(*inner, "code"),
    )


def _code_result(body: Mapping[str, Any], inner: Path, _seal: str) -> Part:
    output, outcome = body.get("output"), string(body.get("outcome"))
    text = (TextPart(text=output, path=(*inner, "output")),) if isinstance(output, str) else ()
    return ToolResultPart(
        call_id=string(body.get("id")),
        name="code_execution",
        parts=text,
        is_error=not outcome.endswith("OK") if outcome else None,
        server_side=True,
        path=inner[:-1],
    )


def _function_response(body: Mapping[str, Any], inner: Path, _seal: str) -> Part:
    return ToolResultPart(
        call_id=string(body.get("id")),
        name=string(body.get("name")),
        parts=_answer_parts(body, inner),
        is_error=True
        if isinstance(body.get("response"), dict) and body["response"].get("error")
        else None,
        path=inner[:-1],
    )


def _server_response(body: Mapping[str, Any], inner: Path, _seal: str) -> Part:
    return ToolResultPart(
        call_id=string(body.get("id")),
        name=string(body.get("toolType")) or string(body.get("tool_type")),
        parts=_answer_parts(body, inner),
        server_side=True,
        path=inner[:-1],
    )


def _answer_parts(body: Mapping[str, Any], inner: Path) -> tuple[ContentPart, ...]:
    response = body.get("response")
    parts: list[ContentPart] = []
    if isinstance(response, dict):
        for key, value in response.items():
            path = (*inner, "response", key)
            known = isinstance(value, str)
            parts.append(TextPart(text=value, path=path) if known else opaque(value, path, key))
    elif response is not None:
        parts.append(opaque(response, (*inner, "response"), "response"))
    for at, part in enumerate(entries_of(body.get("parts"))):
        path = (*inner, "parts", at)
        media = next((k for k in part if k in _MEDIA), None) if isinstance(part, dict) else None
        if media is not None and isinstance(part[media], dict):
            parts.append(_media(part[media], (*path, media), ""))
        else:
            parts.append(opaque(part, path))
    return tuple(parts)


def _media(body: Mapping[str, Any], inner: Path, _seal: str) -> MediaPart:
    media_type = string(body.get("mimeType")) or string(body.get("mime_type"))
    name = string(body.get("displayName")) or string(body.get("display_name"))
    kind, path = kind_of(media_type), inner[:-1]
    if "data" in body:
        return inline_media(kind, media_type, body["data"], path, name=name)
    address = string(body.get("fileUri")) or string(body.get("file_uri"))
    return addressed_media(kind, address, path, media_type=media_type, name=name)


def _text(body: Mapping[str, Any], inner: Path, _seal: str) -> OpaquePart:
    return opaque(body, inner[:-1], "text")


_MEDIA = ("inlineData", "inline_data", "fileData", "file_data")
_READERS = {
    "text": _text,
    "functionCall": _call,
    "function_call": _call,
    "functionResponse": _function_response,
    "function_response": _function_response,
    "inlineData": _media,
    "inline_data": _media,
    "fileData": _media,
    "file_data": _media,
    "executableCode": _code,
    "executable_code": _code,
    "codeExecutionResult": _code_result,
    "code_execution_result": _code_result,
    "toolCall": _server_call,
    "tool_call": _server_call,
    "toolResponse": _server_response,
    "tool_response": _server_response,
}
