"""The files of a tree: what is ignored, linked, too large or binary stays out.

The same tree gives the same list: nothing is asked of the user's own settings or of git. Links are
never followed, wherever they lead.
"""

from __future__ import annotations

import importlib.util
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from clew.errors import MissingExtraError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LARGEST_FILE_BYTES: Final = 1_000_000
MOST_FILES: Final = 20_000
READ_FOR_KIND_BYTES: Final = 4_096

# Neither a link nor a pipe that took the place of a file since it was listed is opened.
_OPEN: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
_IGNORE_FILE: Final = ".gitignore"
_LARGEST_IGNORE_FILE_BYTES: Final = 200_000
_NEVER: Final = frozenset(
    {
        ".bzr", ".git", ".hg", ".svn", ".hypothesis", ".mypy_cache", ".nox", ".pytest_cache",
        ".ruff_cache", ".tox", "__pycache__", "node_modules",
    }
)  # fmt: skip
_ENVIRONMENT: Final = "pyvenv.cfg"


def require_ignore_rules() -> None:
    """Raise MissingExtraError when the extra is not installed."""
    if importlib.util.find_spec("pathspec") is None:
        raise MissingExtraError(
            package="pathspec", extra="repomap", purpose="the ignore rules of a tree"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A file of the tree: its path below the root with `/`, size, and time of last change."""

    path: str
    size_bytes: int
    changed_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    folder: str
    spec: GitIgnoreSpec

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """Whether these rules ignore the path, None when none of them speaks of it."""
        below = path[len(self.folder) + 1 :] if self.folder else path
        return self.spec.check_file(f"{below}/" if folder else below).include


def files_of(root: Path, *, most_files: int = MOST_FILES) -> tuple[list[Listed], bool]:
    """Every regular file that is not ignored, by path, and whether there were more than allowed.

    `root` is a folder. What cannot be listed or has a name that is no text is left out.
    """
    require_ignore_rules()
    rules = [_Rules(folder="", spec=spec) for spec in _excluded_by_repository(root)]
    found: list[Listed] = []
    for listed in _walk(root, "", rules):
        if len(found) == most_files:
            return found, True
        found.append(listed)
    return found, False


def read_file(root: Path, path: str, *, most_bytes: int) -> bytes | None:
    """At most `most_bytes` of a file; None when it cannot be read or is no file any more."""
    try:
        descriptor = os.open(root / path, _OPEN)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        try:
            return file.read(most_bytes)
        except OSError:
            return None


def is_binary(source: bytes) -> bool:
    """Whether the first bytes of a file are those of no text."""
    return b"\0" in source[:READ_FOR_KIND_BYTES]


def _walk(root: Path, folder: str, rules: Sequence[_Rules]) -> Iterator[Listed]:
    """Folders and files in the order of their names, without recursion into the call stack."""
    waiting: list[tuple[str, Sequence[_Rules]]] = [(folder, rules)]
    while waiting:
        here, inherited = waiting.pop()
        entries = _entries(root / here)
        known = _rules_here(root, here, entries, inherited)
        inside: list[tuple[str, Sequence[_Rules]]] = []
        for entry in entries:
            path = f"{here}/{entry.name}" if here else entry.name
            mode = _mode(entry) if _is_text(path) else None
            if mode is None:
                continue
            if stat.S_ISDIR(mode.st_mode):
                if entry.name not in _NEVER and not _ignored(path, known, folder=True):
                    inside.append((path, known))
            elif stat.S_ISREG(mode.st_mode) and not _ignored(path, known, folder=False):
                yield Listed(path=path, size_bytes=mode.st_size, changed_ns=mode.st_mtime_ns)
        waiting.extend(reversed(inside))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []
    if any(entry.name == _ENVIRONMENT for entry in found):
        return []  # an installed environment holds other people's code
    return found


def _mode(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return path.isprintable()


def _rules_here(
    root: Path, folder: str, entries: Sequence[os.DirEntry[str]], inherited: Sequence[_Rules]
) -> Sequence[_Rules]:
    if not any(entry.name == _IGNORE_FILE for entry in entries):
        return inherited
    path = f"{folder}/{_IGNORE_FILE}" if folder else _IGNORE_FILE
    spec = _spec(root, path)
    return inherited if spec is None else [*inherited, _Rules(folder=folder, spec=spec)]


def _spec(root: Path, path: str) -> GitIgnoreSpec | None:
    from pathspec import GitIgnoreSpec

    source = read_file(root, path, most_bytes=_LARGEST_IGNORE_FILE_BYTES)
    if source is None:
        return None
    try:
        return GitIgnoreSpec.from_lines(source.decode("utf-8", "replace").splitlines())
    except ValueError:  # a pattern that git itself would not take
        return None


def _excluded_by_repository(root: Path) -> list[GitIgnoreSpec]:
    spec = _spec(root, ".git/info/exclude")
    return [] if spec is None else [spec]


def _ignored(path: str, rules: Sequence[_Rules], *, folder: bool) -> bool:
    """The rules nearest to the file are asked first, as git does."""
    for rule in reversed(rules):
        verdict = rule.verdict(path, folder=folder)
        if verdict is not None:
            return verdict
    return False
