"""Search by meaning beside the one by words, for a session that was given an embedder.

Vectors are made when a search needs them, never while a context is prepared, and kept in the store
by the digest of their text. What is compared is bounded: the newest spans; older ones are found by
their words alone.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from clew.embedders import closeness
from clew.ports import Embedder, Hit, Span, Store, VectorStore
from clew.store.excerpt import excerpt_of
from clew.transcript import digest_of_text

SPANS_COMPARED = 20_000
EMBEDDED_AT_ONCE = 128
"""Texts that one search gives to the model: some seconds at most; the next goes on from there."""

FUSED = 50
"""Hits of each search that are fused."""

_BATCH = 32
_CHARACTERS = 1_000  # about what the model reads of a text
_REPEATED = 30  # a label that holds this much of the beginning adds nothing
_BLOCKS_KEPT = 512
# Chosen on the first four conversations of bench/recall, as the shares in clew.store.ranking; in
# the midst of a wide range in which they matter little.
_MEANING_WEIGHT = 1.5
_NEIGHBOUR_SHARE = 0.5
_NEIGHBOURS = 3  # on either side


@dataclass(slots=True)
class _Block:
    """The spans of one checkpoint, the digests of what is embedded of them, and the vectors."""

    spans: tuple[Span, ...]
    digests: tuple[str, ...]
    vectors: dict[str, bytes]

    @property
    def missing(self) -> list[int]:
        return [n for n, digest in enumerate(self.digests) if digest not in self.vectors]


def _embedded_text(span: Span) -> str:
    text = span.text
    if span.label and text[:_REPEATED] not in span.label:
        text = f"{span.label}\n{text}"
    return text[:_CHARACTERS]


class Meaning:
    """The vectors of what a session absorbed; safe to use from several threads."""

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self._embedder = embedder
        self._store = store
        self._blocks: OrderedDict[str, _Block] = OrderedDict()
        self._lock = threading.Lock()

    def embed(self, checkpoint_id: str, most: int | None = None) -> int:
        """Make the vectors that are missing, newest first, at most so many; gives what is left."""
        with self._lock:
            blocks = list(self._line(checkpoint_id))
            missing = [(block, n) for block in blocks for n in block.missing]
            chosen = missing if most is None else missing[:most]
            for start in range(0, len(chosen), _BATCH):
                self._make(chosen[start : start + _BATCH])
            return len(missing) - len(chosen)

    def near(
        self,
        checkpoint_id: str,
        query: str,
        kinds: Sequence[str] = (),
        also: Collection[str] = (),
    ) -> list[tuple[Span, float]]:
        """The spans nearest in meaning, nearest first, with their closeness from -1 to 1.

        `also` are handles whose closeness is wanted however far they are.
        """
        self.embed(checkpoint_id, EMBEDDED_AT_ONCE)
        with self._lock:
            rows = list(self._rows(checkpoint_id, kinds))
        (asked,) = self._embedder.embed([query])
        values = _leaning(rows, closeness(asked, [vector for _, vector in rows]))
        order = sorted(range(len(rows)), key=lambda n: -values[n])
        farther = (n for n in order[FUSED:] if rows[n][0].handle in also)
        return [(rows[n][0], values[n]) for n in (*order[:FUSED], *farther)]

    def _line(self, checkpoint_id: str) -> Iterator[_Block]:
        """The blocks of a checkpoint and its parents, newest first, as far as is compared."""
        seen = 0
        name: str | None = checkpoint_id
        while name is not None and seen < SPANS_COMPARED:
            checkpoint = self._store.checkpoint(name)
            if checkpoint is None:
                return
            block = self._blocks.get(name)
            if block is None:
                block = self._blocks[name] = self._block(checkpoint.spans)
                if len(self._blocks) > _BLOCKS_KEPT:
                    self._blocks.popitem(last=False)
            yield block
            seen += len(block.spans)
            name = checkpoint.parent

    def _block(self, spans: tuple[Span, ...]) -> _Block:
        digests = tuple(digest_of_text(_embedded_text(span)) for span in spans)
        known: dict[str, bytes] = {}
        if isinstance(self._store, VectorStore) and digests:
            known = self._store.vectors(self._embedder.name, digests)
        return _Block(spans, digests, known)

    def _make(self, chosen: Sequence[tuple[_Block, int]]) -> None:
        texts = {block.digests[n]: _embedded_text(block.spans[n]) for block, n in chosen}
        made = dict(zip(texts, self._embedder.embed(list(texts.values())), strict=True))
        for block, n in chosen:
            block.vectors[block.digests[n]] = made[block.digests[n]]
        if isinstance(self._store, VectorStore):
            self._store.keep_vectors(self._embedder.name, made)

    def _rows(self, checkpoint_id: str, kinds: Sequence[str]) -> Iterator[tuple[Span, bytes]]:
        seen: set[str] = set()
        for block in self._line(checkpoint_id):
            for span, digest in zip(block.spans, block.digests, strict=True):
                if span.handle in seen:
                    continue
                seen.add(span.handle)
                vector = block.vectors.get(digest)
                if vector is not None and (not kinds or span.kind in kinds):
                    yield span, vector


def _leaning(rows: Sequence[tuple[Span, bytes]], values: Sequence[float]) -> list[float]:
    """Closeness with a share of the nearest neighbour's: what was said around belongs to it."""
    leaning = list(values)
    order = sorted(
        (n for n, (span, _) in enumerate(rows) if span.kind == "span"),
        key=lambda n: rows[n][0].position,
    )
    edge = [-1.0] * _NEIGHBOURS
    padded = [*edge, *(values[n] for n in order), *edge]
    shifted = [padded[by : by + len(order)] for by in range(2 * _NEIGHBOURS + 1)]
    for n, best in zip(order, map(max, *shifted), strict=True):
        leaning[n] = (1 - _NEIGHBOUR_SHARE) * values[n] + _NEIGHBOUR_SHARE * best
    return leaning


def fused(
    by_words: Sequence[Hit], by_meaning: Sequence[tuple[Span, float]], limit: int
) -> list[Hit]:
    """Both orders as one: the share of the best score by words, and the closeness in meaning.

    Scores and not ranks are added, so that a name found exactly stays in front of what only
    sounds alike.
    """
    best = max((hit.score for hit in by_words), default=1.0) or 1.0
    near = {span.handle: value for span, value in by_meaning}
    hits = {hit.handle: replace(hit, score=hit.score / best) for hit in by_words}
    for span, _ in by_meaning:
        if span.handle not in hits:
            hits[span.handle] = Hit(
                handle=span.handle,
                kind=span.kind,
                excerpt=excerpt_of(span, (), ()),
                score=0.0,
                label=span.label,
            )
    whole = [
        replace(hit, score=round(hit.score + _MEANING_WEIGHT * max(0.0, near.get(name, 0.0)), 6))
        for name, hit in hits.items()
    ]
    return sorted(whole, key=lambda hit: -hit.score)[: max(0, limit)]
