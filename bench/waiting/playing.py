"""Plays a recorded session on a clock of its own: calls take time, and so do summaries."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field

import clew
from clew.counters import resolve_counter
from clew.importers import ImportedSession
from clew.replay.recording import Recording
from clew.session.asked import Made
from clew.session.background import Job
from clew.summarize.chunks import EXCERPT_CHARS
from clew.summarize.sections import history_text


class VirtualClock:
    """Seconds that pass only when somebody says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waited = 0.0

    def wait_until(self, then: float) -> None:
        """The agent stands still until then."""
        self.waited += max(0.0, then - self.now)
        self.now = max(self.now, then)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """How long things take: one call of the agent, and a summary by what it reads and writes.

    A summary takes `start_seconds`, what it reads at `read_tokens` a second, and what it writes
    (`written_tokens`, a record's worth) at `write_tokens` a second.
    """

    call_seconds: float = 10.0
    start_seconds: float = 1.0
    read_tokens: float = 4_000.0
    write_tokens: float = 60.0
    written_tokens: int = 1_500

    def summary_seconds(self, request: clew.SummaryRequest) -> float:
        """How long the summary of this request takes."""
        shown = [history_text(span, EXCERPT_CHARS[0]) for span in request.spans]
        read = sum(request.counter.count_texts(shown))
        writing = self.written_tokens / self.write_tokens
        return self.start_seconds + read / self.read_tokens + writing


class TimedSummarizer:
    """Repeats the first sentence of every exchange, and takes its time."""

    name = "timed"
    background = True

    def __init__(self, clock: VirtualClock, speeds: Speeds) -> None:
        self.clock = clock
        self.speeds = speeds
        self.calls = 0
        self.beside = False
        self.seconds = 0.0

    def propose(self, request: clew.SummaryRequest) -> clew.Delta:
        """The delta; the agent waits for it unless it is made beside."""
        self.calls += 1
        self.seconds = self.speeds.summary_seconds(request)
        if not self.beside:
            self.clock.wait_until(self.clock.now + self.seconds)
        operations = []
        for span in request.spans:
            text = next((m.text for m in span.messages if m.text.strip()), "")
            line = text.strip().split("\n", 1)[0][:160]
            if line:
                evidence = (clew.Evidence(span=span.handle, quote=line),)
                item = clew.Item(id="", kind="fact", text=line, evidence=evidence)
                operations.append(clew.Add(item=item))
        return clew.Delta(operations=tuple(operations))

    async def apropose(self, request: clew.SummaryRequest) -> clew.Delta:
        """The same."""
        return self.propose(request)


class TimedWork:
    """Work beside the agent, on the clock of the play."""

    summarizer: TimedSummarizer

    def __init__(self, job: Job) -> None:
        self.summarizer.beside = True
        self._made = asyncio.run(job())
        self.summarizer.beside = False
        self._clock = self.summarizer.clock
        self._ends = self._clock.now + self.summarizer.seconds

    @property
    def finished(self) -> bool:
        """Whether its time has come."""
        return self._clock.now >= self._ends

    @property
    def result(self) -> Made | None:
        """What it brought, once it is finished."""
        return self._made if self.finished else None

    def wait(self) -> Awaitable[None] | None:
        """The agent waits for it."""
        self._clock.wait_until(self._ends)
        return None

    def cancel(self) -> None:
        """Nothing works on."""

    def stop(self) -> None:
        """Nothing works on."""


@dataclass(slots=True, kw_only=True)
class Waits:
    """What the compactions of one play made the agent wait, and what else they took."""

    waits: list[float] = field(default_factory=list)
    held_calls: int = 0
    summaries: int = 0
    uses: list[str] = field(default_factory=list)
    floor_reached: str = ""


def fixed(window: int, share: float) -> clew.Policy:
    """A trigger alone: fold as soon as this share is reached, whatever it costs, and never else."""
    budget = clew.Budget(window, trigger=share - 0.01, backstop=share)
    evict = clew.EvictionRules(enabled=False)
    return clew.Policy(budget, cost_rule=False, prefetch=False, eviction=evict, cooldown=0.0)


def play(
    imported: ImportedSession,
    window: int,
    speeds: Speeds,
    *,
    prefetch: bool,
    policy: clew.Policy | None = None,
) -> Waits:
    """Prepare every call of a recording; `waits` has the seconds of each compaction."""
    clock = VirtualClock()
    summarizer = TimedSummarizer(clock, speeds)
    work = type("Work", (TimedWork,), {"summarizer": summarizer})
    timed = type("Timed", (clew.Session,), {"_work": work})
    policy = policy or clew.Policy(clew.Budget(window), prefetch=prefetch)
    counter = resolve_counter("estimate", None)
    session: clew.Session = timed(
        policy=policy, summarizer=summarizer, counter=counter, format=imported.format.value
    )
    waits = Waits()
    for call in Recording(imported, counter).calls():
        clock.now += speeds.call_seconds
        before = clock.waited
        messages = list(imported.messages[: call.shown])
        try:
            context = session.prepare(messages, system=imported.system, tools=imported.tools)
        except clew.FloorExceededError as error:
            waits.floor_reached = str(error)
            break
        waits.held_calls += context.outcome.why is clew.Why.PREPARING
        if isinstance(context.outcome, clew.Compacted):
            waits.waits.append(clock.waited - before)
            waits.uses.append(str(context.report.facts.get("prefetched", "asked")))
    waits.summaries = summarizer.calls
    session.close()
    return waits
