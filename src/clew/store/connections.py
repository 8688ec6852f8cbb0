"""Connections to SQLite: one a thread for a file, one behind a lock for memory; errors in words."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from clew.errors import (
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
)
from clew.store.schema import known_version_of, migrate

_KINDS: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: StoreLockedError,
    sqlite3.SQLITE_LOCKED: StoreLockedError,
    sqlite3.SQLITE_READONLY: StoreReadOnlyError,
    sqlite3.SQLITE_FULL: StoreFullError,
    sqlite3.SQLITE_CORRUPT: StoreCorruptError,
    sqlite3.SQLITE_NOTADB: StoreCorruptError,
}
_PRIMARY_CODE = 0xFF
_CACHE_KIB = 16_384
_DAMAGE = (zlib.error, UnicodeDecodeError, json.JSONDecodeError)


def store_error(location: str, error: sqlite3.Error) -> StoreError:
    """The error of the tree that says what SQLite said."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
        return StoreError(location, "it is closed")
    return _KINDS.get(code, StoreError)(location, str(error))


class Connections(Protocol):
    """Where a store gets the connection of the calling thread."""

    @property
    def location(self) -> str:
        """What error messages call the store."""
        ...

    def use(self) -> _Use:
        """A context with the connection; SQLite's errors leave it as StoreError."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


class _Use:
    """A context around one use; a class because a generator would cost as much as the query."""

    __slots__ = ("_connection", "_location", "_lock")

    def __init__(
        self, connection: sqlite3.Connection, location: str, lock: threading.RLock | None = None
    ) -> None:
        self._connection = connection
        self._location = location
        self._lock = lock

    def __enter__(self) -> sqlite3.Connection:
        if self._lock is not None:
            self._lock.acquire()
        return self._connection

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._lock is not None:
            self._lock.release()
        if isinstance(error, sqlite3.Error):
            raise store_error(self._location, error) from error
        if isinstance(error, _DAMAGE):
            raise StoreCorruptError(self._location, f"a row is damaged ({error})") from error


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One write transaction: all of it or nothing, whatever is raised inside."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


class MemoryConnections:
    """One in-memory database that all threads of a process use in turn."""

    location = "memory"

    def __init__(self) -> None:
        self._connection = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False, cached_statements=256
        )
        migrate(self._connection, self.location)
        self._lock = threading.RLock()
        self._pid = os.getpid()

    def use(self) -> _Use:
        """The one connection, locked."""
        if self._pid != os.getpid():
            # After a fork the lock may be held by a thread that does not exist here.
            self._lock, self._pid = threading.RLock(), os.getpid()
        return _Use(self._connection, self.location, self._lock)

    def close(self) -> None:
        """Forget everything."""
        with self.use() as connection:
            connection.close()


@dataclass(slots=True)
class _Held:
    """A connection of one thread; who closes it waits until that thread is done with it."""

    connection: sqlite3.Connection
    thread: threading.Thread
    pid: int
    lock: threading.RLock = field(default_factory=threading.RLock)


class FileConnections:
    """One connection a thread to a file; never one that was opened before a fork."""

    def __init__(
        self, path: Path, *, read_only: bool = False, busy_timeout_seconds: float = 10.0
    ) -> None:
        self.location = str(path)
        self._path = path.absolute()
        self._read_only = read_only
        self._timeout = busy_timeout_seconds
        self._mine = threading.local()
        self._lock = threading.Lock()
        self._held: list[_Held] = []
        self._inherited: list[_Held] = []
        self._closed = False
        if not read_only:
            _create(self._path, self.location)
        with self.use():
            pass

    def use(self) -> _Use:
        """The connection of this thread, opened when there is none yet."""
        held: _Held | None = getattr(self._mine, "held", None)
        if held is None or held.pid != os.getpid():
            held = self._open()
        return _Use(held.connection, self.location, held.lock)

    def _open(self) -> _Held:
        if self._closed:
            raise StoreError(self.location, "it is closed")
        try:
            connection = open_file(
                self._path, self.location, read_only=self._read_only, timeout=self._timeout
            )
        except sqlite3.Error as error:
            raise store_error(self.location, error) from error
        held = _Held(connection, threading.current_thread(), os.getpid())
        if any(other.pid != held.pid for other in self._held):
            self._leave_inherited()
        with self._lock:
            if self._closed:
                connection.close()
                raise StoreError(self.location, "it is closed")
            for other in self._held:
                if not other.thread.is_alive():
                    other.connection.close()
            self._held = [other for other in self._held if other.thread.is_alive()]
            self._held.append(held)
        self._mine.held = held
        return held

    def _leave_inherited(self) -> None:
        # Closing a connection of the parent process could drop its locks, so they stay open.
        self._lock = threading.Lock()
        self._inherited.extend(self._held)
        self._held = []

    def close(self) -> None:
        """Close the connections of all threads, each when its thread is done with it."""
        self._closed = True
        with self._lock:
            held, self._held = self._held, []
        for each in held:
            if each.pid == os.getpid():
                # SQLite does not survive a connection that is closed while it is used.
                with each.lock:
                    each.connection.close()


def _create(path: Path, location: str) -> None:
    if not path.parent.is_dir():
        raise StoreError(location, f"the directory {path.parent} does not exist")
    if path.is_dir():
        raise StoreError(location, "it is a directory")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except PermissionError as error:
        raise StoreReadOnlyError(location, "the file cannot be created") from error
    except OSError as error:
        raise StoreError(location, error.strerror or str(error)) from error


def _connect(path: Path, query: str, timeout: float) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.as_uri()}?{query}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )


def open_file(path: Path, location: str, *, read_only: bool, timeout: float) -> sqlite3.Connection:
    """Open and check one connection to a file; `timeout` in seconds.

    Raises sqlite3.Error or StoreError; the connection is then closed.
    """
    if read_only and not path.is_file():
        what = "it is a directory" if path.is_dir() else "the file does not exist"
        raise StoreError(location, what)
    connection = _connect(path, "mode=ro" if read_only else "mode=rw", timeout)
    try:
        return _checked(connection, location, read_only=read_only, timeout=timeout)
    except sqlite3.OperationalError as error:
        connection.close()
        # A store in a directory that cannot be written has no room for the files that readers
        # share. Without a log beside it nobody is writing either, and it can be read as it is.
        code = error.sqlite_errorcode & _PRIMARY_CODE
        if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        if path.with_name(f"{path.name}-wal").exists():
            raise
        connection = _connect(path, "mode=ro&immutable=1", timeout)
    except BaseException:
        connection.close()
        raise
    try:
        return _checked(connection, location, read_only=True, timeout=timeout)
    except BaseException:
        connection.close()
        raise


def _checked(
    connection: sqlite3.Connection, location: str, *, read_only: bool, timeout: float
) -> sqlite3.Connection:
    # A committed checkpoint has to survive a power cut, not only a killed process: FULL.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    # Before anything is written: a file of somebody else must stay as it is.
    known_version_of(connection, location)
    if not read_only:
        _write_ahead(connection, timeout)
    migrate(connection, location, read_only=read_only)
    return connection


def _write_ahead(connection: sqlite3.Connection, timeout: float) -> None:
    """Switch to the write-ahead log; SQLite does not wait for others here, so this does."""
    deadline = time.monotonic() + timeout
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & _PRIMARY_CODE == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() >= deadline:
                raise
            time.sleep(0.01)
        else:
            return
