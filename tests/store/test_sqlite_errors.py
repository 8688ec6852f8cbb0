"""A SQLite file that cannot be used says so, and holds afterwards what it held before."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from clew.errors import (
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    StoreVersionError,
)
from clew.store import SqliteStore
from clew.store.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of
from tests.store.samples import checkpoint, message, span


def filled(path: Path) -> Path:
    with closing(SqliteStore(path)) as store:
        store.commit(checkpoint("a", spans=[span(1, "needle")]), [message("kept")])
    return path


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database at all, but it is long enough to have a header" * 50)


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (x)")
        connection.commit()


def newer(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")


def truncated(path: Path) -> None:
    filled(path)
    os.truncate(path, 4096 + 100)


def directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (garbage, StoreCorruptError, "file is not a database"),
        (foreign, StoreCorruptError, "not a Clew store"),
        (newer, StoreVersionError, "schema version is 2 and this Clew knows up to 1"),
        (truncated, StoreCorruptError, "malformed"),
        (directory, StoreError, "it is a directory"),
    ],
)
def test_refuses_a_file_that_is_no_store_and_leaves_it_alone(
    tmp_path: Path, spoil: Callable[[Path], None], error: type[StoreError], words: str
) -> None:
    path = tmp_path / "clew.db"
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(error, match=words) as caught:
        SqliteStore(path).find("session", ["key of a"])
    assert caught.value.location == str(path)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_refuses_a_directory_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"the directory .*missing does not exist"):
        SqliteStore(tmp_path / "missing" / "clew.db")


def test_only_the_owner_may_read_a_new_file(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        filled(tmp_path / "clew.db")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "clew.db").stat().st_mode) == 0o600


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "clew.db").touch()
    filled(tmp_path / "clew.db")
    with closing(sqlite3.connect(tmp_path / "clew.db")) as connection:
        assert version_of(connection, "it") == len(MIGRATIONS)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_damaged_page_is_named_and_not_repaired(tmp_path: Path) -> None:
    path = filled(tmp_path / "clew.db")
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    with closing(SqliteStore(path)) as store:
        with pytest.raises(StoreCorruptError):
            store.find("session", ["key of a"])
        with pytest.raises(StoreCorruptError):
            store.commit(checkpoint("b"), [])


def test_a_damaged_row_is_named(tmp_path: Path) -> None:
    path = filled(tmp_path / "clew.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE messages SET body = x'00'")
        connection.commit()
    with closing(SqliteStore(path)) as store, pytest.raises(StoreCorruptError, match="row"):
        store.messages([message("kept").digest])


def test_a_read_only_store_reads_and_does_not_write(tmp_path: Path) -> None:
    path = filled(tmp_path / "clew.db")
    with closing(SqliteStore(path, read_only=True)) as store:
        assert store.find("session", ["key of a"]) is not None
        assert [hit.handle for hit in store.search("a", "needle")] == ["S-1"]
        for write in (
            lambda: store.commit(checkpoint("b"), []),
            lambda: store.add_note("session", "{}"),
            lambda: store.remember("k", "v"),
        ):
            with pytest.raises(StoreReadOnlyError):
                write()
        assert store.notes("session") == ()


def test_reading_a_file_that_is_not_there_makes_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="the file does not exist"):
        SqliteStore(tmp_path / "clew.db", read_only=True)
    assert list(tmp_path.iterdir()) == []


UNPRIVILEGED = """
import os, sys
from clew.errors import StoreReadOnlyError
from clew.store import SqliteStore
from tests.store.samples import checkpoint
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
store = SqliteStore(sys.argv[1])
assert store.find("session", ["key of a"]) is not None
assert [hit.handle for hit in store.search("a", "needle")] == ["S-1"]
try:
    store.commit(checkpoint("b"), [])
except StoreReadOnlyError:
    print("refused")
store.close()
try:
    SqliteStore(sys.argv[2])
except StoreReadOnlyError:
    print("refused")
"""


@pytest.mark.parametrize("directory_mode", [0o555, 0o777])
def test_a_file_without_write_permission_is_read_only(directory_mode: int) -> None:
    # Permissions do not bind the administrator, so the work is done without his rights.
    with tempfile.TemporaryDirectory() as name:
        place = Path(name) / "place"
        place.mkdir()
        path = filled(place / "clew.db")
        path.chmod(0o444)
        place.chmod(directory_mode)
        Path(name).chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", UNPRIVILEGED, str(path), f"{name}/new.db"],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=Path(__file__).resolve().parents[2],
        )
        Path(name).chmod(0o755)
        place.chmod(0o755)
    assert done.stderr == ""
    assert done.stdout.split() == ["refused", "refused"]


def test_gives_up_on_a_lock_and_writes_once_it_is_gone(tmp_path: Path) -> None:
    path = filled(tmp_path / "clew.db")
    with (
        closing(SqliteStore(path, busy_timeout_seconds=0.05)) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreLockedError, match="locked"):
            store.commit(checkpoint("b"), [message("m")])
        with pytest.raises(StoreLockedError):
            store.add_note("session", "{}")
        assert store.find("session", ["key of a"]) is not None
        other.execute("ROLLBACK")
        assert store.checkpoint("b") is None
        assert store.messages([message("m").digest]) == {}
        assert store.commit(checkpoint("b"), [message("m")]).checkpoint_id == "b"


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    with closing(SqliteStore(filled(tmp_path / "clew.db"))) as store:
        with store._connections.use() as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages + 5}")
        big = [message(os.urandom(50_000).hex()) for _ in range(3)]
        with pytest.raises(StoreFullError, match="nothing was committed"):
            store.commit(checkpoint("b", spans=[span(2, "other words")]), big)
        assert store.checkpoint("b") is None
        assert store.messages([each.digest for each in big]) == {}
        assert [hit.handle for hit in store.search("a", "needle")] == ["S-1"]
        with store._connections.use() as connection:
            connection.execute("PRAGMA max_page_count = 100000")
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert store.commit(checkpoint("b"), big).checkpoint_id == "b"


def test_migrations_run_in_order_and_all_or_none() -> None:
    steps = (*MIGRATIONS, ("CREATE TABLE more (x)", "INSERT INTO more VALUES (1)"))
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, "it")
        with pytest.raises(sqlite3.OperationalError):
            migrate(connection, "it", migrations=(*steps, ("nonsense",)))
        assert version_of(connection, "it") == len(MIGRATIONS)
        assert connection.execute(
            "SELECT count(*) FROM sqlite_schema WHERE name='more'"
        ).fetchone() == (0,)
        with pytest.raises(StoreReadOnlyError):
            migrate(connection, "it", migrations=steps, read_only=True)
        migrate(connection, "it", migrations=steps)
        migrate(connection, "it", migrations=steps)
        assert connection.execute("SELECT x FROM more").fetchall() == [(1,)]
        with pytest.raises(StoreVersionError):
            migrate(connection, "it")
