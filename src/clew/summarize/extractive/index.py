"""The index of what was absorbed: identifiers with their use, spans with labels and handles."""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat

from clew.record.record import IndexEntry, Mention
from clew.summarize.extractive.labels import label_of
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.weights import (
    WEIGHTS,
    age_score,
    chances_of,
    name_score,
    uses_score,
)

MOST_ENTRIES = 600
MOST_MENTIONS = 1_200
IDENTIFIERS_PER_ENTRY = 32
SPANS_PER_MENTION = 4
SHORTEST_RUN = 6
"""From how many numbers in a row on they name nothing, only where something stands in a list."""
COUNTER_USES = 2
"""In how many exchanges a counter may be written: its own, and one more that meets it."""

_SEEN_ANYWAY = 5.0
_ADDS_AGAIN = 0.1
"""What a name still adds to a further entry, as a share of what it added before."""
_DIGITS = 100_000
"""To what part of one a weight is told; rounding to digits takes five times as long."""


_MENTION: Callable[[Iterable[object]], Mention] = partial(tuple.__new__, Mention)
"""`Mention._make` without its look at the length."""


@dataclass(slots=True)
class _Tallies:
    """Uses of all identifiers so far, in columns, so that counting runs in the interpreter's C."""

    agent: Counter[str]
    tool: Counter[str]
    user: Counter[str]
    seen: dict[str, int]
    """Chain position of the latest appearance of any kind."""
    used: dict[str, int]
    """Chain position of the agent's latest use."""
    last: dict[str, int]
    """Of a name that the agent wrote its latest use, else the latest appearance."""
    spans: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Named:
    """The names of one exchange with its chain position, and those of the agent alone.

    `tool` is what results name, apart from what only counts up.
    """

    all: dict[str, int]
    agent: dict[str, int]
    tool: tuple[str, ...]


def indexed(
    old_entries: Sequence[IndexEntry],
    old_mentions: Sequence[Mention],
    readings: Sequence[Reading],
    *,
    in_view: frozenset[str],
    now: int,
) -> tuple[tuple[IndexEntry, ...], tuple[Mention, ...]]:
    """Old statistics and new spans as one index, best first and bounded.

    `in_view` are the identifiers of goal and tail, `now` the chain position behind the tail.
    """
    tallies = _tallied(old_mentions)
    named = [_named_in(reading) for reading in readings]
    _count(tallies, readings, named)
    pace = _exchanges_per_position(old_entries, readings)
    weight = _weighed(tallies, in_view, now, pace)
    labels = _labels(readings)
    entries = [
        *old_entries,
        *(
            IndexEntry(handle=each.handle, label=labels[each.handle], position=each.position)
            for each in readings
        ),
    ]
    holding = _holding(weight, [*(e.identifiers for e in old_entries), *(n.all for n in named)])
    first = {m.name: m.first for m in old_mentions}
    mentions = _mentions(weight, tallies, holding, first, entries, len(old_entries))
    return _ranked(entries, weight, holding), mentions


def read_ahead(reading: Reading) -> None:
    """Work out what one exchange names, whatever the others name."""
    for name in _named_in(reading).all:
        name_score(name)
    label_of(reading)


def _labels(readings: Sequence[Reading]) -> dict[str, str]:
    """A label for each span; an output that stands alone is named after the call before it."""
    labels: dict[str, str] = {}
    before = ""
    for reading in readings:
        alone = reading.results and not (reading.calls or reading.typed or reading.prose)
        label = f"output of: {before}" if alone and before else label_of(reading)
        labels[reading.handle] = label
        before = label if reading.calls else ""
    return labels


def _tallied(old: Sequence[Mention]) -> _Tallies:
    return _Tallies(
        agent=Counter({m.name: m.agent_uses for m in old if m.agent_uses}),
        tool=Counter({m.name: m.tool_uses for m in old}),
        user=Counter({m.name: m.user_uses for m in old if m.user_uses}),
        seen={m.name: m.last for m in old},
        used={m.name: m.last for m in old if m.agent_uses},
        last={},
        spans={m.name: m.spans for m in old},
    )


def _count(tallies: _Tallies, readings: Sequence[Reading], named: Sequence[_Named]) -> None:
    """Count all exchanges in, each name once an exchange and speaker."""
    tallies.agent.update(chain.from_iterable(reading.agent_names for reading in readings))
    tallies.tool.update(chain.from_iterable(names.tool for names in named))
    tallies.user.update(chain.from_iterable(reading.user_names for reading in readings))
    for names in named:
        tallies.seen.update(names.all)
        tallies.used.update(names.agent)
    tallies.last = tallies.seen | tallies.used


@once
def _named_in(reading: Reading) -> _Named:
    tool = without_runs(reading.tool_names)
    every = (*reading.agent_names, *reading.user_names, *tool)
    return _Named(
        all=dict.fromkeys(every, reading.position),
        agent=dict.fromkeys(reading.agent_names, reading.position),
        tool=tool,
    )


def without_runs(names: Sequence[str]) -> tuple[str, ...]:
    """Names without numbers that only count up: line numbers, row numbers, pages."""
    numbers = sorted({int(name) for name in names if name.isdecimal() and len(name) <= 18})
    counted: set[int] = set()
    first = 0
    for place in range(1, len(numbers) + 1):
        if place < len(numbers) and numbers[place] == numbers[place - 1] + 1:
            continue
        if place - first >= SHORTEST_RUN:
            counted.update(numbers[first:place])
        first = place
    if not counted:
        return tuple(names)
    return tuple(n for n in names if not (n.isdecimal() and int(n) in counted))


def _exchanges_per_position(old: Sequence[IndexEntry], readings: Sequence[Reading]) -> float:
    """How many exchanges one chain position stands for, to measure age in exchanges."""
    positions = {*(e.position for e in old[:100]), *(r.position for r in readings)}
    if len(readings) < 2:
        return 0.5
    low, high = readings[0].position, readings[-1].position
    inside = sum(low <= p <= high for p in positions)
    return (inside - 1) / (high - low) if high > low and inside > 1 else 0.5


def _weighed(tallies: _Tallies, in_view: frozenset[str], now: int, pace: float) -> dict[str, float]:
    """The names most likely to be needed with their expected use, best first and bounded."""
    scores = _scores(tallies, in_view, now, pace)
    floor = sorted(scores.values(), reverse=True)[:MOST_MENTIONS][-1] if scores else 0.0
    best = sorted([name for name, score in scores.items() if score >= floor])
    earned = scores.__getitem__
    best.sort(key=earned, reverse=True)
    del best[MOST_MENTIONS:]
    # What counts up from exchange to exchange is a counter, unless the agent came back to it.
    rare = [name for name in best if tallies.agent.get(name, 0) <= COUNTER_USES]
    counters = frozenset(rare).difference(without_runs(rare))
    kept = [name for name in best if name not in counters]
    chances = chances_of(map(earned, kept))
    return {name: int(c * _DIGITS + 0.5) / _DIGITS for name, c in zip(kept, chances, strict=True)}


def _scores(tallies: _Tallies, in_view: frozenset[str], now: int, pace: float) -> dict[str, float]:
    """The score of every name."""
    last, agent, user = tallies.last, tallies.agent, tallies.user
    used = agent.keys() | user.keys()
    shared = [name_score(name) for name in in_view]
    stems = frozenset(look.stem for look in shared if len(look.stem) >= 4)
    parts = frozenset(look.part for look in shared)
    aged = {at: age_score(max(0.0, (now - at) * pace)) for at in set(last.values())}
    kin, part = WEIGHTS["kin"], WEIGHTS["part"]
    scores: dict[str, float] = {}
    for (name, at), look in zip(last.items(), map(name_score, last), strict=True):
        score = look.plain + aged[at]
        if name in used:
            score += uses_score(look, agent.get(name, 0), user.get(name, 0))
        if look.stem in stems:
            score += kin
        if look.part in parts:
            score += part
        scores[name] = score
    # What stands in goal or tail is read there; it counts again when the tail has moved on.
    for name in in_view & scores.keys():
        scores[name] -= _SEEN_ANYWAY
    return scores


def _holding(weight: dict[str, float], named: Sequence[Iterable[str]]) -> dict[str, list[int]]:
    """For each weighed name the places of the exchanges that hold it, in order."""
    holding: dict[str, list[int]] = {name: [] for name in weight}
    wanted = weight.keys()
    for place, names in enumerate(named):
        for name in wanted & names:
            holding[name].append(place)
    return holding


def _mentions(
    weight: dict[str, float],
    tallies: _Tallies,
    holding: dict[str, list[int]],
    first: dict[str, int],
    entries: Sequence[IndexEntry],
    news: int,
) -> tuple[Mention, ...]:
    """The statistics of the weighed names; the entries from place `news` on are new."""
    handles = [entry.handle for entry in entries]
    positions = [entry.position for entry in entries]
    firsts: list[int] = []
    spans: list[tuple[str, ...]] = []
    before = tallies.spans
    alone = [(handle,) for handle in handles]
    for name, places in holding.items():
        if len(places) == 1 and name not in before:
            firsts.append(positions[places[0]])
            spans.append(alone[places[0]])
            continue
        newest = [handles[p] for p in places[: -SPANS_PER_MENTION - 1 : -1] if p >= news]
        if name in before:
            firsts.append(first[name])
            newest = [*newest, *before[name]][:SPANS_PER_MENTION]
        else:
            firsts.append(positions[places[bisect_left(places, news)]])
        spans.append(tuple(newest))
    columns = (
        weight,
        map(tallies.agent.get, weight, repeat(0)),
        map(tallies.tool.get, weight, repeat(0)),
        map(tallies.user.get, weight, repeat(0)),
        firsts,
        map(tallies.last.__getitem__, weight),
        spans,
        weight.values(),
    )
    return tuple(map(_MENTION, zip(*columns, strict=True)))


def _ranked(
    entries: Sequence[IndexEntry], weight: dict[str, float], holding: dict[str, list[int]]
) -> tuple[IndexEntry, ...]:
    """Entries by what each adds to those before it, so that a short list covers the most."""
    held: list[list[str]] = [[] for _ in entries]
    for name, places in holding.items():
        for place in places:
            held[place].append(name)
    shaped = [tuple(names[:IDENTIFIERS_PER_ENTRY]) for names in held]
    left = dict(weight)
    earned = left.__getitem__
    ranked: list[IndexEntry] = []
    heap = _best_of_each(entries, shaped, earned)
    while heap and len(ranked) < MOST_ENTRIES:
        _, age, place, others = heapq.heappop(heap)
        names = shaped[place]
        gain = sum(map(earned, names))
        if heap and -gain > heap[0][0]:
            heapq.heappush(heap, (-gain, age, place, others))
            continue
        entry = entries[place]
        told = int(gain * _DIGITS + 0.5) / _DIGITS
        ranked.append(IndexEntry(entry.handle, entry.label, names, told, entry.position))
        for name in names:
            left[name] *= _ADDS_AGAIN
        if others:
            age, place = others.pop()
            heapq.heappush(heap, (-sum(map(earned, names)), age, place, others))
    return tuple(ranked)


_Offer = tuple[float, int, int, list[tuple[int, int]]]
"""Gain, age (both with the smallest best), place, and what holds just the same, oldest first."""


def _best_of_each(
    entries: Sequence[IndexEntry],
    shaped: Sequence[tuple[str, ...]],
    earned: Callable[[str], float],
) -> list[_Offer]:
    """A heap with the newest of the entries that hold the same names, the others behind it.

    Whichever of them is taken, the others gain less by the same: one of them has to wait alone.
    """
    alike: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for place, names in enumerate(shaped):
        alike.setdefault(names, []).append((-entries[place].position, place))
    heap: list[_Offer] = []
    for names, places in alike.items():
        places.sort(reverse=True)
        heap.append((-sum(map(earned, names)), *places.pop(), places))
    heapq.heapify(heap)
    return heap
