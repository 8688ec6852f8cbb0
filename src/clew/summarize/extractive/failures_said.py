"""Failures that the agent tells of in words, about a call.

A command that ended well may still not have done what it was for. Only somebody's words say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from itertools import pairwise

from clew.record.claims import one_line
from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.admissions import (
    STILL,
    account,
    admission,
    quoted_error,
    repeats,
    takes_back,
)
from clew.summarize.extractive.claims import Claim, claim, settled
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.failures_reported import (
    FAILED,
    TRYING,
    named,
    not_done_by_helpers,
    quoted,
    reports_in,
    told_as_done,
)
from clew.summarize.extractive.failures_shown import error_in
from clew.summarize.extractive.gave_up import stopped_in
from clew.summarize.extractive.mending import (
    fault_named,
    fault_seen,
    makes_trouble,
    mended,
    realized,
    undershot,
    way_left,
)
from clew.summarize.extractive.objections import objects
from clew.summarize.extractive.once import once
from clew.summarize.extractive.own_mistakes import mistakes_in, own_mistakes
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.redirected import broken_off, other_course
from clew.summarize.extractive.rejected_ideas import ideas_in, rejected_ideas
from clew.summarize.extractive.second_thoughts import dropped_in
from clew.summarize.extractive.sentences import first_line, shortened, topic_words
from clew.summarize.extractive.stating import says_how_it_is
from clew.summarize.extractive.still_so import still_so, still_so_in
from clew.summarize.extractive.told_runs import asked_in, instruction_in, led, told_in
from clew.summarize.extractive.tried_again import aims, nothing_shown
from clew.tools_seen.seen import Action

_EXPLAINED = 0.3
"""What the agent's own account adds to the rank of a failed call."""
_LONGEST_SAID = 200
_FEW_MESSAGES = 8
_FAILS_STILL = re.compile(
    r"\bstill\s(?:being\s)?(?:fail|reject|refus|crash|complain|ignor|block|broken|hang)",
    re.IGNORECASE,
)
_LEAST = 0.8
"""The rank of what is told without the call that it is about."""
_MENDED = 0.3
"""The rank of what only tells by being set right at once that it went wrong."""
SET_RIGHT, LEFT = "set right at once", "left for another way"
_COMPLAINT = re.compile(
    r"^\W*(?:please always|please (?:provide|use|call|format)|error\b|invalid\b|no (?:tool|action|"
    r"valid)\b|you (?:must|did not|didn't|have to)\b|your (?:last|previous) )",
    re.IGNORECASE,
)
_CHANGING = frozenset({Action.WRITE, Action.EFFECT})


def admitted_failures(
    readings: Sequence[Reading], dead: Sequence[Claim], solved: frozenset[str], cues: Cues
) -> list[Claim]:
    """The failed calls with what the agent said of them, and failures that only it tells of.

    `solved` are spans whose failed calls worked later: words about those are over as well.
    """
    heard = _Heard(dead=dead, solved=solved)
    changed = trouble = None
    for place, (before, reading) in enumerate(pairwise(readings)):
        changed = before if _changes(before) else changed
        trouble = before if _fails(before) else trouble
        if reading.typed or not (before.calls or before.results):
            continue
        words = told_of_before(reading, cues)
        if words is None:
            continue
        tried = _tried(before, readings[place - 1] if place else None)
        if tried is not None and not _trying(tried):
            # What a look shows to be wrong is what the change before it did.
            tried = changed if takes_back(reading) or _near(changed, reading) else tried
        delegated = tried is not None and any(c.action is Action.DELEGATE for c in tried.calls)
        if tried is None or (place == 0 and not (_trying(tried) or delegated)):
            # Of what a stretch begins with nobody sees here what was tried.
            heard.begin(reading, words)
            continue
        if words.admitted is not None:
            heard.admit(words.admitted, reading, tried, before)
        else:
            # A look between a failure and what is set right belongs to the failure.
            looked = trouble is not None and _near(trouble, reading) and not _trying(tried)
            new = changed if _near(changed, reading) else None
            heard.notice(words, reading, trouble if looked and trouble else tried, before, new)
        heard.account(words.account, reading, tried, before)
        heard.account(words.realized, reading, tried, before)
    alone = [*own_mistakes(readings), *rejected_ideas(readings), *still_so(readings)]
    return [*heard.kept.values(), *heard.told, *(c for c in alone if not heard.holds(c))]


@once
def _changes(reading: Reading) -> bool:
    return any(call.action in _CHANGING for call in reading.calls)


@once
def _fails(reading: Reading) -> bool:
    return any(call.outcome in FAILED for call in reading.calls)


@once
def _trying(reading: Reading) -> bool:
    return any(call.action in TRYING for call in reading.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What an exchange says of what came before it, each empty where it does not."""

    admitted: str | None
    account: str
    realized: str
    mended: str
    undershot: str
    fault_named: str
    fault_seen: str
    way_left: str


@once
def told_of_before(reading: Reading, cues: Cues) -> _Words | None:
    """What an exchange says of what came before it; None where it only goes on."""
    words = _Words(
        admitted=admission(reading, cues),
        account=account(reading),
        realized=realized(reading),
        mended=mended(reading),
        undershot=undershot(reading),
        fault_named=fault_named(reading),
        fault_seen=fault_seen(reading),
        way_left=way_left(reading),
    )
    admitted, *others = astuple(words)
    return words if admitted is not None or any(others) else None


class _Heard:
    """The failed calls while what the agent says of them is put to them, and what only it tells."""

    def __init__(self, *, dead: Sequence[Claim], solved: frozenset[str]) -> None:
        self._known = {evidence.span: id(made) for made in dead for evidence in made.item.evidence}
        self._solved = solved
        self.kept = {id(made): made for made in dead}
        self.told: list[Claim] = []

    def account(self, said: str, reading: Reading, tried: Reading, before: Reading) -> None:
        """Put the first words behind a failed call into its evidence."""
        place = self._failed(tried, before) if said else None
        if place is not None:
            self.kept[place] = _resting_on(self.kept[place], said, reading)

    def begin(self, reading: Reading, words: _Words) -> None:
        """Take in what is set right, or still fails, where a stretch begins in the middle of it."""
        admitted = words.admitted or ""
        if _FAILS_STILL.search(admitted) is not None and says_how_it_is(admitted):
            span, place = reading.handle, reading.position
            by = Speaker.AGENT
            made = claim("dead_end", admitted, span=span, position=place, said_by=by, rank=_LEAST)
            self.told.append(made)
        elif words.mended and any(c.action is Action.WRITE for c in reading.calls):
            made = claim(
                "dead_end",
                words.mended,
                span=reading.handle,
                position=reading.position,
                said_by=Speaker.AGENT,
                rank=_MENDED,
            )
            self.told.append(settled(made, Status.CLOSED, SET_RIGHT, None))

    def notice(
        self,
        words: _Words,
        reading: Reading,
        tried: Reading,
        before: Reading,
        changed: Reading | None,
    ) -> None:
        """Take in what no word of failure tells: what was not done, and what is set right.

        `changed` is the latest change shortly before.
        """
        place = self._failed(tried, before)
        if place is not None:
            self.account(words.mended or words.fault_named, reading, tried, before)
            return
        over = tried.handle in self._solved or before.handle in self._solved
        if not over and words.way_left:
            made = replace(_told_by_agent(words.way_left, reading, tried), rank=_MENDED)
            self.told.append(settled(made, Status.CLOSED, LEFT, None))
            return
        helped = any(call.action is Action.DELEGATE for call in tried.calls)
        if over or not (_trying(tried) or (helped and makes_trouble(words.mended))):
            return
        ran = any(c.action in {Action.RUN, Action.OTHER} for c in tried.calls)
        if words.undershot:
            self.told.append(_told_by_agent(words.undershot, reading, tried))
        elif said := (
            words.mended
            or (words.fault_named if ran and changed else "")
            or (words.fault_seen if changed else "")
        ):
            made = replace(_told_by_agent(said, reading, tried), rank=_MENDED)
            self.told.append(settled(made, Status.CLOSED, SET_RIGHT, None))

    def admit(self, said: str, reading: Reading, tried: Reading, before: Reading) -> None:
        """Take in that something did not do what it should."""
        place = self._failed(tried, before)
        if place is None and _only_wrote(before) and repeats(said):
            return  # Who runs a check again behind a change says nothing of a failure.
        still = STILL.search(said) is not None
        if place is None:
            # Words about a failure that is over are over as well; a way that still failed is not.
            over = tried.handle in self._solved or before.handle in self._solved
            if over and not still:
                return
            if _trying(tried) and (still or _says_how(said, reading)):
                self.told.append(_told_by_agent(said, reading, tried))
            elif repeats(said):
                self.told.append(_told_by_agent(said, reading, before if before.calls else tried))
        elif not self.kept[place].item.why:
            self.kept[place] = _explained(self.kept[place], said, reading)
        elif still:
            self.told.append(_told_by_agent(said, reading, tried))
        else:
            self.kept[place] = _resting_on(self.kept[place], said, reading)

    def holds(self, made: Claim) -> bool:
        """Whether what the agent says of an exchange is told of a call already."""
        span, said = made.item.evidence[0].span, made.item.text
        return any(
            each.item.evidence[0].span == span and said in each.item.text for each in self.told
        )

    def _failed(self, tried: Reading, before: Reading) -> int | None:
        return self._known.get(tried.handle) or self._known.get(before.handle)


def _only_wrote(reading: Reading) -> bool:
    """Whether all that an exchange did was to edit files, and it did it."""
    calls = reading.calls
    return bool(calls) and all(
        call.action is Action.WRITE and not call.command and call.outcome not in FAILED
        for call in calls
    )


def _says_how(said: str, reading: Reading) -> bool:
    """Whether a sentence says what went wrong, not what is done about it."""
    return says_how_it_is(said) or said == quoted_error(reading)


def read_ahead(reading: Reading, cues: Cues) -> None:
    """Work out what one exchange says of failures, whatever the others say."""
    _changes(reading)
    _fails(reading)
    _trying(reading)
    told_of_before(reading, cues)
    mistakes_in(reading)
    ideas_in(reading)
    led(reading)
    still_so_in(reading)
    takes_back(reading)
    quoted_error(reading)
    told_as_done(reading, cues)
    reports_in(reading, cues)
    not_done_by_helpers(reading)
    error_in(reading)
    told_in(reading)
    instruction_in(reading)
    asked_in(reading)
    stopped_in(reading)
    objects(reading, cues)
    dropped_in(reading)
    broken_off(reading)
    other_course(reading, cues)
    nothing_shown(reading)
    aims(reading)


def _tried(before: Reading, earlier: Reading | None) -> Reading | None:
    """The exchange with the call whose result was read: the one before where calls are text."""
    if before.calls:
        return before
    return earlier if earlier is not None and earlier.calls else None


def _near(changed: Reading | None, reading: Reading) -> bool:
    return changed is not None and reading.position - changed.position <= _FEW_MESSAGES


def _told_by_agent(said: str, reading: Reading, before: Reading) -> Claim:
    call = next((c for c in reversed(before.calls) if c.action in TRYING), before.calls[-1])
    beside = before.position + len(before.calls) >= reading.position - 2
    beside = beside or takes_back(reading)
    about = beside or not topic_words(said).isdisjoint(topic_words(named(call)))
    tried = shortened(named(call), 100) if about else ""
    why = realized(reading)
    why = "" if said in why or why in said else why
    shown = [*_repeated(said, reading)]
    shown.extend(Evidence(span=reading.handle, quote=each) for each in (why,) if each)
    if beside and (error := error_in(before)) and error not in said:
        shown.append(Evidence(span=before.handle, quote=error))
    if about:
        shown.append(Evidence(span=before.handle, quote=quoted(named(call), before)))
    return claim(
        "dead_end",
        said,
        text=f"{tried} → {said}" if tried else said,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        why=one_line(why),
        evidence=tuple(shown),
        rank=1.2,
    )


def _repeated(said: str, reading: Reading) -> tuple[Evidence, ...]:
    """The error line that stands beside what the agent said of it."""
    error = quoted_error(reading)
    return (Evidence(span=reading.handle, quote=error),) if error and error not in said else ()


def _resting_on(made: Claim, said: str, reading: Reading) -> Claim:
    """The claim with the first words behind it in its evidence; they take no room of the view."""
    if any(said in quote.quote for quote in made.item.evidence if quote.span == reading.handle):
        return made
    evidence = (*made.item.evidence, Evidence(span=reading.handle, quote=said))
    return made.of(made.item.changed(evidence=evidence))


def _explained(made: Claim, said: str, reading: Reading) -> Claim:
    evidence = (*made.item.evidence, Evidence(span=reading.handle, quote=said))
    item = replace(made.item, why=said, evidence=evidence)
    return replace(made, item=item, rank=made.rank + _EXPLAINED)


def refused_answers(readings: Sequence[Reading]) -> list[Claim]:
    """What the agent's program would not take from it, once for each complaint."""
    made: dict[str, Claim] = {}
    for reading in readings:
        bare = not (reading.typed or reading.prose or reading.calls or reading.results)
        line = (
            first_line(reading.harness[0], most=_LONGEST_SAID) if bare and reading.harness else ""
        )
        if line and not line.endswith("…") and _COMPLAINT.match(line):
            made[line] = claim(
                "dead_end",
                line,
                text=f"an answer that was refused → {line}",
                span=reading.handle,
                position=reading.position,
                said_by=Speaker.TOOL,
                rank=1.5,
            )
    return list(made.values())
