"""Which messages of a growing list may be Clew's own, kept up as the list grows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from clew.transcript import Message


class Looks:
    """Looks at each message once; a call with two new messages costs two looks."""

    def __init__(self, is_ours: Callable[[Message], bool]) -> None:
        self._is_ours = is_ours
        self._digests: list[str] = []
        self._ours: list[int] = []
        self._places: dict[str, list[int]] = {}

    def follow(self, messages: Sequence[Message], stable_count: int) -> None:
        """Take in a list whose first `stable_count` messages are those of the time before."""
        for digest in reversed(self._digests[stable_count:]):
            self._places[digest].pop()
        del self._digests[stable_count:]
        del self._ours[bisect_left(self._ours, len(self._digests)) :]
        for index in range(len(self._digests), len(messages)):
            message = messages[index]
            self._digests.append(message.digest)
            self._places.setdefault(message.digest, []).append(index)
            if self._is_ours(message):
                self._ours.append(index)

    def own(self, start: int, digests: Iterable[str]) -> list[int]:
        """Indices from `start` on of messages that look like ours, or have one of these digests."""
        found = set(self._ours[bisect_left(self._ours, start) :])
        for digest in digests:
            places = self._places.get(digest, [])
            found.update(places[bisect_left(places, start) :])
        return sorted(found)
