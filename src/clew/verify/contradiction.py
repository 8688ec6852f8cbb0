"""Contradiction: two live claims about one subject do not give it two numbers."""

from __future__ import annotations

from collections.abc import Iterable

from clew.record.items import Item
from clew.verify.literals import folded, numbers_in
from clew.verify.words import content, overlap

ALIKE = 0.85
"""Share of words that two claims have in common, both ways, to be about one subject."""

_COMPARED = frozenset({"fact", "invariant", "requirement", "environment"})


def contradicted(item: Item, others: Iterable[Item]) -> Item | None:
    """The live item of the same kind that gives the same subject another number, or None."""
    if item.kind not in _COMPARED:
        return None
    numbers = numbers_in(folded(item.text))
    stems = frozenset(content(item.text))
    if not numbers or len(stems) < 2:
        return None
    for other in others:
        if other.kind != item.kind or not other.live or other.field("key") != item.field("key"):
            continue
        theirs = frozenset(content(other.text))
        their_numbers = numbers_in(folded(other.text))
        if (
            len(their_numbers) == len(numbers)
            and their_numbers != numbers
            and min(overlap(stems, theirs), overlap(theirs, stems)) >= ALIKE
            and _same_names(item.text, other.text)
        ):
            return other
    return None


def _same_names(one: str, other: str) -> bool:
    """Whether the words that hold digits are the same, so that `test_1` is not `test_2`."""
    return _with_digits(one) == _with_digits(other)


def _with_digits(text: str) -> set[str]:
    return {
        word for word in folded(text).split()
        if any(c.isdigit() for c in word) and any(c.isalpha() or c in "_/#" for c in word)
    }  # fmt: skip
