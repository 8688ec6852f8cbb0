"""The full-text index of the SQLite store, seen through one scope."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from clew.ports import Span
from clew.store.ranking import Scope
from clew.store.rows import to_bytes, unpack_span
from clew.store.terms import kind_word, parts_of

_TEXT = "{label parts text}"


def _indexable(text: str) -> str:
    # SQLite takes no lone surrogates; the stored text keeps them.
    return text.encode("utf-8", "replace").decode("utf-8")


def index_row(span: Span) -> tuple[str, str, str, str]:
    """What the index is given of a span: label, parts, text, kind."""
    label = _indexable(f"{span.handle} {span.label}")
    text = _indexable(span.text)
    return label, parts_of(f"{label} {text}"), text, kind_word(span.kind)


class ScopedIndex:
    """The rows that one checkpoint may see, of some kinds or of all."""

    def __init__(
        self, connection: sqlite3.Connection, scope: Scope, kinds: Sequence[str] = ()
    ) -> None:
        self._connection = connection
        self._scope = scope
        words = " OR ".join(f'"{kind_word(kind)}"' for kind in kinds)
        self._only = f"kind : ({words}) AND " if words else ""

    def rows(self, phrase: str, *, prefix: bool, label_only: bool, limit: int) -> list[int]:
        """The newest rows in scope that hold a phrase, newest first."""
        columns = "{label}" if label_only else _TEXT
        return self._matching(f'{columns} : "{phrase}"{"*" if prefix else ""}', limit)

    def rows_with_all(self, phrases: Sequence[str], *, limit: int) -> list[int]:
        """The newest rows in scope that hold every phrase, newest first."""
        return self._matching(" AND ".join(f'{_TEXT} : "{phrase}"' for phrase in phrases), limit)

    def _matching(self, expression: str, limit: int) -> list[int]:
        found: list[int] = []
        for first, last in self._scope.ranges:
            rows = self._connection.execute(
                "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?"
                " ORDER BY rowid DESC LIMIT ?",
                (self._only + expression, first, last, limit - len(found)),
            )
            found.extend(row for (row,) in rows)
            if len(found) >= limit:
                break
        return found

    def spans(self, rows: Sequence[int]) -> dict[int, Span]:
        """These rows."""
        marks = ",".join("?" * len(rows))
        found = self._connection.execute(
            f"SELECT number, handle, body FROM spans WHERE number IN ({marks})", tuple(rows)
        )
        return {number: unpack_span(handle, body) for number, handle, body in found}

    def is_newest(self, row: int, handle: str) -> bool:
        """Whether no newer row in scope has this handle."""
        for first, last in self._scope.ranges:
            (newest,) = self._connection.execute(
                "SELECT max(number) FROM spans WHERE handle = ? AND number BETWEEN ? AND ?",
                (to_bytes(handle), first, last),
            ).fetchone()
            if newest is not None:
                return bool(newest == row)
        return True
