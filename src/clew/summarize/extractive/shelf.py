"""Statements by the words they hold, so that a new one meets only those it may be about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from clew.record.items import Item, Speaker
from clew.summarize.extractive.frames import frame_of
from clew.summarize.extractive.updates import SHOWN_ONE_WAY

Held = tuple[Item, frozenset[str]]
"""An item with its topic words."""


class Shelf:
    """Items under keys that grow; whatever is asked comes back in the order of the keys.

    What is put there is sorted by its words, and by its frame, when somebody first asks for them.
    """

    def __init__(self) -> None:
        self._held: dict[int, Held] = {}
        self._by_word: defaultdict[str, set[int]] = defaultdict(set)
        self._by_text: defaultdict[str, set[int]] = defaultdict(set)
        self._by_name: defaultdict[str, set[int]] = defaultdict(set)
        self._unsorted: set[int] = set()
        self._unframed: set[int] = set()

    def put(self, key: int, item: Item, topics: frozenset[str]) -> None:
        """Put an item under a key, in place of what was there."""
        self.take(key)
        self._held[key] = (item, topics)
        self._by_text[item.text].add(key)
        self._unsorted.add(key)
        self._unframed.add(key)

    def take(self, key: int) -> None:
        """Take what is under a key away, if there is anything."""
        held = self._held.pop(key, None)
        if held is None:
            return
        self._by_text[held[0].text].discard(key)
        if key in self._unsorted:
            self._unsorted.discard(key)
        else:
            for word in held[1]:
                self._by_word[word].discard(key)
        if key in self._unframed:
            self._unframed.discard(key)
        else:
            for name in _names_of(held[0]):
                self._by_name[name].discard(key)

    def __getitem__(self, key: int) -> Held:
        return self._held[key]

    def sharing(self, topics: frozenset[str]) -> list[int]:
        """Keys of all that share a topic word."""
        self._sort()
        return sorted(set().union(*(self._by_word[w] for w in topics if w in self._by_word)))

    def alike(self, topics: frozenset[str], share: float) -> list[int]:
        """Keys of all that may share so much of their words, Jaccard, 0 to 1.

        Who shares that much misses few of the words, so that one of the rarest is enough to know.
        """
        if not self._held:
            return []
        self._sort()
        missed = int(len(topics) * (1.0 - share) + 1e-9)
        rarest = sorted(topics, key=lambda word: (len(self._by_word.get(word, ())), word))
        return self.sharing(frozenset(rarest[: missed + 1]))

    def _sort(self) -> None:
        for key in self._unsorted:
            for word in self._held[key][1]:
                self._by_word[word].add(key)
        self._unsorted.clear()

    def same(self, text: str) -> set[int]:
        """Keys of all with this very text."""
        return self._by_text.get(text, set())

    def named_alike(self, text: str) -> list[int]:
        """Keys of a person's statements that share a word of the frame, or a way to show things."""
        for key in sorted(self._unframed):
            for name in _names_of(self._held[key][0]):
                self._by_name[name].add(key)
        self._unframed.clear()
        return sorted(set().union(*(self._by_name.get(n, ()) for n in _names_in(text))))


def _names_of(item: Item) -> Iterable[str]:
    """What a statement of a person may be found by: the words of its frame, sorts that show."""
    if item.said_by is not Speaker.USER or item.kind not in {"fact", "invariant"}:
        return ()
    return _names_in(item.text)


def _names_in(text: str) -> Iterable[str]:
    frame = frame_of(text)
    return (*frame.words, *(f" {sort}" for sort in frame.sorts & SHOWN_ONE_WAY))
