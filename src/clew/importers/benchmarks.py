"""Runs that benchmarks record: tau-bench, ATIF, InterCode, Who&When."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.importers.chat_builder import ChatBuilder
from clew.importers.session import CompactionSeen, ImportedSession, ReportedUsage
from clew.importers.shapes import mapping, plain_text, sequence, string, whole
from clew.importers.source import Source

TAU = "tau_bench"
ATIF = "atif"
INTERCODE = "intercode"
WHO = "who_and_when"


# ---- tau-bench and tau2-bench ---------------------------------------------------------------


def recognises_tau(source: Source) -> bool:
    """Whether the document holds simulations of tau-bench."""
    document = source.document
    if isinstance(document, dict):
        return "simulations" in document and "tasks" in document
    first = mapping(sequence(document)[0]) if sequence(document) else {}
    return "traj" in first and "task_id" in first


def read_tau(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """Every simulation as a chat of its own."""
    del live  # nothing is ever compacted here
    document = source.document
    outer = mapping(document)
    runs = list(map(mapping, sequence(outer.get("simulations")) if outer else sequence(document)))
    return tuple(_tau(source, run, part) for part, run in enumerate(runs))


def _tau(source: Source, run: Mapping[str, Any], part: int) -> ImportedSession:
    chat = ChatBuilder(source, TAU, part=part)
    chat.session_id = string(run.get("id")) or str(run.get("task_id", ""))
    for message in map(mapping, sequence(run.get("messages") or run.get("traj"))):
        role = string(message.get("role"))
        text = plain_text(message.get("content"))
        if message.get("requestor") == "user" or (role == "user" and message.get("tool_calls")):
            chat.ledger.leave_out("call that the simulated user made")
        elif role == "assistant":
            calls = [_flat_call(call) for call in map(mapping, sequence(message.get("tool_calls")))]
            _tau_usage(chat, mapping(message.get("usage")))
            chat.call(text, calls)
        elif role == "tool":
            chat.answer(string(message.get("tool_call_id")) or string(message.get("id")), text)
        elif role in ("user", "system"):
            chat.say(role, text)
        else:
            chat.ledger.leave_out(f"message with the role {role or '?'}")
    return chat.session()


def _flat_call(call: Mapping[str, Any]) -> tuple[str, str, Any]:
    function = mapping(call.get("function")) or call
    return string(call.get("id")), string(function.get("name")), function.get("arguments", {})


def _tau_usage(chat: ChatBuilder, usage: Mapping[str, Any]) -> None:
    if usage:
        chat.usage.append(
            ReportedUsage(
                index=len(chat.messages),
                input_tokens=whole(usage.get("prompt_tokens")),
                output_tokens=whole(usage.get("completion_tokens")),
            )
        )


# ---- ATIF -----------------------------------------------------------------------------------


def recognises_atif(source: Source) -> bool:
    """Whether the document is a trajectory in the interchange format ATIF."""
    document = mapping(source.document)
    return "steps" in document and (
        string(document.get("schema_version")).startswith("ATIF") or "agent" in document
    )


def read_atif(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The steps as chat messages; a summarisation step is noted as a compaction."""
    del live  # the summary itself stands in another file
    document = mapping(source.document)
    chat = ChatBuilder(source, ATIF)
    chat.session_id = string(document.get("session_id"))
    chat.model = string(mapping(document.get("agent")).get("model_name"))
    for step in map(mapping, sequence(document.get("steps"))):
        origin, text = string(step.get("source")), plain_text(step.get("message"))
        if origin == "agent":
            _atif_agent(chat, step, text)
        elif origin == "system" and "summarization" in text:
            chat.compactions.append(CompactionSeen(index=len(chat.messages), kind="summarization"))
            chat.ledger.leave_out("summary by the agent's own compaction")
        elif origin in ("user", "system"):
            chat.say(origin, text)
        else:
            chat.ledger.leave_out(f"step of the source {origin or '?'}")
    return (chat.session(),)


def _atif_agent(chat: ChatBuilder, step: Mapping[str, Any], text: str) -> None:
    calls = [
        (string(c.get("tool_call_id")), string(c.get("function_name")), c.get("arguments", {}))
        for c in map(mapping, sequence(step.get("tool_calls")))
    ]
    metrics = mapping(step.get("metrics"))
    if metrics:
        chat.usage.append(
            ReportedUsage(
                index=len(chat.messages),
                input_tokens=whole(metrics.get("prompt_tokens")),
                output_tokens=whole(metrics.get("completion_tokens")),
                cached_tokens=whole(metrics.get("cached_tokens")),
                model=string(step.get("model_name")),
            )
        )
    ids = chat.call(text, calls)
    results = list(map(mapping, sequence(mapping(step.get("observation")).get("results"))))
    for number, result in enumerate(results):
        named = string(result.get("source_call_id"))
        identity = named or (ids[number] if number < len(ids) else "")
        content = plain_text(result.get("content"))
        if identity in ids:
            chat.answer(identity, content)
            ids.remove(identity)
        elif content:
            chat.say("user", content, harness=True)


# ---- InterCode ------------------------------------------------------------------------------


def recognises_intercode(source: Source) -> bool:
    """Whether the document holds episodes of InterCode."""
    episodes = _episodes(source.document)
    return bool(episodes) and "turn_history" in episodes[0]


def read_intercode(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """Every episode as a chat with calls of a `bash` tool."""
    del live  # nothing is ever compacted here
    sessions = []
    for part, episode in enumerate(_episodes(source.document)):
        chat = ChatBuilder(source, INTERCODE, part=part)
        chat.session_id = str(episode.get("task_id", ""))
        chat.say("user", string(episode.get("query")) or string(episode.get("question")) or "?")
        turns = mapping(episode.get("turn_history"))
        observations = sequence(turns.get("observations"))
        for number, action in enumerate(sequence(turns.get("actions"))):
            ids = chat.call("", [("", "bash", {"command": plain_text(action)})])
            if number < len(observations):
                shown = observations[number]
                chat.answer(ids[0], shown if isinstance(shown, str) else str(shown))
        sessions.append(chat.session())
    return tuple(sessions)


def _episodes(document: Any) -> list[Mapping[str, Any]]:
    if isinstance(document, list):
        return [mapping(entry) for entry in document]
    return [mapping(entry) for entry in mapping(document).values() if isinstance(entry, dict)]


# ---- Who&When -------------------------------------------------------------------------------


def recognises_who(source: Source) -> bool:
    """Whether the document is a chat of several agents with a failure label."""
    document = mapping(source.document)
    return isinstance(document.get("history"), list) and "mistake_agent" in document


def read_who(source: Source, *, live: bool) -> tuple[ImportedSession, ...]:
    """The chat with one assistant per speaker; the speaker's name stands in `name`."""
    del live  # nothing is ever compacted here
    chat = ChatBuilder(source, WHO)
    for entry in map(mapping, sequence(mapping(source.document).get("history"))):
        role, text = string(entry.get("role")), plain_text(entry.get("content"))
        if role in ("human", "user") and not chat.messages:
            chat.say("user", text)
            continue
        speaker = string(entry.get("name")) or role.split(" (")[0]
        chat.messages.append(
            {"role": "assistant", "name": speaker.replace(" ", "_") or "agent", "content": text}
        )
    return (chat.session(),)
