"""The archive in memory: the tables of the SQLite store, gone with the process."""

from __future__ import annotations

from clew.store.connections import MemoryConnections
from clew.store.rows import MEMORY_LEVEL
from clew.store.sqlite import SqlStore


class MemoryStore(SqlStore):
    """The archive in memory, one for each object; threads take turns."""

    def __init__(self) -> None:
        super().__init__(MemoryConnections(), level=MEMORY_LEVEL, when_read=True)
