"""A result that comes late changes what a repair had made; no handle that was given out dies."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew
from clew.codecs import codec_for
from clew.transcript import Format
from tests.laws.handles import Handles, session_for
from tests.laws.profile import sessions
from tests.strategies import seeds, transcripts
from tests.telling import Native

FORMATS = [pytest.param(wire, id=wire.value) for wire in Format]
WINDOWS = st.sampled_from([700, 1_500, 4_000, 20_000])


def late(wire: Format, told: list[Native], chance: Random) -> list[list[Native]]:
    """What each call of a model brings: some results come one call or more late, some twice."""
    codec = codec_for(wire)
    steps: list[list[Native]] = [[]]
    waiting: list[tuple[int, Native]] = []
    for index, message in enumerate(told):
        parsed = codec.parse(message, index)
        if parsed.role == "assistant" and index and steps[-1]:
            steps.append([])
            due = [native for at, native in waiting if at <= len(steps)]
            waiting = [(at, native) for at, native in waiting if at > len(steps)]
            steps[-1].extend(due)
        if parsed.results and chance.random() < 0.3:
            waiting.append((len(steps) + chance.randint(1, 3), message))
        else:
            steps[-1].append(message)
            if parsed.results and chance.random() < 0.2:
                steps[-1].append(message)
    steps.append([native for _, native in waiting])
    return [step for step in steps if step]


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
@sessions(4)
@given(told=st.data(), window=WINDOWS, seed=seeds, restarts=st.booleans())
def test_no_handle_dies(
    wire: Format,
    keeps: bool,
    told: st.DataObject,
    window: int,
    seed: int,
    restarts: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    steps = late(wire, told.draw(transcripts(wire, 4, 16)), Random(seed))
    store = str(tmp_path_factory.mktemp("archive") / "clew.db") if restarts else None
    session, handles = session_for(wire, window, store), Handles()
    held: list[Native] = []
    for step in steps:
        held = [*held, *step]
        try:
            context = session.prepare(held)
        except (clew.FloorExceededError, clew.InvalidTranscriptError):
            continue
        handles.judge(session, context, held)
        if keeps:
            held = list(context.messages)
        if restarts:
            session.close()
            session = session_for(wire, window, store)
    session.close()


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
@sessions(4)
@given(told=st.data(), window=WINDOWS, seed=seeds)
def test_two_workers_of_one_store_agree_on_every_handle(
    wire: Format,
    keeps: bool,
    told: st.DataObject,
    window: int,
    seed: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    chance = Random(seed)
    steps = late(wire, told.draw(transcripts(wire, 4, 12)), chance)
    store = str(tmp_path_factory.mktemp("archive") / "clew.db")
    workers = [session_for(wire, window, store) for _ in range(2)]
    handles = Handles()
    held: list[Native] = []
    for step in steps:
        held = [*held, *step]
        try:
            # Some calls come to one of them alone; the other one finds what it did.
            contexts = [w.prepare(held) for w in chance.sample(workers, chance.randint(1, 2))]
        except (clew.FloorExceededError, clew.InvalidTranscriptError):
            continue
        assert all(context.messages == contexts[0].messages for context in contexts)
        both = [worker.prepare(held) for worker in workers]
        assert all(context.messages == contexts[0].messages for context in both)
        for worker, context in zip(workers, both, strict=True):
            handles.judge(worker, context, held)
        held = list(contexts[0].messages) if keeps else held
    for worker in workers:
        worker.close()


# ---- the case by which it was found ------------------------------------------------------------


def called(wire: Format, *numbers: int) -> list[Native]:
    names = [(f"call_{n}", "bash") for n in numbers]
    match wire:
        case Format.OPENAI_CHAT:
            made: list[Any] = [
                {"id": i, "type": "function", "function": {"name": n, "arguments": "{}"}}
                for i, n in names
            ]
            return [{"role": "assistant", "content": None, "tool_calls": made}]
        case Format.ANTHROPIC:
            made = [{"type": "tool_use", "id": i, "name": n, "input": {}} for i, n in names]
            return [{"role": "assistant", "content": made}]
        case Format.GEMINI:
            made = [{"functionCall": {"id": i, "name": n, "args": {}}} for i, n in names]
            return [{"role": "model", "parts": made}]
        case Format.OPENAI_RESPONSES:
            return [
                {"type": "function_call", "call_id": i, "name": n, "arguments": "{}"}
                for i, n in names
            ]


def answered(wire: Format, number: int, text: str) -> Native:
    call_id = f"call_{number}"
    match wire:
        case Format.OPENAI_CHAT:
            return {"role": "tool", "tool_call_id": call_id, "content": text}
        case Format.ANTHROPIC:
            block = {"type": "tool_result", "tool_use_id": call_id, "content": text}
            return {"role": "user", "content": [block]}
        case Format.GEMINI:
            body = {"id": call_id, "name": "bash", "response": {"output": text}}
            return {"role": "user", "parts": [{"functionResponse": body}]}
        case Format.OPENAI_RESPONSES:
            return {"type": "function_call_output", "call_id": call_id, "output": text}


def said(wire: Format, text: str) -> Native:
    if wire is Format.GEMINI:
        return {"role": "user", "parts": [{"text": text}]}
    return {"role": "user", "content": text}


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
@pytest.mark.parametrize("restarts", [False, True], ids=["one process", "restarts"])
def test_what_a_repair_took_out_is_there_when_our_own_stand_in_has_gone(
    wire: Format, keeps: bool, restarts: bool, tmp_path: Path
) -> None:
    second = answered(wire, 4, "a second answer: marmot")
    steps = [
        [said(wire, "count the rows"), *called(wire, 4, 5)],
        [answered(wire, 4, "12"), second, said(wire, "go on")],
        [answered(wire, 5, "what came late: badger")],
    ]
    store = str(tmp_path / "clew.db")
    session, handles = session_for(wire, 20_000, store), Handles()
    held: list[Native] = []
    for step in steps:
        held = [*held, *step]
        context = session.prepare(held)
        handles.judge(session, context)
        held = list(context.messages) if keeps else held
        if restarts:
            session.close()
            session = session_for(wire, 20_000, store)
    context = session.prepare(held)
    for handle, before in handles.given.items():
        assert session.recall(handle) == before
    shown = json.dumps(context.messages)
    for word in ("marmot", "badger"):
        hits = [hit.handle for hit in session.search(word)]
        assert hits or word in shown
        assert all(word.encode() in session.recall(hit) for hit in hits)
    session.close()
