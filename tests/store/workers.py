"""What other processes do to a store in the tests of crashes and of concurrency."""

from __future__ import annotations

import os
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from clew.ports import ArchivedMessage, Checkpoint
from clew.store import MemoryStore, SqliteStore
from tests.store.samples import checkpoint, message, span

SPANS = 3
SHARED_KEYS = 12


def step(session: str, n: int, parent: str | None) -> tuple[Checkpoint, list[ArchivedMessage]]:
    """The n-th checkpoint of a session, with messages and words of its own."""
    name = f"{session}-{n}"
    texts = [f"{name} message {k} " + "padding " * 200 for k in range(SPANS)]
    spans = [span(n * SPANS + k + 1, f"step{n} {text}") for k, text in enumerate(texts)]
    made = checkpoint(name, session=session, parent=parent, depth=n + 1, spans=spans)
    return made, [message(text) for text in texts]


def steps(store: SqliteStore, session: str) -> Iterator[str]:
    """Commits one checkpoint after the other, behind what is there; yields each id when it is."""
    latest = store.latest(session)
    n = 0 if latest is None else latest.depth
    parent = None if latest is None else latest.checkpoint_id
    while True:
        made, messages = step(session, n, parent)
        parent = store.commit(made, messages).checkpoint_id
        store.add_note(session, parent)
        yield parent
        n += 1


def commit_until_killed(path: Path, acknowledge: Connection) -> None:
    """Tells every id once it is committed, for ever."""
    acknowledge.send_bytes(b"")
    for name in steps(SqliteStore(path), "crash"):
        acknowledge.send_bytes(name.encode())


def contend(path: Path, worker: int) -> list[str]:
    """Commits to a session of its own and to a shared one; gives the ids the shared one took."""
    store = SqliteStore(path, busy_timeout_seconds=60)
    mine = steps(store, f"own {worker}")
    winners = []
    for n in range(SHARED_KEYS):
        next(mine)
        offered = checkpoint(
            f"shared {worker}-{n}",
            session="shared",
            key=f"key {n}",
            spans=[span(n + 1, f"offered by worker{worker}")],
        )
        winners.append(store.commit(offered, []).checkpoint_id)
    assert store.find("shared", [f"key of own {worker}-0"]) is None
    store.close()
    return winners


def open_new(path: Path) -> int:
    """Opens a file that others open in the same moment."""
    store = SqliteStore(path)
    found = len(store.sessions())
    store.close()
    return found


def use_after_fork(path: Path) -> int:
    """Forks with open stores; both sides go on; gives the exit status of the child."""
    store = SqliteStore(path)
    memory = MemoryStore()
    mine = steps(store, "parent")
    next(mine)
    with memory._connections.use():
        child = os.fork()
        if child == 0:
            status = 1
            try:
                theirs = steps(store, "child")
                names = [next(theirs) for _ in range(5)]
                memory.commit(checkpoint("a"), [])
                store.close()
                status = 0 if len(names) == 5 else 2
            finally:
                os._exit(status)
    for _ in range(5):
        next(mine)
    _, ended = os.waitpid(child, 0)
    next(mine)
    assert memory.checkpoint("a") is None
    store.close()
    return os.waitstatus_to_exitcode(ended)
