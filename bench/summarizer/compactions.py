"""Small compactions from recordings, and what each is measured by.

The model is slow, so a middle is what some 400 shown tokens hold. In long recordings it
follows a history that the offline summarizer folded before, so that there is an old record to
revise; in short ones it is the first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from bench.coverage.playing import CORPUS, COUNTER, FAMILIES, Recorded, play, read
from clew.importers import load_session
from clew.record.apply import apply_delta
from clew.record.delta import Delta
from clew.record.lines import full_line
from clew.record.record import HandoffRecord
from clew.record.view import RenderedRecord, render_record
from clew.replay.coverage import Need, coverage_at, names_of, needs_of
from clew.replay.played import Coverage
from clew.summarize.chunks import EXCERPT_CHARS
from clew.summarize.request import SummaryRequest
from clew.summarize.sections import history_text
from clew.turn import Proposed

MIDDLE_TOKENS: Final = 400
MOST_TOKENS: Final = 1_000
TAIL_TOKENS: Final = 1_000
TARGET_TOKENS: Final = 900
LEAST_TOKENS: Final = 4_000
FURTHER = {**FAMILIES, "gemini_cli": "*.json", "opencode": "*.json"}


@dataclass(frozen=True, slots=True)
class Case:
    """One compaction: spans `start` to `middle` are absorbed, those up to `end` are the tail.

    `seen` is where the tail of this or the compaction before it ends, whichever is later.
    """

    path: Path
    recorded: Recorded
    start: int
    middle: int
    end: int
    seen: int
    request: SummaryRequest

    def sources(self) -> list[Any]:
        """Every message that a summarizer was shown by then, as the recording has it."""
        last = self.recorded.spans[self.seen - 1].positions[-1]
        return list(load_session(self.path).messages[: last + 1])

    @property
    def name(self) -> str:
        """Recording and first span."""
        return f"{self.recorded.family}/{self.recorded.name}@{self.request.spans[0].handle}"

    def needs(self) -> tuple[Need, ...]:
        """The identifiers that the agent writes next and can only know from what was absorbed."""
        recorded = self.recorded
        shown = (*recorded.readings[: recorded.head], *recorded.readings[self.middle : self.end])
        absorbed = recorded.readings[recorded.head : self.middle]
        return needs_of(
            in_view=frozenset().union(*map(names_of, shown)),
            absorbed=frozenset().union(*map(names_of, absorbed)),
            later=recorded.readings[self.end : self.end + 80],
        )

    def coverage(self, text: str) -> Coverage:
        """Where each of them stands after this compaction."""
        recorded = self.recorded
        absorbed = {
            recorded.spans[i].handle: names_of(recorded.readings[i])
            for i in range(recorded.head, self.middle)
        }
        return coverage_at(text, self.needs(), absorbed)


def cases(only: str = "") -> list[Case]:
    """One compaction a recording, the smallest requests first."""
    found: list[tuple[int, Case]] = []
    for family, pattern in FURTHER.items():
        for path in sorted((CORPUS / family).glob(pattern)):
            recorded = read(family, path) if only in str(path) else None
            if recorded is None or sum(recorded.tokens) < LEAST_TOKENS:
                continue
            case = case_of(path, recorded)
            request = case.request
            shown = [history_text(span, EXCERPT_CHARS[0]) for span in request.spans]
            if sum(COUNTER.count_texts(shown)) <= MOST_TOKENS:
                known = [full_line(item) for item in request.old.live()]
                size = sum(COUNTER.count_texts([case.recorded.goal, *shown, *known]))
                found.append((size, case))
    return [case for _, case in sorted(found, key=lambda each: (each[0], each[1].name))]


def case_of(path: Path, recorded: Recorded) -> Case:
    """The compaction behind the first that a window of usual size makes, else the first of all."""
    played = next(iter(play(recorded, TARGET_TOKENS)), None)
    start, old, seen = recorded.head, HandoffRecord(goal=recorded.goal), 0
    if played is not None and played.cut.middle + 4 < len(recorded.spans):
        start, old, seen = played.cut.middle, played.record, played.cut.end
    middle, shown = start, 0
    while middle < len(recorded.spans) - 2 and shown < MIDDLE_TOKENS:
        text = history_text(recorded.spans[middle], EXCERPT_CHARS[0])
        shown += COUNTER.count_text(text)
        middle += 1
    end = min(middle + 1, len(recorded.spans))
    while end < len(recorded.spans) and sum(recorded.tokens[middle:end]) < TAIL_TOKENS:
        end += 1
    request = SummaryRequest(
        goal=recorded.goal,
        old=old,
        spans=recorded.spans[start:middle],
        tail=recorded.spans[middle:end],
        target_tokens=TARGET_TOKENS,
        counter=COUNTER,
    )
    return Case(path, recorded, start, middle, end, max(end, seen), request)


@dataclass(frozen=True, slots=True)
class After:
    """The record after a compaction, its view, and which operations were refused on applying."""

    record: HandoffRecord
    view: RenderedRecord
    refused: tuple[str, ...]


def folded(case: Case, proposed: Proposed, further: Delta | None) -> After:
    """Apply what was proposed as a session does: the offline delta, then what a model adds."""
    request, record, refused = case.request, case.request.old, list[str]()
    position = case.recorded.spans[case.end - 1].positions[-1]
    for delta in (proposed.delta, further):
        if delta is not None:
            applied = apply_delta(record, delta, kinds=request.kinds, position=position)
            record = applied.record
            refused += [why for _, why in applied.rejected]
    record = replace(record, index=proposed.index, mentions=proposed.mentions)
    if proposed.revalue is not None:
        record = proposed.revalue(record)
    view = render_record(record, counter=COUNTER, target_tokens=request.target_tokens)
    return After(record, view, tuple(refused))
