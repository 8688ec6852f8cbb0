"""Every store behaves as the contract says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from clew.ports import Store
from clew.store import MemoryStore, SqliteStore
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
