"""The work directory: written from the record, read back after edits, nothing lost."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from clew.errors import RecordError, StoreError
from clew.record.apply import apply_delta
from clew.record.delta import Delta
from clew.record.items import Item, Proposer
from clew.record.kinds import DEFAULT_KINDS, KindTable
from clew.record.record import HandoffRecord
from clew.record.serde import dump_record, load_record
from clew.workdir.artifacts import safe_name
from clew.workdir.files import make_folder, read_plain, write_atomically
from clew.workdir.layout import (
    ARTIFACTS,
    CONFLICTS,
    FILES,
    GOAL,
    STATE,
    Page,
    file_of,
    page_of,
    page_text,
    plain,
    read_page,
)
from clew.workdir.lock import locked
from clew.workdir.merge import Conflict, Merged, merge

_MOST_ROUNDS = 5
"""How often a merge starts again because somebody saved a file meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """The record after the edits, the delta that made it so, and what was not taken over."""

    record: HandoffRecord
    delta: Delta
    conflicts: tuple[Conflict, ...] = ()
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The bytes of the files as they were read (None: not there), and what they hold."""

    contents: Mapping[str, bytes | None]
    pages: Mapping[str, Page]
    unread: Mapping[str, str]


class WorkDirectory:
    """A folder with goal, findings, decisions, dead ends, invariants, next step and artifacts.

    `writer` names who writes (a session id): each writer merges against what it wrote last itself.
    Folders are for their owner alone (0700), files too (0600).
    """

    def __init__(
        self,
        path: str | Path,
        *,
        writer: str = "",
        kinds: KindTable = DEFAULT_KINDS,
        lock_seconds: float = 10.0,
    ) -> None:
        self.path = Path(path).absolute()
        self._kinds = kinds
        self._lock_seconds = lock_seconds
        self._base_name = (
            f"base-{hashlib.sha256(writer.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.json"
        )

    def sync(self, record: HandoffRecord, *, editor: Proposer = Proposer.AGENT) -> Synced:
        """Bring edits of the files into the record, and the record into the files.

        `editor` is who may have edited them: an agent's edit never touches what the user said.
        Raises StoreError when the folder cannot be used; no file is then half written.
        """
        self._make()
        with locked(self.path / STATE / "lock", seconds=self._lock_seconds):
            for _ in range(_MOST_ROUNDS):
                synced = self._round(record, editor)
                if synced is not None:
                    return synced
        raise StoreError(str(self.path), "somebody keeps saving files while they are merged")

    def artifact(self, name: str, data: bytes) -> str:
        """Keep bytes as a file; gives its path inside the folder, never that of another content."""
        self._make()
        with locked(self.path / STATE / "lock", seconds=self._lock_seconds):
            chosen = safe_name(name)
            there = read_plain(self.path / ARTIFACTS / chosen)
            if there is not None and there != data:
                chosen = safe_name(f"{name}?{hashlib.sha256(data).hexdigest()}")
            if there != data:
                write_atomically(self.path / ARTIFACTS / chosen, data)
        return f"{ARTIFACTS}/{chosen}"

    def read_artifact(self, name: str) -> bytes:
        """The bytes of an artifact, by the name or path that it was given."""
        chosen = name.removeprefix(f"{ARTIFACTS}/")
        for candidate in dict.fromkeys((chosen, name)):
            found = read_plain(self.path / ARTIFACTS / safe_name(candidate))
            if found is not None:
                return found
        raise StoreError(str(self.path), f"holds no artifact {name!r:.80}")

    # ---- one round --------------------------------------------------------------------------

    def _round(self, record: HandoffRecord, editor: Proposer) -> Synced | None:
        base = self._base()
        seen = self._read(record, base)
        merged = merge(base, seen.pages, record, editor=editor, kinds=self._kinds)
        conflicts = [
            *self._goal_conflicts(record, base, seen),
            *(
                Conflict(file=name, item="", problem=problem)
                for name, problem in seen.unread.items()
            ),
            *merged.conflicts,
        ]
        delta = Delta(operations=merged.operations, proposed_by=_trusted(editor))
        applied = apply_delta(record, delta, kinds=self._kinds)
        after = applied.record if merged.operations else record
        conflicts += [
            Conflict(file="", item=getattr(operation, "id", ""), problem=problem)
            for operation, problem in applied.rejected
        ]
        texts = self._texts(after, merged)
        if any(self._now(name) != content for name, content in seen.contents.items()):
            return None
        kept = self._keep_copies(conflicts, seen, applied.rejected != ())
        written = tuple(name for name, text in texts.items() if seen.contents.get(name) != text)
        for name in written:
            write_atomically(self.path / name, texts[name])
        write_atomically(self.path / STATE / self._base_name, dump_record(after).encode("ascii"))
        return Synced(record=after, delta=delta, conflicts=kept, written=written)

    def _make(self) -> None:
        make_folder(self.path)
        for name in (STATE, ARTIFACTS, CONFLICTS):
            make_folder(self.path / name)

    def _base(self) -> HandoffRecord | None:
        content = self._now(f"{STATE}/{self._base_name}")
        try:
            return load_record(content.decode("ascii")) if content is not None else None
        except (RecordError, UnicodeDecodeError):
            return None  # damaged: every difference then counts as new, and nothing is closed

    def _now(self, name: str) -> bytes | None:
        return read_plain(self.path / name)

    def _read(self, record: HandoffRecord, base: HandoffRecord | None) -> _Seen:
        contents = {name: self._now(name) for name in (GOAL, *FILES)}
        pages: dict[str, Page] = {}
        unread: dict[str, str] = {}
        counters = _highest(record, base)
        for name in FILES:
            content = contents[name]
            if content is None:
                continue
            try:
                pages[name] = read_page(content.decode("utf-8"), name, counters, kinds=self._kinds)
            except (RecordError, UnicodeDecodeError) as error:
                unread[name] = f"cannot be read: {error}"
        return _Seen(contents=contents, pages=pages, unread=unread)

    def _goal_conflicts(
        self, record: HandoffRecord, base: HandoffRecord | None, seen: _Seen
    ) -> list[Conflict]:
        content = seen.contents[GOAL]
        written = {_bytes(record.goal), _bytes(base.goal) if base is not None else b""}
        if content is None or content in written:
            return []
        return [
            Conflict(file=GOAL, item="", problem="the goal is never edited here; it stands again")
        ]

    def _texts(self, record: HandoffRecord, merged: Merged) -> dict[str, bytes]:
        texts = {GOAL: _bytes(record.goal)}
        taken = {item.id for item in record.items}
        for name in FILES:
            page = page_of(record, name)
            foreign = [
                plain(item)
                for item in merged.foreign
                if file_of(item.kind) == name and item.id not in taken
            ]
            page = replace(page, items=_by_kind((*page.items, *foreign), self._kinds))
            texts[name] = page_text(page, name, kinds=self._kinds).encode("utf-8")
        return texts

    def _keep_copies(
        self, conflicts: list[Conflict], seen: _Seen, refused: bool
    ) -> tuple[Conflict, ...]:
        """Put each file with a conflict aside as it was, before it is written anew."""
        files = {c.file for c in conflicts if c.file} | (set(seen.pages) if refused else set())
        copies: dict[str, str] = {}
        for name in sorted(files):
            content = seen.contents.get(name)
            if content is None:
                continue
            digest = hashlib.sha256(content).hexdigest()[:12]
            copies[name] = f"{CONFLICTS}/{name.removesuffix('.md')}-{digest}.md"
            if self._now(copies[name]) != content:
                write_atomically(self.path / copies[name], content)
        return tuple(replace(c, copy=copies.get(c.file, "")) for c in conflicts)


def _trusted(editor: Proposer) -> Proposer:
    """Who folds the operations in; an agent's were held to an agent's rules one by one before."""
    return Proposer.PERSON if editor is Proposer.PERSON else Proposer.CALLER


def _bytes(goal: str) -> bytes:
    return goal.encode("utf-8", "surrogatepass")


def _highest(record: HandoffRecord, base: HandoffRecord | None) -> tuple[tuple[str, int], ...]:
    highest: dict[str, int] = dict(record.counters)
    items = (*record.items, *(base.items if base is not None else ()))
    for item in items:
        letter, _, number = item.id.partition("-")
        if number.isdecimal() and number.isascii():
            highest[letter] = max(highest.get(letter, 0), int(number))
    return tuple(highest.items())


def _by_kind(items: tuple[Item, ...], kinds: KindTable) -> tuple[Item, ...]:
    order = {name: place for place, name in enumerate(kinds.names())}
    return tuple(sorted(items, key=lambda item: (order.get(item.kind, len(order)), item.kind)))
