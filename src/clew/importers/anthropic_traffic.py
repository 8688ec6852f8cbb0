"""Recorded traffic of the Anthropic Messages API: one request with its response a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from clew.importers.session import ImportedSession, ReportedUsage
from clew.importers.shapes import Ledger, mapping, plain_text, sequence, string, whole
from clew.importers.source import Source
from clew.transcript import Format

FAMILY = "anthropic_messages"


def recognises(source: Source) -> bool:
    """Whether each line is a request to the Messages API with what came back."""
    return any(
        isinstance(mapping(mapping(line.value.get("request")).get("body")).get("messages"), list)
        and "response" in line.value
        for line in source.lines[:20]
    )


def read(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The conversations in the traffic, longest first within their order of appearance.

    Each request repeats the history of its conversation; the last request of each is taken, with
    its response behind it. Requests of one message are side calls and are counted.
    """
    del live  # the traffic is what the model saw
    silent = 0
    chains: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for line in source.lines:
        body = mapping(mapping(line.value.get("request")).get("body"))
        messages = sequence(body.get("messages"))
        if messages:
            key = (string(body.get("model")), _opening(messages))
            chains.setdefault(key, []).append(line.value)
        else:
            silent += 1
    main = {key: rows for key, rows in chains.items() if max(map(_length, rows)) > 1}
    chosen = list((main or chains).values())
    asides = sum(len(rows) for rows in chains.values()) - sum(map(len, chosen))
    return tuple(_session(source, rows, part, asides, silent) for part, rows in enumerate(chosen))


def _opening(messages: list[Any]) -> str:
    """What tells conversations apart: the text a person typed first, without its reminders."""
    content = mapping(messages[0]).get("content")
    texts = [content] if isinstance(content, str) else [
        string(mapping(block).get("text")) for block in sequence(content)
    ]  # fmt: skip
    typed = [text for text in texts if text and not text.startswith("<system-reminder>")]
    return (typed[0] if typed else plain_text(content))[:2000]


def _length(row: Mapping[str, Any]) -> int:
    body = mapping(mapping(row.get("request")).get("body"))
    return len(sequence(body.get("messages")))


def _session(
    source: Source, rows: list[Mapping[str, Any]], part: int, asides: int, silent: int
) -> ImportedSession:
    ledger = Ledger(source)
    if silent and part == 0:
        ledger.leave_out("line that is no request with messages", silent)
    if asides and part == 0:
        ledger.leave_out("side request of a single message", asides)
    last = max(enumerate(rows), key=lambda pair: (_length(pair[1]), pair[0]))[1]
    body = mapping(mapping(last.get("request")).get("body"))
    messages = list(sequence(body.get("messages")))
    usage: list[ReportedUsage] = []
    for row in rows:
        reply = _reply(mapping(row.get("response")))
        reported = _usage(mapping(reply.get("usage")), _length(row), string(reply.get("model")))
        if reported is not None:
            usage.append(reported)
        if row is last and sequence(reply.get("content")):
            messages.append({"role": "assistant", "content": reply["content"]})
    return ImportedSession(
        source=source.name,
        format=Format.ANTHROPIC,
        family=FAMILY,
        messages=tuple(messages),
        system=body.get("system"),
        tools=body.get("tools"),
        usage=tuple(usage),
        left_out=ledger.left_out(),
        warnings=ledger.warnings(),
        model=string(body.get("model")),
        part=part,
    )


def _usage(usage: Mapping[str, Any], index: int, model: str) -> ReportedUsage | None:
    if not usage:
        return None
    cached = whole(usage.get("cache_read_input_tokens"))
    created = whole(usage.get("cache_creation_input_tokens"))
    return ReportedUsage(
        index=index,
        input_tokens=whole(usage.get("input_tokens")) + cached + created,
        output_tokens=whole(usage.get("output_tokens")),
        cached_tokens=cached,
        model=model,
    )


def _reply(response: Mapping[str, Any]) -> Mapping[str, Any]:
    """The response message; a recorded event stream is put together again."""
    if body := mapping(response.get("body")):
        return body
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    inputs: dict[int, str] = {}
    for line in string(response.get("body_raw")).split("\n"):
        if not line.startswith("data:"):
            continue
        try:
            event = mapping(json.loads(line[5:]))
        except (ValueError, RecursionError):
            continue
        _apply(event, message, blocks, inputs)
    for index, text in inputs.items():
        try:
            blocks.setdefault(index, {})["input"] = json.loads(text) if text else {}
        except (ValueError, RecursionError):
            blocks.setdefault(index, {})["input"] = {"input": text}
    if blocks:
        message["content"] = [blocks[i] for i in sorted(blocks) if blocks[i].get("type")]
    return message


def _apply(
    event: Mapping[str, Any],
    message: dict[str, Any],
    blocks: dict[int, dict[str, Any]],
    inputs: dict[int, str],
) -> None:
    index = whole(event.get("index"))
    match string(event.get("type")):
        case "message_start":
            message.update(mapping(event.get("message")))
        case "content_block_start":
            blocks[index] = dict(mapping(event.get("content_block")))
            if blocks[index].get("type") == "tool_use":
                inputs[index] = ""
        case "content_block_delta":
            delta = mapping(event.get("delta"))
            block = blocks.setdefault(index, {"type": "text"})
            for key in ("text", "thinking", "signature"):
                if isinstance(delta.get(key), str):
                    block[key] = string(block.get(key)) + delta[key]
            if isinstance(delta.get("partial_json"), str):
                inputs[index] = inputs.get(index, "") + delta["partial_json"]
        case "message_delta":
            message["usage"] = {**mapping(message.get("usage")), **mapping(event.get("usage"))}
        case _:
            pass
