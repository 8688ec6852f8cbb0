"""Sessions of several processes on one file: killed at any instant, or all at once."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

import pytest

from clew.transcript import Format
from tests.laws.players import judge_fits, judge_nothing_lost
from tests.laws.processes import contend, contexts, play_until_killed, session_on, told
from tests.wire.check import violations

_SPAWN = multiprocessing.get_context("spawn")
KILLS = 4
WORKERS = 4


@pytest.mark.parametrize("wire", [Format.OPENAI_CHAT, Format.ANTHROPIC])
def test_a_run_that_was_killed_goes_on_with_the_same_bytes_and_misses_nothing(
    tmp_path: Path, wire: Format
) -> None:
    chance = Random(20)
    for kill in range(KILLS):
        path = tmp_path / f"{kill}.db"
        ours, theirs = _SPAWN.Pipe(duplex=False)
        process = _SPAWN.Process(target=play_until_killed, args=(path, wire, kill, theirs))
        process.start()
        theirs.close()
        assert ours.recv_bytes() == b"ready"
        wait_until = time.monotonic() + chance.uniform(0.02, 0.6)
        said: list[bytes] = []
        while time.monotonic() < wait_until or not said:
            if ours.poll(0.005):
                said.append(ours.recv_bytes())
        process.kill()
        process.join()
        said.extend(_rest(ours))
        _judge_restart(path, wire, kill, said)


def _rest(pipe: multiprocessing.connection.Connection) -> list[bytes]:
    said = []
    try:
        while pipe.poll():
            said.append(pipe.recv_bytes())
    except EOFError:
        pass
    return said


def _judge_restart(path: Path, wire: Format, seed: int, said: list[bytes]) -> None:
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    last = json.loads(said[-1])
    messages = told(wire, seed, 40)
    with session_on(path, wire, session_id=f"round {last['round']}") as session:
        context = session.prepare(messages[: last["length"]])
        assert context.messages == last["messages"]
        judge_fits(context)
        judge_nothing_lost(session, messages[: last["length"]], context)


@pytest.mark.parametrize("wire", [Format.OPENAI_CHAT, Format.GEMINI])
def test_processes_on_one_file_agree_on_the_shared_run_and_keep_their_own(
    tmp_path: Path, wire: Format
) -> None:
    steps, shared = 14, 99
    path = tmp_path / "shared.db"
    with ProcessPoolExecutor(WORKERS, mp_context=_SPAWN) as pool:
        runs = [pool.submit(contend, path, wire, own, shared, steps) for own in range(WORKERS)]
        seen = [run.result(timeout=90) for run in runs]
    assert any(result["hits"] for result in seen), "nothing was absorbed: the test shows nothing"
    # A worker that is behind already sees what one ahead of it has folded of the same history, so
    # they need not agree at every length on the way; where the run ends they do.
    assert len({contexts(path, wire, shared, steps)[-1] for _ in range(WORKERS)}) == 1
    assert len({result["shared"][-1] for result in seen}) == 1
    for own, result in enumerate(seen):
        for text in result["shared"]:
            assert violations(wire.value, json.loads(text)) == []
        assert result["own"] == contexts(tmp_path / f"own {own}.db", wire, own, steps)
        for hit in result["hits"]:
            assert f"ledger {shared}" not in hit
            assert all(f"ledger {other}." not in hit for other in range(WORKERS) if other != own)
