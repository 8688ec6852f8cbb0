"""OpenAI Responses: a list of items, each of which Clew treats as one message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from clew.codecs.editing import deleted, placed, replaced
from clew.codecs.plain import (
    AS_UNSET,
    json_object,
    json_text,
    plain_of,
    refuse_foreign,
    string,
)
from clew.codecs.responses_items import read_item
from clew.errors import InvalidTranscriptError
from clew.transcript import CallKind, Format, Message, Role, ToolCallPart
from clew.transcript.parts import Path

# One transparent pixel: a screenshot has to be an image even when the picture has gone.
_BLANK = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB"
    "0C8AAAAASUVORK5CYII="
)


class OpenAIResponses:
    """Reads and writes Responses items."""

    format = Format.OPENAI_RESPONSES
    adjacent_results = False

    def parse(self, native: Any, index: int) -> Message:
        """Read one item; raises InvalidTranscriptError when it is none."""
        plain, digest = plain_of(native, index, AS_UNSET)
        refuse_foreign(plain, index, self.format)
        role, parts = read_item(_type_of(plain, index), plain, index)
        return Message(role=role, parts=parts, native=native, plain=plain, digest=digest)

    def text_message(self, role: Role, text: str) -> Any:
        """A new message item that holds only text."""
        if role is Role.TOOL:
            raise InvalidTranscriptError("an output item answers a call", expected="another role")
        return {"type": "message", "role": role.value, "content": text}

    def replace(self, message: Message, edits: Mapping[Path, str]) -> Any:
        """A new item with the leaves at these paths replaced; arguments keep their shape."""
        role = message.role

        def leaf(path: Path, current: Any, text: str) -> Any:
            return _leaf(message.plain, role, path, current, text)

        return replaced(message.plain, edits, leaf)

    def without(self, message: Message, paths: Sequence[Path]) -> Any | None:
        """A new item without the blocks at these paths; None when nothing is left."""
        if any(path in ((), ("content",)) for path in paths):
            return None
        plain = deleted(message.plain, paths)
        emptied = "content" in message.plain and plain.get("content") == []
        return None if emptied and message.plain["content"] else plain

    def rename(self, message: Message, ids: Mapping[Path, str]) -> Any:
        """A new item with another call id, or without the id at a path that has an empty one."""
        key = "call_id" if message.plain.get("call_id") else "id"
        plain = deleted(message.plain, [path for path, name in ids.items() if not name])
        return placed(plain, {(*path, key): name for path, name in ids.items() if name})

    def name(self, message: Message, names: Mapping[Path, str]) -> Any:
        """A new output of another type: what stands for a name in this format."""
        return placed(message.plain, names)

    def answer(self, following: Message | None, calls: Sequence[ToolCallPart], text: str) -> Any:
        """One output item for each call that can be answered without claiming an outcome.

        A computer call wants a screenshot, a patch call a verdict, an approval a person: these
        get no item.
        """
        answers: list[Any] = [] if following is None else [following.native]
        for call in calls:
            answers.extend(_answer(call, text))
        return answers

    def join(self, first: Any, second: Any) -> Any | None:
        """Results may stand in several messages here."""
        return None


def _type_of(plain: Mapping[str, Any], index: int) -> str:
    kind = plain.get("type")
    if isinstance(kind, str):
        return kind
    if kind is None and "role" in plain:
        return "message"
    if kind is None and set(plain) <= {"id", "type"} and plain.get("id"):
        return "item_reference"
    raise InvalidTranscriptError(
        "the item has neither a type nor a role", index=index, expected="a Responses item"
    )


def _leaf(item: Mapping[str, Any], role: Role, path: Path, current: Any, text: str) -> Any:
    kind = string(item.get("type"))
    if path == ("arguments",):
        value = json_object(text)
        if isinstance(current, dict):
            return {"text": text} if value is None else value
        return json_text({"text": text}) if value is None else text
    if isinstance(current, dict) and path in (("action",), ("operation",)):
        return _action(kind, current, text)
    if path == ("output",) and kind == "computer_call_output":
        return {"type": "computer_screenshot", "image_url": _BLANK}
    if path == ("result",) and kind == "image_generation_call":
        return _BLANK.partition(",")[2]
    if path[:1] == ("outputs",) and isinstance(current, dict):
        return {"type": "logs", "logs": text}
    if not path and "output" in item:
        return {**item, "output": text}
    if not isinstance(current, dict):
        return text
    return {"type": "output_text" if role is Role.ASSISTANT else "input_text", "text": text}


def _action(kind: str, current: dict[str, Any], text: str) -> dict[str, Any]:
    value = json_object(text)
    if value is not None and current.keys() <= value.keys():
        return value  # it has the shape of what stands there
    match kind:
        case "shell_call":
            return {**current, "commands": [text]}
        case "local_shell_call":
            return {**current, "command": [text]}
        case "apply_patch_call":
            return {**current, "diff": text}
        case _:
            return current  # an action of a computer has no place for words


def _answer(call: ToolCallPart, text: str) -> list[Any]:
    match call.kind:
        case CallKind.FUNCTION if not call.call_id:
            return [{"type": "function_call_output", "name": call.name, "output": text}]
        case CallKind.FUNCTION:
            kind = "function_call_output"
        case CallKind.CUSTOM:
            kind = "custom_tool_call_output"
        case CallKind.SHELL if call.name == "shell":
            # Each entry of the output would claim an exit or a time-out.
            return [
                {
                    "type": "shell_call_output",
                    "call_id": call.call_id,
                    "status": "incomplete",
                    "output": [],
                }
            ]
        case CallKind.SHELL:
            local = {"type": "local_shell_call_output", "id": call.call_id}
            return [{**local, "status": "incomplete", "output": text}]
        case CallKind.UNKNOWN if call.name == "tool_search":
            found = {"type": "tool_search_output", "call_id": call.call_id, "tools": []}
            return [{**found, "execution": "client", "status": "incomplete"}]
        case CallKind.UNKNOWN:
            kind = f"{call.name}_call_output"
        case CallKind.PATCH | CallKind.COMPUTER | CallKind.MCP | CallKind.SERVER:
            return []
        case _:
            assert_never(call.kind)
    return [{"type": kind, "call_id": call.call_id, "output": text}]
