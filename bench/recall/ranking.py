"""The searches that are compared, and how much of the evidence each brings back."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.recall.conversations import Conversation
from clew import Session
from clew.embedders import closeness
from clew.history import History
from clew.ports import Embedder, VectorStore
from clew.session.paging import Pager
from clew.store import MemoryStore
from clew.transcript import digest_of_text

DEPTHS = (1, 5, 10)
Search = Callable[[str], Sequence[int]]
"""From a question to the places of messages, best first."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """Questions asked, and at each depth the sum of the shares of evidence found."""

    questions: int = 0
    found: tuple[float, ...] = (0.0,) * len(DEPTHS)

    def __add__(self, other: Recalled) -> Recalled:
        return Recalled(
            questions=self.questions + other.questions,
            found=tuple(a + b for a, b in zip(self.found, other.found, strict=True)),
        )

    @property
    def percent(self) -> tuple[float, ...]:
        return tuple(100 * found / max(1, self.questions) for found in self.found)


def recalled(search: Search, asked: Conversation) -> Recalled:
    """The mean over questions of the share of their evidence among the first hits."""
    found = [0.0] * len(DEPTHS)
    for question in asked.questions:
        places = search(question.text)
        for n, depth in enumerate(DEPTHS):
            hit = question.evidence & set(places[:depth])
            found[n] += len(hit) / len(question.evidence)
    return Recalled(questions=len(asked.questions), found=tuple(found))


def plain_bm25(texts: Sequence[str]) -> Search:
    """BM25 over the words of each message, every word of the question, no stemming."""
    counts = [Counter(_WORD.findall(text.lower())) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    usual = sum(lengths) / max(1, len(lengths))
    holding: dict[str, list[int]] = defaultdict(list)
    for place, count in enumerate(counts):
        for word in count:
            holding[word].append(place)

    def search(query: str) -> Sequence[int]:
        scores: Counter[int] = Counter()
        for word in set(_WORD.findall(query.lower())):
            rows = holding.get(word, [])
            rarity = math.log1p((len(counts) - len(rows) + 0.5) / (len(rows) + 0.5))
            for row in rows:
                often = counts[row][word]
                norm = 1.2 * (0.25 + 0.75 * lengths[row] / usual)
                scores[row] += rarity * often * 2.2 / (often + norm)
        return sorted(scores, key=lambda row: (-scores[row], row))[: max(DEPTHS)]

    return search


class Archived:
    """A conversation that went through a session into its archive, whole."""

    def __init__(self, said: Conversation, embedder: Embedder | None = None) -> None:
        self.said = said
        self.store = MemoryStore()
        self.embedder = embedder
        session = Session(store=self.store)
        session.handoff(messages=said.messages)
        newest = self.store.latest(session.session_id or "")
        assert newest is not None
        self.history = History.at(newest)
        self._by_words = Pager(self.store)
        self._by_both = Pager(self.store, embedder)
        self._by_both.embed(self.history)

    def by_words(self, query: str, *, items: bool = False) -> Sequence[int]:
        """The archive search; record items take places among the hits when asked for."""
        return self._places(self._by_words, query, items=items)

    def by_both(self, query: str) -> Sequence[int]:
        """The archive search with the embedding model fused in."""
        return self._places(self._by_both, query, items=False)

    def by_meaning(self, query: str) -> Sequence[int]:
        """The embedding model alone: the messages whose vectors are nearest."""
        assert self.embedder is not None
        assert isinstance(self.store, VectorStore)
        digests = [digest_of_text(text) for text in self.said.texts]
        vectors = self.store.vectors(self.embedder.name, digests)
        known = [n for n, digest in enumerate(digests) if digest in vectors]
        values = closeness(self.embedder.embed([query])[0], [vectors[digests[n]] for n in known])
        order = sorted(range(len(known)), key=lambda n: -values[n])
        return [known[n] for n in order[: max(DEPTHS)]]

    def _places(self, pager: Pager, query: str, *, items: bool) -> Sequence[int]:
        kinds = () if items else ("span",)
        hits = pager.search(query, self.history, limit=max(DEPTHS), kinds=kinds)
        return [int(h.handle[2:]) - 1 if h.kind == "span" else -1 for h in hits]
