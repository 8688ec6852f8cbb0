"""Message lists in the four wire formats, alone or inside a request body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.errors import ImportSourceError
from clew.importers.session import ImportedSession, ReportedUsage
from clew.importers.shapes import Ledger, mapping, sequence, string, whole
from clew.importers.source import Source
from clew.transcript import Format

_LISTS = ("messages", "contents", "input")
_SYSTEMS = ("system", "instructions", "systemInstruction", "system_instruction")
_ANTHROPIC_BLOCKS = (
    "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "document",
)  # fmt: skip
_CHAT_BLOCKS = ("image_url", "input_audio", "file")


def recognises(source: Source) -> bool:
    """Whether the text is a list of messages, a request body, or messages line by line."""
    return bool(_bodies(source))


def read(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """Every message list in the source, each as a session of its own."""
    del live  # a plain list has no compaction of its own
    bodies = _bodies(source)
    return tuple(_session(source, body, part) for part, body in enumerate(bodies))


def wire_format(messages: list[Any], body: Mapping[str, Any]) -> Format:
    """The wire format of a list of messages, by what stands in them; chat when nothing tells."""
    named = string(body.get("format"))
    if named in tuple(Format):
        return Format(named)
    if "contents" in body or "systemInstruction" in body:
        return Format.GEMINI
    if ("input" in body and "messages" not in body) or "instructions" in body:
        return Format.OPENAI_RESPONSES
    for tells in (_certain, _likely):
        for message in messages:
            if (found := tells(mapping(message))) is not None:
                return found
    if any(mapping(message).get("role") in ("system", "developer") for message in messages):
        return Format.OPENAI_CHAT
    return Format.ANTHROPIC if "system" in body else Format.OPENAI_CHAT


def _certain(message: Mapping[str, Any]) -> Format | None:
    """The only format that a message with these calls or results can have."""
    if isinstance(message.get("parts"), list):
        return Format.GEMINI
    if message.get("type") and "role" not in message:
        return Format.OPENAI_RESPONSES
    if message.get("role") == "tool" or message.get("tool_calls") or message.get("function_call"):
        return Format.OPENAI_CHAT
    kinds = {mapping(block).get("type") for block in sequence(message.get("content"))}
    return Format.ANTHROPIC if kinds & {"tool_use", "tool_result"} else None


def _likely(message: Mapping[str, Any]) -> Format | None:
    kind = string(message.get("type"))
    if kind and kind != "message":
        return Format.OPENAI_RESPONSES
    if "tool_calls" in message or "function_call" in message:
        return Format.OPENAI_CHAT
    for block in sequence(message.get("content")):
        inner = string(mapping(block).get("type"))
        if inner in _ANTHROPIC_BLOCKS or (inner == "image" and "source" in mapping(block)):
            return Format.ANTHROPIC
        if inner.startswith(("input_text", "output_text", "input_image")):
            return Format.OPENAI_RESPONSES
        if inner in _CHAT_BLOCKS:
            return Format.OPENAI_CHAT
    return None


def _is_message(value: object) -> bool:
    message = mapping(value)
    if isinstance(message.get("role"), str):
        return any(k in message for k in ("content", "parts", "tool_calls", "function_call"))
    kind = string(message.get("type"))
    return kind.endswith(("_call", "_call_output", "_output")) or kind in (
        "reasoning", "message", "item_reference", "compaction",
    )  # fmt: skip


def _bodies(source: Source) -> list[dict[str, Any]]:
    document = source.document
    if isinstance(document, list):
        if document and all(_body(entry) for entry in document):
            return [_body(entry) for entry in document]
        return [{"messages": document}] if _mostly_messages(document) else []
    if isinstance(document, dict):
        body = _body(document)
        return [body] if body else []
    if len(source.malformed) > len(source.lines):
        return []  # a document that broke off, not lines with some damage
    values = [line.value for line in source.lines]
    if values and (bodies := [body for value in values if (body := _body(value))]):
        return bodies
    return [{"messages": values}] if _mostly_messages(values) else []


def _mostly_messages(values: list[Any]) -> bool:
    """At least one message, and no more strange entries than messages."""
    found = sum(1 for value in values if _is_message(value))
    return found > 0 and found * 2 >= len(values)


def _body(value: object) -> dict[str, Any]:
    """A request body, however it is wrapped; empty when there is none."""
    outer = mapping(value)
    for candidate in (outer, mapping(outer.get("request")), mapping(outer.get("body"))):
        for key in _LISTS:
            entries = candidate.get(key)
            if isinstance(entries, list) and _mostly_messages(entries):
                return {**outer, **candidate}
            if key == "input" and isinstance(entries, str) and "instructions" in candidate:
                return {**outer, **candidate, "input": [{"role": "user", "content": entries}]}
    return {}


def _session(source: Source, body: Mapping[str, Any], part: int) -> ImportedSession:
    ledger = Ledger(source)
    key = next(k for k in _LISTS if isinstance(body.get(k), list))
    entries = sequence(body[key])
    messages: list[Any] = []
    for position, entry in enumerate(entries):
        if _is_message(entry):
            messages.append(entry)
        else:
            ledger.leave_out("entry that is no message")
            ledger.note(f"entry {position} is no message: it has no role and no known type")
    wire = wire_format(messages, body)
    _refuse_mixture(source, entries, wire)
    reply = _reply(mapping(body.get("response")), wire)
    usage = _usage(mapping(body.get("response")), len(messages))
    if reply is not None:
        messages.append(reply)
    system = next((body[k] for k in _SYSTEMS if body.get(k) is not None), None)
    return ImportedSession(
        source=source.name,
        format=wire,
        family=f"{wire.value} {'list' if len(body) == 1 else 'request'}",
        messages=tuple(messages),
        system=system,
        tools=body.get("tools") or mapping(body.get("kwargs")).get("tools") or None,
        usage=usage if reply is not None else (),
        left_out=ledger.left_out(),
        warnings=ledger.warnings(),
        session_id=string(body.get("id")) or string(body.get("session_id")),
        model=string(body.get("model")) or string(mapping(body.get("response")).get("model")),
        part=part,
    )


def _refuse_mixture(source: Source, entries: list[Any], wire: Format) -> None:
    """Raise ImportSourceError for the first message that is of another format for certain."""
    for position, entry in enumerate(entries):
        if not _is_message(entry):
            continue
        own = _certain(entry)
        other = wire is Format.GEMINI and "parts" not in entry
        if other or (own is not None and own is not wire):
            named = own.value if own is not None else "another format"
            raise ImportSourceError(
                source.name,
                f"entry {position} is a message of {named} in a list of {wire.value}; "
                f"expected messages of one format",
            )


def _reply(response: Mapping[str, Any], wire: Format) -> Any | None:
    """The answer that a log keeps beside its request."""
    choices = sequence(response.get("choices"))
    if wire is Format.OPENAI_CHAT and choices:
        message = mapping(mapping(choices[0]).get("message"))
        return dict(message) if _is_message(message) else None
    content = response.get("content")
    if wire is Format.ANTHROPIC and isinstance(content, list) and content:
        return {"role": "assistant", "content": content}
    return None


def _usage(response: Mapping[str, Any], index: int) -> tuple[ReportedUsage, ...]:
    usage = mapping(response.get("usage"))
    if not usage:
        return ()
    details = mapping(usage.get("prompt_tokens_details"))
    cached = whole(usage.get("cache_read_input_tokens")) or whole(details.get("cached_tokens"))
    prompt = whole(usage.get("prompt_tokens"))
    created = whole(usage.get("cache_creation_input_tokens"))
    return (
        ReportedUsage(
            index=index,
            input_tokens=prompt or whole(usage.get("input_tokens")) + cached + created,
            output_tokens=whole(usage.get("completion_tokens"))
            or whole(usage.get("output_tokens")),
            cached_tokens=cached,
            model=string(response.get("model")),
        ),
    )
