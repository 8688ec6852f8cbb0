"""The index of what was absorbed: identifiers with their use, spans with labels and handles."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from clew.record.record import IndexEntry, Mention
from clew.summarize.extractive.labels import label_of
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.weights import (
    WEIGHTS,
    age_score,
    chance,
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
    spans: dict[str, tuple[str, ...]]


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
    held = {reading.handle: _count(tallies, reading) for reading in readings}
    pace = _exchanges_per_position(old_entries, readings)
    weight = _weighed(tallies, in_view, now, pace)
    first: dict[str, int] = {}
    for reading in reversed(readings):
        first.update(dict.fromkeys(held[reading.handle], reading.position))
    first.update({m.name: m.first for m in old_mentions})
    mentions = _mentions(weight, tallies, held, first)
    labels = _labels(readings)
    entries = [
        *old_entries,
        *(
            IndexEntry(
                handle=reading.handle,
                label=labels[reading.handle],
                identifiers=tuple(held[reading.handle]),
                position=reading.position,
            )
            for reading in readings
        ),
    ]
    return _ranked(entries, weight), mentions


def read_ahead(reading: Reading) -> None:
    """Work out what one exchange names, whatever the others name."""
    _names_of(reading)
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
        spans={m.name: m.spans for m in old},
    )


def _count(tallies: _Tallies, reading: Reading) -> dict[str, None]:
    """Count one exchange in; returns the names it holds."""
    agent, user = reading.agent_names, reading.user_names
    tool, names = _names_of(reading)
    here = dict.fromkeys(names, reading.position)
    tallies.agent.update(agent)
    tallies.tool.update(tool)
    tallies.user.update(user)
    tallies.seen.update(here)
    tallies.used.update(dict.fromkeys(agent, reading.position))
    return names


@once
def _names_of(reading: Reading) -> tuple[tuple[str, ...], dict[str, None]]:
    """What results name, apart from what only counts up, and all names of the exchange."""
    tool = without_runs(reading.tool_names)
    return tool, dict.fromkeys((*reading.agent_names, *reading.user_names, *tool))


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
    shared = [name_score(name) for name in in_view]
    stems = frozenset(name.stem for name in shared if len(name.stem) >= 4)
    parts = frozenset(name.part for name in shared)
    of_kin, of_part = WEIGHTS["kin"], WEIGHTS["part"]
    aged: dict[int, float] = {}
    agent, user, used = tallies.agent, tallies.user, tallies.used
    scored: list[tuple[float, str]] = []
    for name, seen in tallies.seen.items():
        look = name_score(name)
        # Once the agent wrote a name, only its own uses say when it was last needed.
        last = used.get(name, seen)
        old = aged.get(last)
        if old is None:
            old = aged[last] = age_score(max(0.0, (now - last) * pace))
        score = look.plain + old
        if name in used or name in user:
            score += uses_score(look, agent.get(name, 0), user.get(name, 0))
        if look.stem in stems:
            score += of_kin
        if look.part in parts:
            score += of_part
        # What stands in goal or tail is read there; it counts again when the tail has moved on.
        scored.append((_SEEN_ANYWAY - score if name in in_view else -score, name))
    scored.sort()
    best = scored[:MOST_MENTIONS]
    # What counts up from exchange to exchange is a counter, unless the agent came back to it.
    rare = [name for _, name in best if agent.get(name, 0) <= COUNTER_USES]
    counters = frozenset(rare).difference(without_runs(rare))
    return {name: round(chance(-score), 5) for score, name in best if name not in counters}


def _mentions(
    weight: dict[str, float],
    tallies: _Tallies,
    held: dict[str, dict[str, None]],
    first: dict[str, int],
) -> tuple[Mention, ...]:
    spans: dict[str, list[str]] = {name: [] for name in weight}
    for handle, names in reversed(held.items()):
        for name in names:
            if (holding := spans.get(name)) is not None:
                holding.append(handle)
    used = tallies.used
    return tuple(
        Mention(
            name=name,
            agent_uses=tallies.agent.get(name, 0),
            tool_uses=tallies.tool.get(name, 0),
            user_uses=tallies.user.get(name, 0),
            first=first[name],
            last=used.get(name, tallies.seen[name]),
            spans=(*spans[name], *tallies.spans.get(name, ()))[:SPANS_PER_MENTION],
            weight=value,
        )
        for name, value in weight.items()
    )


def _ranked(entries: Sequence[IndexEntry], weight: dict[str, float]) -> tuple[IndexEntry, ...]:
    """Entries by what each adds to those before it, so that a short list covers the most."""
    order = {n: place for place, n in enumerate(sorted(weight, key=lambda n: (-weight[n], n)))}
    rank = order.__getitem__
    shaped: list[tuple[str, ...]] = []
    for entry in entries:
        names = sorted([n for n in entry.identifiers if n in order], key=rank)
        shaped.append(tuple(names[:IDENTIFIERS_PER_ENTRY]))
    left = dict(weight)
    heap = [
        (-sum([left[n] for n in names]), -entries[place].position, place)
        for place, names in enumerate(shaped)
    ]
    heapq.heapify(heap)
    ranked: list[IndexEntry] = []
    while heap and len(ranked) < MOST_ENTRIES:
        _, age, place = heapq.heappop(heap)
        gain = sum([left[n] for n in shaped[place]])
        if heap and -gain > heap[0][0]:
            heapq.heappush(heap, (-gain, age, place))
            continue
        entry = entries[place]
        ranked.append(
            IndexEntry(
                handle=entry.handle,
                label=entry.label,
                identifiers=shaped[place],
                weight=round(gain, 5),
                position=entry.position,
            )
        )
        for name in shaped[place]:
            left[name] *= 0.1
    return tuple(ranked)
