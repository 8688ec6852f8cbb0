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


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Everything the rules look at, in tokens of the transcript (prefix not counted).

    `used_tokens` is what would go out unchanged, `limit_tokens` the transcript budget.
    `foldable_tokens` is what a compaction now could absorb, `floor_tokens` what would be left,
    `new_tokens` what came since the last compaction. `oversized_tokens` is the size of parts
    above the limit for single parts. `cost_reached` says whether the carrying cost has reached the
    price of a compaction. `evictable_tokens` is what stale results would free, `eviction_pays`
    whether that earns back the broken prefix. `readiness` says how far the summary is that is made
    before it is needed.
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
    cost_reached: bool = False
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
    if s.used_tokens < s.boundary_floor_tokens:
        return ArmedBy.NOTHING
    if s.signalled:
        return ArmedBy.SIGNAL
    if s.cost_reached:
        return ArmedBy.COST
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
    if s.compacted_before and s.new_tokens < s.cooldown_tokens:
        return Hold(
            why=Why.COOLDOWN,
            armed_by=armed,
            detail=f"{s.new_tokens:,} of {s.cooldown_tokens:,} new tokens",
        )
    if s.boundary is None:
        return Hold(why=Why.NO_BOUNDARY, armed_by=armed, detail=_used(s))
    if s.readiness in _NOT_YET:
        return Hold(why=Why.PREPARING, armed_by=armed, boundary=s.boundary, detail=_used(s))
    why = Why.SIGNALLED if s.signalled else Why.BOUNDARY
    return Compact(why=why, boundary=s.boundary, armed_by=armed, detail=_used(s))


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
