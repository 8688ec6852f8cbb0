"""Bringing back what left the window: by handle, byte for byte, or by search."""

from __future__ import annotations

from collections.abc import Sequence

from clew.errors import UnknownHandleError
from clew.former import REMOVED, former_of
from clew.history import History
from clew.ports import Embedder, Hit, Span, Store
from clew.record.record import HandoffRecord
from clew.session.lines import Line, archived_texts, joined, number_of, written_item
from clew.session.meaning import FUSED, Meaning, fused
from clew.session.notes import Delegation
from clew.transcript import exact_json


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
        if (item := record.get(name)) is not None:
            return written_item(item)
        if history is None:
            raise UnknownHandleError(name)
        lines = [Line(self._store, each) for each in _states(history)]
        for line in lines:
            if (found := line.given(name)) is not None:
                return found
        found = lines[0].around(name) if history.checkpoint is not None else None
        found = found or self._inside(name, history)
        for line in lines if found is None else ():
            found = found or line.around(name)
        if found is None:
            raise UnknownHandleError(name)
        return found

    def _inside(self, name: str, history: History) -> bytes | None:
        """The exchange that still stands in the context and that a handle means in part."""
        position = next(
            (stub.position for stub in history.stubs if stub.handle.startswith(f"{name}.")),
            number_of(name) - 1 - history.numbered_after,
        )
        digests = {stub.position: stub.digest for stub in history.stubs}
        for exchange in history.exchanges:
            places = [history.positions[i] for i in exchange.indices]
            if position in places:
                kept = archived_texts(self._store, [digests[p] for p in places if p in digests])
                whole = [
                    kept[digests[place]] if place in digests else exact_json(history.body[i].plain)
                    for i, place in zip(exchange.indices, places, strict=True)
                ]
                return joined(whole)
        return None

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
        if history is None or history.checkpoint is None:
            return []
        found = [
            span
            for span in reversed(self._store.spans(history.checkpoint.checkpoint_id))
            if span.kind in ("span", REMOVED) and span.digests
        ]
        return sorted(found, key=lambda span: span.position)


def _states(history: History) -> tuple[str, ...]:
    """The state in force and those that it took the place of."""
    now = (history.checkpoint_id,) if history.checkpoint is not None else ()
    return (*now, *former_of(history.checkpoint))
