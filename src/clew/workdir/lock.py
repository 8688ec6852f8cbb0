"""One writer of a work directory at a time: a lock that dies with its owner."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clew.errors import StoreError, StoreLockedError
from clew.workdir.files import FILE_MODE

_POLL_SECONDS = 0.02


@contextmanager
def locked(path: Path, *, seconds: float) -> Iterator[None]:
    """Hold the lock file; raises StoreLockedError when another holds it for longer."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags, FILE_MODE)
    except OSError as error:
        raise StoreError(str(path), f"cannot be opened ({error.strerror or error})") from error
    try:
        deadline = time.monotonic() + seconds
        while not _taken(descriptor):
            if time.monotonic() >= deadline:
                raise StoreLockedError(str(path.parent.parent), "another writer holds its lock")
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        # Closing lets the lock go; the file stays, so that no two writers lock different files.
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _taken(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _taken(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
