"""What a message leads to: the calls behind it that are made without another word.

Who says how something is going to be done often looks first, or writes the call into an exchange
of its own: the change follows in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from clew.summarize.extractive.decided import changes
from clew.summarize.extractive.reading import Reading

FARTHEST = 6
"""Silent exchanges behind a message that still do what it says."""


def silent_behind(readings: Sequence[Reading], place: int) -> list[Reading]:
    """Those behind the reading at a place that only call."""
    return list(takewhile(is_silent, readings[place + 1 : place + 1 + FARTHEST]))


def is_silent(reading: Reading) -> bool:
    """Whether an exchange only calls."""
    return bool(reading.calls) and not (reading.prose or reading.typed)


def with_calls_of(said: Reading, silent: Sequence[Reading]) -> Reading:
    """What was said with the calls behind it: the first ones, and the first that changes something.

    The same reading where it has calls enough of its own, or said nothing.
    """
    if not said.prose or not silent:
        return said
    calls = said.calls or silent[0].calls
    if not changes(said):
        changing = next((each for each in silent if changes(each)), None)
        if changing is not None and changing.calls != calls:
            calls = (*calls, *changing.calls)
    if calls == said.calls:
        return said
    known: Reading | None = said.kept.get("leading_to")
    if known is None or known.calls != calls:
        known = said.kept["leading_to"] = replace(said, calls=calls, finished=False)
    return known
