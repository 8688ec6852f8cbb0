"""The window and what is reserved in it: a budget as asked for, and as it works out in tokens."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import Final

from clew.errors import BudgetError

Share = int | float
"""A ratio in (0, 1) of the transcript budget, or a whole number of tokens."""

DEFAULT_TRIGGER: Final = 0.70
DEFAULT_BACKSTOP: Final = 0.85
DEFAULT_BOUNDARY_FLOOR: Final = 0.40
DEFAULT_TAIL_TOKENS: Final = 12_000
DEFAULT_RECORD_TOKENS: Final = 900

LARGEST_DEFAULT_RESERVE_TOKENS: Final = 8_000
"""The output reserve when none is given is a tenth of the window, and at most this."""

_RESERVE_PART: Final = 10
_TAIL_PART: Final = 3
_RECORD_PART: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedBudget:
    """A budget in tokens, in an order that works.

    0 < trigger < backstop <= transcript budget; floor of boundaries and tail plus record lie
    below the trigger. `adjusted` names in whole sentences every number that was changed to get
    there.
    """

    window_tokens: int
    prefix_tokens: int
    plan_tokens: int
    retrieval_tokens: int
    output_reserve_tokens: int
    transcript_budget_tokens: int
    trigger_tokens: int
    backstop_tokens: int
    boundary_floor_tokens: int
    tail_messages: int
    tail_tokens: int
    record_tokens: int
    adjusted: tuple[str, ...] = ()

    @property
    def gap_tokens(self) -> int:
        """Room between trigger and backstop: the largest burst that is still caught."""
        return self.backstop_tokens - self.trigger_tokens


@dataclass(frozen=True, slots=True)
class Budget:
    """The window of a model and what is set aside in it, all in tokens.

    The transcript budget is the window less prefix (system and tools), plan, retrieval and
    output reserve. `trigger`, `backstop`, `boundary_floor`, `tail_tokens` and `record_tokens`
    may be a ratio in (0, 1), a fraction of the transcript budget, or an int, tokens.
    `prefix_tokens=None` leaves the prefix to be measured; see `resolve`.
    `output_reserve_tokens=None` takes a tenth of the window, at most 8,000; 0 says that the
    window counts input only. Defaults that do not fit a small window are scaled down, and the
    resolved budget says so; numbers that cannot work raise BudgetError with the arithmetic.
    """

    window_tokens: int
    _: KW_ONLY
    prefix_tokens: int | None = None
    plan_tokens: int = 0
    retrieval_tokens: int = 0
    output_reserve_tokens: int | None = None
    trigger: Share = DEFAULT_TRIGGER
    backstop: Share = DEFAULT_BACKSTOP
    boundary_floor: Share = DEFAULT_BOUNDARY_FLOOR
    tail_messages: int = 6
    tail_tokens: Share = DEFAULT_TAIL_TOKENS
    record_tokens: Share = DEFAULT_RECORD_TOKENS

    def __post_init__(self) -> None:
        """Refuse at the start what can never work, whatever the prefix turns out to be."""
        self.resolve(prefix_tokens=0 if self.prefix_tokens is None else None)

    def resolve(self, *, prefix_tokens: int | None = None) -> ResolvedBudget:
        """Work the budget out in tokens.

        `prefix_tokens` is the measured size of system and tools; it counts only where the budget
        itself states none. Raises BudgetError when nothing usable comes out.
        """
        stated = self.prefix_tokens if self.prefix_tokens is not None else prefix_tokens
        prefix = _count("prefix_tokens", 0 if stated is None else stated, least=0)
        transcript = self._transcript_budget(prefix)
        trigger, backstop = self._marks(transcript)
        adjusted: list[str] = []
        floor = self._boundary_floor(transcript, trigger, adjusted)
        record = self._record(transcript, trigger, adjusted)
        tail = self._tail(transcript, trigger, record, adjusted)
        return ResolvedBudget(
            window_tokens=self.window_tokens,
            prefix_tokens=prefix,
            plan_tokens=self.plan_tokens,
            retrieval_tokens=self.retrieval_tokens,
            output_reserve_tokens=self._reserve(),
            transcript_budget_tokens=transcript,
            trigger_tokens=trigger,
            backstop_tokens=backstop,
            boundary_floor_tokens=floor,
            tail_messages=_count("tail_messages", self.tail_messages, least=1),
            tail_tokens=tail,
            record_tokens=record,
            adjusted=tuple(adjusted),
        )

    def with_window(self, window_tokens: int) -> Budget:
        """The same budget for another model's window, as after a change of model.

        Ratios stay. Token counts shrink in proportion when the window is smaller, and stay when
        it is larger. Raises BudgetError when the result cannot work.
        """
        scale = min(
            Fraction(1), Fraction(_count("window_tokens", window_tokens), self.window_tokens)
        )

        def scaled(share: Share) -> Share:
            return share if isinstance(share, float) else max(1, int(share * scale))

        reserve = self.output_reserve_tokens
        return replace(
            self,
            window_tokens=window_tokens,
            output_reserve_tokens=int(reserve * scale) if reserve is not None else None,
            plan_tokens=int(self.plan_tokens * scale),
            retrieval_tokens=int(self.retrieval_tokens * scale),
            trigger=scaled(self.trigger),
            backstop=scaled(self.backstop),
            boundary_floor=scaled(self.boundary_floor),
            tail_tokens=(
                self.tail_tokens
                if self.tail_tokens == DEFAULT_TAIL_TOKENS
                else scaled(self.tail_tokens)
            ),
            record_tokens=(
                self.record_tokens
                if self.record_tokens == DEFAULT_RECORD_TOKENS
                else scaled(self.record_tokens)
            ),
        )

    def _reserve(self) -> int:
        window = _count("window_tokens", self.window_tokens)
        if self.output_reserve_tokens is None:
            return max(1, min(LARGEST_DEFAULT_RESERVE_TOKENS, window // _RESERVE_PART))
        return _count("output_reserve_tokens", self.output_reserve_tokens, least=0)

    def _transcript_budget(self, prefix: int) -> int:
        window, reserve = _count("window_tokens", self.window_tokens), self._reserve()
        plan = _count("plan_tokens", self.plan_tokens, least=0)
        retrieval = _count("retrieval_tokens", self.retrieval_tokens, least=0)
        left = window - prefix - plan - retrieval - reserve
        if left > 0:
            return left
        raise BudgetError(
            "nothing of the window is left for the transcript",
            arithmetic=f"window {window:,} - prefix {prefix:,} - plan {plan:,} - retrieval "
            f"{retrieval:,} - output reserve {reserve:,} = {left:,} tokens",
        )

    def _marks(self, transcript: int) -> tuple[int, int]:
        trigger = _tokens("trigger", self.trigger, transcript)
        backstop = _tokens("backstop", self.backstop, transcript)
        if 0 < trigger < backstop <= transcript:
            return trigger, backstop
        raise BudgetError(
            "trigger, backstop and transcript budget are out of order",
            arithmetic=f"0 < trigger {trigger:,} < backstop {backstop:,} <= transcript budget "
            f"{transcript:,} tokens does not hold",
        )

    def _boundary_floor(self, transcript: int, trigger: int, adjusted: list[str]) -> int:
        floor = _tokens("boundary_floor", self.boundary_floor, transcript)
        if floor < trigger:
            return floor
        if self.boundary_floor != DEFAULT_BOUNDARY_FLOOR:
            raise BudgetError(
                "the boundary floor does not lie below the trigger",
                arithmetic=f"boundary floor {floor:,} >= trigger {trigger:,} tokens",
            )
        fitting = trigger // 2
        adjusted.append(
            f"The boundary floor was lowered from {floor:,} to {fitting:,} tokens, half of the "
            f"trigger of {trigger:,}."
        )
        return fitting

    def _record(self, transcript: int, trigger: int, adjusted: list[str]) -> int:
        record = _tokens("record_tokens", self.record_tokens, transcript)
        if self.record_tokens != DEFAULT_RECORD_TOKENS:
            return max(1, record)
        fitting = max(1, trigger // _RECORD_PART)
        if record <= fitting:
            return record
        adjusted.append(
            f"The record target was lowered from {record:,} to {fitting:,} tokens, an eighth of "
            f"the trigger of {trigger:,}."
        )
        return fitting

    def _tail(self, transcript: int, trigger: int, record: int, adjusted: list[str]) -> int:
        tail = _tokens("tail_tokens", self.tail_tokens, transcript, least=0)
        if tail == 0:
            adjusted.append(
                "The tail was raised from 0 to 1 token: the newest exchange always stays."
            )
            tail = 1
        if self.tail_tokens == DEFAULT_TAIL_TOKENS:
            fitting = max(1, min(trigger // _TAIL_PART, trigger - record - 1))
            if tail > fitting:
                adjusted.append(
                    f"The tail was lowered from {tail:,} to {fitting:,} tokens to fit below the "
                    f"trigger of {trigger:,}."
                )
                tail = fitting
        if tail + record < trigger:
            return tail
        raise BudgetError(
            "tail and record alone reach the trigger, so a compaction would reclaim nothing",
            arithmetic=f"tail {tail:,} + record {record:,} = {tail + record:,} >= trigger "
            f"{trigger:,} of a transcript budget of {transcript:,} tokens",
        )


def _count(name: str, value: object, *, least: int = 1) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BudgetError(
            f"{name} is not a whole number of tokens", arithmetic=f"{name} = {value!r}"
        )
    if value < least:
        bound = "negative" if least == 0 else f"below {least}"
        raise BudgetError(f"{name} is {bound}", arithmetic=f"{name} = {value:,}")
    return value


def _tokens(name: str, share: object, transcript: int, *, least: int = 1) -> int:
    if not isinstance(share, float):
        return _count(name, share, least=least)
    if not math.isfinite(share) or not 0 < share < 1:
        raise BudgetError(
            f"{name} as a ratio must lie between 0 and 1; tokens are a whole number",
            arithmetic=f"{name} = {share!r}",
        )
    # 0.7 of 165,000 is 115,500; the binary float behind 0.7 would make it one less.
    return int(Fraction(repr(share)) * transcript)
