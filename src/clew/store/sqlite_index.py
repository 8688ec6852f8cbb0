"""The full-text index of the SQLite store, seen through one scope."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from clew.ports import Span
from clew.store.ranking import Row, Scope
from clew.store.reading import Remembered
from clew.store.rows import to_bytes
from clew.store.terms import kind_word, parts_of

_WORDS = "words"
_LABELS = "labels"


@dataclass(frozen=True, slots=True)
class IndexRow:
    """What the two indices are given of a span: text, hidden parts, kind."""

    words: tuple[str, str, str]
    labels: tuple[str, str, str]


def _indexable(text: str) -> str:
    # SQLite takes no lone surrogates; the stored text keeps them.
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def index_row(span: Span) -> IndexRow:
    """The words of a span: the index of words has those of the handle and the label too."""
    label = _indexable(f"{span.handle} {span.label}")
    text = f"{label} {_indexable(span.text)}"
    kind = kind_word(span.kind)
    return IndexRow((text, parts_of(text), kind), (label, parts_of(label), kind))


class ScopedIndex:
    """The rows that one checkpoint may see, of some kinds or of all."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        remembered: Remembered,
        scope: Scope,
        kinds: Sequence[str] = (),
    ) -> None:
        self._connection = connection
        self._remembered = remembered
        self._scope = scope
        words = " OR ".join(f'"{kind_word(kind)}"' for kind in kinds)
        self._only = f"kind : ({words}) AND " if words else ""

    def rows(self, phrase: str, *, prefix: bool, label_only: bool, limit: int) -> list[int]:
        """The newest rows in scope that hold a phrase, newest first."""
        table = _LABELS if label_only else _WORDS
        return self._matching(table, f'"{phrase}"{"*" if prefix else ""}', limit, self._scope)

    def rows_with_all(self, phrases: Sequence[str], *, limit: int, within: int) -> list[int]:
        """The newest rows that hold every phrase among the newest `within` of the scope."""
        each = (f'"{phrase}"' for phrase in phrases)
        return self._matching(_WORDS, " AND ".join(each), limit, self._scope.newest(within))

    def _matching(self, table: str, expression: str, limit: int, scope: Scope) -> list[int]:
        found: list[int] = []
        for first, last in scope.ranges:
            rows = self._connection.execute(
                f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid BETWEEN ? AND ?"
                " ORDER BY rowid DESC LIMIT ?",
                (self._only + expression, first, last, limit - len(found)),
            )
            found.extend(row for (row,) in rows)
            if len(found) >= limit:
                break
        return found

    def spans(self, rows: Sequence[int]) -> dict[int, Row]:
        """These rows."""
        return self._remembered.spans(self._connection, rows)

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
