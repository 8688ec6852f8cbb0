"""The archive in one SQLite file: any number of threads and processes, on one machine."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from clew.ports import (
    Ancestor,
    ArchivedMessage,
    Checkpoint,
    FoundCheckpoint,
    Hit,
    Span,
    StoredNote,
)
from clew.store.connections import Connections, FileConnections, writing
from clew.store.ranking import ranked
from clew.store.reading import (
    Remembered,
    ancestors_of,
    beyond,
    deepest,
    led_to,
    lineage_of,
    scope_of,
    spans_within,
)
from clew.store.rows import (
    FILE_LEVEL,
    as_stored,
    packed,
    to_bytes,
    to_text,
    unpacked,
)
from clew.store.sqlite_index import ScopedIndex, index_row
from clew.store.vectors import read_vectors, write_vectors
from clew.store.writing import (
    Inserted,
    append_note,
    earlier,
    fill,
    index_spans,
    insert,
    mark_indexed,
    number_of,
    prepare,
)

MOST_ALIKE = 32
"""Of more checkpoints that one alias leads to, these many are told apart."""

_DIGESTS_AT_ONCE = 500


class SqlStore:
    """The archive behind any connections to SQLite; `level` is how hard it compresses.

    `when_read` leaves messages, spans and their words to the first call that reads them: only for
    a store that does not outlive its process, and that nobody else reads.
    """

    def __init__(
        self, connections: Connections, *, level: int = FILE_LEVEL, when_read: bool = False
    ) -> None:
        self._connections = connections
        self._level = level
        self._when_read = when_read
        self._not_filled: list[tuple[Inserted, Checkpoint, Sequence[ArchivedMessage]]] = []
        self._not_indexed: list[tuple[Inserted, Checkpoint]] = []
        self._remembered = Remembered(self._fill_now)

    @property
    def location(self) -> str:
        """What error messages call the store."""
        return self._connections.location

    def find(self, session_id: str, keys: Sequence[str]) -> FoundCheckpoint | None:
        """The checkpoint of this session found at the largest index of `keys`, by key or alias.

        At one index the greatest depth wins, then the first committed.
        """
        with self._connections.use() as connection:
            found = deepest(self._remembered.keys(connection, session_id), keys)
            if found is None:
                return None
            index, place = found
            checkpoint = self._remembered.checkpoint(connection, place.number)
            others = place.others[:MOST_ALIKE] if place.by_alias else ()
            line = set(lineage_of(connection, place.number)) if others else set()
            alike = [
                (number in line, self._remembered.checkpoint(connection, number))
                for number in sorted(set(others), reverse=True)
                if number != place.number
            ]
        return FoundCheckpoint(
            checkpoint=checkpoint,
            index=index,
            by_alias=place.by_alias,
            earlier=tuple(each for earlier, each in alike if earlier),
            rivals=tuple(each for earlier, each in alike if not earlier),
        )

    def apart(
        self, session_id: str, keys: Sequence[str], lines: Sequence[str]
    ) -> tuple[Checkpoint, ...]:
        """The checkpoints that any of these keys leads to, apart from the lines of some others.

        Of each line that is found only the newest checkpoint is given; the last committed first.
        """
        with self._connections.use() as connection:
            found = led_to(self._remembered.keys(connection, session_id), keys)
            if found:
                there = [number_of(connection, each) for each in lines]
                found = beyond(connection, found, [each for each in there if each is not None])
            newest: list[int] = []
            while found:
                newest.append(max(found))  # a checkpoint is committed behind its parent
                found = beyond(connection, found, newest[-1:])
            return tuple(self._remembered.checkpoint(connection, each) for each in newest)

    def commit(self, checkpoint: Checkpoint, messages: Sequence[ArchivedMessage]) -> Checkpoint:
        """Write messages, spans, checkpoint and lineage in one transaction.

        Idempotent by checkpoint_id. Another checkpoint with the same session, key, kind, parent
        and policy wins when it was first, and is returned instead. Raises StoreError when the
        parent is not in the store.
        """
        kept = as_stored(checkpoint, self.location)
        later = self._when_read
        ready = None if later else prepare(kept, messages, self.location, self._level)
        words = () if later else tuple(index_row(span) for span in checkpoint.spans)
        with self._connections.use() as connection:
            with writing(connection):
                number = earlier(connection, checkpoint, self.location)
                made = insert(connection, kept, self.location) if number is None else None
                if made is not None and ready is not None:
                    fill(connection, made, ready)
                    index_spans(connection, made.first_span, words)
                elif made is not None:
                    # Before the end of the transaction: behind it an interrupt could come between.
                    self._not_filled.append((made, kept, tuple(messages)))
                    self._not_indexed.append((made, kept))
            if made is None:
                assert number is not None
                return self._remembered.checkpoint(connection, number)
            self._remembered.keep(made.number, kept)
            return kept

    def _fill_now(self, connection: sqlite3.Connection) -> None:
        """Write what was left for the first call that reads it."""
        if not self._not_filled:
            return
        with writing(connection):
            for place, checkpoint, messages in self._not_filled:
                if number_of(connection, checkpoint.checkpoint_id) == place.number:
                    ready = prepare(checkpoint, messages, self.location, self._level)
                    fill(connection, place, ready)
        self._not_filled.clear()

    def _index_now(self, connection: sqlite3.Connection) -> None:
        """Index what was left for the first search."""
        self._fill_now(connection)
        if not self._not_indexed:
            return
        with writing(connection):
            for place, checkpoint in self._not_indexed:
                there = number_of(connection, checkpoint.checkpoint_id) == place.number
                if there and mark_indexed(connection, place):
                    words = [index_row(span) for span in checkpoint.spans]
                    index_spans(connection, place.first_span, words)
        self._not_indexed.clear()

    def checkpoint(self, checkpoint_id: str) -> Checkpoint | None:
        """One checkpoint by id."""
        with self._connections.use() as connection:
            number = number_of(connection, checkpoint_id)
            return None if number is None else self._remembered.checkpoint(connection, number)

    def ancestry(self, checkpoint_id: str) -> tuple[Checkpoint, ...]:
        """The checkpoint and its parents, newest first; empty when it is not here."""
        with self._connections.use() as connection:
            number = number_of(connection, checkpoint_id)
            if number is None:
                return ()
            line = lineage_of(connection, number)
            return tuple(self._remembered.checkpoint(connection, row) for row in line)

    def line(self, checkpoint_id: str) -> tuple[Ancestor, ...]:
        """The checkpoint and its parents, newest first, without reading what they hold."""
        with self._connections.use() as connection:
            number = number_of(connection, checkpoint_id)
            return () if number is None else ancestors_of(connection, number)

    def spans(self, checkpoint_id: str, handle: str | None = None) -> tuple[Span, ...]:
        """The spans of a checkpoint and its parents, newest first: all, or those of one handle."""
        with self._connections.use() as connection:
            scope = scope_of(connection, checkpoint_id)
            if scope is None:
                return ()
            self._fill_now(connection)
            return spans_within(connection, scope, handle)

    def messages(self, digests: Sequence[str]) -> dict[str, ArchivedMessage]:
        """The archived messages that exist among these digests."""
        found: dict[str, ArchivedMessage] = {}
        with self._connections.use() as connection:
            self._fill_now(connection)
            for start in range(0, len(digests), _DIGESTS_AT_ONCE):
                asked = [to_bytes(digest) for digest in digests[start : start + _DIGESTS_AT_ONCE]]
                rows = connection.execute(
                    "SELECT digest, body FROM messages WHERE digest IN"
                    f" ({','.join('?' * len(asked))})",
                    asked,
                )
                for raw, body in rows:
                    digest = to_text(raw)
                    found[digest] = ArchivedMessage(digest=digest, json=unpacked(body))
        return {digest: found[digest] for digest in digests if digest in found}

    def search(
        self, checkpoint_id: str, query: str, *, limit: int = 10, kinds: Sequence[str] = ()
    ) -> list[Hit]:
        """Best spans and items among what this checkpoint and its ancestors absorbed.

        Any text is a valid query; none raises.
        """
        with self._connections.use() as connection:
            scope = scope_of(connection, checkpoint_id)
            if scope is None:
                return []
            self._index_now(connection)
            index = ScopedIndex(connection, self._remembered, scope, kinds)
            return ranked(index, query, scope, limit=limit, kinds=kinds)

    def add_note(self, session_id: str, note_json: str) -> StoredNote:
        """Append a note; durable when it returns."""
        with self._connections.use() as connection, writing(connection):
            sequence = append_note(connection, session_id, note_json)
        return StoredNote(sequence=sequence, json=note_json)

    def notes(self, session_id: str, after: int = 0) -> tuple[StoredNote, ...]:
        """Notes of a session behind a sequence number, in order."""
        with self._connections.use() as connection:
            rows = connection.execute(
                "SELECT sequence, body FROM notes WHERE session_id = ? AND sequence > ?"
                " ORDER BY sequence",
                (to_bytes(session_id), after),
            ).fetchall()
        return tuple(StoredNote(sequence=number, json=unpacked(body)) for number, body in rows)

    def remember(self, key: str, value: str) -> None:
        """Keep a small text under a key, in place of what was there."""
        with self._connections.use() as connection, writing(connection):
            connection.execute(
                "INSERT OR REPLACE INTO kept (key, value) VALUES (?, ?)",
                (to_bytes(key), packed(value)),
            )

    def recollect(self, key: str) -> str | None:
        """The text kept under a key."""
        with self._connections.use() as connection:
            row = connection.execute(
                "SELECT value FROM kept WHERE key = ?", (to_bytes(key),)
            ).fetchone()
            return None if row is None else unpacked(row[0])

    def vectors(self, model: str, digests: Sequence[str]) -> dict[str, bytes]:
        """The vectors that exist among the digests of these texts."""
        with self._connections.use() as connection:
            return read_vectors(connection, model, digests)

    def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors by the digest of their text."""
        with self._connections.use() as connection, writing(connection):
            write_vectors(connection, model, vectors)

    def sessions(self) -> tuple[str, ...]:
        """Ids of the sessions that have a checkpoint, oldest first."""
        with self._connections.use() as connection:
            rows = connection.execute("SELECT session_id FROM sessions ORDER BY number").fetchall()
        return tuple(to_text(raw) for (raw,) in rows)

    def latest(self, session_id: str) -> Checkpoint | None:
        """The newest checkpoint of a session."""
        with self._connections.use() as connection:
            (number,) = connection.execute(
                "SELECT max(number) FROM checkpoints WHERE session ="
                " (SELECT number FROM sessions WHERE session_id = ?)",
                (to_bytes(session_id),),
            ).fetchone()
            return None if number is None else self._remembered.checkpoint(connection, number)

    def close(self) -> None:
        """Release files and connections; further calls raise StoreError."""
        self._connections.close()


class SqliteStore(SqlStore):
    """The archive in a file. A new file is readable and writable for its owner only.

    `busy_timeout_seconds` is how long a writer waits for another. Raises StoreError and its
    kinds when the file cannot be used.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        read_only: bool = False,
        busy_timeout_seconds: float = 10.0,
    ) -> None:
        super().__init__(
            FileConnections(
                Path(path), read_only=read_only, busy_timeout_seconds=busy_timeout_seconds
            )
        )
