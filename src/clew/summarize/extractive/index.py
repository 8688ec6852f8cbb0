"""The index of what was absorbed: identifiers with their use, spans with labels and handles."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clew.record.record import IndexEntry, Mention
from clew.summarize.extractive.labels import label_of
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.weights import Usage, expected_use

MOST_ENTRIES = 600
MOST_MENTIONS = 2_500
IDENTIFIERS_PER_ENTRY = 24
SPANS_PER_MENTION = 4
_TOKENS_PER_NAME = 9
_KNOWN_ALREADY = 0.02


@dataclass(slots=True)
class _Tally:
    """Uses of one identifier while they are counted."""

    agent: int
    tool: int
    user: int
    first: int
    last: int
    spans: tuple[str, ...]

    def seen(self, position: int, handle: str) -> None:
        """One more exchange holds it."""
        if self.spans[:1] != (handle,):
            self.spans = (handle, *self.spans[: SPANS_PER_MENTION - 1])


def indexed(
    old_entries: Sequence[IndexEntry],
    old_mentions: Sequence[Mention],
    readings: Sequence[Reading],
    *,
    known: frozenset[str],
    busy_with: frozenset[str],
    now: int,
    target_tokens: int,
) -> tuple[tuple[IndexEntry, ...], tuple[Mention, ...]]:
    """Old statistics and new spans as one index, best first and bounded.

    `known` are identifiers that stand in goal or tail anyway, `busy_with` those of the tail, `now`
    the chain position behind the tail.
    """
    tallies, held = _counted(old_mentions, readings)
    pace = _exchanges_per_position(old_entries, readings)
    weighed = _weighed(tallies, known=known, busy_with=busy_with, now=now, pace=pace)
    mentions = tuple(heapq.nsmallest(MOST_MENTIONS, weighed, key=lambda m: (-m.weight, m.name)))
    weight = {m.name: m.weight for m in mentions}
    entries = [
        *old_entries,
        *(
            IndexEntry(
                handle=reading.handle,
                label=label_of(reading),
                identifiers=tuple(held[reading.handle]),
                position=reading.position,
            )
            for reading in readings
        ),
    ]
    visible = frozenset(m.name for m in mentions[: target_tokens // (2 * _TOKENS_PER_NAME)])
    return _ranked(entries, weight, visible), mentions


def _counted(
    old: Sequence[Mention], readings: Sequence[Reading]
) -> tuple[dict[str, _Tally], dict[str, dict[str, None]]]:
    tallies = {
        m.name: _Tally(m.agent_uses, m.tool_uses, m.user_uses, m.first, m.last, m.spans)
        for m in old
    }
    held: dict[str, dict[str, None]] = {}
    for reading in readings:
        names: dict[str, None] = {}
        position, handle = reading.position, reading.handle
        for field, found in (
            ("agent", reading.agent_identifiers()),
            ("user", reading.user_identifiers()),
            ("tool", reading.tool_identifiers()),
        ):
            for name in found:
                tally = tallies.get(name)
                if tally is None:
                    tally = tallies[name] = _Tally(0, 0, 0, position, position, ())
                if field == "agent":
                    tally.agent += 1
                    tally.last = position
                elif field == "user":
                    tally.user += 1
                    tally.last = position
                else:
                    tally.tool += 1
                    if not tally.agent:
                        tally.last = position
                tally.seen(position, handle)
                names[name] = None
        held[handle] = names
    return tallies, held


def _exchanges_per_position(old: Sequence[IndexEntry], readings: Sequence[Reading]) -> float:
    """How many exchanges one chain position stands for, to measure age by use."""
    positions = [*(e.position for e in old[-50:]), *(r.position for r in readings)]
    if len(positions) < 2 or max(positions) == min(positions):
        return 0.5
    return (len(set(positions)) - 1) / (max(positions) - min(positions))


def _weighed(
    tallies: dict[str, _Tally],
    *,
    known: frozenset[str],
    busy_with: frozenset[str],
    now: int,
    pace: float,
) -> Iterable[Mention]:
    kin = _stems(busy_with)
    for name, tally in tallies.items():
        usage = Usage(
            name=name,
            agent_uses=tally.agent,
            tool_uses=tally.tool,
            user_uses=tally.user,
            age=max(0.0, (now - tally.last) * pace),
            kin=_stem(name) in kin,
        )
        weight = expected_use(usage)
        if name in known:
            weight *= _KNOWN_ALREADY
        yield Mention(
            name=name,
            agent_uses=tally.agent,
            tool_uses=tally.tool,
            user_uses=tally.user,
            first=tally.first,
            last=tally.last,
            spans=tally.spans,
            weight=round(weight, 5),
        )


def _stem(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()


def _stems(names: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for stem in map(_stem, names) if len(stem) >= 4)


def _ranked(
    entries: Sequence[IndexEntry], weight: dict[str, float], visible: frozenset[str]
) -> tuple[IndexEntry, ...]:
    """Entries by what each adds to those before it, so that a short list covers the most."""
    shaped: list[IndexEntry] = []
    for entry in entries:
        names = [n for n in entry.identifiers if n in weight]
        names.sort(key=lambda n: (-weight[n], n))
        shaped.append(replace(entry, identifiers=tuple(names[:IDENTIFIERS_PER_ENTRY])))
    left = {n: w * (0.15 if n in visible else 1.0) for n, w in weight.items()}
    heap = [(-_gain(e, left), -e.position, i) for i, e in enumerate(shaped)]
    heapq.heapify(heap)
    ranked: list[IndexEntry] = []
    while heap and len(ranked) < MOST_ENTRIES:
        stale, age, place = heapq.heappop(heap)
        entry = shaped[place]
        gain = _gain(entry, left)
        if heap and gain < -heap[0][0] - 1e-12 and gain < -stale - 1e-12:
            heapq.heappush(heap, (-gain, age, place))
            continue
        ranked.append(replace(entry, weight=round(gain, 5)))
        for name in entry.identifiers:
            left[name] *= 0.1
    return tuple(ranked)


def _gain(entry: IndexEntry, left: dict[str, float]) -> float:
    return sum(left[name] for name in entry.identifiers)
