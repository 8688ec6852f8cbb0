"""Measures, after each compaction of a replay, where what is needed later can be found."""

from __future__ import annotations

from collections.abc import Sequence

from clew.replay.coverage import coverage_at, names_of, needs_of, summed
from clew.replay.played import Coverage
from clew.replay.recording import Recording
from clew.session import Session
from clew.transcript import Message

SEARCH_HITS = 5


class References:
    """Follows what was absorbed and asks the recording what its agent wrote afterwards."""

    def __init__(self, recording: Recording, session: Session) -> None:
        self._recording = recording
        self._session = session
        self._absorbed: dict[str, frozenset[str]] = {}
        self._parts: list[Coverage] = []

    def after_compaction(
        self, handles: Sequence[str], shown: int, context: Sequence[Message]
    ) -> None:
        """Measure one compaction; the recording goes on with the message at index `shown`."""
        boundary = shown - self._recording.lead_count
        gone = set(handles)
        readings = self._recording.readings
        self._absorbed.update((r.handle, names_of(r)) for r in readings if r.handle in gone)
        before = [r for r in readings if r.position < boundary]
        needs = needs_of(
            in_view=(n for r in before if r.handle not in self._absorbed for n in names_of(r)),
            absorbed=(name for names in self._absorbed.values() for name in names),
            later=[r for r in readings if r.position >= boundary],
        )
        text = "\n".join(_text(message) for message in context)
        self._parts.append(coverage_at(text, needs, self._absorbed, self._search))

    def total(self) -> Coverage:
        """All compactions together."""
        return summed(self._parts)

    def _search(self, query: str) -> list[str]:
        hits = self._session.search(query, limit=SEARCH_HITS, kinds=("span",))
        return [hit.handle for hit in hits]


def _text(message: Message) -> str:
    """Everything a reader of a message sees."""
    calls = [call.arguments for call in message.calls]
    results = [result.text for result in message.results]
    return "\n".join((message.text, *calls, *results))
