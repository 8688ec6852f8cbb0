"""Bringing back what left the window: by handle, byte for byte, or by search."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from clew.errors import StoreError, UnknownHandleError
from clew.former import REMOVED, former_of
from clew.history import History
from clew.ports import Checkpoint, Embedder, Hit, Span, Store, Stub
from clew.record.items import Item
from clew.record.record import HandoffRecord
from clew.record.serde import item_to_json, load_record
from clew.session.meaning import FUSED, Meaning, fused
from clew.session.notes import Delegation
from clew.transcript import Path, canonical_json, exact_json

_SPAN = re.compile(r"S-(\d{1,9})")
_ITEM = re.compile(r"[A-Z]-\d{1,9}")
_LEAF = re.compile(r"S-\d{1,9}\.\d{1,6}")


class Pager:
    """Reads the archive for one session: only what its own chain absorbed is ever seen.

    With an embedder a search is by meaning too.
    """

    def __init__(self, store: Store, embedder: Embedder | None = None) -> None:
        self._store = store
        self._meaning = Meaning(embedder, store) if embedder is not None else None

    def recall(self, handle: str, history: History | None, record: HandoffRecord) -> bytes:
        """What a handle stands for.

        A span (`S-41`) gives the JSON list of its native messages, keys in their order; a leaf
        (`S-41.2`) the text itself, or the JSON of a media block; an item (`R-17`) its JSON; `M-…`
        the message that a repair took out, in a list. Raises
        UnknownHandleError for anything that this session's own chain did not give out.
        """
        name = handle.strip()
        lineage = self._lineage(history)
        former = former_of(history.checkpoint) if history is not None else ()
        if former and record.get(name) is None and not _gives(name, lineage):
            for earlier in former:
                if _gives(name, line := self._store.ancestry(earlier)):
                    return self._recall(name, line, None, HandoffRecord())
        return self._recall(name, lineage, history, record)

    def _recall(
        self,
        name: str,
        lineage: tuple[Checkpoint, ...],
        history: History | None,
        record: HandoffRecord,
    ) -> bytes:
        if _LEAF.fullmatch(name):
            return self._leaf(name, lineage)
        if match := _SPAN.fullmatch(name):
            return self._span(name, int(match[1]) - 1, lineage, history)
        for checkpoint in lineage if name.startswith("M-") else ():
            for span in checkpoint.spans:
                if span.kind == REMOVED and span.handle == name:
                    return _joined(self._messages(span.digests))
        item = record.get(name) or _former(name, lineage)
        if item is None:
            raise UnknownHandleError(name)
        return json.dumps(item_to_json(item), ensure_ascii=False, indent=2).encode(
            "utf-8", "surrogatepass"
        )

    def delegated(self, handle: str, session_id: str, runs: Sequence[Delegation]) -> bytes:
        """What a handle of a sub-task stands for that one of these runs was given."""
        for run in reversed(runs):
            checkpoint = self._store.checkpoint(run.checkpoint_id)
            if run.session_id == session_id and checkpoint is not None:
                return self.recall(handle, History.at(checkpoint), HandoffRecord())
        raise UnknownHandleError(f"{session_id}:{handle}")

    def search(
        self, query: str, history: History | None, *, limit: int, kinds: Sequence[str] = ()
    ) -> list[Hit]:
        """Best hits among what this session's chain absorbed."""
        if history is None or history.checkpoint is None:
            return []
        name = history.checkpoint.checkpoint_id
        if self._meaning is None or not query.strip():
            return self._store.search(name, query, limit=limit, kinds=tuple(kinds))
        by_words = self._store.search(name, query, limit=max(limit, FUSED), kinds=tuple(kinds))
        also = {hit.handle for hit in by_words}
        return fused(by_words, self._meaning.near(name, query, kinds, also), limit)

    def embed(self, history: History | None, most: int | None = None) -> int:
        """Make vectors ahead of a search, newest first; gives how many texts still have none."""
        if self._meaning is None or history is None or history.checkpoint is None:
            return 0
        return self._meaning.embed(history.checkpoint.checkpoint_id, most)

    def spans(self, history: History | None) -> list[Span]:
        """Every span that was absorbed or taken out by a repair, oldest first."""
        found = [
            span
            for checkpoint in self._lineage(history)
            for span in checkpoint.spans
            if span.kind in ("span", REMOVED) and span.digests
        ]
        return sorted(found, key=lambda span: span.position)

    def _lineage(self, history: History | None) -> tuple[Checkpoint, ...]:
        if history is None or history.checkpoint is None:
            return ()
        return self._store.ancestry(history.checkpoint.checkpoint_id)

    def _leaf(self, handle: str, lineage: tuple[Checkpoint, ...]) -> bytes:
        stub = _find_stub(handle, lineage)
        if stub is None:
            raise UnknownHandleError(handle)
        value = _at(json.loads(self._message(stub.digest)), stub.path)
        if isinstance(value, str):
            return value.encode("utf-8", "surrogatepass")
        return canonical_json(value).encode("ascii")

    def _span(
        self,
        handle: str,
        position: int,
        lineage: tuple[Checkpoint, ...],
        history: History | None,
    ) -> bytes:
        span = _find_span(handle, position, lineage)
        if span is not None:
            return _joined(self._messages(span.digests))
        stubs = {s.position: s for c in reversed(lineage) for s in c.stubs}
        if history is not None:
            for exchange in history.exchanges:
                places = [history.positions[i] for i in exchange.indices]
                if position in places:
                    return _joined(
                        [
                            self._message(stubs[place].digest)
                            if place in stubs
                            else exact_json(history.body[i].plain)
                            for i, place in zip(exchange.indices, places, strict=True)
                        ]
                    )
        raise UnknownHandleError(handle)

    def _message(self, digest: str) -> str:
        return self._messages([digest])[0]

    def _messages(self, digests: Sequence[str]) -> list[str]:
        """The archived messages with these digests, in their order."""
        found = self._store.messages(digests)
        for digest in digests:
            if digest not in found:
                where = self._store.location
                raise StoreError(where, f"the archived message {digest[:12]} is missing")
        return [found[digest].json for digest in digests]


def _gives(name: str, lineage: tuple[Checkpoint, ...]) -> bool:
    """Whether a line of checkpoints gave this handle out."""
    item = f'"{name}"' if _ITEM.fullmatch(name) else ""
    for checkpoint in lineage:
        if any(span.handle == name for span in checkpoint.spans):
            return True
        if any(name in (stub.handle, stub.handle.partition(".")[0]) for stub in checkpoint.stubs):
            return True
        if item and item in checkpoint.record_json:
            return True
    return False


def _former(name: str, lineage: tuple[Checkpoint, ...]) -> Item | None:
    """An item that a former record of this chain still held, as it was when it left."""
    for checkpoint in lineage if _ITEM.fullmatch(name) else ():
        if f'"{name}"' in checkpoint.record_json:
            item = load_record(checkpoint.record_json).get(name)
            if item is not None:
                return item
    return None


def _joined(texts: Sequence[str]) -> bytes:
    return f"[{', '.join(texts)}]".encode("utf-8", "surrogatepass")


def _find_span(handle: str, position: int, lineage: tuple[Checkpoint, ...]) -> Span | None:
    """The span with this handle, else the one that this message was absorbed with."""
    around: Span | None = None
    for checkpoint in lineage:
        for span in checkpoint.spans:
            if span.kind != "span" or not span.digests:
                continue
            if span.handle == handle:
                return span
            near = span.position <= position < span.position + len(span.digests)
            if near and (around is None or span.position > around.position):
                around = span
    return around


def _find_stub(handle: str, lineage: tuple[Checkpoint, ...]) -> Stub | None:
    for checkpoint in lineage:
        for stub in checkpoint.stubs:
            if stub.handle == handle:
                return stub
    return None


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value
