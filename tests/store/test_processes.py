"""A store survives a kill at any instant, and several processes at once."""

from __future__ import annotations

import multiprocessing
import os
import random
import sqlite3
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from clew.store import SqliteStore
from tests.store.samples import message
from tests.store.workers import (
    SHARED_KEYS,
    SPANS,
    commit_until_killed,
    contend,
    open_new,
    step,
    use_after_fork,
)

KILLS = int(os.environ.get("CLEW_STORE_KILLS", "60"))
KILLS_PER_FILE = 15
WORKERS = 8


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Starts processes that share nothing with this one, in a few milliseconds each."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.store.workers"])
    return context


def integrity(path: Path) -> str:
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        connection.execute("INSERT INTO labels (labels) VALUES ('integrity-check')")
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


def killed(processes: ForkServerContext, path: Path, after: int, seconds: float) -> list[str]:
    """Kills a committing process `seconds` after its n-th word; gives what it acknowledged."""
    reader, writer = processes.Pipe(duplex=False)
    process = processes.Process(target=commit_until_killed, args=(path, writer), daemon=True)
    process.start()
    writer.close()
    with reader:
        reader.recv_bytes()
        acknowledged = [reader.recv_bytes().decode() for _ in range(after)]
        time.sleep(seconds)
        process.kill()
        process.join()
        try:
            while True:
                acknowledged.append(reader.recv_bytes().decode())
        except EOFError:
            return acknowledged


def check(path: Path, acknowledged: list[str], kills: int) -> int:
    """Every acknowledged checkpoint is whole; gives how many there are."""
    assert integrity(path) == "ok"
    with closing(SqliteStore(path)) as store:
        latest = store.latest("crash")
        if latest is None:
            assert acknowledged == []
            return 0
        line = [each.checkpoint_id for each in reversed(store.ancestry(latest.checkpoint_id))]
        noted = [note.json for note in store.notes("crash")]
        assert set(acknowledged) <= set(line)
        assert set(acknowledged) <= set(noted) <= set(line)
        assert len(line) <= len(acknowledged) + kills
        for n, name in enumerate(line):
            made, messages = step("crash", n, line[n - 1] if n else None)
            assert store.checkpoint(name) == made
            archived = store.messages([each.digest for each in messages])
            assert list(archived.values()) == messages
        for n in random.sample(range(len(line)), min(5, len(line))):
            hits = store.search(latest.checkpoint_id, f"step{n}", limit=SPANS)
            assert {hit.handle for hit in hits} == {f"S-{n * SPANS + k + 1}" for k in range(SPANS)}
        return len(line)


@pytest.mark.timeout(600)
def test_a_kill_loses_nothing_that_was_acknowledged(
    processes: ForkServerContext, tmp_path: Path
) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")  # noqa: T201 - shown when the test fails
    chance = random.Random(seed)
    for first in range(0, KILLS, KILLS_PER_FILE):
        path = tmp_path / f"{first}.db"
        acknowledged: list[str] = []
        for kills in range(1, min(KILLS_PER_FILE, KILLS - first) + 1):
            # Without a word awaited, the kill hits the opening or making of the file.
            after = chance.choice((0, 0, 1, 2, 5))
            acknowledged += killed(processes, path, after, chance.random() * 0.02)
            assert check(path, acknowledged, kills) >= len(acknowledged) >= after


def test_eight_processes_lose_nothing_and_agree_on_who_was_first(
    processes: ForkServerContext, tmp_path: Path
) -> None:
    path = tmp_path / "clew.db"
    with ProcessPoolExecutor(WORKERS, mp_context=processes) as pool:
        results = list(pool.map(contend, [path] * WORKERS, range(WORKERS)))
    assert all(result == results[0] for result in results)
    assert integrity(path) == "ok"
    with closing(SqliteStore(path)) as store:
        for worker in range(WORKERS):
            name = f"own {worker}-{SHARED_KEYS - 1}"
            line = store.ancestry(name)
            assert [each.depth for each in line] == list(range(SHARED_KEYS, 0, -1))
            assert {each.session_id for each in line} == {f"own {worker}"}
            handles = {hit.handle for hit in store.search(name, "step3", limit=SPANS)}
            assert handles == {f"S-{3 * SPANS + k + 1}" for k in range(SPANS)}
            assert store.search(name, "offered") == []
        for n, winner in enumerate(results[0]):
            found = store.find("shared", [f"key {n}"])
            assert found is not None
            assert found.checkpoint.checkpoint_id == winner
            first = winner.split()[1].split("-")[0]
            (hit,) = store.search(winner, "offered")
            assert hit.excerpt == f"offered by worker{first}"


def test_processes_that_make_the_file_together_all_open_it(
    processes: ForkServerContext, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{n // 4}.db" for n in range(4 * 30)]
    with ProcessPoolExecutor(4, mp_context=processes) as pool:
        assert list(pool.map(open_new, paths)) == [0] * len(paths)


def test_a_store_that_was_open_before_a_fork_works_on_both_sides(
    processes: ForkServerContext, tmp_path: Path
) -> None:
    path = tmp_path / "clew.db"
    with ProcessPoolExecutor(1, mp_context=processes) as pool:
        assert pool.submit(use_after_fork, path).result(timeout=60) == 0
    assert integrity(path) == "ok"
    with closing(SqliteStore(path)) as store:
        for session, count in (("parent", 7), ("child", 5)):
            latest = store.latest(session)
            assert latest is not None
            assert len(store.ancestry(latest.checkpoint_id)) == count


def test_another_process_sees_a_commit_at_once(
    processes: ForkServerContext, tmp_path: Path
) -> None:
    path = tmp_path / "clew.db"
    with closing(SqliteStore(path)) as store:
        assert store.find("own 0", ["key of own 0-0"]) is None
        with ProcessPoolExecutor(1, mp_context=processes) as pool:
            pool.submit(contend, path, 0).result(timeout=60)
        found = store.find("own 0", ["key of own 0-0", "key of own 0-5"])
        assert found is not None
        assert found.checkpoint.checkpoint_id == "own 0-5"
        kept = message(f"own 0-5 message 0 {'padding ' * 200}")
        assert store.messages([kept.digest]) == {kept.digest: kept}
