"""Plays a recorded session call by call through a session and notes what went out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from clew.counters import resolve_counter
from clew.cuts import goal_index
from clew.errors import FloorExceededError
from clew.importers import ImportedSession
from clew.outcome import Compacted, Context, Evicted, Held, Report, sentence
from clew.policy import Policy
from clew.ports import Store, TokenCounter
from clew.replay.cost import Sent
from clew.replay.judge import Judge, Judged
from clew.replay.played import (
    COMPACTED,
    EVICTED,
    FLOOR,
    HELD,
    Bill,
    CallPlayed,
    CompactionPlayed,
    EvictionPlayed,
    Replay,
)
from clew.replay.recording import Recording, is_person
from clew.replay.references import References
from clew.replay.summing import archive_of, cost_of, policy_facts, prices_of
from clew.session import Session
from clew.store import open_store
from clew.summarize.calls import CallTotals
from clew.summarize.request import Summarizer
from clew.tools_seen.repeats import count_repeats
from clew.transcript import TextPart
from clew.transcript.calls import RecordedCall

Progress = Callable[[int, int], None]
GOAL_OPENING = 40


def replay(
    imported: ImportedSession,
    policy: Policy | None = None,
    *,
    summarizer: str | Summarizer = "extractive",
    store: Store | str | None = None,
    counter: TokenCounter | str | None = None,
    clock: Callable[[], float] = time.perf_counter,
    progress: Progress = lambda done, of: None,
) -> Replay:
    """Play a recorded session through a policy; every call of the recording is prepared once.

    `clock` gives seconds, for the timing of compactions. A floor that does not fit is an outcome
    of its call, not an error. Raises what the session raises for input it cannot read.
    """
    chosen = policy or Policy()
    model = imported.model or chosen.model or None
    recording = Recording(imported, resolve_counter(counter, model))
    opened = open_store(store)
    try:
        session = Session(
            # A recording plays in no time: what is made beside it would always come too late.
            policy=replace(chosen, prefetch=False),
            summarizer=summarizer,
            store=opened,
            counter=recording.counter,
            format=imported.format.value,
            model=model,
        )
        return _Play(recording, session, clock).run(progress)
    finally:
        if opened is not store:
            opened.close()


class _Play:
    """What is noted while a session is played."""

    def __init__(self, recording: Recording, session: Session, clock: Callable[[], float]) -> None:
        self._recording, self._session, self._clock = recording, session, clock
        self._judge = Judge(recording.codec, recording.meter)
        self._references = References(recording, session)
        self._calls: list[CallPlayed] = []
        self._sent: list[Sent] = []
        self._compactions: list[CompactionPlayed] = []
        self._evictions: list[EvictionPlayed] = []
        self._warnings: dict[str, None] = dict.fromkeys(recording.imported.warnings)
        self._goal_intact, self._goal_digest = True, ""
        self._valid = self._shown = 0
        self._context: tuple[Any, ...] = ()
        self._report: Report | None = None
        self._summarizing = CallTotals()

    def run(self, progress: Progress) -> Replay:
        """Prepare every call in turn, then sum up."""
        calls = self._recording.calls()
        messages = self._recording.imported.messages
        growing: list[Any] = []

        for call in calls:
            progress(call.n, len(calls))
            raw = self._recording.transcript_tokens(call.shown)
            growing.extend(messages[len(growing) : call.shown])
            self._prepare(call, growing, raw)
        return self._summed_up()

    def _prepare(self, call: RecordedCall, growing: list[Any], raw: int) -> None:
        imported = self._recording.imported
        started = self._clock()
        try:
            context = self._session.prepare(growing, system=imported.system, tools=imported.tools)
        except FloorExceededError as error:
            self._note_call(call, raw, error.floor_tokens, FLOOR, str(error))
            return
        seconds = self._clock() - started
        judged = self._judge.judge(context.messages)
        self._valid += judged.valid
        self._check_goal(call, judged)
        self._warnings.update(dict.fromkeys(context.report.warnings))
        self._note(call, raw, context, judged, seconds)
        self._context, self._report = tuple(context.messages), context.report
        self._summarizing = self._summarizing.plus(context.report.calls)
        self._shown = call.shown

    def _note(
        self, call: RecordedCall, raw: int, context: Context, judged: Judged, seconds: float
    ) -> None:
        after = context.report.tokens_after
        folded = record_tokens = evicted_tokens = 0
        outcome, detail = HELD, ""
        match context.outcome:
            case Held():
                pass
            case Evicted() as evicted:
                outcome, detail = EVICTED, sentence(evicted)
                evicted_tokens = evicted.freed_tokens
                self._note_eviction(call, evicted, after)
            case Compacted() as compacted:
                outcome, detail = COMPACTED, sentence(compacted)
                before = self._without_compaction(raw)
                folded, record_tokens = max(0, before - after), compacted.record_tokens
                self._note_compaction(call, context, compacted, before, seconds)
                self._references.after_compaction(compacted.handles, call.shown, judged.messages)
        self._note_call(call, raw, after, outcome, detail)
        self._sent.append(
            Sent(
                shared_tokens=judged.shared_tokens,
                fresh_tokens=judged.tokens - judged.shared_tokens,
                folded_tokens=folded,
                record_tokens=record_tokens,
                evicted_tokens=evicted_tokens,
            )
        )

    def _note_call(
        self, call: RecordedCall, raw: int, prepared: int, outcome: str, detail: str
    ) -> None:
        self._calls.append(
            CallPlayed(
                n=call.n, raw_tokens=raw, prepared_tokens=prepared, outcome=outcome, detail=detail
            )
        )

    def _without_compaction(self, raw: int) -> int:
        """How large this context would have been without its compaction."""
        if not self._calls:
            return raw
        last = self._calls[-1]
        return last.prepared_tokens + raw - last.raw_tokens

    def _note_eviction(self, call: RecordedCall, outcome: Evicted, after: int) -> None:
        self._evictions.append(
            EvictionPlayed(
                n=len(self._evictions) + 1,
                call=call.n,
                reason=outcome.why.value,
                handles=outcome.handles,
                freed_tokens=outcome.freed_tokens,
                tokens_after=after,
            )
        )

    def _note_compaction(
        self, call: RecordedCall, context: Context, outcome: Compacted, before: int, seconds: float
    ) -> None:
        lineage = context.report.lineage
        self._compactions.append(
            CompactionPlayed(
                n=len(self._compactions) + 1,
                call=call.n,
                reason=sentence(outcome),
                boundary=outcome.boundary.value if outcome.boundary else None,
                tokens_before=before,
                tokens_after=context.report.tokens_after,
                absorbed_messages=outcome.absorbed_messages,
                record_tokens=outcome.record_tokens,
                items=dict(Counter(item.kind for item in self._session.record.live())),
                summarizer=outcome.summarizer,
                seconds=round(seconds, 4),
                lineage=lineage.counts() if lineage is not None else {},
            )
        )

    def _check_goal(self, call: RecordedCall, judged: Judged) -> None:
        """Law 1: one message holds the goal from the first context on, and never changes.

        It is the recorded one, or begins like it where its bulk went behind a handle.
        """
        position = self._recording.goal
        if position is None or call.shown <= position:
            return
        recorded = self._recording.messages[position]
        if not recorded.text.strip() and all(isinstance(p, TextPart) for p in recorded.parts):
            return  # nobody asked for anything
        found = goal_index(judged.messages, is_person)
        shown = judged.messages[found] if found is not None else None
        if shown is None:
            self._goal_intact = False
            return
        self._goal_digest = self._goal_digest or shown.digest
        alike = shown.text[:GOAL_OPENING] == recorded.text[:GOAL_OPENING]
        self._goal_intact &= shown.digest == self._goal_digest and alike

    def _summed_up(self) -> Replay:
        record, policy = self._session.record, self._session.policy
        model = self._recording.imported.model or policy.model
        context = self._judge.judge(self._context).messages
        return Replay(
            session=self._recording.facts(),
            policy=policy_facts(policy, self._recording, self._report),
            calls=tuple(self._calls),
            compactions=tuple(self._compactions),
            evictions=tuple(self._evictions),
            goal=record.goal or self._recording.goal_text,
            goal_intact=self._goal_intact,
            valid_calls=self._valid,
            reference_coverage=self._references.total(),
            repeats=count_repeats(self._recording.tool_calls()),
            cost=cost_of(
                self._recording,
                policy.ratios,
                calls=self._calls,
                sent=self._sent,
                compactions=self._compactions,
                report=self._report,
            ),
            archive=archive_of(self._recording, self._session.store, self._shown, context),
            record=record,
            bill=Bill(
                spending=self._session.status().spending,
                model=model,
                prices=prices_of(policy, model),
                summarizer=self._summarizing,
            ),
            warnings=tuple(self._warnings),
            context=self._context,
        )
