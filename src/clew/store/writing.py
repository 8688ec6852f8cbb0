"""Writing to the SQLite store. Every function here runs inside one write transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from clew.errors import StoreError
from clew.ports import ArchivedMessage, Checkpoint
from clew.store.ranking import Scope
from clew.store.rows import pack_checkpoint, pack_span, packed, to_bytes
from clew.store.schema import LINEAGE_BITS
from clew.store.sqlite_index import IndexRow


@dataclass(frozen=True, slots=True)
class Prepared:
    """The bytes of a commit, which can be computed before the write lock is held."""

    body: bytes
    spans: tuple[tuple[bytes, bytes], ...]
    messages: tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class Inserted:
    """Where a new checkpoint went: its row, and that of its first span."""

    number: int
    first_span: int


def prepare(
    checkpoint: Checkpoint, messages: Sequence[ArchivedMessage], location: str, level: int
) -> Prepared:
    """Compress and split outside the transaction, so that others wait less.

    Raises StoreError when the checkpoint's `facts` hold something that has no JSON form.
    """
    return Prepared(
        body=pack_checkpoint(checkpoint, location, level),
        spans=tuple((to_bytes(span.handle), pack_span(span, level)) for span in checkpoint.spans),
        messages=tuple((to_bytes(each.digest), packed(each.json, level)) for each in messages),
    )


def number_of(connection: sqlite3.Connection, checkpoint_id: str) -> int | None:
    """The row of a checkpoint."""
    row = connection.execute(
        "SELECT number FROM checkpoints WHERE checkpoint_id = ?", (to_bytes(checkpoint_id),)
    ).fetchone()
    return None if row is None else int(row[0])


def earlier(connection: sqlite3.Connection, checkpoint: Checkpoint, location: str) -> int | None:
    """The row of the checkpoint that stands in the place of this one, when there is one.

    Raises StoreError for an id of another session.
    """
    by_id = connection.execute(
        "SELECT c.number, s.session_id FROM checkpoints c JOIN sessions s ON s.number = c.session"
        " WHERE c.checkpoint_id = ?",
        (to_bytes(checkpoint.checkpoint_id),),
    ).fetchone()
    if by_id is not None:
        if by_id[1] != to_bytes(checkpoint.session_id):
            name = checkpoint.checkpoint_id
            raise StoreError(location, f"the checkpoint id {name!r} belongs to another session")
        return int(by_id[0])
    parent = _parent_number(connection, checkpoint, location)
    row = connection.execute(
        "SELECT c.number FROM checkpoints c JOIN sessions s ON s.number = c.session"
        " WHERE s.session_id = ? AND c.key = ? AND c.kind = ? AND c.parent = ? AND c.policy = ?",
        (
            to_bytes(checkpoint.session_id),
            to_bytes(checkpoint.key),
            to_bytes(checkpoint.kind),
            parent,
            to_bytes(checkpoint.policy_digest),
        ),
    ).fetchone()
    return None if row is None else int(row[0])


def _parent_number(connection: sqlite3.Connection, checkpoint: Checkpoint, location: str) -> int:
    if checkpoint.parent is None:
        return 0
    number = number_of(connection, checkpoint.parent)
    if number is None:
        raise StoreError(location, f"the parent {checkpoint.parent!r} is not in the store")
    return number


def _session_number(connection: sqlite3.Connection, session_id: str) -> int:
    raw = to_bytes(session_id)
    connection.execute("INSERT OR IGNORE INTO sessions (session_id) VALUES (?)", (raw,))
    (number,) = connection.execute(
        "SELECT number FROM sessions WHERE session_id = ?", (raw,)
    ).fetchone()
    return int(number)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the spans of a new checkpoint go, and what it sees."""

    lineage: int
    first: int
    last: int
    scope: Scope


def _place(connection: sqlite3.Connection, parent: int, count: int) -> _Place:
    scope = Scope(())
    if parent:
        lineage, after, ranges = connection.execute(
            "SELECT lineage, last, scope FROM checkpoints WHERE number = ?", (parent,)
        ).fetchone()
        scope = Scope(tuple((first, last) for first, last in json.loads(ranges)))
        (newest,) = connection.execute(
            "SELECT max(last) FROM checkpoints WHERE lineage = ?", (lineage,)
        ).fetchone()
        if newest == after:
            last = after + count
            return _Place(lineage, after + 1, last, scope.after(after + 1, last))
    (highest,) = connection.execute("SELECT max(lineage) FROM checkpoints").fetchone()
    lineage = (highest or 0) + 1
    first = (lineage << LINEAGE_BITS) + 1
    last = first + count - 1
    return _Place(lineage, first, last, scope.after(first, last))


def insert(connection: sqlite3.Connection, checkpoint: Checkpoint, location: str) -> Inserted:
    """Write the row of a checkpoint that has no earlier one in its place; `fill` does the rest."""
    session = _session_number(connection, checkpoint.session_id)
    parent = _parent_number(connection, checkpoint, location)
    place = _place(connection, parent, len(checkpoint.spans))
    written = connection.execute(
        "INSERT INTO checkpoints (checkpoint_id, session, key, kind, parent, policy, lineage,"
        " first, last, scope, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, x'')",
        (
            to_bytes(checkpoint.checkpoint_id),
            session,
            to_bytes(checkpoint.key),
            to_bytes(checkpoint.kind),
            parent,
            to_bytes(checkpoint.policy_digest),
            place.lineage,
            place.first,
            place.last,
            json.dumps(place.scope.ranges),
        ),
    )
    number = written.lastrowid
    assert number is not None
    _insert_keys(connection, session, number, checkpoint)
    return Inserted(number, place.first)


def fill(connection: sqlite3.Connection, place: Inserted, prepared: Prepared) -> None:
    """Write what a checkpoint holds: its body, the messages and the spans, not indexed yet.

    Again does no harm: who was interrupted does not know whether it was done.
    """
    connection.execute(
        "UPDATE checkpoints SET body = ? WHERE number = ?", (prepared.body, place.number)
    )
    connection.executemany(
        "INSERT OR IGNORE INTO messages (digest, body) VALUES (?, ?)", prepared.messages
    )
    connection.executemany(
        "INSERT OR IGNORE INTO spans (number, handle, body) VALUES (?, ?, ?)",
        [(place.first_span + n, *span) for n, span in enumerate(prepared.spans)],
    )


def _insert_keys(
    connection: sqlite3.Connection, session: int, number: int, checkpoint: Checkpoint
) -> None:
    keys = [(0, checkpoint.key), *((1, alias) for alias in checkpoint.aliases)]
    connection.executemany(
        "INSERT OR IGNORE INTO keys (session, number, by_alias, key, depth) VALUES (?, ?, ?, ?, ?)",
        [(session, number, by_alias, to_bytes(key), checkpoint.depth) for by_alias, key in keys],
    )


def index_spans(connection: sqlite3.Connection, first: int, rows: Sequence[IndexRow]) -> None:
    """Write what the two indices know of the spans from row `first` on."""
    for table, columns in (
        ("words", [row.words for row in rows]),
        ("labels", [row.labels for row in rows]),
    ):
        connection.executemany(
            f"INSERT INTO {table} (rowid, text, parts, kind) VALUES (?, ?, ?, ?)",
            [(first + n, *row) for n, row in enumerate(columns)],
        )


def mark_indexed(connection: sqlite3.Connection, place: Inserted) -> bool:
    """Say that the spans of a checkpoint are indexed; False where that was said before.

    A row that is given to the index twice stands in it twice.
    """
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS indexed (number INTEGER PRIMARY KEY)")
    marked = connection.execute("INSERT OR IGNORE INTO indexed VALUES (?)", (place.number,))
    return marked.rowcount == 1


def append_note(connection: sqlite3.Connection, session_id: str, note_json: str) -> int:
    """Write a note behind the last one of its session; gives its sequence number."""
    raw = to_bytes(session_id)
    (last,) = connection.execute(
        "SELECT max(sequence) FROM notes WHERE session_id = ?", (raw,)
    ).fetchone()
    sequence = (last or 0) + 1
    connection.execute(
        "INSERT INTO notes (session_id, sequence, body) VALUES (?, ?, ?)",
        (raw, sequence, packed(note_json)),
    )
    return int(sequence)
