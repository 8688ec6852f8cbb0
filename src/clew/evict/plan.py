"""The plan of an eviction: which results leave, and what their stubs show.

Whole results stay in the order of their value per token while they fit; of all the others, single
names compete for the room that is left. Names that stand elsewhere in the window take none of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clew.evict.names import names_stub
from clew.evict.residents import Cause, Resident, Window
from clew.evict.staleness import staleness
from clew.evict.value import chances_of, decay, expected_use, holders_of, name_tokens
from clew.ports import TokenCounter

_LEAST_TOKENS = 40
"""A leaf smaller than this is left alone: its stub would not be smaller by enough."""

_NOTE_TOKENS = 26
_BARE_TOKENS = 9
"""About what the note of a stub takes, and what its handle alone does."""

_BARE_AFTER_EXCHANGES = 20
"""Stubs older than this are cut to their handle when they are planned anew."""

_OLD_NAMES_SHARE = 0.6
"""Old stubs stay byte for byte until their names take this share of the room for names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRules:
    """How far an eviction goes.

    The newest `keep_exchanges` stay whole. Of the room that the target leaves to older results,
    `whole_share` goes to results that stay whole, the rest to stubs. The names in stubs get at
    least `names_floor_tokens` together, even where what must stay takes all the room. One stub
    shows at most `stub_tokens`, or a quarter of what it stands for where that is more.
    """

    keep_exchanges: int = 2
    whole_share: float = 0.5
    stub_tokens: int = 150
    names_floor_tokens: int = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStub:
    """One leaf that leaves, what stands in its place, and why it went."""

    index: int
    resident: Resident
    text: str
    shown: frozenset[str]
    freed_tokens: int
    cause: Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class EvictionPlan:
    """What an eviction would do; `freed_tokens` are counted on the stubs as they will stand."""

    stubs: tuple[PlannedStub, ...] = ()

    @property
    def freed_tokens(self) -> int:
        """Tokens that the plan frees, stubs paid for."""
        return sum(stub.freed_tokens for stub in self.stubs)

    @property
    def by_cause(self) -> dict[Cause, int]:
        """Freed tokens by the reason why a leaf went."""
        freed: dict[Cause, int] = {}
        for stub in self.stubs:
            freed[stub.cause] = freed.get(stub.cause, 0) + stub.freed_tokens
        return freed


def plan_evictions(
    window: Window,
    target_tokens: int,
    counter: TokenCounter,
    rules: PlanRules = PlanRules(),
    *,
    recall_tool: str = "",
) -> EvictionPlan:
    """Choose what leaves so that the residents take about `target_tokens`.

    Pure and deterministic. Never touches the newest exchanges. Stubs that stand already stay byte
    for byte until they show too much; then all of them are planned anew, at once. What cannot be
    made to fit is left; a plan that would free nothing is empty.
    """
    oldest_kept = window.exchanges - rules.keep_exchanges
    old = [r for r in window.residents if r.exchange < oldest_kept and r.tokens >= _LEAST_TOKENS]
    free = [r for r in old if not r.stub]
    total = sum(r.tokens for r in window.residents)
    if total <= target_tokens or not free:
        return EvictionPlan()
    stubs = [r for r in window.residents if r.stub]
    room = target_tokens - total + sum(r.tokens for r in (*free, *stubs))
    weighed = _weigh(window, free, staleness(window.calls))
    staying = _staying(weighed, int(room * rules.whole_share))
    leaving = [w for w in weighed if w.resident not in staying]
    if not leaving:
        return EvictionPlan()
    shown = _shown_tokens(stubs)
    notes = _NOTE_TOKENS * len(leaving) + sum(r.tokens for r in stubs) - int(shown)
    for_names = max(rules.names_floor_tokens, room - sum(r.tokens for r in staying) - notes)
    if shown > for_names * _OLD_NAMES_SHARE:
        leaving += _weigh(window, stubs, {})
    else:
        for_names -= int(shown)
    held = _held(window, {w.resident.handle for w in leaving})
    names = _names_to_show(leaving, held, for_names, rules)
    return _made(window, leaving, names, counter, recall_tool)


def _shown_tokens(stubs: Sequence[Resident]) -> float:
    return sum(name_tokens(name) for r in stubs for name in r.shown)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Weighed:
    resident: Resident
    chances: Mapping[str, float]
    value: float
    fade: float
    cause: Cause | None


def _weigh(
    window: Window, free: Sequence[Resident], causes: Mapping[tuple[int, str], Cause]
) -> list[_Weighed]:
    holders = holders_of(window.residents)
    now = window.exchanges - 1
    weighed: list[_Weighed] = []
    for resident in free:
        seen = resident.seen
        cause = causes.get((resident.exchange, seen.call_id)) if seen is not None else None
        chances = chances_of(resident, holders)
        value = expected_use(resident, chances, window.said, now, cause)
        # What the newest exchanges speak of is being worked with.
        used = len(window.recent.intersection(resident.names))
        fade = decay(now - max(resident.exchange, resident.last_use))
        weighed.append(
            _Weighed(
                resident=resident,
                chances=chances,
                value=value * (1.0 + min(used, 8) / 4),
                fade=fade,
                cause=cause,
            )
        )
    return weighed


def _staying(weighed: Sequence[_Weighed], room_tokens: int) -> list[Resident]:
    """The results that stay whole: the most valuable per token that fit."""
    order = sorted(
        weighed, key=lambda w: (-w.value / w.resident.tokens, -w.resident.index, w.resident.handle)
    )
    staying: list[Resident] = []
    for w in order:
        if w.cause in (None, Cause.NARROWED) and w.resident.tokens <= room_tokens:
            room_tokens -= w.resident.tokens
            staying.append(w.resident)
    return staying


def _held(window: Window, going: set[str]) -> frozenset[str]:
    """Names that stand somewhere else in the window once the leaves `going` have left."""
    held = set(window.said)
    for resident in window.residents:
        if resident.handle not in going:
            held.update(resident.shown if resident.stub else resident.names)
    return frozenset(held)


def _names_to_show(
    leaving: Sequence[_Weighed], held: frozenset[str], room_tokens: float, rules: PlanRules
) -> dict[str, tuple[str, ...]]:
    """Handle to the names its stub shows; a name that several results hold is shown once."""
    best: dict[str, tuple[float, int]] = {}
    for number, w in enumerate(leaving):
        for name, chance in w.chances.items():
            value = chance * w.fade / name_tokens(name)
            if name not in held and (name not in best or value > best[name][0]):
                best[name] = (value, number)
    room = [max(rules.stub_tokens, w.resident.full_tokens // 4) for w in leaving]
    shown: list[set[str]] = [set() for _ in leaving]
    for name, (_, number) in sorted(best.items(), key=lambda row: (-row[1][0], row[0])):
        cost = name_tokens(name)
        if cost > room_tokens:
            break
        if cost <= room[number]:
            room[number] -= int(cost)
            room_tokens -= cost
            shown[number].add(name)
    return {
        w.resident.handle: tuple(name for name in w.resident.names if name in chosen)
        for w, chosen in zip(leaving, shown, strict=True)
    }


def _made(
    window: Window,
    leaving: Sequence[_Weighed],
    shown: Mapping[str, tuple[str, ...]],
    counter: TokenCounter,
    recall_tool: str,
) -> EvictionPlan:
    texts: list[str] = []
    for w in leaving:
        resident = w.resident
        bare = bool(resident.stub) and (
            window.exchanges - resident.exchange > _BARE_AFTER_EXCHANGES
        )
        names = shown[resident.handle]
        texts.append(names_stub(resident, names, recall_tool=recall_tool, bare=bare))
    stubs = (
        PlannedStub(
            index=w.resident.index,
            resident=w.resident,
            text=text,
            shown=frozenset(shown[w.resident.handle]),
            freed_tokens=w.resident.tokens - size,
            cause=w.cause or Cause.COLD,
        )
        for w, text, size in zip(leaving, texts, counter.count_texts(texts), strict=True)
        if text != w.resident.stub and (w.resident.stub or size < w.resident.tokens)
    )
    ordered = sorted(stubs, key=lambda stub: (stub.index, stub.resident.leaf.number))
    plan = EvictionPlan(stubs=tuple(ordered))
    return plan if plan.freed_tokens > 0 else EvictionPlan()
