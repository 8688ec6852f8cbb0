"""Correcting an estimate by the usage a provider reports.

Reports are evidence, not truth: some are totals over a run, some are from before a compaction,
some leave out what came from the cache. A report is believed only when it is plausible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

LARGEST_FACTOR: Final = 3.0
"""No tokenizer and no chat template makes three times what the estimate says."""

LEAST_RATIO: Final = 1 / 3
LEAST_ESTIMATED_TOKENS: Final = 200
"""Below this the fixed cost of a request outweighs its text and a ratio says nothing."""

_RISE: Final = 0.5
_FALL: Final = 0.2
_SLACK_TOKENS: Final = 500
_STEADY_REPORTS: Final = 3
_STEADY_WITHIN: Final = 1.1
_SLACK_PART: Final = 0.1
_WHOLE_CONTEXT: Final = 0.75
_COMPACTED_BELOW: Final = 0.8
_SAME_RATIO_WITHIN: Final = 1.15


class IgnoredReason(StrEnum):
    """Why a report was not believed."""

    NOT_A_COUNT = "not a count"
    TOO_SMALL = "too small to compare"
    TOO_HIGH = "above any tokenizer; perhaps a total over the run"
    TOO_LOW = "below any tokenizer; perhaps without cached tokens"
    RUNNING_TOTAL = "grew by far more than the context did; perhaps a total over the run"
    BEFORE_COMPACTION = "did not shrink with the context; from before a compaction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Believed:
    """A report that moved the factor; `ratio` is reported over estimated."""

    estimated_tokens: int
    reported_tokens: int
    ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """A report that changed nothing, and why."""

    estimated_tokens: int
    reported_tokens: int
    reason: IgnoredReason

    @property
    def sentence(self) -> str:
        """What happened, for a report."""
        return (
            f"A reported usage of {self.reported_tokens:,} tokens against an estimate of "
            f"{self.estimated_tokens:,} was ignored: {self.reason}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The factor between estimated and reported tokens, as learnt so far.

    `factor` lies in [1, 3]: it never lowers an estimate below the plain one. It jumps to the
    first believed ratio, then follows later ones, faster upwards than downwards. `believed` is
    the last believed report, `last` the last one of any kind.
    """

    factor: float = 1.0
    believed: Believed | None = None
    last: Believed | Ignored | None = None
    doubted_ratios: tuple[float, ...] = ()

    def observe(self, *, estimated_tokens: int, reported_tokens: int) -> Calibration:
        """Take in one report on a request whose plain, uncorrected estimate is known.

        `reported_tokens` is all input of that one request, cached or not, without its output.
        A jump is believed only when three reports in a row agree on the ratio within 10 %; a
        running total never does, since its ratio keeps growing.
        """
        reason = self._doubt(estimated_tokens, reported_tokens)
        if reason is None:
            return self._follow(estimated_tokens, reported_tokens)
        ratios = self.doubted_ratios
        if reason in (IgnoredReason.RUNNING_TOTAL, IgnoredReason.BEFORE_COMPACTION):
            ratio = reported_tokens / estimated_tokens
            ratios = (*ratios, ratio)[-_STEADY_REPORTS:]
            if len(ratios) == _STEADY_REPORTS and max(ratios) <= _STEADY_WITHIN * min(ratios):
                return self._follow(estimated_tokens, reported_tokens)
        ignored = Ignored(
            estimated_tokens=estimated_tokens, reported_tokens=reported_tokens, reason=reason
        )
        return replace(self, last=ignored, doubted_ratios=ratios)

    def corrected(self, estimated_tokens: int) -> int:
        """The estimate times the factor, rounded up; never below the estimate."""
        return max(estimated_tokens, math.ceil(estimated_tokens * self.factor - 1e-6))

    def _doubt(self, estimated: int, reported: int) -> IgnoredReason | None:
        if reported <= 0 or estimated <= 0:
            return IgnoredReason.NOT_A_COUNT
        if estimated < LEAST_ESTIMATED_TOKENS:
            return IgnoredReason.TOO_SMALL
        if reported > LARGEST_FACTOR * estimated:
            return IgnoredReason.TOO_HIGH
        if reported < LEAST_RATIO * estimated:
            return IgnoredReason.TOO_LOW
        return self._doubt_by_history(estimated, reported)

    def _doubt_by_history(self, estimated: int, reported: int) -> IgnoredReason | None:
        if self._adds_up(estimated, reported):
            return IgnoredReason.RUNNING_TOTAL
        before = self.believed
        if before is None:
            return None
        shrank = estimated < _COMPACTED_BELOW * before.estimated_tokens
        if shrank and reported > _SAME_RATIO_WITHIN * max(before.ratio, 1.0) * estimated:
            return IgnoredReason.BEFORE_COMPACTION
        grown = max(0, estimated - before.estimated_tokens)
        believable = LARGEST_FACTOR * grown + _SLACK_PART * estimated + _SLACK_TOKENS
        if reported - before.reported_tokens > believable:
            return IgnoredReason.RUNNING_TOTAL
        return None

    def _adds_up(self, estimated: int, reported: int) -> bool:
        """Whether the report rose by about a whole context while the context hardly grew."""
        last = self.last
        if last is None or last.reported_tokens < LEAST_RATIO * last.estimated_tokens:
            return False
        rise = reported - last.reported_tokens
        grown = max(0, estimated - last.estimated_tokens)
        return rise >= _WHOLE_CONTEXT * estimated and rise > LARGEST_FACTOR * grown

    def _follow(self, estimated: int, reported: int) -> Calibration:
        ratio = reported / estimated
        aim = min(max(ratio, 1.0), LARGEST_FACTOR)
        weight = 1.0 if self.believed is None else _RISE if aim > self.factor else _FALL
        believed = Believed(estimated_tokens=estimated, reported_tokens=reported, ratio=ratio)
        return Calibration(
            factor=self.factor + weight * (aim - self.factor), believed=believed, last=believed
        )
