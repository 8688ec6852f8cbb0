"""Where absorbed messages, checkpoints and notes are kept: memory or SQLite."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

from clew.errors import StoreError
from clew.ports import Store
from clew.store.memory import MemoryStore
from clew.store.sqlite import SqliteStore

__all__ = ["MemoryStore", "SqliteStore", "open_store"]

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*(?=://)", re.IGNORECASE)


def _sqlite(spec: str) -> Store:
    """`sqlite:///relative.db`, `sqlite:////absolute.db`, with `?mode=ro` to only read."""
    split = urlsplit(spec)
    path = unquote(split.path)[1:]
    query = parse_qs(split.query, keep_blank_values=True)
    modes = query.pop("mode", ["rw"])
    if split.netloc or not path or query or modes not in (["ro"], ["rw"]):
        raise StoreError(
            spec, "a SQLite store is named sqlite:///PATH, with ?mode=ro when it is only read"
        )
    return SqliteStore(path, read_only=modes == ["ro"])


def open_store(spec: Store | str | None) -> Store:
    """The store that a caller named.

    None is a new one in memory; a path or `sqlite:///PATH` a SQLite file, made when it is not
    there (its directory must be). A store is given back as it is. Raises StoreError and its kinds.
    """
    if spec is None:
        return MemoryStore()
    if not isinstance(spec, str):
        return spec
    scheme = _SCHEME.match(spec)
    if scheme is None:
        if not spec.strip() or "\0" in spec:
            raise StoreError(repr(spec), "this is no path; name a file or sqlite:///PATH")
        return SqliteStore(spec)
    if scheme[0].lower() == "sqlite":
        return _sqlite(spec)
    raise StoreError(scheme[0], "no store has this scheme; name a path or sqlite:///PATH")
