"""Whether compactions free less each time, and what to do about it before nothing can be freed."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from clew.outcome import Compacted, Outcome, Report

ROUNDS: Final = 3
"""Growth over this many compactions in a row is no accident of where the cuts fell."""
NEAR_SHARE: Final = 0.5
"""Below this share of the trigger a compaction still buys as much room as it takes."""


class Rounds:
    """Remembers what was left after each compaction; warns once each time the growth begins."""

    def __init__(self) -> None:
        self._left: list[tuple[int, int]] = []
        self._said = False

    def warned(self, outcome: Outcome, report: Report) -> tuple[str, ...]:
        """A warning with its numbers when what is left grew each time and comes near the trigger.

        All in tokens; nothing for a call that did not compact.
        """
        if not isinstance(outcome, Compacted):
            return ()
        self._left = [*self._left[1 - ROUNDS :], (report.tokens_after, report.record_tokens)]
        sizes = [size for size, _ in self._left]
        growing = len(sizes) == ROUNDS and all(a < b for a, b in pairwise(sizes))
        if not growing or sizes[-1] < NEAR_SHARE * report.trigger:
            self._said = self._said and growing
            return ()
        if self._said:
            return ()
        self._said = True
        return (self._sentence(report),)

    def _sentence(self, report: Report) -> str:
        left = ", ".join(f"{size:,}" for size, _ in self._left)
        records = ", ".join(f"{size:,}" for _, size in self._left)
        room = max(0, report.trigger - report.tokens_after)
        return (
            f"What is left after a compaction grows round after round: {left} tokens (records of "
            f"{records}), {room:,} below the trigger of {report.trigger:,}. Externalise pins and "
            f"large results, delegate the next search, or hand off to a fresh run."
        )
