"""The hand-labelled compactions: what a careful reader finds in a middle, with the quote.

One JSON file per compaction, under `compactions/` those that rules were learnt from, under
`held_out/`, `fresh/`, `unseen/`, `later/`, `last/`, `blind/` and `newest/` those that no rule had
been learnt from when they were measured first:

    {"recording": file under the recordings, "licence": its licence,
     "first": message index where the middle starts, "end": index behind it,
     "labels": [{"kind": one of KINDS, "at": index of the exchange's first message,
                 "quote": verbatim, white space collapsed, at most 200 characters}]}

The labels were written from reading, before any record of that middle was looked at.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from bench.coverage.playing import CORPUS, COUNTER, TAIL_TOKENS
from clew.codecs import codec_for
from clew.importers import load_session
from clew.record.apply import apply_delta
from clew.record.items import Item
from clew.record.record import HandoffRecord
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.extractive.reading import Reading, read_span
from clew.summarize.request import SpanView, SummaryRequest
from clew.tools_seen import see_exchange, textual_calls
from clew.transcript import ExchangeGrouper

FOLDER = Path(__file__).parent / "compactions"
HELD_OUT = Path(__file__).parent / "held_out"
FRESH = Path(__file__).parent / "fresh"
UNSEEN = Path(__file__).parent / "unseen"
LATER = Path(__file__).parent / "later"
LAST = Path(__file__).parent / "last"
BLIND = Path(__file__).parent / "blind"
NEWEST = Path(__file__).parent / "newest"
KINDS = {
    "decision": ("decision",),
    "dead_end": ("dead_end",),
    "promise": ("commitment",),
    "promise_kept": ("commitment",),
    "rule": ("invariant", "directive"),
    "effect": ("effect",),
    "correction": (
        "directive", "invariant", "decision", "dead_end", "fact", "blocker", "commitment",
    ),
    "finding": ("fact", "environment", "decision", "invariant"),
    "job": ("job",),
}  # fmt: skip
LONGEST_QUOTE = 200
TARGET_TOKENS = 2_000


@dataclass(frozen=True, slots=True)
class Label:
    """What a reader found in the exchange that starts at message `at`."""

    kind: str
    at: int
    quote: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """One middle, from message `first` up to `end`, and what a reader found in it."""

    name: str
    recording: str
    licence: str
    first: int
    end: int
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Summed:
    """What the offline summarizer made of a labelled middle."""

    labelled: Labelled
    record: HandoffRecord
    readings: tuple[Reading, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """Everything in the record that came from this middle, live or settled."""
        return self.record.items


def read_labels(path: Path) -> Labelled:
    """One file; ValueError when a kind is unknown or a quote is too long."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    labels = tuple(Label(one["kind"], one["at"], one["quote"]) for one in kept["labels"])
    for label in labels:
        if label.kind not in KINDS or len(label.quote) > LONGEST_QUOTE:
            raise ValueError(f"{path.name}: unusable label {label}")
    return Labelled(
        path.stem, kept["recording"], kept["licence"], kept["first"], kept["end"], labels
    )


def all_labels(folder: Path = FOLDER) -> tuple[Labelled, ...]:
    """Every labelled compaction of a folder, by name."""
    return tuple(read_labels(path) for path in sorted(folder.glob("*.json")))


def spans_of(recording: str) -> tuple[SpanView, ...]:
    """The exchanges of a recording; handles count its messages from 1."""
    session = load_session(CORPUS / recording)
    codec = codec_for(session.format)
    messages = [codec.parse(native, i) for i, native in enumerate(session.messages)]
    grouper = ExchangeGrouper(adjacent_results=codec.adjacent_results)
    grouper.feed(messages)
    spans = []
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
    return tuple(spans)


def summed(labelled: Labelled) -> Summed:
    """The record after one compaction of this middle alone, with what follows as the tail."""
    spans = spans_of(labelled.recording)
    middle = tuple(span for span in spans if labelled.first <= span.position < labelled.end)
    goal = next((t for span in spans for t in read_span(span).typed), "")
    request = SummaryRequest(
        goal=goal,
        old=HandoffRecord(goal=goal),
        spans=middle,
        tail=_tail(tuple(span for span in spans if span.position >= labelled.end)),
        target_tokens=TARGET_TOKENS,
        counter=COUNTER,
    )
    summarizer = ExtractiveSummarizer()
    delta = summarizer.propose(request)
    record = apply_delta(request.old, delta, position=labelled.end).record
    return Summed(labelled, record, tuple(map(read_span, middle)))


def _tail(later: tuple[SpanView, ...]) -> tuple[SpanView, ...]:
    kept: list[SpanView] = []
    tokens = 0
    for span in later:
        tokens += COUNTER.count_texts(["\n".join(m.text for m in span.messages)])[0]
        if kept and tokens > TAIL_TOKENS:
            break
        kept.append(span)
    return tuple(kept)
