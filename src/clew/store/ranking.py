"""Which rows answer a query best: the same for every store, whatever index it has.

The index only tells which rows in scope hold a phrase, newest first. Rarity is taken within the
scope, so that what other sessions hold changes neither a result nor its score. A phrase that very
many rows hold is read only so far: its rarity is then estimated from how dense the newest are.
That bounds the time of a query, however large the archive is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from clew.ports import Hit, Span
from clew.store.excerpt import excerpt_of
from clew.store.terms import Term, terms_of

ROWS_READ = 500
LABELS_READ = 200
TOGETHER_WITHIN = 50_000
"""Newest rows in which words that are all common are looked for together: how seldom they meet is
not known beforehand, and a search of everything would take as long as the archive is large."""

COUNTS_REMEMBERED = 512
RANKED = 64
EXAMINED = 512

# BM25 (Robertson and Zaragoza 2009) with the usual saturation. Length counts by its logarithm, and
# from a fixed length: spans reach from a word to a log of megabytes, and a score must not depend
# on later rows.
_SATURATION = 1.2
_LENGTH_SHARE = 0.4
_USUAL_LENGTH = 200.0  # characters
# What a span says often leans on the spans around it: a word it lacks counts in part when a
# neighbour holds it, less with distance. Chosen on half of the conversations of bench/recall.
_NEIGHBOUR_SHARES = (0.5, 0.4, 0.3, 0.2)
_WITH_NEIGHBOURS = 256
_LABEL_WEIGHT = 4.0
_LABEL_LENGTH = 200  # of a label that is taken from the text
_HANDLE_BONUS = 100.0
_VERBATIM_BONUS = 0.5


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows a checkpoint may see: inclusive ranges of row numbers, newest first."""

    ranges: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """How many rows it holds."""
        return sum(last - first + 1 for first, last in self.ranges)

    def down_to(self, row: int) -> int:
        """How many rows of it are as new as `row` or newer."""
        seen = 0
        for first, last in self.ranges:
            if first <= row <= last:
                return seen + last - row + 1
            seen += last - first + 1
        return seen

    def newest(self, count: int) -> Scope:
        """Its newest `count` rows."""
        ranges: list[tuple[int, int]] = []
        for first, last in self.ranges:
            if count <= 0:
                break
            ranges.append((max(first, last - count + 1), last))
            count -= last - first + 1
        return Scope(tuple(ranges))

    def after(self, first: int, last: int) -> Scope:
        """This scope with newer rows in front; an empty range (last < first) adds nothing."""
        if last < first:
            return self
        if self.ranges and self.ranges[0][1] + 1 == first:
            return Scope(((self.ranges[0][0], last), *self.ranges[1:]))
        return Scope(((first, last), *self.ranges))


@dataclass(frozen=True, slots=True)
class Row:
    """A span as ranking reads it, with its text in lower case and what was counted in it."""

    span: Span
    lower: str
    counts: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    def count_of(self, term: Term) -> int:
        """How often the text holds a term; queries about one thing ask for the same words."""
        known = self.counts.get(term.needle)
        if known is None:
            if len(self.counts) >= COUNTS_REMEMBERED:
                self.counts.clear()
            known = self.counts[term.needle] = term.count_in(self.lower)
        return known


class Index(Protocol):
    """What ranking asks of a store's full-text index."""

    def rows(self, phrase: str, *, prefix: bool, label_only: bool, limit: int) -> list[int]:
        """The newest rows in scope that hold a phrase, newest first."""
        ...

    def rows_with_all(self, phrases: Sequence[str], *, limit: int, within: int) -> list[int]:
        """The newest rows that hold every phrase among the newest `within` of the scope."""
        ...

    def spans(self, rows: Sequence[int]) -> dict[int, Row]:
        """These rows."""
        ...

    def is_newest(self, row: int, handle: str) -> bool:
        """Whether no newer row in scope has this handle."""
        ...


@dataclass(slots=True)
class _Candidates:
    """Which rows hold each term, and their first score: the rarity of what they hold.

    A label that holds a term is counted again.
    """

    scores: dict[int, float]
    rarity: list[float]
    holding: list[set[int]]
    all_known: list[bool]
    """Whether a term's rows are all there; a common one was read only so far."""
    near: dict[int, dict[int, float]] = field(default_factory=dict)

    def may_hold(self, row: int, number: int) -> bool:
        """Whether the text of a row is worth a look for a term."""
        return row in self.holding[number] or not self.all_known[number]

    def around(self, row: int, number: int) -> float:
        """The share of a term that a row lacks and its neighbours hold."""
        return self._shares(number).get(row, 0.0)

    def leaning(self, row: int) -> float:
        """What the neighbours of a row add to its first score."""
        added = 0.0
        for number, value in enumerate(self.rarity):
            if value and row not in self.holding[number]:
                added += value * self._shares(number).get(row, 0.0)
        return added

    def _shares(self, number: int) -> dict[int, float]:
        """The share of a term for each row near one that holds it."""
        known = self.near.get(number)
        if known is None:
            known = self.near[number] = {}
            for distance, share in reversed(tuple(enumerate(_NEIGHBOUR_SHARES, 1))):
                for row in self.holding[number]:
                    known[row - distance] = known[row + distance] = share
        return known


def _rarity(rows: list[int], limit: int, scope: Scope) -> float:
    size = scope.size
    held: float = len(rows)
    if len(rows) >= limit:
        held = max(held, held * size / scope.down_to(rows[-1]))
    return math.log1p((size - held + 0.5) / (held + 0.5))


def _gather(index: Index, terms: Sequence[Term], scope: Scope) -> _Candidates:
    found = _Candidates({}, [], [], [])
    holding = found.holding
    labelled: list[list[int]] = []
    for term in terms:
        rows: list[int] = []
        # When whole words have found enough, their parts would only add common ones.
        if term.weight == 1.0 or len(set().union(*holding)) < RANKED:
            rows = index.rows(term.phrase, prefix=False, label_only=False, limit=ROWS_READ)
            if not rows and term.prefix:
                rows = index.rows(term.phrase, prefix=True, label_only=False, limit=ROWS_READ)
        many = len(rows) > RANKED
        labelled.append(
            index.rows(term.phrase, prefix=False, label_only=True, limit=LABELS_READ)
            if many
            else []
        )
        holding.append({*rows, *labelled[-1]})
        found.all_known.append(len(rows) < ROWS_READ)
        found.rarity.append(_rarity(rows, ROWS_READ, scope) * term.weight if rows else 0.0)
    strong = [n for n, term in enumerate(terms) if term.weight == 1.0]
    if len(strong) > 1 and any(len(holding[n]) >= ROWS_READ for n in strong):
        together = index.rows_with_all(
            [terms[n].phrase for n in strong], limit=LABELS_READ, within=TOGETHER_WITHIN
        )
        for number in strong:
            holding[number].update(together)
    for number, rarity in enumerate(found.rarity):
        for row in (*holding[number], *labelled[number]):
            found.scores[row] = found.scores.get(row, 0.0) + rarity
    return found


def _current(index: Index, order: Sequence[int]) -> Iterator[tuple[int, Row]]:
    """The best rows that no newer row of the same handle replaces."""
    given = 0
    for start in range(0, min(len(order), EXAMINED), RANKED):
        chunk = order[start : start + RANKED]
        spans = index.spans(chunk)
        for row in chunk:
            if index.is_newest(row, spans[row].span.handle):
                yield row, spans[row]
                given += 1
                if given == RANKED:
                    return


def _score(row: int, read: Row, terms: Sequence[Term], found: _Candidates) -> float:
    span, text = read.span, read.lower
    # A label that only repeats the first line, as that of an item, says nothing more.
    label = "" if span.text.split("\n", 1)[0][:_LABEL_LENGTH] == span.label else span.label.lower()
    length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * math.log1p(len(text) / _USUAL_LENGTH)
    score = 0.0
    for number, (term, value) in enumerate(zip(terms, found.rarity, strict=True)):
        if not value:
            continue
        often = 0.0
        if found.may_hold(row, number):
            often = read.count_of(term) + _LABEL_WEIGHT * term.count_in(label)
        # The index also knows other forms, accents, and words inside of words.
        often = often or (1.0 if row in found.holding[number] else 0.0)
        if often:
            score += value * often * (_SATURATION + 1) / (often + _SATURATION * length)
        elif span.kind == "span":
            score += value * found.around(row, number)
    return score


def _order(found: _Candidates, scope: Scope) -> list[int]:
    """The rows, most promising first; of equals the newer one."""
    scores = found.scores
    order = sorted(scores, key=lambda row: (-scores[row], scope.down_to(row)))
    if len(order) > RANKED:
        front = order[:_WITH_NEIGHBOURS]
        whole = {row: scores[row] + found.leaning(row) for row in front}
        front.sort(key=lambda row: -whole[row])
        order[:_WITH_NEIGHBOURS] = front
    return order


def ranked(
    index: Index, query: str, scope: Scope, *, limit: int, kinds: Sequence[str] = ()
) -> list[Hit]:
    """The best `limit` hits, best first; of two that are equally good the newer one first."""
    terms = terms_of(query)
    if limit <= 0 or not terms or not scope.ranges:
        return []
    found = _gather(index, terms, scope)
    asked = query.strip().lower()
    best: list[tuple[float, int, Span]] = []
    for row, read in _current(index, _order(found, scope)):
        span = read.span
        if kinds and span.kind not in kinds:
            continue
        score = _score(row, read, terms, found)
        if len(terms) > 1 and asked in read.lower:
            score += _VERBATIM_BONUS * sum(found.rarity)
        if asked == span.handle.lower():
            score += _HANDLE_BONUS
        best.append((round(score, 6), row, span))
    best.sort(key=lambda entry: (-entry[0], scope.down_to(entry[1])))
    return [
        Hit(
            handle=span.handle,
            kind=span.kind,
            excerpt=excerpt_of(span, terms, found.rarity),
            score=score,
            label=span.label,
        )
        for score, _, span in best[:limit]
    ]
