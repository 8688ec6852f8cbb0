"""Telling a logger what happens, and the report when a logger or a hook went wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from clew.consult import Step
from clew.events import (
    CompactionArmed,
    CompactionMade,
    CompactionVetoed,
    ContextPrepared,
    Event,
    EvictionMade,
    HookFailed,
    SummaryBegun,
    SummaryEnded,
    TriggerNear,
    WarningGiven,
)
from clew.outcome import Compacted, Evicted, Held, Outcome, Report
from clew.policy import ArmedBy, Why
from clew.session.asked import Made
from clew.turn import Prefetch


class Telling:
    """Gives events to one callable, in the caller's own thread, in the order they happen.

    `warn_at` is the share of the trigger at which it is near.
    """

    def __init__(self, take: Callable[[Event], Any] | None, warn_at: float) -> None:
        self._take = take
        self._warn_at = warn_at
        self._near = False
        self._armed = False
        self._problems: list[str] = []
        self.session_id = ""

    def tell(self, event: Event) -> None:
        """Give one event away; what a logger raises becomes a warning."""
        if self._take is None:
            return
        try:
            self._take(event)
        except Exception as error:  # noqa: BLE001 - a logger never breaks a call
            said = f"the logger of events raised {type(error).__name__} at {event.name}"
            if said not in self._problems:
                self._problems.append(said)

    def failed(self, step: Step, hook: str, problem: str) -> None:
        """A hook went wrong."""
        self._problems.append(f"{step.value}-hook {hook}: {problem}")
        self.tell(
            HookFailed(session_id=self.session_id, step=step.value, hook=hook, problem=problem)
        )

    def begun(self, effect: Prefetch) -> None:
        """A summary is being made in the background."""
        spans = len(effect.request.spans)
        self.tell(SummaryBegun(session_id=self.session_id, spans=spans, extends=effect.extends))

    def ended(self, made: Made) -> None:
        """It is ready, or failed."""
        problem = str(made.error) if made.error is not None else ""
        facts = made.earlier.facts if made.earlier is not None else made.facts
        self.tell(SummaryEnded(session_id=self.session_id, problem=problem, facts=dict(facts)))

    def told(self, outcome: Outcome, report: Report, turns_left: int | None) -> tuple[str, ...]:
        """Tell what a call did; gives the further warnings for its report."""
        self._levels(outcome, report, turns_left)
        self._outcome(outcome, report)
        hooked, self._problems = tuple(self._problems), []
        for text in (*report.warnings, *hooked):
            self.tell(WarningGiven(session_id=self.session_id, text=text))
        self.tell(
            ContextPrepared(
                session_id=self.session_id,
                outcome=type(outcome).__name__.lower(),
                why=outcome.why,
                tokens_before=report.tokens_before,
                tokens_after=report.tokens_after,
                prefix_tokens=report.prefix_tokens,
                budget=report.budget,
                seconds=float(report.facts.get("seconds", 0.0)),
                waited_seconds=report.waited_seconds,
            )
        )
        logged, self._problems = tuple(self._problems), []
        return tuple(dict.fromkeys((*hooked, *logged)))

    def _levels(self, outcome: Outcome, report: Report, turns_left: int | None) -> None:
        near = report.tokens_after >= self._warn_at * report.trigger
        if near and not self._near:
            self.tell(
                TriggerNear(
                    session_id=self.session_id,
                    tokens=report.tokens_after,
                    trigger=report.trigger,
                    backstop=report.backstop,
                    turns_left=turns_left,
                )
            )
        self._near = near
        by = outcome.armed_by if isinstance(outcome, Held) else ArmedBy.NOTHING
        armed = by is not ArmedBy.NOTHING
        if armed and not self._armed:
            event = CompactionArmed(
                session_id=self.session_id, armed_by=by, tokens=report.tokens_after
            )
            self.tell(event)
        self._armed = armed

    def _outcome(self, outcome: Outcome, report: Report) -> None:
        match outcome:
            case Held(why=Why.VETOED, detail=reason):
                self.tell(CompactionVetoed(session_id=self.session_id, reason=reason))
            case Held():
                return
            case Evicted(why=why, handles=handles, freed_tokens=freed):
                self.tell(
                    EvictionMade(
                        session_id=self.session_id, why=why, handles=handles, freed_tokens=freed
                    )
                )
            case Compacted():
                self.tell(self._made(outcome, report))
            case _:
                assert_never(outcome)

    def _made(self, outcome: Compacted, report: Report) -> CompactionMade:
        return CompactionMade(
            session_id=self.session_id,
            why=outcome.why,
            boundary=outcome.boundary,
            tokens_before=report.tokens_before,
            tokens_after=report.tokens_after,
            absorbed_messages=outcome.absorbed_messages,
            record_tokens=report.record_tokens,
            summarizer=outcome.summarizer,
            checkpoint_id=report.checkpoint_id or "",
            waited_seconds=report.waited_seconds,
            items=report.lineage.counts() if report.lineage is not None else {},
            facts=dict(report.facts),
        )
