"""Vectors of texts beside the archive: a cache, in a table that is made when it is first needed.

The table belongs to no version of the schema: a file without it is whole, and a Clew that does not
know it leaves it alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from clew.store.rows import to_bytes, to_text

_TABLE = """CREATE TABLE IF NOT EXISTS vectors (
    model BLOB NOT NULL,
    digest BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, digest)
) WITHOUT ROWID"""
_AT_ONCE = 500


def read_vectors(
    connection: sqlite3.Connection, model: str, digests: Sequence[str]
) -> dict[str, bytes]:
    """The vectors of a model that exist among these digests."""
    there = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'vectors'").fetchone()
    found: dict[str, bytes] = {}
    for start in range(0, len(digests) if there else 0, _AT_ONCE):
        asked = [to_bytes(digest) for digest in digests[start : start + _AT_ONCE]]
        rows = connection.execute(
            "SELECT digest, vector FROM vectors WHERE model = ? AND digest IN"
            f" ({','.join('?' * len(asked))})",
            [to_bytes(model), *asked],
        )
        found.update((to_text(digest), bytes(vector)) for digest, vector in rows)
    return found


def write_vectors(connection: sqlite3.Connection, model: str, vectors: Mapping[str, bytes]) -> None:
    """Keep vectors of a model by the digest of their text, inside a write transaction."""
    connection.execute(_TABLE)
    connection.executemany(
        "INSERT OR IGNORE INTO vectors (model, digest, vector) VALUES (?, ?, ?)",
        [(to_bytes(model), to_bytes(digest), vector) for digest, vector in vectors.items()],
    )
