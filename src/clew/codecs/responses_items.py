"""What each type of Responses item says: one reader a family, in a table by type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from clew.codecs.media import addressed_media, inline_media, kind_of
from clew.codecs.plain import (
    argument_text,
    blocks_of,
    entries_of,
    json_text,
    opaque,
    role_of,
    string,
)
from clew.transcript import (
    CallKind,
    CompactionPart,
    MediaKind,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from clew.transcript.parts import ContentPart, Path

Item = Mapping[str, Any]
Read = tuple[Role, tuple[Part, ...]]

ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
}

# type -> kind of call, and the keys of its name and of its arguments
CLIENT_CALLS: Mapping[str, tuple[CallKind, str, str]] = {
    "function_call": (CallKind.FUNCTION, "name", "arguments"),
    "custom_tool_call": (CallKind.CUSTOM, "name", "input"),
    "shell_call": (CallKind.SHELL, "", "action"),
    "local_shell_call": (CallKind.SHELL, "", "action"),
    "apply_patch_call": (CallKind.PATCH, "", "operation"),
    "computer_call": (CallKind.COMPUTER, "", "action"),
}
SERVER_CALLS: Mapping[str, tuple[CallKind, str, str]] = {
    "web_search_call": (CallKind.SERVER, "", "action"),
    "file_search_call": (CallKind.SERVER, "", "queries"),
    "code_interpreter_call": (CallKind.SERVER, "", "code"),
    "image_generation_call": (CallKind.SERVER, "", "revised_prompt"),
    "mcp_call": (CallKind.MCP, "name", "arguments"),
}


def read_item(kind: str, item: Item, index: int) -> Read:
    """Role and parts of an item of type `kind`; an unknown type is read by how it is named."""
    reader = _READERS.get(kind)
    if reader is not None:
        return reader(kind, item, index)
    if "call_id" in item and kind.endswith("_call"):
        return _client_call(kind, item, index)
    if "call_id" in item and kind.endswith("_output"):
        return _output(kind, item, index)
    role = ROLES.get(string(item.get("role")), Role.ASSISTANT)
    return role, (opaque(item, (), kind),)


def content_part(block: Any, path: Path) -> ContentPart:
    """One block of the content of a message or of an output."""
    if not isinstance(block, dict):
        return opaque(block, path)
    kind = block.get("type")
    if kind == "input_image":
        address = block.get("image_url") or block.get("file_id")
        return addressed_media(MediaKind.IMAGE, address, path, detail=string(block.get("detail")))
    if kind == "input_file":
        return _file(block, path)
    if kind == "input_audio" and isinstance(block.get("input_audio"), dict):
        audio = block["input_audio"]
        encoding = f"audio/{string(audio.get('format'))}"
        return inline_media(MediaKind.AUDIO, encoding, audio.get("data"), path)
    key = "refusal" if kind == "refusal" else "text"
    if isinstance(block.get(key), str):
        return TextPart(text=block[key], path=(*path, key))
    return opaque(block, path)


def _file(block: Item, path: Path) -> ContentPart:
    name = string(block.get("filename"))
    address = block.get("file_data") or block.get("file_url") or block.get("file_id")
    part = addressed_media(MediaKind.DOCUMENT, address, path, name=name)
    kind = kind_of(part.media_type)
    if kind is MediaKind.DOCUMENT:
        return part
    return addressed_media(kind, address, path, name=name)


def _message(_kind: str, item: Item, index: int) -> Read:
    role = ROLES[role_of(item, index, ROLES)]
    content = item.get("content")
    if isinstance(content, str):
        return role, (TextPart(text=content, path=("content",)),)
    blocks = blocks_of(content, index, "content")
    return role, tuple(content_part(block, ("content", at)) for at, block in enumerate(blocks))


def _reasoning(_kind: str, item: Item, _index: int) -> Read:
    texts = [
        string(entry.get("text"))
        for key in ("summary", "content")
        for entry in entries_of(item.get(key))
        if isinstance(entry, dict)
    ]
    part = ReasoningPart(
        text="\n".join(filter(None, texts)),
        sealed=string(item.get("encrypted_content")),
        item_id=string(item.get("id")),
    )
    return Role.ASSISTANT, (part,)


def _client_call(kind: str, item: Item, _index: int) -> Read:
    call, name, arguments = CLIENT_CALLS.get(kind, (CallKind.UNKNOWN, "name", "arguments"))
    if arguments == "action" and "action" not in item and "actions" in item:
        arguments = "actions"
    return Role.ASSISTANT, (
        ToolCallPart(
            call_id=string(item.get("call_id")),
            name=string(item.get(name)) or kind.removesuffix("_call"),
            arguments=argument_text(item.get(arguments)),
            kind=call,
            item_id=string(item.get("id")),
            arguments_path=(arguments,),
        ),
    )


def _server_call(kind: str, item: Item, _index: int) -> Read:
    call, name, arguments = SERVER_CALLS.get(kind, (CallKind.SERVER, "name", "arguments"))
    call_id = string(item.get("call_id")) or string(item.get("id"))
    part = ToolCallPart(
        call_id=call_id,
        name=string(item.get(name)) or kind.removesuffix("_call"),
        arguments=argument_text(item.get(arguments)),
        kind=call,
        server_side=True,
        item_id=string(item.get("id")),
        arguments_path=(arguments,),
    )
    found = _server_found(item)
    if not found:
        return Role.ASSISTANT, (part,)
    failed = True if item.get("error") else None
    result = ToolResultPart(
        call_id=call_id, name=part.name, parts=found, is_error=failed, server_side=True
    )
    return Role.ASSISTANT, (part, result)


def _server_found(item: Item) -> tuple[ContentPart, ...]:
    found: list[ContentPart] = []
    for key in ("output", "error", "outputs", "results", "result"):
        value = item.get(key)
        if value is None:
            continue
        if key == "result" and isinstance(value, str):
            form = f"image/{string(item.get('output_format')) or 'png'}"
            found.append(inline_media(MediaKind.IMAGE, form, value, (key,)))
        elif isinstance(value, str):
            found.append(TextPart(text=value, path=(key,)))
        elif isinstance(value, list):
            found.extend(_log(entry, (key, at)) for at, entry in enumerate(value))
        else:
            found.append(opaque(value, (key,), key))
    return tuple(found)


def _log(entry: Any, path: Path) -> ContentPart:
    if isinstance(entry, dict):
        for key in ("logs", "text"):
            if isinstance(entry.get(key), str):
                return TextPart(text=entry[key], path=(*path, key))
        if entry.get("type") == "image":
            return addressed_media(MediaKind.IMAGE, entry.get("url"), path)
    return opaque(entry, path)


def _tool_search(kind: str, item: Item, index: int) -> Read:
    by_client = item.get("execution") == "client"
    return _client_call(kind, item, index) if by_client else _server_call(kind, item, index)


def _approval_request(kind: str, item: Item, _index: int) -> Read:
    # A person answers it, with an item that names it; until then it waits.
    part = ToolCallPart(
        call_id=string(item.get("id")),
        name=string(item.get("name")) or kind,
        arguments=argument_text(item.get("arguments")),
        kind=CallKind.MCP,
        item_id=string(item.get("id")),
        arguments_path=("arguments",),
    )
    return Role.ASSISTANT, (part,)


def _approval(_kind: str, item: Item, _index: int) -> Read:
    answer = {key: item[key] for key in ("approve", "reason") if key in item}
    part = ToolResultPart(
        call_id=string(item.get("approval_request_id")),
        parts=(opaque(answer, (), "approval"),),
    )
    return Role.TOOL, (part,)


def _program_call(kind: str, item: Item, _index: int) -> Read:
    part = ToolCallPart(
        call_id=string(item.get("call_id")),
        name=kind,
        arguments=argument_text(item.get("code")),
        kind=CallKind.SERVER,
        server_side=True,
        item_id=string(item.get("id")),
        arguments_path=("code",),
    )
    return Role.ASSISTANT, (part,)


def _program_output(_kind: str, item: Item, _index: int) -> Read:
    part = ToolResultPart(
        call_id=string(item.get("call_id")), parts=_answer(item, "result"), server_side=True
    )
    return Role.ASSISTANT, (part,)


def _output(kind: str, item: Item, _index: int) -> Read:
    server_side = kind == "tool_search_output" and item.get("execution") != "client"
    part = ToolResultPart(
        call_id=string(item.get("call_id")) or string(item.get("id")),
        name=string(item.get("name")),
        parts=_answer(item, "tools" if kind == "tool_search_output" else "output"),
        is_error=_failed(kind, item),
        server_side=server_side,
    )
    return (Role.ASSISTANT if server_side else Role.TOOL), (part,)


def _function_output(kind: str, item: Item, index: int) -> Read:
    role, (part,) = _output(kind, item, index)
    if isinstance(part, ToolResultPart) and not item.get("call_id") and part.name:
        # Named functions without an id pair by name; the item's own id is no call id.
        named = ToolResultPart(call_id="", name=part.name, parts=part.parts)
        return role, (named,)
    return role, (part,)


def _answer(item: Item, key: str) -> tuple[ContentPart, ...]:
    value = item.get(key)
    if value is None:
        return ()
    if isinstance(value, str):
        return (TextPart(text=value, path=(key,)),)
    if isinstance(value, list):
        return tuple(part for at, entry in enumerate(value) for part in _entry(entry, (key, at)))
    if isinstance(value, dict) and value.get("type") == "computer_screenshot":
        address = value.get("image_url") or value.get("file_id")
        return (addressed_media(MediaKind.IMAGE, address, (key,)),)
    if isinstance(value, dict) and isinstance(value.get("content"), str):
        return (TextPart(text=value["content"], path=(key, "content")),)
    return (opaque(value, (key,), key),)


def _entry(entry: Any, path: Path) -> list[ContentPart]:
    if isinstance(entry, dict) and ("stdout" in entry or "stderr" in entry):
        return [
            TextPart(text=entry[stream], path=(*path, stream))
            for stream in ("stdout", "stderr")
            if isinstance(entry.get(stream), str)
        ]
    return [content_part(entry, path)]


def _failed(kind: str, item: Item) -> bool | None:
    value = item.get("output")
    if kind == "apply_patch_call_output":
        return {"failed": True, "completed": False}.get(string(item.get("status")))
    if kind == "shell_call_output" and isinstance(value, list):
        outcomes = [e.get("outcome") for e in value if isinstance(e, dict)]
        known = [o for o in outcomes if isinstance(o, dict)]
        bad = any(o.get("type") == "timeout" or o.get("exit_code") not in (None, 0) for o in known)
        return bad if known else None
    if isinstance(value, dict) and isinstance(value.get("success"), bool):
        return not value["success"]
    return None


def _compaction(_kind: str, item: Item, _index: int) -> Read:
    part = CompactionPart(
        sealed=string(item.get("encrypted_content")), text=_summary(item.get("summary"))
    )
    return Role.ASSISTANT, (part,)


def _summary(value: Any) -> str:
    return value if isinstance(value, str) else json_text(value) if value else ""


def _setting(kind: str, item: Item, _index: int) -> Read:
    return Role.DEVELOPER, (opaque(item, (), kind),)


_READERS: Mapping[str, Callable[[str, Item, int], Read]] = {
    "message": _message,
    "reasoning": _reasoning,
    "compaction": _compaction,
    "compaction_summary": _compaction,
    "additional_tools": _setting,
    "configuration_update": _setting,
    "compaction_trigger": _setting,
    "mcp_approval_request": _approval_request,
    "mcp_approval_response": _approval,
    "tool_search_call": _tool_search,
    "program": _program_call,
    "program_output": _program_output,
    "function_call_output": _function_output,
    "local_shell_call_output": _output,
    "tool_search_output": _output,
    **dict.fromkeys(CLIENT_CALLS, _client_call),
    **dict.fromkeys(SERVER_CALLS, _server_call),
}
