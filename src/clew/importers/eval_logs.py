"""Logs of evaluations: Inspect, BFCL, ToolBench, and the dialogues of LoCoMo."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from clew.importers.chat_builder import ChatBuilder
from clew.importers.session import ImportedSession, ReportedUsage
from clew.importers.shapes import json_text, mapping, plain_text, sequence, string, whole
from clew.importers.source import Source

INSPECT = "inspect_ai"
BFCL = "bfcl_results"
TOOLBENCH = "toolbench"
LOCOMO = "memory_benchmarks"
_ATTACHED = re.compile(r"attachment://([0-9a-f]{32})")
_SESSION = re.compile(r"^session_(\d+)$")


# ---- Inspect --------------------------------------------------------------------------------


def recognises_inspect(source: Source) -> bool:
    """Whether the document is a log of Inspect."""
    document = mapping(source.document)
    return "eval" in document and isinstance(document.get("samples"), list)


def read_inspect(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """Every sample as a chat; attachments are put back where they stood."""
    del live  # the messages of a sample are its last state
    document = mapping(source.document)
    samples = list(map(mapping, sequence(document.get("samples"))))
    model = string(mapping(document.get("eval")).get("model"))
    return tuple(_sample(source, sample, part, model) for part, sample in enumerate(samples))


def _sample(source: Source, sample: Mapping[str, Any], part: int, model: str) -> ImportedSession:
    chat = ChatBuilder(source, INSPECT, part=part)
    chat.session_id = str(sample.get("id", ""))
    chat.model = model
    attached = mapping(sample.get("attachments"))

    def text_of(content: object) -> str:
        return _ATTACHED.sub(
            lambda found: string(attached.get(found.group(1))) or found.group(0),
            plain_text(content),
        )

    for message in map(mapping, sequence(sample.get("messages"))):
        role, text = string(message.get("role")), text_of(message.get("content"))
        if role == "assistant":
            calls = [
                (string(c.get("id")), string(c.get("function")), c.get("arguments", {}))
                for c in map(mapping, sequence(message.get("tool_calls")))
            ]
            chat.call(text, calls)
        elif role == "tool":
            failed = string(mapping(message.get("error")).get("message"))
            shown = f"Error: {failed}\n{text}".strip() if failed else text
            chat.answer(string(message.get("tool_call_id")), shown)
        elif role in ("system", "user"):
            chat.say(role, text)
        else:
            chat.ledger.leave_out(f"message with the role {role or '?'}")
    _sample_usage(chat, sample)
    if events := sequence(sample.get("events")):
        chat.ledger.leave_out("event that repeats the messages", len(events))
    return chat.session()


def _sample_usage(chat: ChatBuilder, sample: Mapping[str, Any]) -> None:
    """Usage stands in the model events, in the order of the assistant messages."""
    spoken = [i for i, m in enumerate(chat.messages) if m["role"] == "assistant"]
    models = [e for e in map(mapping, sequence(sample.get("events"))) if e.get("event") == "model"]
    for index, event in zip(spoken, models, strict=False):
        usage = mapping(mapping(event.get("output")).get("usage"))
        if usage:
            chat.usage.append(
                ReportedUsage(
                    index=index,
                    input_tokens=whole(usage.get("input_tokens")),
                    output_tokens=whole(usage.get("output_tokens")),
                    cached_tokens=whole(usage.get("input_tokens_cache_read")),
                    model=string(event.get("model")),
                )
            )


# ---- BFCL -----------------------------------------------------------------------------------


def recognises_bfcl(source: Source) -> bool:
    """Whether each line is a multi-turn result of BFCL."""
    return any(
        "inference_log" in line.value and "result" in line.value for line in source.lines[:5]
    )


def read_bfcl(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """Every entry as a chat: each step of a turn is one call message with its results."""
    del live  # nothing is ever compacted here
    return tuple(_bfcl(source, line.value, part) for part, line in enumerate(source.lines))


def _bfcl(source: Source, entry: Mapping[str, Any], part: int) -> ImportedSession:
    chat = ChatBuilder(source, BFCL, part=part)
    chat.session_id = string(entry.get("id"))
    for turn in sequence(entry.get("inference_log")):
        if not isinstance(turn, dict):
            chat.ledger.leave_out("state of the environment")
            continue
        for query in map(mapping, sequence(turn.get("begin_of_turn_query"))):
            chat.say(string(query.get("role")) or "user", plain_text(query.get("content")))
        for name, step in turn.items():
            if name.startswith("step_"):
                _bfcl_step(chat, list(map(mapping, sequence(step))))
    return chat.session()


def _bfcl_step(chat: ChatBuilder, step: list[Mapping[str, Any]]) -> None:
    waiting: list[str] = []
    for record in step:
        role, content = string(record.get("role")), record.get("content")
        if role == "assistant":
            calls = [
                ("", string(name), arguments)
                for call in map(mapping, sequence(content))
                for name, arguments in call.items()
            ]
            text = content if isinstance(content, str) else ""
            if text or calls:
                waiting = chat.call(text, calls)
        elif role == "tool" and waiting:
            chat.answer(waiting.pop(0), plain_text(content) or json_text(content))
        else:
            chat.ledger.leave_out(f"{role or 'untyped'} record of a step")


# ---- ToolBench ------------------------------------------------------------------------------


def recognises_toolbench(source: Source) -> bool:
    """Whether the document is an answer tree of ToolBench."""
    return "answer_generation" in mapping(source.document)


def read_toolbench(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The winning path; the abandoned branches of the tree are left out."""
    del live  # nothing is ever compacted here
    answer = mapping(mapping(source.document).get("answer_generation"))
    chat = ChatBuilder(source, TOOLBENCH)
    paths = [sequence(path) for path in sequence(answer.get("train_messages"))]
    path = max(paths, key=len, default=[])
    if len(paths) > 1:
        chat.ledger.leave_out("shorter state of the same path", len(paths) - 1)
    chat.tools = [
        {"type": "function", "function": f} for f in sequence(answer.get("function")) if f
    ] or None
    waiting = ""
    for message in map(mapping, path):
        role, text = string(message.get("role")), plain_text(message.get("content"))
        if role == "assistant":
            call = mapping(message.get("function_call"))
            calls = [("", string(call.get("name")), call.get("arguments", "{}"))] if call else []
            ids = chat.call(text, calls)
            waiting = ids[0] if ids else ""
        elif role in ("function", "tool") and waiting:
            chat.answer(waiting, text)
            waiting = ""
        elif role in ("system", "user"):
            chat.say(role, text)
        else:
            chat.ledger.leave_out(f"message with the role {role or '?'}")
    return (chat.session(),)


# ---- LoCoMo ---------------------------------------------------------------------------------


def recognises_locomo(source: Source) -> bool:
    """Whether the document is a list of long dialogues with questions."""
    first = mapping((sequence(source.document) or [None])[0])
    return "conversation" in first and "qa" in first


def read_locomo(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """Every dialogue as a chat; the first speaker is the user, the second the assistant."""
    del live  # nothing is ever compacted here
    sessions = []
    for part, entry in enumerate(map(mapping, sequence(source.document))):
        chat = ChatBuilder(source, LOCOMO, part=part)
        chat.session_id = string(entry.get("sample_id"))
        talk = mapping(entry.get("conversation"))
        numbers = sorted(int(m.group(1)) for key in talk if (m := _SESSION.match(key)))
        for number in numbers:
            chat.say("user", f"[{string(talk.get(f'session_{number}_date_time'))}]", harness=True)
            for line in map(mapping, sequence(talk.get(f"session_{number}"))):
                speaker = string(line.get("speaker"))
                role = "user" if speaker == talk.get("speaker_a") else "assistant"
                chat.say(role, f"{speaker}: {string(line.get('text'))}")
        chat.ledger.leave_out("question about the dialogue", len(sequence(entry.get("qa"))))
        sessions.append(chat.session())
    return tuple(sessions)
