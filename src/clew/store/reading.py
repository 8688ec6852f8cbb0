"""Reading from the SQLite store, and what a process may remember of what it read.

Rows never change once committed, so both memories here stay true whatever other processes do.
"""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from clew.ports import Ancestor, Checkpoint, CheckpointKind, Span
from clew.store.ranking import Row, Scope
from clew.store.rows import to_bytes, to_text, unpack_checkpoint, unpack_span

CHECKPOINTS_REMEMBERED = 64
SESSIONS_REMEMBERED = 512
ROW_CHARS_REMEMBERED = 4_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """A checkpoint that a key leads to; the greatest is the one that wins.

    `others` are the rows of those that it has won over.
    """

    depth: int
    number: int
    by_alias: bool
    others: tuple[int, ...] = ()

    @property
    def rank(self) -> tuple[int, int, bool]:
        """Deeper first, then committed earlier, then by key."""
        return (self.depth, -self.number, not self.by_alias)


@dataclass(frozen=True, slots=True)
class KnownKeys:
    """The keys of one session up to a checkpoint's row."""

    last: int = 0
    places: dict[str, Place] = field(default_factory=dict)

    def extended(self, rows: Sequence[tuple[int, int, bytes, int]]) -> KnownKeys:
        """These keys and further rows; the old value stays as it is for other threads."""
        places = dict(self.places)
        last = self.last
        for number, by_alias, key, depth in rows:
            place = Place(depth, number, bool(by_alias))
            name = to_text(key)
            if (known := places.get(name)) is not None:
                place, lost = (place, known) if known.rank < place.rank else (known, place)
                place = replace(place, others=(lost.number, *lost.others, *place.others))
            places[name] = place
            last = max(last, number)
        return KnownKeys(last, places)


class Remembered:
    """What this process has read: keys by session, decoded checkpoints by row.

    `before_reading` is called before what a checkpoint holds is read from its rows.
    """

    def __init__(self, before_reading: Callable[[sqlite3.Connection], None]) -> None:
        self._before_reading = before_reading
        self._keys: OrderedDict[str, KnownKeys] = OrderedDict()
        self._checkpoints: OrderedDict[int, Checkpoint] = OrderedDict()
        self._rows: dict[int, Row] = {}
        self._row_chars = 0

    def keys(self, connection: sqlite3.Connection, session_id: str) -> KnownKeys:
        """The keys of a session: only rows committed since the last time are read."""
        known = self._keys.get(session_id, KnownKeys())
        rows = connection.execute(
            "SELECT number, by_alias, key, depth FROM keys WHERE session ="
            " (SELECT number FROM sessions WHERE session_id = ?) AND number > ?",
            (to_bytes(session_id), known.last),
        ).fetchall()
        if rows:
            known = known.extended(rows)
            self._keys[session_id] = known
            if len(self._keys) > SESSIONS_REMEMBERED:
                self._keys.popitem(last=False)
        return known

    def keep(self, number: int, checkpoint: Checkpoint) -> None:
        """Remember the checkpoint of a row, as it was read or has just been committed."""
        self._checkpoints[number] = checkpoint
        if len(self._checkpoints) > CHECKPOINTS_REMEMBERED:
            self._checkpoints.popitem(last=False)

    def checkpoint(self, connection: sqlite3.Connection, number: int) -> Checkpoint:
        """The checkpoint of a row."""
        known = self._checkpoints.get(number)
        if known is None:
            self._before_reading(connection)
            known = read_checkpoint(connection, number)
            self.keep(number, known)
        else:
            with suppress(KeyError):  # another thread may just have dropped it
                self._checkpoints.move_to_end(number)
        return known

    def spans(self, connection: sqlite3.Connection, rows: Sequence[int]) -> dict[int, Row]:
        """The spans of these rows; those that a search lately read are not unpacked again."""
        known = self._rows
        found = {number: known[number] for number in rows if number in known}
        missing = [number for number in rows if number not in found]
        if not missing:
            return found
        marks = ",".join("?" * len(missing))
        fresh = {
            number: _row(unpack_span(handle, body))
            for number, handle, body in connection.execute(
                f"SELECT number, handle, body FROM spans WHERE number IN ({marks})", missing
            )
        }
        chars = sum(len(row.lower) for row in fresh.values())
        if self._row_chars + chars > ROW_CHARS_REMEMBERED:
            # Another thread may be reading the old one.
            self._rows, self._row_chars = {}, 0
        if chars <= ROW_CHARS_REMEMBERED:
            self._rows.update(fresh)
            self._row_chars += chars
        return found | fresh


def _row(span: Span) -> Row:
    return Row(span, span.text.lower())


def read_checkpoint(connection: sqlite3.Connection, number: int) -> Checkpoint:
    """A checkpoint and its spans."""
    body, first, last = connection.execute(
        "SELECT body, first, last FROM checkpoints WHERE number = ?", (number,)
    ).fetchone()
    spans = connection.execute(
        "SELECT handle, body FROM spans WHERE number BETWEEN ? AND ? ORDER BY number", (first, last)
    )
    return unpack_checkpoint(body, [unpack_span(handle, packed) for handle, packed in spans])


_LINE = (
    "WITH RECURSIVE line (number, parent, step) AS ("
    " SELECT number, parent, 0 FROM checkpoints WHERE number = ? UNION ALL"
    " SELECT c.number, c.parent, line.step + 1 FROM line"
    " JOIN checkpoints c ON c.number = line.parent"
    ")"
)


def lineage_of(connection: sqlite3.Connection, number: int) -> list[int]:
    """The row and those of its parents, newest first."""
    rows = connection.execute(f"{_LINE} SELECT number FROM line ORDER BY step", (number,))
    return [row for (row,) in rows]


def beyond(connection: sqlite3.Connection, rows: set[int], newest: Sequence[int]) -> set[int]:
    """Those of the rows that are in no line of these newest ones: a line is one and its parents."""
    left = rows.difference(newest)
    if not left:
        return left
    # Parents have lower numbers: none below the lowest of the rows is of interest.
    line = connection.execute(
        "WITH RECURSIVE line (number) AS ("
        " SELECT value FROM json_each(?) UNION"
        " SELECT c.parent FROM line JOIN checkpoints c ON c.number = line.number"
        " WHERE c.parent >= ?"
        ") SELECT number FROM line",
        (json.dumps(list(newest)), min(left)),
    )
    return left.difference(row for (row,) in line)


def ancestors_of(connection: sqlite3.Connection, number: int) -> tuple[Ancestor, ...]:
    """The checkpoint of a row and its parents, newest first; what they hold is not read."""
    rows = connection.execute(
        f"{_LINE} SELECT c.checkpoint_id, c.kind FROM line"
        " JOIN checkpoints c ON c.number = line.number ORDER BY line.step",
        (number,),
    )
    return tuple(
        Ancestor(checkpoint_id=to_text(name), kind=CheckpointKind(to_text(kind)))
        for name, kind in rows
    )


def scope_of(connection: sqlite3.Connection, checkpoint_id: str) -> Scope | None:
    """The rows of spans that a checkpoint may see; None where it is not here."""
    row = connection.execute(
        "SELECT scope FROM checkpoints WHERE checkpoint_id = ?", (to_bytes(checkpoint_id),)
    ).fetchone()
    if row is None:
        return None
    return Scope(tuple((first, last) for first, last in json.loads(row[0])))


def spans_within(
    connection: sqlite3.Connection, scope: Scope, handle: str | None
) -> tuple[Span, ...]:
    """The spans in a scope, newest first: all of them, or those of one handle."""
    named = "" if handle is None else "handle = ? AND "
    asked = () if handle is None else (to_bytes(handle),)
    return tuple(
        unpack_span(name, body)
        for first, last in scope.ranges
        for name, body in connection.execute(
            f"SELECT handle, body FROM spans WHERE {named}number BETWEEN ? AND ?"
            " ORDER BY number DESC",
            (*asked, first, last),
        )
    )


def led_to(known: KnownKeys, keys: Sequence[str]) -> set[int]:
    """The rows of all checkpoints that any of `keys` leads to."""
    places = known.places
    if not places or places.keys().isdisjoint(keys):
        return set()
    there = (places[key] for key in keys if key in places)
    return {number for place in there for number in (place.number, *place.others)}


def deepest(known: KnownKeys, keys: Sequence[str]) -> tuple[int, Place] | None:
    """The largest index of `keys` that is known, and where it leads."""
    if not known.places or known.places.keys().isdisjoint(keys):
        return None
    for index in range(len(keys) - 1, -1, -1):
        place = known.places.get(keys[index])
        if place is not None:
            return index, place
    return None
