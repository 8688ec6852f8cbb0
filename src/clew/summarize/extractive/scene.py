"""One compaction as the offline summarizer sees it: what it proposes, kind by kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.record.delta import Add, Close, Dismiss, Operation, SetNext
from clew.record.items import Evidence, Item
from clew.summarize.extractive import (
    actions,
    agreed,
    alone,
    approvals,
    choices_written,
    conclusions,
    designs,
    directives,
    effects,
    failed_calls,
    failures_reported,
    failures_said,
    failures_shown,
    folding,
    holding,
    jobs,
    leading,
    made_so,
    overtaken,
    progress,
    promises,
    prose,
    replacing,
    statements,
    taken_back,
    tool_facts,
)
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.conceded import conceded
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.gave_up import given_up
from clew.summarize.extractive.proposals import without_proposals
from clew.summarize.extractive.reading import Reading, in_order
from clew.summarize.extractive.redirected import redirected
from clew.summarize.extractive.second_thoughts import second_thoughts
from clew.summarize.extractive.told_runs import told_failures
from clew.summarize.extractive.tried_again import tried_again
from clew.summarize.extractive.undone import with_changes_undone
from clew.summarize.request import SummaryRequest

_A_PASSAGE = 60
"""From how many characters on nobody repeats words by chance."""


class Scene:
    """The new spans, the tail and the old record, read once for one proposal."""

    def __init__(
        self,
        request: SummaryRequest,
        readings: list[Reading],
        tail: list[Reading],
        cues: Cues,
    ) -> None:
        self._request = request
        self._cues = cues
        self._old = request.old.items
        self.attempts = actions.attempts_in(readings)
        self._continued = _behind(self.attempts, tail)
        self._recorded = frozenset(reading.handle for reading in readings)
        # What stays word for word among the spans, as the user's newest message does, answers them.
        last = readings[-1].position if readings else 0
        self._readings = in_order(readings, [each for each in tail if each.position < last])
        self._tail = [each for each in tail if each.position >= last]

    def directive_operations(self) -> list[Operation]:
        """The user's messages, and what answered those that were open."""
        made: list[Operation] = []
        everything = [*self._readings, *self._tail]
        for item in self._old:
            if item.kind == "directive" and item.live:
                made.extend(self._settled(item, everything))
        found = directives.directives_in(everything, self._request.goal, self._cues)
        made.extend(
            Add(item=each.item) for each in found if each.item.evidence[0].span in self._recorded
        )
        return made

    def _settled(self, item: Item, later: Sequence[Reading]) -> list[Close]:
        """Closes a directive of the record that the new spans or the tail settle."""
        after = directives.outcome_after(Claim(item=item), later, self._cues)
        if after is None:
            return []
        shown = after.item.evidence[-1:]
        status, reason = after.item.status, after.item.reason
        return [Close(id=item.id, status=status, evidence=shown, reason=reason)]

    def claim_operations(self) -> list[Operation]:
        """Everything that is claimed in the new spans, against the record and itself."""
        claims: list[Claim] = [
            *actions.environment_in(self.attempts),
            *self._effects(),
            *jobs.jobs_in(self.attempts, self._readings, self._continued),
            *actions.approvals_asked(self.attempts),
        ]
        before: Reading | None = None
        ended: set[str] = set()
        everything = [*self._readings, *self._tail]
        used = frozenset().union(*(reading.agent_names for reading in everything))
        for place, (reading, after) in enumerate(
            zip(self._readings, self._followers(), strict=True)
        ):
            if reading.typed:
                claims.extend(self._claims_of_person(reading, before, after))
            said = doing = as_handed_over(reading, after)
            if said.finished:
                ended.add(reading.handle)
            elif said.prose:
                doing = leading.with_calls_of(said, leading.silent_behind(everything, place))
            claims.extend(alone.led_to(doing, self._cues))
            claims.extend(alone.handed_over(said, self._cues))
            claims.extend(alone.held(reading, self._cues))
            claims.extend(tool_facts.facts_of_tools(reading, self._cues, used))
            if (question := prose.open_question(reading, self._cues)) is not None:
                claims.append(question)
            before = reading
        claims = self._with_what_followed(claims, frozenset(ended))
        dead, dismissed = self._failures()
        kept = self._kept(self._new([*claims, *dead]))
        return [*replacing.folded(kept, self._old), *dismissed]

    def _claims_of_person(
        self, reading: Reading, before: Reading | None, after: Reading | None
    ) -> list[Claim]:
        """What a person told or ruled, approved of and took up in an exchange."""
        cues, goal = self._cues, self._request.goal
        if text := statements.told(reading, after, cues, goal):
            said = statements.statement(text, reading, cues)
        else:
            rules = directives.rules_in(reading, cues, goal=goal, before=before)
            said = [each for each in rules if not self._is_quoted_back(each)]
        approved = approvals.approvals_in(reading, before, cues)
        return [*said, *approved, *agreed.agreed_in(reading, before)]

    def _with_what_followed(self, claims: list[Claim], ended: frozenset[str]) -> list[Claim]:
        """The claims by what the changes of the new spans made of them, and what these chose."""
        made = [
            *made_so.told_as_made(claims, self._readings, ended, self._cues),
            *designs.carried_out(self._readings, self._tail),
            *choices_written.choices_written(self._readings),
        ]
        standing = with_changes_undone(made, self._readings)
        return promises.with_outcomes(standing, self._readings, self._tail, ended, self._cues)

    def _kept(self, claims: list[Claim]) -> list[Claim]:
        """The claims and conclusions that still hold, each once, with what became of them."""
        everything = [*self._readings, *self._tail]
        concluded = self._new(conclusions.conclusions_in(self._readings, self._cues))
        found, concluded = without_proposals(claims, concluded, everything)
        found, concluded = holding.still_holding(found, concluded, everything, self._cues)
        found, concluded = overtaken.still_current(found, concluded, everything)
        self._shown = folding.shown_in(everything, self._cues)
        once = folding.told_once(found, concluded, self._request.target_tokens)
        return folding.with_outcomes(once, self._shown, everything)

    def _is_quoted_back(self, rule: Claim) -> bool:
        """Whether a rule of the user is a passage of the agent's that they pasted."""
        quote = rule.item.evidence[0].quote
        return len(quote) >= _A_PASSAGE and any(
            quote in text
            for reading in self._readings
            if reading.position < rule.position
            for text in reading.prose
        )

    def _new(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims that rest on a span which is absorbed."""
        return [
            made
            for made in claims
            if not made.item.evidence or made.item.evidence[0].span in self._recorded
        ]

    def _effects(self) -> list[Claim]:
        """What the calls did, settled where it was taken back since."""
        made, self._undone = taken_back.taken_back(
            effects.effects_in(self.attempts), self._old, self._readings
        )
        return made

    def _failures(self) -> tuple[list[Claim], list[Dismiss]]:
        """Failed calls, and failures that only somebody's words tell of."""
        tried = [*self.attempts, *self._continued]
        dead, dismissed = failed_calls.failures_in(failures_shown.judged(tried), self._recorded)
        solved = failed_calls.solved_in(dead, dismissed)
        told = [
            *failures_said.admitted_failures(self._readings, dead, solved, self._cues),
            *failures_reported.reported_failures(self._readings, self._cues),
            *failures_reported.helpers_failures(self._readings),
            *conceded(self._readings, self._cues),
            *failures_said.refused_answers(self._readings),
            *told_failures(self._readings),
            *given_up(self._readings),
            *redirected(self._readings, self._cues),
            *second_thoughts(self._readings),
            *tried_again(tried, self._recorded),
        ]
        return told, dismissed

    def _followers(self) -> list[Reading | None]:
        """What came behind each of the new spans."""
        return [*self._readings[1:], *self._tail[:1], None][: len(self._readings)]

    def closing_operations(self) -> list[Operation]:
        """Open items of the record that the new spans settle."""
        shown = folding.closings(self._old, self._shown, self._readings)
        listed = progress.closings(self._old, self._readings, self._cues)
        over = promises.closings(self._old, [*self._readings, *self._tail], self._cues)
        return [
            *{op.id: op for op in (*over, *listed, *shown)}.values(),
            *folding.undone_failures(self._old, self.attempts),
            *jobs.ended_jobs(self._old, self.attempts, self._readings),
            *self._undone,
        ]

    def next_operations(self) -> list[Operation]:
        """The next action, from the latest words of the agent."""
        followed = zip(self._readings, self._followers(), strict=True)
        said = [as_handed_over(reading, after) for reading, after in followed]
        found = prose.next_action(self._readings, self._cues, said)
        if found is None:
            return []
        text, handle = found
        return [SetNext(text=text, evidence=(Evidence(span=handle, quote=text),))]


def as_handed_over(reading: Reading, after: Reading | None) -> Reading:
    """An exchange by what came behind it: who goes on without the user has handed nothing over.

    A question that is written as a call hands over, even where the program answers for the user.
    """
    return reading if after is None or after.typed or reading.calls else reading.going_on


def _behind(attempts: Sequence[actions.Attempt], tail: Sequence[Reading]) -> list[actions.Attempt]:
    """What was tried in the tail, counted on from the attempts in the spans."""
    return [
        replace(attempt, order=attempt.order + len(attempts))
        for attempt in actions.attempts_in(tail)
    ]
