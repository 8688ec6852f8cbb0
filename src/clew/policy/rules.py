"""The rules of the policy: from the situation of one call to a decision with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from clew.policy.decision import (
    ArmedBy,
    Boundary,
    Compact,
    Decision,
    Evict,
    Hold,
    Readiness,
    Why,
)

_NOT_YET = frozenset({Readiness.ABSENT, Readiness.RUNNING})

ARMING_PRICES = 1.0
"""At what carrying cost, in prices of a compaction, compaction is armed: ski rental."""

PATIENCE_PRICES = 2.0
"""At what carrying cost compaction waits for a boundary no longer: the wait is ski rental too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Everything the rules look at, in tokens of the transcript (prefix not counted).

    `used_tokens` is what would go out unchanged, `limit_tokens` the transcript budget.
    `foldable_tokens` is what a compaction now could absorb, `floor_tokens` what would be left,
    `new_tokens` what came since the last compaction. `oversized_tokens` is the size of parts
    above the limit for single parts. `carried_prices` is what carrying has cost since the last
    compaction, in setup costs of the next. `evictable_tokens` is what stale results would free,
    `eviction_pays` whether that earns back the broken prefix. `readiness` says how far the summary
    is that is made before it is needed.
    """

    used_tokens: int
    limit_tokens: int
    trigger_tokens: int
    backstop_tokens: int
    boundary_floor_tokens: int
    foldable_tokens: int
    floor_tokens: int
    new_tokens: int
    cooldown_tokens: int
    min_reclaim_tokens: int
    compacted_before: bool
    carried_prices: float = 0.0
    boundary: Boundary | None = None
    signalled: bool = False
    asked: bool = False
    call_open: bool = False
    work_done: bool = False
    oversized_tokens: int = 0
    evictable_tokens: int = 0
    eviction_pays: bool = False
    readiness: Readiness = Readiness.UNNEEDED


def decide(s: Situation) -> Decision:
    """The decision for one call.

    In this order: single parts above their limit (a goal too, which only now may be shortened); a
    context that does not fit; a wish of the caller; the backstop; then, once armed, eviction if it
    pays and compaction at a boundary.
    """
    if s.oversized_tokens > 0:
        return Evict(
            why=Why.OVERSIZED,
            target_tokens=max(1, s.used_tokens - s.oversized_tokens),
            detail=f"{s.oversized_tokens:,} tokens stand in parts above the limit for one part",
        )
    if s.used_tokens > s.limit_tokens:
        return _forced(s, Why.OVER_BUDGET)
    if s.asked:
        if s.foldable_tokens <= 0:
            return Hold(why=Why.NOTHING_TO_FOLD, detail=_nothing(s))
        return Compact(why=Why.ASKED, boundary=s.boundary, detail=_used(s))
    if s.used_tokens >= s.backstop_tokens:
        return _at_backstop(s)
    armed = _armed_by(s)
    if armed is ArmedBy.NOTHING:
        return Hold(why=Why.BELOW_TRIGGER, detail=_used(s))
    return _armed(s, armed)


def _armed_by(s: Situation) -> ArmedBy:
    if s.used_tokens >= s.trigger_tokens:
        return ArmedBy.TRIGGER
    if s.carried_prices >= ARMING_PRICES:
        return ArmedBy.COST
    if s.signalled and s.used_tokens >= s.boundary_floor_tokens:
        return ArmedBy.SIGNAL
    return ArmedBy.NOTHING


def _armed(s: Situation, armed: ArmedBy) -> Decision:
    if s.call_open:
        return Hold(why=Why.MID_CALL, armed_by=armed)
    if s.evictable_tokens > 0 and s.eviction_pays:
        return Evict(
            why=Why.EVICTION_PAYS,
            target_tokens=max(1, s.used_tokens - s.evictable_tokens),
            armed_by=armed,
            detail=f"{s.evictable_tokens:,} tokens of stale or superseded results",
        )
    if s.work_done:
        return Hold(why=Why.WORK_DONE, armed_by=armed)
    if s.foldable_tokens < s.min_reclaim_tokens:
        return Hold(why=Why.NOTHING_TO_FOLD, armed_by=armed, detail=_nothing(s))
    wanted = _cooldown(s)
    if s.compacted_before and s.new_tokens < wanted:
        return Hold(
            why=Why.COOLDOWN,
            armed_by=armed,
            detail=f"{s.new_tokens:,} of {wanted:,} new tokens",
        )
    if s.boundary is None and s.carried_prices < PATIENCE_PRICES:
        return Hold(why=Why.NO_BOUNDARY, armed_by=armed, detail=_used(s))
    if s.readiness in _NOT_YET:
        why = Why.PREPARING if s.boundary is not None else Why.NO_BOUNDARY
        return Hold(why=why, armed_by=armed, boundary=s.boundary, detail=_used(s))
    return Compact(why=_why(s), boundary=s.boundary, armed_by=armed, detail=_used(s))


def _cooldown(s: Situation) -> int:
    """New tokens wanted since the last compaction.

    The cost rule spaces compactions by what they cost; with it, what is new has to be no more than
    what a compaction leaves, so that none writes again more than it takes out.
    """
    if s.carried_prices >= ARMING_PRICES:
        return min(s.cooldown_tokens, s.floor_tokens)
    return s.cooldown_tokens


def _why(s: Situation) -> Why:
    if s.signalled:
        return Why.SIGNALLED
    return Why.BOUNDARY if s.boundary is not None else Why.WAITED


def _at_backstop(s: Situation) -> Decision:
    if s.foldable_tokens < s.min_reclaim_tokens:
        return Hold(why=Why.NOTHING_TO_FOLD, armed_by=ArmedBy.TRIGGER, detail=_nothing(s))
    return _forced(s, Why.BACKSTOP)


def _forced(s: Situation, why: Why) -> Decision:
    return Compact(
        why=why, boundary=s.boundary, hard=True, armed_by=ArmedBy.TRIGGER, detail=_used(s)
    )


def _used(s: Situation) -> str:
    return (
        f"{s.used_tokens:,} tokens; trigger {s.trigger_tokens:,}, backstop "
        f"{s.backstop_tokens:,}, budget {s.limit_tokens:,}"
    )


def _nothing(s: Situation) -> str:
    return (
        f"{s.foldable_tokens:,} tokens may be folded, at least {s.min_reclaim_tokens:,} are "
        f"needed; the floor is {s.floor_tokens:,}"
    )
