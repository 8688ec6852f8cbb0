"""The horizon of one recorded session: how it grew, and where a budget would have been met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import ceil
from typing import Any

from clew.budget import ResolvedBudget
from clew.budget.measure import Meter
from clew.codecs import codec_for
from clew.importers import ImportedSession
from clew.ports import TokenCounter
from clew.tools_seen import see_transcript
from clew.tools_seen.repeats import Repeats, count_repeats
from clew.transcript import Message
from clew.transcript.calls import recorded_calls

MOST_LARGEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Tokens that came between one model call and the next."""

    mean: int = 0
    p50: int = 0
    p95: int = 0
    p99: int = 0
    max: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LargePart:
    """One of the largest results: at which message (from 0), of which tool, how many tokens."""

    message: int
    tool: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Horizon:
    """What one recording shows; `crossings` are model calls (from 1), None where never reached."""

    file: str
    format: str
    messages: int
    turns: int
    tool_calls: int
    tokens: int
    growth: Growth
    trigger_at: int | None
    backstop_at: int | None
    repeats: Repeats
    compactions_seen: int
    largest: tuple[LargePart, ...]
    advice: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The JSON form of `clew inspect`."""
        return {
            "file": self.file,
            "format": self.format,
            "messages": self.messages,
            "turns": self.turns,
            "tool_calls": self.tool_calls,
            "tokens": self.tokens,
            "growth": asdict(self.growth),
            "crossings": {"trigger": self.trigger_at, "backstop": self.backstop_at},
            "repeats": asdict(self.repeats),
            "compactions_seen": self.compactions_seen,
            "largest": [asdict(part) for part in self.largest],
            "advice": list(self.advice),
            "warnings": list(self.warnings),
        }


def horizon(imported: ImportedSession, budget: ResolvedBudget, counter: TokenCounter) -> Horizon:
    """Measure a recording against a budget; nothing is compacted.

    A turn is a model call, growth is what the history gained from one call to the next, in tokens
    of `counter`.
    """
    codec = codec_for(imported.format)
    messages = [codec.parse(native, index) for index, native in enumerate(imported.messages)]
    meter = Meter(counter, codec.format)
    sizes = meter.count(messages)
    calls = recorded_calls(messages, adjacent_results=codec.adjacent_results)
    seen = [call for _, call in see_transcript(messages)]
    reached = _reached(sizes, [call.shown for call in calls])
    steps = [after - before for before, after in pairwise(reached)]
    growth = growth_of(steps)
    crossing = _first_at(reached, budget.trigger_tokens)
    backstop = _first_at(reached, budget.backstop_tokens)
    largest = _largest(messages, meter)
    repeats = count_repeats(seen)
    return Horizon(
        file=imported.source,
        format=imported.family,
        messages=len(messages),
        turns=len(calls),
        tool_calls=len(seen),
        tokens=sum(sizes),
        growth=growth,
        trigger_at=crossing,
        backstop_at=backstop,
        repeats=repeats,
        compactions_seen=len(imported.compactions),
        largest=largest,
        advice=_advice(growth, crossing, budget, largest, repeats),
        warnings=tuple(imported.warnings),
    )


def _reached(sizes: Sequence[int], shown: Sequence[int]) -> list[int]:
    totals = [0]
    for size in sizes:
        totals.append(totals[-1] + size)
    return [totals[count] for count in shown]


def growth_of(steps: Sequence[int]) -> Growth:
    """Mean, nearest-rank percentiles and maximum of the steps; zeros where there are none."""
    if not steps:
        return Growth()
    ordered = sorted(steps)

    def rank(share: float) -> int:
        return ordered[max(0, ceil(share * len(ordered)) - 1)]

    return Growth(
        mean=round(sum(ordered) / len(ordered)),
        p50=rank(0.50),
        p95=rank(0.95),
        p99=rank(0.99),
        max=ordered[-1],
    )


def _first_at(reached: Sequence[int], mark: int) -> int | None:
    return next((n for n, tokens in enumerate(reached, 1) if tokens >= mark), None)


def _largest(messages: Sequence[Message], meter: Meter) -> tuple[LargePart, ...]:
    names: dict[str, str] = {}
    found: list[LargePart] = []
    for index, message in enumerate(messages):
        # An id may be used anew: a result belongs to the newest call with it.
        names.update((call.call_id, call.name) for call in message.calls)
        found += [
            LargePart(
                message=index,
                tool=(names.get(part.call_id) if part.call_id else None) or part.name,
                tokens=meter.count_part(part),
            )
            for part in message.results
        ]
    found.sort(key=lambda part: (-part.tokens, part.message))
    return tuple(found[:MOST_LARGEST])


def _advice(
    growth: Growth,
    crossing: int | None,
    budget: ResolvedBudget,
    largest: Sequence[LargePart],
    repeats: Repeats,
) -> tuple[str, ...]:
    said: list[str] = []
    if crossing is None:
        said.append("The trigger is never reached; this session needs no compaction at all.")
    else:
        said.append(f"The trigger of {budget.trigger_tokens:,} tokens is met at call {crossing}.")
    if growth.p99 > budget.gap_tokens:
        said.append(
            f"One turn in a hundred adds {growth.p99:,} tokens, more than the "
            f"{budget.gap_tokens:,} between trigger and backstop: lower the trigger, or let large "
            f"results go behind a handle on arrival."
        )
    limit = budget.transcript_budget_tokens // 4
    big = [part for part in largest if part.tokens > limit]
    if big:
        said.append(
            f"{len(big)} results take more than a quarter of the budget each, the largest "
            f"{big[0].tokens:,} tokens ({big[0].tool}): they are put behind a handle."
        )
    if repeats.unexplained:
        said.append(
            f"{repeats.unexplained} calls asked again for what had not changed: a record that "
            f"names what was read, and recall, would have saved them."
        )
    return tuple(said)
