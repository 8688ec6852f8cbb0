"""Every store behaves as the contract says."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from clew.ports import Store
from clew.store import MemoryStore, SqliteStore
from clew.store.connections import writing
from clew.store.reading import CHECKPOINTS_REMEMBERED
from tests.contracts.store_contract import StoreContract
from tests.store.samples import checkpoint, message, span


class TestMemory(StoreContract):
    @pytest.fixture
    def store(self) -> Iterator[Store]:
        with closing(MemoryStore()) as store:
            yield store


class TestSqlite(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with closing(SqliteStore(tmp_path / "clew.db")) as store:
            yield store


def test_what_memory_left_for_the_first_reader_is_all_there() -> None:
    """More commits than checkpoints are remembered, and nothing read in between."""
    with closing(MemoryStore()) as store:
        made = [
            checkpoint(f"c{n}", key=f"k{n}", spans=(span(n + 1, f"word{n}"),))
            for n in range(CHECKPOINTS_REMEMBERED + 5)
        ]
        for n, each in enumerate(made):
            store.commit(each, [message(f"m{n}")])

        first, last = message("m0"), message(f"m{len(made) - 1}")
        assert store.checkpoint("c0") == made[0]
        assert store.messages([first.digest, "absent", last.digest]) == {
            first.digest: first,
            last.digest: last,
        }
        assert [hit.handle for hit in store.search("c3", "word3")] == ["S-4"]


@contextmanager
def _interrupted(connection: sqlite3.Connection) -> Iterator[None]:
    """A write transaction that is done when somebody presses Ctrl-C."""
    with writing(connection):
        yield
    raise KeyboardInterrupt


@contextmanager
def _given_up(connection: sqlite3.Connection) -> Iterator[None]:
    """A write transaction that is interrupted before it is done."""
    with writing(connection):
        yield
        raise KeyboardInterrupt


@pytest.mark.parametrize("ends", [_interrupted, _given_up])
@pytest.mark.parametrize("during", ["commit", "messages", "search"])
def test_an_interrupt_leaves_a_store_in_memory_whole(
    monkeypatch: pytest.MonkeyPatch, during: str, ends: Any
) -> None:
    made = checkpoint("c0", key="k0", spans=(span(1, "harbour light"), span(2, "harbour wall")))
    held = message("m0")
    with closing(MemoryStore()) as store:
        if during != "commit":
            store.commit(made, [held])
        monkeypatch.setattr("clew.store.sqlite.writing", ends)
        works: dict[str, Callable[[], Any]] = {
            "commit": lambda: store.commit(made, [held]),
            "messages": lambda: store.messages([held.digest]),
            "search": lambda: store.search("c0", "harbour"),
        }
        with pytest.raises(KeyboardInterrupt):
            works[during]()
        monkeypatch.undo()

        store.commit(made, [held])
        assert store.checkpoint("c0") == made
        assert store.messages([held.digest]) == {held.digest: held}
        assert sorted(hit.handle for hit in store.search("c0", "harbour")) == ["S-1", "S-2"]
        assert [hit.handle for hit in store.search("c0", "wall")] == ["S-2"]
