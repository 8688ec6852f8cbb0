"""Handles are in reach of a session however many checkpoints lie between, and cost little."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.cli import main
from clew.ports import Checkpoint
from clew.store import MemoryStore
from clew.transcript import Format
from tests.laws.test_late_results import answered, called, said
from tests.telling import Native

CALLS = 40


class Watched(MemoryStore):
    """Counts how many checkpoints are read whole."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0

    def checkpoint(self, checkpoint_id: str) -> Checkpoint | None:
        self.read += 1
        return super().checkpoint(checkpoint_id)

    def ancestry(self, checkpoint_id: str) -> tuple[Checkpoint, ...]:
        line = super().ancestry(checkpoint_id)
        self.read += len(line)
        return line


def one_id_for_all(session: clew.Session, calls: int = CALLS) -> clew.Context:
    """Play an agent whose every call has the same id; each is a repair of its own."""
    messages: list[Native] = [{"role": "user", "content": "count the rows"}]
    context = session.prepare(messages)
    for number in range(calls):
        called = {"type": "tool_use", "id": "c", "name": "bash", "input": {"n": number}}
        text = f"row {number}\n" + "x y z " * 30
        result = {"type": "tool_result", "tool_use_id": "c", "content": text}
        messages.append({"role": "assistant", "content": [called]})
        messages.append({"role": "user", "content": [result]})
        context = session.prepare(messages)
    return context


def session_for(store: Any) -> clew.Session:
    policy = clew.Policy(clew.Budget(4_000, output_reserve_tokens=400))
    return clew.Session(policy=policy, format="anthropic", counter="estimate", store=store)


def test_a_handle_is_found_without_reading_the_checkpoints_between() -> None:
    store = Watched()
    session = session_for(store)
    one_id_for_all(session)
    handles = [handle for handle, _ in session.spans()]
    assert sum(handle.startswith("M-") for handle in handles) > CALLS
    store.read = 0
    for handle in (handles[0], handles[-1], *(h for h in handles if h[0] == "S")):
        assert json.loads(session.recall(handle))
    with pytest.raises(clew.UnknownHandleError):
        session.recall("S-99999")
    with pytest.raises(clew.UnknownHandleError):
        session.recall("Q-99999")
    assert store.read == 0
    with pytest.raises(clew.UnknownHandleError):
        session.recall("S-99999.1")
    assert store.read <= 1


def test_a_report_names_some_originals_and_where_the_others_are_listed() -> None:
    session = session_for(None)
    context = one_id_for_all(session)
    told = next(said for said in context.report.repairs if "kept as M-" in said)
    assert told.count("M-") == 12
    listed = {handle for handle, _ in session.spans() if handle.startswith("M-")}
    more = len(listed) - 12
    assert f"and {more:,} more; session.spans() lists all of them" in told


def test_the_command_line_gives_back_what_a_repair_took_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "clew.db")
    with session_for(store) as session:
        one_id_for_all(session, 3)
        handle = next(h for h, _ in session.spans() if h.startswith("M-"))
        expected = session.recall(handle).decode()
    assert main(["recall", handle, "--store", store]) == 0
    assert capsys.readouterr().out.strip() == expected


def test_the_command_line_reads_handles_of_a_state_that_another_took_the_place_of(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = str(tmp_path / "clew.db")
    wire = Format.ANTHROPIC
    long = " ".join(f"row {n} was counted" for n in range(400))
    held = [
        said(wire, "count the rows"),
        *called(wire, 4, 5),
        answered(wire, 4, f"13 badgers {long}"),
        said(wire, f"go on {long}"),
    ]
    with session_for(path) as session:
        context = session.prepare(held)
        before = {handle: session.recall(handle) for handle in leaves_in(context)}
        before |= {h: session.recall(h) for h, _ in session.spans() if h[0] == "S"}
        assert before
        held = [*held, answered(wire, 5, "what came late"), *called(wire, 6)]
        again = session.prepare([*held, answered(wire, 6, long)])
        assert leaves_in(again).isdisjoint(before)
    for handle, what in before.items():
        assert main(["recall", handle, "--store", path]) == 0
        assert capfdbinary.readouterr().out == what


def leaves_in(context: clew.Context) -> set[str]:
    return set(re.findall(r"\bS-\d+\.\d+\b", json.dumps(context.messages)))
