"""The tables of the SQLite store, their versions, and how a file is taken for a Clew store.

Everything is append-only apart from `kept`: a row that was committed is never changed, which is
what makes caches of rows safe across threads and processes.

A row of `spans` is numbered `lineage << 32 | n`. A checkpoint continues the numbers of its parent
unless another child has done so; then it begins a new lineage. What a checkpoint may search is
therefore a handful of ranges (`scope`), one for each fork in its ancestry, however long it is,
and the full-text index seeks to them instead of reading what other sessions hold.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from clew.errors import StoreCorruptError, StoreReadOnlyError, StoreVersionError

APPLICATION_ID = 0x436C6577  # "Clew"

LINEAGE_BITS = 32

# The indices hold no copy of the text and no row sizes: ranking reads the few best rows. Labels
# have their own, because a column filter reads every row that holds a word in any column.
_FIRST = (
    "CREATE TABLE sessions (number INTEGER PRIMARY KEY, session_id BLOB NOT NULL UNIQUE)",
    "CREATE TABLE messages (digest BLOB NOT NULL UNIQUE, body BLOB NOT NULL)",
    """CREATE TABLE checkpoints (
        number INTEGER PRIMARY KEY,
        checkpoint_id BLOB NOT NULL UNIQUE,
        session INTEGER NOT NULL REFERENCES sessions (number),
        key BLOB NOT NULL,
        kind BLOB NOT NULL,
        parent INTEGER NOT NULL,
        policy BLOB NOT NULL,
        lineage INTEGER NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        scope TEXT NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (session, key, kind, parent, policy)
    )""",
    "CREATE INDEX checkpoints_by_session ON checkpoints (session, number)",
    "CREATE INDEX checkpoints_by_lineage ON checkpoints (lineage, last)",
    """CREATE TABLE keys (
        session INTEGER NOT NULL,
        number INTEGER NOT NULL,
        by_alias INTEGER NOT NULL,
        key BLOB NOT NULL,
        depth INTEGER NOT NULL,
        PRIMARY KEY (session, number, by_alias, key)
    ) WITHOUT ROWID""",
    """CREATE TABLE spans (
        number INTEGER PRIMARY KEY,
        handle BLOB NOT NULL,
        body BLOB NOT NULL
    )""",
    "CREATE INDEX spans_by_handle ON spans (handle, number)",
    """CREATE TABLE notes (
        session_id BLOB NOT NULL,
        sequence INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (session_id, sequence)
    )""",
    "CREATE TABLE kept (key BLOB PRIMARY KEY, value BLOB NOT NULL)",
    """CREATE VIRTUAL TABLE words USING fts5 (
        text, parts, kind, content='', columnsize=0,
        tokenize='porter unicode61 remove_diacritics 2'
    )""",
    """CREATE VIRTUAL TABLE labels USING fts5 (
        text, parts, kind, content='', columnsize=0,
        tokenize='porter unicode61 remove_diacritics 2'
    )""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST,)
"""The n-th entry leads from version n to version n + 1; entries are only ever added."""


def version_of(connection: sqlite3.Connection, location: str) -> int:
    """The schema version of an open file; 0 for one that is empty.

    Raises StoreCorruptError for a database that is not Clew's.
    """
    # In one transaction: another process may be making the tables between two of these.
    nested = connection.in_transaction
    if not nested:
        connection.execute("BEGIN")
    try:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    finally:
        if not nested and connection.in_transaction:
            connection.execute("ROLLBACK")
    if application == APPLICATION_ID and version > 0:
        return int(version)
    if application == 0 and version == 0 and tables == 0:
        return 0
    raise StoreCorruptError(location, "the file is a SQLite database but not a Clew store")


def known_version_of(
    connection: sqlite3.Connection, location: str, newest: int = len(MIGRATIONS)
) -> int:
    """The schema version of an open file. Raises StoreVersionError for a newer one."""
    version = version_of(connection, location)
    if version > newest:
        raise StoreVersionError(
            location, f"its schema version is {version} and this Clew knows up to {newest}"
        )
    return version


def migrate(
    connection: sqlite3.Connection,
    location: str,
    *,
    read_only: bool = False,
    migrations: Sequence[Sequence[str]] = MIGRATIONS,
) -> None:
    """Bring an open file to the newest version, all steps in one transaction.

    Raises StoreVersionError for a newer file, StoreReadOnlyError for an older one that cannot be
    written.
    """
    newest = len(migrations)
    version = known_version_of(connection, location, newest)
    if version == newest:
        return
    if read_only:
        raise StoreReadOnlyError(
            location, f"its schema version is {version} and {newest} would have to be written"
        )
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have done it while this one waited for the lock.
        for step in migrations[version_of(connection, location) :]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {newest}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
