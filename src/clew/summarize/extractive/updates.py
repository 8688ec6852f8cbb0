"""Which earlier statement of the user an update takes the place of, where words hardly match."""

from __future__ import annotations

from collections.abc import Sequence

from clew.record.items import Item, Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.values import sorts_of_value


def of_one_sort(made: Claim, held: Sequence[tuple[Item, frozenset[str]]]) -> int | None:
    """The one statement of the user that an update gives a new value of the same sort.

    They share a word beside the value; where several share as many, nobody can tell which is meant.
    """
    if made.item.said_by is not Speaker.USER or not (sorts := sorts_of_value(made.item.text)):
        return None
    words = without_values(made.topics)
    shared = [
        len(words & topics)
        if item.said_by is Speaker.USER
        and item.kind in {"fact", "invariant"}
        and item.text != made.item.text
        and sorts & sorts_of_value(item.text)
        else 0
        for item, topics in held
    ]
    most = max(shared, default=0)
    return shared.index(most) if most and shared.count(most) == 1 else None


def without_values(topics: frozenset[str]) -> frozenset[str]:
    """Topic words without those that hold a digit."""
    return frozenset(word for word in topics if not any(char.isdigit() for char in word))
