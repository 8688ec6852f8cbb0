"""Plays recordings through the offline summarizer with a fixed trigger and tail.

Only grouping, summarizing and rendering run here, so that the figures say what the record is
worth, whatever the policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clew.codecs import codec_for
from clew.counters.toktok import ToktokCounter
from clew.importers import load_session
from clew.record.apply import apply_delta
from clew.record.record import HandoffRecord
from clew.record.view import RenderedRecord, render_record
from clew.replay.coverage import Need, names_of, needs_of
from clew.replay.recording import is_person
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.extractive.reading import Reading, read_span
from clew.summarize.request import SpanView, SummaryRequest
from clew.tools_seen import see_exchange, textual_calls
from clew.transcript import ExchangeGrouper, Message, Role

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpora" / "dev"
FAMILIES = {
    "claude_code": "*.jsonl",
    "codex_cli": "*.jsonl",
    "pi_agent": "*.jsonl",
    "mini_swe_agent": "*.json",
    "swe_agent_traj": "*.traj",
}
TRIGGER_TOKENS = 20_000
TAIL_TOKENS = 4_000
COUNTER = ToktokCounter()


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recording as spans with their readings and sizes; the first `head` stay verbatim."""

    family: str
    name: str
    spans: tuple[SpanView, ...]
    readings: tuple[Reading, ...]
    tokens: tuple[int, ...]
    head: int

    @property
    def goal(self) -> str:
        reading = self.readings[self.head - 1]
        return "\n".join((*reading.typed, *reading.results, *reading.harness))


@dataclass(frozen=True, slots=True)
class Cut:
    """Spans `start` to `middle` are absorbed, those up to `end` are the tail."""

    start: int
    middle: int
    end: int


@dataclass(frozen=True, slots=True)
class Played:
    """One compaction: the request, the record after it, and what the agent needs next."""

    recorded: Recorded
    cut: Cut
    request: SummaryRequest
    record: HandoffRecord
    needs: tuple[Need, ...]

    def absorbed(self) -> dict[str, frozenset[str]]:
        recorded = self.recorded
        return {
            recorded.spans[i].handle: names_of(recorded.readings[i])
            for i in range(recorded.head, self.cut.middle)
        }

    def rendered(self) -> RenderedRecord:
        return render_record(self.record, counter=COUNTER, target_tokens=self.request.target_tokens)


def recordings(only: str = "") -> Iterator[Recorded]:
    """The recordings of the five families that have something to absorb."""
    for family, pattern in FAMILIES.items():
        for path in sorted((CORPUS / family).glob(pattern)):
            if only in str(path):
                recorded = read(family, path)
                if recorded is not None:
                    yield recorded


def read(family: str, path: Path) -> Recorded | None:
    session = load_session(path)
    codec = codec_for(session.format)
    messages = [codec.parse(native, i) for i, native in enumerate(session.messages)]
    grouper = ExchangeGrouper(adjacent_results=codec.adjacent_results)
    grouper.feed(messages)
    spans: list[SpanView] = []
    for unit in grouper.exchanges():
        held = tuple(messages[i] for i in unit.indices)
        following = messages[unit.last + 1] if unit.last + 1 < len(messages) else None
        spans.append(
            SpanView(
                handle=f"S-{unit.first + 1}",
                position=unit.first,
                positions=unit.indices,
                messages=held,
                calls=see_exchange(held) or textual_calls(held[0], following),
            )
        )
    head = next((i + 1 for i, span in enumerate(spans) if _opens(span.messages[0])), 0)
    if not head:
        return None
    readings = tuple(read_span(span) for span in spans)
    tokens = COUNTER.count_texts([_whole(reading) for reading in readings])
    return Recorded(family, path.stem, tuple(spans), readings, tuple(tokens), head)


def _opens(message: Message) -> bool:
    return message.role is Role.USER and is_person(message)


def _whole(reading: Reading) -> str:
    return "\n".join((
        *reading.typed, *reading.harness, *reading.prose, *reading.reasoning, *reading.arguments,
        *reading.results,
    ))  # fmt: skip


def cuts_of(recorded: Recorded, record_tokens: int) -> Iterator[Cut]:
    """Where compactions fall: beyond the trigger, everything but the tail is absorbed."""
    head_tokens = sum(recorded.tokens[: recorded.head])
    start, total = recorded.head, head_tokens
    for place in range(recorded.head, len(recorded.spans)):
        total += recorded.tokens[place]
        if total <= TRIGGER_TOKENS:
            continue
        middle, tail = place + 1, 0
        while middle - 1 > start and (
            middle == place + 1 or tail + recorded.tokens[middle - 1] <= TAIL_TOKENS
        ):
            middle -= 1
            tail += recorded.tokens[middle]
        if middle > start:
            yield Cut(start, middle, place + 1)
            start, total = middle, head_tokens + record_tokens + tail


def play(recorded: Recorded, target_tokens: int) -> Iterator[Played]:
    """Every compaction of one recording in order."""
    summarizer = ExtractiveSummarizer()
    record = HandoffRecord(goal=recorded.goal)
    for cut in cuts_of(recorded, target_tokens):
        request = SummaryRequest(
            goal=recorded.goal,
            old=record,
            spans=recorded.spans[cut.start : cut.middle],
            tail=recorded.spans[cut.middle : cut.end],
            target_tokens=target_tokens,
            counter=COUNTER,
        )
        delta = summarizer.propose(request)
        entries, mentions = summarizer.index(request)
        applied = apply_delta(record, delta, position=recorded.spans[cut.end - 1].positions[-1])
        record = summarizer.revalue(
            request, replace(applied.record, index=entries, mentions=mentions)
        )
        yield Played(recorded, cut, request, record, _needs(recorded, cut))


def _needs(recorded: Recorded, cut: Cut) -> tuple[Need, ...]:
    return needs_of(
        in_view=_names((*recorded.readings[: recorded.head],
                        *recorded.readings[cut.middle : cut.end])),
        absorbed=_names(recorded.readings[recorded.head : cut.middle]),
        later=recorded.readings[cut.end : cut.end + 80],
    )  # fmt: skip


def _names(readings: Sequence[Reading]) -> frozenset[str]:
    return frozenset().union(*map(names_of, readings))
