"""The map of a code base: rendered under a token budget, kept up to date, detail on demand."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from clew.budget import EstimateCounter
from clew.errors import ImportSourceError
from clew.ports import TokenCounter
from clew.repomap.detail import detail_of, knows
from clew.repomap.files import (
    LARGEST_FILE_BYTES,
    MOST_FILES,
    READ_FOR_KIND_BYTES,
    Listed,
    files_of,
    is_binary,
    read_file,
)
from clew.repomap.languages import GROUP, language_of
from clew.repomap.outline import Outline
from clew.repomap.parsing import outline_of, require_parser
from clew.repomap.ranking import Graph, graph_of, ranks_of
from clew.repomap.rendering import Ranked, fitted, ranked
from clew.repomap.touched import Touched, read_touched

MAP_TOKENS: Final = 1_500
_RACY_NS: Final = 2_000_000_000
"""A file that changed this shortly before it was read may have changed again in the same tick of
the file system's clock, so its content is compared as well."""
_LINE_BYTES: Final = 500
"""Longer lines on average are made by a program: such a file is listed by its path alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """What bringing the map up to date took, in files; `parsed` are the only costly ones."""

    files: int
    parsed: int
    compared: int
    removed: int
    more_files: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    listed: Listed
    read_ns: int
    digest: str
    outline: Outline | None
    """None for a binary file: it is known so that it is not read again."""


class RepositoryMap:
    """The symbols of a code base, ranked by who uses whom and by what a session touched.

    `root` is a folder; nothing outside it is read and no link is followed. Files larger than
    `largest_file_bytes` and languages without a grammar are listed by path. The map is brought up
    to date before each answer; only files that changed are parsed again. Raises ImportSourceError
    when `root` is no folder and MissingExtraError without the extra `repomap`.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        largest_file_bytes: int = LARGEST_FILE_BYTES,
        most_files: int = MOST_FILES,
    ) -> None:
        require_parser()
        self._root: Final = Path(os.path.realpath(root))
        if not self._root.is_dir():
            raise ImportSourceError(os.fspath(root), "is no folder that can be mapped")
        self._largest: Final = largest_file_bytes
        self._most_files: Final = most_files
        self._known: dict[str, _Known] = {}
        self._outlines: dict[str, Outline] = {}
        self._graph = Graph()
        self._more_files = False
        self._lock: Final = threading.RLock()

    @property
    def root(self) -> Path:
        """The folder that is mapped, its own links resolved."""
        return self._root

    @property
    def outlines(self) -> dict[str, Outline]:
        """The outline of each file by its path, as of the last refresh."""
        return dict(self._outlines)

    def refresh(self) -> Refreshed:
        """Bring the map up to date: new, changed and removed files, nothing else."""
        with self._lock:
            listed, self._more_files = files_of(self._root, most_files=self._most_files)
            known: dict[str, _Known] = {}
            parsed = compared = 0
            for file in listed:
                before = self._known.get(file.path)
                now = before if before and _unchanged(before, file) else self._read(file, before)
                known[file.path] = now
                compared += now is not before
                parsed += now is not before and not (before and now.outline is before.outline)
            removed = len(self._known.keys() - known.keys())
            self._known = known
            if parsed or removed:
                self._outlines = {
                    path: one.outline for path, one in sorted(known.items()) if one.outline
                }
                self._graph = graph_of(self._outlines)
            return Refreshed(
                files=len(self._outlines),
                parsed=parsed,
                compared=compared,
                removed=removed,
                more_files=self._more_files,
            )

    def render(
        self,
        budget_tokens: int = MAP_TOKENS,
        *,
        touched: Touched | Iterable[str] = (),
        counter: TokenCounter | None = None,
    ) -> str:
        """The map as text of at most `budget_tokens`; empty when not even one line fits.

        `touched` are paths and identifiers the session is at work on, or what `touched_by` found.
        `counter` None estimates. The same tree and the same arguments give the same text.
        """
        with self._lock:
            order = self.ranked(touched)
            return fitted(
                order,
                self._outlines,
                budget_tokens=budget_tokens,
                counter=counter or EstimateCounter(),
                foot=self._foot,
            )

    def ranked(self, touched: Touched | Iterable[str] = ()) -> Ranked:
        """All symbols and bare files in the order of their rank."""
        with self._lock:
            self.refresh()
            seen = read_touched(touched, self._root, self._outlines)
            ranks = ranks_of(self._graph, files=seen.files, names=seen.names)
            return ranked(self._graph, ranks, self._outlines)

    def detail(self, what: str) -> str:
        """More about a file, a folder or a symbol (`name`, `Class.name` or `path:name`).

        A file gives all its symbols with line numbers, a folder its files, a symbol its source and
        who uses it. What is not in the map gives a sentence with the nearest names.
        """
        with self._lock:
            self.refresh()
            return detail_of(what, self._root, self._outlines, largest_file_bytes=self._largest)

    def knows(self, what: str) -> bool:
        """Whether `detail` has more to say than that there is no such file, folder or symbol."""
        with self._lock:
            self.refresh()
            return knows(what, self._root, self._outlines)

    def unknown(self, touched: Iterable[str]) -> tuple[str, ...]:
        """The words that are neither a file of the map nor a name that it defines or uses."""
        with self._lock:
            self.refresh()
            seen = {word: read_touched((word,), self._root, self._outlines) for word in touched}
            names = {name for each in seen.values() for name in each.names}
            for outline in self._outlines.values():
                names -= {symbol.name for symbol in outline.symbols}
                names -= {use.name for use in outline.uses}
            return tuple(word for word, each in seen.items() if names & each.names.keys())

    def _read(self, file: Listed, before: _Known | None) -> _Known:
        now = time.time_ns()
        language = language_of(file.path)
        whole = language is not None and file.size_bytes <= self._largest
        most = self._largest if whole else READ_FOR_KIND_BYTES
        source = read_file(self._root, file.path, most_bytes=most)
        digest = hashlib.sha256(source or b"").hexdigest()
        if before is not None and before.digest == digest and before.outline is not None:
            return _Known(listed=file, read_ns=now, digest=digest, outline=before.outline)
        outline: Outline | None = None
        if source is not None and not is_binary(source):
            outline = Outline()
            if language is not None and whole and not _is_generated(source):
                outline = outline_of(source, language)
        return _Known(listed=file, read_ns=now, digest=digest, outline=outline)

    def _foot(self, files: int, symbols: int) -> str:
        known = sum(
            symbol.kind != GROUP
            for outline in self._outlines.values()
            for symbol in outline.symbols
        )
        more = " More files than the map takes." if self._more_files else ""
        return (
            f"[{files:,} of {len(self._outlines):,} files, {symbols:,} of {known:,} symbols."
            f"{more} Ask for a file, folder or symbol to see more.]"
        )


def _unchanged(before: _Known, file: Listed) -> bool:
    """Same size and time of change, and that time not too near to when the file was read."""
    return before.listed == file and before.read_ns - file.changed_ns > _RACY_NS


def _is_generated(source: bytes) -> bool:
    return source.count(b"\n") < len(source) // _LINE_BYTES
