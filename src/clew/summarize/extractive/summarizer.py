"""The offline summarizer: what the agent will need next, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.record.delta import Delta, Operation
from clew.record.items import Item, Proposer, Speaker
from clew.record.record import HandoffRecord, IndexEntry, Mention
from clew.summarize.extractive import (
    actions,
    agreed,
    alone,
    among_agents,
    announced,
    choices_written,
    command_parts,
    conceded,
    conclusions,
    designs,
    directives,
    effects,
    failures_said,
    failures_shown,
    folding,
    goals,
    holding,
    index,
    intentions,
    jobs,
    leading,
    lessons,
    made_so,
    overtaken,
    progress,
    prose,
    statements,
    stepwise,
    taken_back,
    tool_facts,
    verdicts,
    worked_off,
)
from clew.summarize.extractive.acted import refuses
from clew.summarize.extractive.choice_lists import listed_choices
from clew.summarize.extractive.cues import Cues, built_in_cues
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.plans import plan_operations
from clew.summarize.extractive.pointers import pointer_operations
from clew.summarize.extractive.proposals import asks_for_a_proposal
from clew.summarize.extractive.reading import Reading, in_order, read_span
from clew.summarize.extractive.reports import reported_of_work
from clew.summarize.extractive.scene import Scene, as_handed_over
from clew.summarize.request import SpanView, SummaryRequest

MOST_READ_AHEAD = 2_000
"""Exchanges kept read; behind so many the oldest were absorbed long ago, or never will be."""


class ExtractiveSummarizer:
    """Deterministic and extractive: every claim is a verbatim quote with its span."""

    def __init__(self, *, cues: Cues | None = None) -> None:
        self._cues = cues
        self._latest: tuple[SummaryRequest, list[Reading], list[Reading]] | None = None
        self._known: dict[str, tuple[SpanView, Reading]] = {}
        self._newest: Reading | None = None
        self._heard: list[Reading] = []

    def _read(self, request: SummaryRequest) -> tuple[list[Reading], list[Reading]]:
        """The spans and the tail as readings, once for proposal and index of one request."""
        latest = self._latest
        if latest is None or latest[0] is not request:
            latest = (
                request,
                [self.reading_of(span) for span in request.spans],
                [self.reading_of(span) for span in request.tail],
            )
            self._latest = latest
            known = self._known  # another session may use the same summarizer meanwhile
            tail = {span.handle: known.get(span.handle) for span in request.tail}
            self._known = {handle: read for handle, read in tail.items() if read is not None}
        return latest[1], latest[2]

    def reading_of(self, span: SpanView) -> Reading:
        """One exchange sorted by speaker, and what was worked out of it before."""
        known = self._known.get(span.handle)
        if known is None or not (known[0] is span or _same(known[0], span)):
            known = self._known[span.handle] = (span, read_span(span))
        return known[1]

    def knows(self, handle: str) -> bool:
        """Whether an exchange was read ahead."""
        return handle in self._known

    def read_ahead(self, span: SpanView) -> None:
        """Work out now what one exchange says by itself, so that a later proposal is quick.

        Proposals are the same with it and without it.
        """
        if len(self._known) >= MOST_READ_AHEAD:
            self._known = {}
        cues = self._cues or built_in_cues()
        reading, before = self.reading_of(span), self._newest
        self._newest = reading
        self._read_what_leads_to(reading, cues)
        directives.read_ahead(reading, cues)
        if before is not None:
            said = as_handed_over(before, reading)
            _read_claims(said, _told_by(said, cues), cues)
        goals.reports_on_all(reading, cues)
        prose.said_to_be_next(reading, cues)
        prose.request_in(reading)
        prose.open_question(reading, cues)
        folding.shown_in([reading], cues)
        failures_said.read_ahead(reading, cues)
        conceded.read_ahead(reading, cues)
        failures_shown.read_ahead(reading)
        verdicts.means_to_fail(reading)
        actions.settings_in(reading)
        jobs.reported_ends(reading)
        command_parts.parts_in(reading)
        effects.read_ahead(reading)
        taken_back.steps_back(reading)
        _read_claims(reading, conclusions.read_ahead(reading, before, cues), cues)
        _read_promises(reading, cues)
        _read_changes(reading, cues)
        alone.held(reading, cues)
        tool_facts.facts_of_tools(reading, cues, frozenset())
        index.read_ahead(reading)

    def _read_what_leads_to(self, reading: Reading, cues: Cues) -> None:
        """The latest message again, where calls in silence follow it."""
        if not leading.is_silent(reading):
            self._heard = [reading]
        elif self._heard and len(self._heard) <= leading.FARTHEST:
            self._heard.append(reading)
            said, *silent = self._heard
            doing = leading.with_calls_of(said.going_on, silent)
            found = alone.led_to(doing, cues)
            holding.read_ahead(doing, [made.item.text for made in found], cues)

    @property
    def name(self) -> str:
        """Short name for reports."""
        return "extractive"

    def propose(self, request: SummaryRequest) -> Delta:
        """Operations that fold the spans into the record; never raises for any transcript."""
        cues = self._cues or built_in_cues()
        readings, tail = self._read(request)
        scene = Scene(request, readings, tail, cues)
        operations: list[Operation] = [
            *scene.directive_operations(),
            *plan_operations(scene.attempts, request.old.items),
            *pointer_operations(request.spans, request.old.items),
            *scene.claim_operations(),
            *scene.closing_operations(),
            *scene.next_operations(),
        ]
        operations.extend(folding.set_aside(request.old.items, operations, request.target_tokens))
        return Delta(
            operations=tuple(operations), proposed_by=Proposer.OFFLINE, summarizer=self.name
        )

    def index(self, request: SummaryRequest) -> tuple[tuple[IndexEntry, ...], tuple[Mention, ...]]:
        """The index and the identifier statistics after the spans were absorbed, best first."""
        readings, tail = self._read(request)
        in_view = {
            name
            for reading in tail
            for names in (reading.agent_names, reading.tool_names, reading.user_names)
            for name in names
        }
        return index.indexed(
            request.old.index,
            request.old.mentions,
            readings,
            in_view=frozenset((*in_view, *identifiers_in(request.goal))),
            now=_behind(request.tail) or _behind(request.spans),
        )

    def revalue(self, request: SummaryRequest, record: HandoffRecord) -> HandoffRecord:
        """The record with every item's uses, last use and value as of this compaction.

        Call it behind apply_delta and index, whoever proposed the items: an item ages by the
        agent's own use of what it names, never by rounds. What is next leaves the record once the
        agent reported on it.
        """
        weight = {m.name: m for m in record.mentions}
        now = _behind(request.tail) or _behind(request.spans)
        cues = self._cues or built_in_cues()
        items = tuple(
            _revalued(item, weight, now, cues) if item.live else item for item in record.items
        )
        aged = replace(record, items=items, goal_status=self._goal_status(request, record))
        readings, tail = self._read(request)
        span = aged.next_evidence[0].span if aged.next_evidence else ""
        done = announced.is_carried_out(aged.next, span, in_order(readings, tail), cues)
        asked_anew = prose.asks_anew(readings, tail, span)
        if done or asked_anew or prose.is_reported_on(aged, request.old, readings, cues):
            aged = replace(aged, next="", next_evidence=())
        if not (aged.next or asked_anew):
            since = request.spans[0].position if request.spans else 0
            left, shown = prose.still_open(aged, since)
            aged = replace(aged, next=left, next_evidence=shown)
        return aged

    def _goal_status(self, request: SummaryRequest, record: HandoffRecord) -> str:
        """A goal that the caller set is the caller's to call done."""
        if request.goal_given or record.goal_status != goals.OPEN:
            return record.goal_status
        readings, tail = self._read(request)
        cues = self._cues or built_in_cues()
        told = in_order(readings, tail)
        return goals.goal_status_after(record.goal_status, told, cues, goal=request.goal)


def _same(one: SpanView, other: SpanView) -> bool:
    """Whether two views show the same exchange with the same text."""
    return (
        one.position == other.position
        and one.calls == other.calls
        and [m.digest for m in one.messages] == [m.digest for m in other.messages]
    )


def _behind(spans: Sequence[SpanView]) -> int:
    return spans[-1].positions[-1] + 1 if spans and spans[-1].positions else 0


def _revalued(item: Item, weight: dict[str, Mention], now: int, cues: Cues) -> Item:
    named = [weight[n] for n in identifiers_in(item.text) if n in weight]
    last = max((item.last_used, *(m.last for m in named if m.agent_uses)))
    fresh = 1.0 / (1.0 + max(0, now - last) / 60.0)
    value = 0.2 + fresh + sum(sorted((m.weight for m in named), reverse=True)[:3])
    if item.kind == "fact" and item.said_by is Speaker.USER:
        value += statements.weight_of(item.text, cues)
    uses = max((item.uses, 0, *(m.agent_uses for m in named)))
    return item.changed(uses=uses, last_used=last, value=round(value, 4))


def _read_promises(reading: Reading, cues: Cues) -> None:
    """Work out what one exchange asks for or sets out to do, and what its calls did."""
    asks_for_a_proposal(reading)
    refuses(reading)
    intentions.intentions_in(reading)
    intentions.done_in(reading)
    lessons.lessons_in(reading)
    announced.announced_in(reading, cues)
    announced.ordered_in(reading, cues)
    announced.taken_in(reading)
    stepwise.plan_in(reading, cues)
    among_agents.plan_told(reading)
    stepwise.comes_to(reading)
    worked_off.left_beside(reading, cues)
    worked_off.parts_begun(reading)


def _read_claims(reading: Reading, said: Sequence[str], cues: Cues) -> None:
    """Work out what the claims of one exchange tell, and what its calls came to."""
    holding.read_ahead(reading, said, cues)
    overtaken.read_ahead(reading, said)
    if reading.finished:
        made_so.read_ahead(said)


def _read_changes(reading: Reading, cues: Cues) -> None:
    """Work out what one exchange changes, and what it says of that."""
    progress.left_in(reading, cues)
    listed_choices(reading)
    agreed.recommended(reading)
    choices_written.read_ahead(reading)
    designs.read_ahead(reading)


def _told_by(said: Reading, cues: Cues) -> list[str]:
    """What the agent claims in one exchange alone."""
    made = (
        *alone.led_to(said, cues),
        *alone.handed_over(said, cues),
        *reported_of_work(said, cues),
        *listed_choices(said),
    )
    return [each.item.text for each in made]
