"""The lines of a text that answer a query best."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from clew.ports import Span
from clew.store.terms import Term

LINES = 3
LINE_WIDTH = 160


def _cut(line: str, needles: Sequence[str]) -> str:
    """At most LINE_WIDTH characters of a line, around the first needle."""
    line = line.strip()
    if len(line) <= LINE_WIDTH:
        return line
    lower = line.lower()
    places = [place for needle in needles if (place := lower.find(needle)) >= 0]
    start = max(0, min(places, default=0) - LINE_WIDTH // 4)
    cut = line[start : start + LINE_WIDTH].strip()
    return f"{'…' if start else ''}{cut}{'…' if start + LINE_WIDTH < len(line) else ''}"


def _scored(lines: Sequence[str], valued: Sequence[tuple[str, float]]) -> dict[int, float]:
    """What each line that holds a needle is worth; all lines are searched at once."""
    text = "\n".join(lines).lower()
    ends = list(accumulate(len(line) + 1 for line in text.split("\n")))
    scores: dict[int, float] = {}
    for needle, value in valued:
        at = text.find(needle)
        while at >= 0:
            number = bisect_right(ends, at)
            scores[number] = scores.get(number, 0.0) + value
            at = text.find(needle, ends[number])
    return scores


def excerpt_of(span: Span, terms: Sequence[Term], rarity: Sequence[float]) -> str:
    """Up to three lines of a span in their order, those with the rarest of the terms."""
    valued = [(term.needle, value) for term, value in zip(terms, rarity, strict=True) if value > 0]
    lines = [line for line in span.text.splitlines() if line.strip()]
    if not lines:
        return span.label
    scores = _scored(lines, valued)
    best = heapq.nsmallest(LINES, ((-score, number) for number, score in scores.items()))
    enough = best[0][0] / 2 if best else 0.0
    chosen = sorted(number for score, number in best if score <= enough < 0) or [0]
    needles = [needle for needle, _ in valued]
    return "\n".join(_cut(lines[number], needles) for number in chosen)
