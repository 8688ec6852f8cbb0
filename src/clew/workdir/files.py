"""Files that are whole or not there: written beside their place, synced, then renamed into it."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

from clew.errors import StoreError, StoreFullError

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_FULL = frozenset((errno.ENOSPC, errno.EDQUOT))
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def write_atomically(path: str | os.PathLike[str], data: bytes, *, mode: int = FILE_MODE) -> None:
    """Put bytes into a file of its own; a reader sees the old bytes or the new ones, never a part.

    A symbolic link at `path` is replaced, not followed. Raises StoreError when it cannot be done;
    the old file is then as it was.
    """
    target = Path(path)
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, mode)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
        _sync_folder(target.parent)
    except OSError as error:
        kind = StoreFullError if error.errno in _FULL else StoreError
        raise kind(str(target), f"cannot be written ({error.strerror or error})") from error
    except ValueError as error:  # a name that no file system has
        raise StoreError(repr(str(target)), f"cannot be written ({error})") from error


def _sync_folder(folder: Path) -> None:
    # The rename itself has to reach the disk; some file systems cannot sync a folder.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def read_plain(path: Path) -> bytes | None:
    """The bytes of a regular file, None when there is none; raises StoreError for a link."""
    try:
        # Not blocking: opening a pipe that somebody put here must not wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise StoreError(str(path), "is a symbolic link and is not followed") from error
        raise StoreError(str(path), f"cannot be read ({error.strerror or error})") from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise StoreError(str(path), "is no regular file")
        return file.read()


def make_folder(path: Path) -> None:
    """Make a folder that only its owner may enter; raises StoreError when a link stands there."""
    try:
        path.mkdir(mode=FOLDER_MODE, exist_ok=True)
        if path.is_symlink() or not path.is_dir():
            raise StoreError(str(path), "is no folder of its own")
        path.chmod(FOLDER_MODE)
    except OSError as error:
        raise StoreError(str(path), f"cannot be made ({error.strerror or error})") from error
    except ValueError as error:  # a name that no file system has
        raise StoreError(repr(str(path)), f"cannot be made ({error})") from error
