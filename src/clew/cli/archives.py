"""Opening an archive to read it: the store a person names, and one session in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clew.errors import StoreError
from clew.history import History
from clew.ports import Checkpoint, Store
from clew.record.record import HandoffRecord
from clew.record.serde import load_record

SQLITE_HEADER = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A session in a store, as its newest checkpoint left it."""

    store: Store
    session_id: str
    checkpoint: Checkpoint
    record: HandoffRecord

    @property
    def history(self) -> History:
        """A history that holds nothing but the checkpoint: enough to page from."""
        return History(
            format=self.checkpoint.format,
            lead=(),
            body=(),
            positions=(),
            sizes=(),
            exchanges=(),
            chain=(),
            checkpoint=self.checkpoint,
        )


def is_store(path: Path) -> bool:
    """Whether a file begins like a SQLite database."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    except OSError:
        return False


def open_archive(where: str, session_id: str | None, *, read_only: bool = True) -> Archive:
    """A session of a store, the only or newest one unless named; nothing is written to a file.

    Not `read_only` lets a search keep the vectors that it makes. Raises StoreError when there is
    no such store or session.
    """
    from clew.store import SqliteStore, open_store

    if "://" in where:
        store = open_store(where)
    elif not Path(where).exists():
        raise StoreError(where, "no such file")
    else:
        store = SqliteStore(where, read_only=read_only)
    ids = store.sessions()
    if not ids:
        raise StoreError(where, "holds no session yet")
    chosen = session_id or ids[-1]
    checkpoint = store.latest(chosen)
    if checkpoint is None:
        known = ", ".join(ids[-5:])
        raise StoreError(where, f"holds no session {chosen!r}; the newest are {known}")
    record = load_record(checkpoint.record_json) if checkpoint.record_json else HandoffRecord()
    return Archive(store=store, session_id=chosen, checkpoint=checkpoint, record=record)
