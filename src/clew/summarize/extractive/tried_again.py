"""Looks that gave nothing and were made in another way at once: the first form is a dead end.

No word of failure stands anywhere. That a search came back empty and that the next call looks for
the same thing in another form, or elsewhere, tells that the first one was not the way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.actions import Attempt, verbatim
from clew.summarize.extractive.claims import Claim, claim, resting_on
from clew.summarize.extractive.failures_shown import bare_lines
from clew.summarize.extractive.nothing_came import none_shown
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.seen import Action, CallSeen, Outcome

REASON = "it gave nothing, and another way was taken at once"
_LOOKS = frozenset({Action.READ, Action.SEARCH})
_TRIES = frozenset({*_LOOKS, Action.RUN, Action.OTHER})
_FAR, _SINCE_A_CHANGE = 3, 3
_MOST, _LONGEST, _WAYS = 8, 240, 12
_LAST_WORDS = 160
"""Characters at the end of what is said beside a call: what the call is for."""
_RANK = 0.15
_NAME = re.compile(r"[A-Za-z0-9_]{6,}")
_WORDS = re.compile(r"\S+")
_AIMS = re.compile(
    r"\bto\s(?:see|check|find\sout|determine)\s(?:if|whether|for)\b|\b(?:might|may|could)\s(?:contain|hold|have|"
    r"be|reveal|show)\b|\b(?:search|look|check)(?:ing)?\s(?:\w+\s){0,3}?for\s(?:any|an?)\b",
    re.IGNORECASE,
)
"""Says what a look is hoped to show."""
_NONE_IS_GOOD = re.compile(
    r"\b(?:remain\w*|left\s?over|leftover|stale|other|others|still|any\s?more|unused|dead|duplicat\w*|"
    r"conflict\w*|verify|verifying|confirm|make\ssure|double-check|broken|missed|stray|no\slonger)\b",
    re.IGNORECASE,
)
"""Looks for what is not wanted."""


def tried_again(attempts: Sequence[Attempt], recorded: Collection[str]) -> list[Claim]:
    """The looks of the spans in `recorded` that gave nothing, behind which another way was tried.

    Those of one sort stand once, the latest with the others in its evidence.
    """
    made: dict[tuple[str, str], Claim] = {}
    for attempt in attempts:
        line = _nothing(attempt)
        absorbed = attempt.reading.handle in recorded
        if line is None or not absorbed or _verifies(attempt, attempts):
            continue
        later = _another_way(attempt, attempts)
        found = _gave_nothing(attempt, line, later) if later is not None else None
        if found is not None:
            sort = (_sent(attempt.call).split(None, 1)[0], line)
            before = made.pop(sort, None)
            made[sort] = found if before is None else _with_ways_of(before, found, line)
    return list(made.values())[-_MOST:]


def _with_ways_of(before: Claim, found: Claim, line: str) -> Claim:
    """The later of two looks of one sort, with the ways of the earlier but not its answers."""
    ways = tuple(each for each in before.item.evidence if each.quote != line)
    return resting_on(found, before.of(before.item.changed(evidence=ways)), most=_WAYS)


def _nothing(attempt: Attempt) -> str | None:
    """The line with which a look says that there is nothing, empty where it is silent."""
    call = attempt.call
    if call.action not in _LOOKS or call.outcome in {Outcome.REFUSED, Outcome.PENDING}:
        return None
    shown = nothing_shown(attempt.answer)
    # Of calls that were sent together nobody knows here which result is whose.
    if not shown or len(attempt.reading.calls) > 1:
        return None
    line = shown[0]
    # A recording that holds no result at all shows nothing of what came.
    unseen = line == "" and not call.command and call.outcome is not Outcome.OK
    return None if unseen else line


@once
def nothing_shown(reading: Reading) -> tuple[str | None, ...]:
    """By result of an exchange the line that says that there is nothing; None where something is.

    The line is empty where nothing at all was printed.
    """
    return tuple(_line_of(result) for result in reading.results)


def _line_of(result: str) -> str | None:
    if len(result) > 2 * _LONGEST + 600:
        return None
    lines = bare_lines(result)
    if not lines:
        return ""
    return none_shown(lines) or None


@once
def aims(reading: Reading) -> bool:
    """Whether the words beside a call say what it is hoped to show, and that it is wanted."""
    words = reading.prose or reading.reasoning
    said = words[-1][-_LAST_WORDS:] if words else ""
    return _AIMS.search(said) is not None and _NONE_IS_GOOD.search(said) is None


def _verifies(attempt: Attempt, attempts: Sequence[Attempt]) -> bool:
    """Whether a look comes right behind a change, so that nothing may be what it should show."""
    words = (*attempt.reading.prose, *attempt.reading.reasoning)
    if any(_NONE_IS_GOOD.search(said[-_LAST_WORDS:]) for said in words):
        return True
    before = attempts[max(0, attempt.order - _SINCE_A_CHANGE) : attempt.order]
    return any(each.call.action in {Action.WRITE, Action.EFFECT} for each in before)


def _another_way(attempt: Attempt, attempts: Sequence[Attempt]) -> Attempt | None:
    """The call right behind a look that is about the same and not the same."""
    names, here = _names(attempt.call), attempt.reading
    aimed = aims(here)
    exchanges: list[str] = []
    first: Attempt | None = None
    for other in attempts[attempt.order + 1 : attempt.order + 1 + 2 * _FAR]:
        if other.reading.typed or other.call.action not in _TRIES:
            break
        if other.reading.handle == here.handle:
            continue  # Calls that were sent together tell nothing of each other.
        if other.reading.handle not in exchanges:
            exchanges.append(other.reading.handle)
        if len(exchanges) > _FAR:
            break
        if _sent(other.call) == _sent(attempt.call):
            continue
        looks = other.call.action in _LOOKS and len(exchanges) == 1
        if aimed and looks and aims(other.reading):
            return other
        if _share(names, _names(other.call)):
            first = first or other
            # Where no form of a look shows anything there was nothing to find.
            if _nothing(other) is None and other.call.outcome is Outcome.OK:
                return first
    return None


def _sent(call: CallSeen) -> str:
    return call.command or f"{call.tool} {call.resource}"


def _names(call: CallSeen) -> frozenset[str]:
    """The names that a call looks for: no options, and of a path only what it ends in."""
    words = (word.strip("'\"").rstrip("/") for word in _WORDS.findall(_sent(call)[:600])[1:])
    kept = (word.rpartition("/")[2] for word in words if not word.startswith("-"))
    return frozenset(name for word in kept for name in _NAME.findall(word))


def _share(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a name stands in both, whole or as the beginning of another one."""
    if not one.isdisjoint(other):
        return True
    return any(a.startswith(b) or b.startswith(a) for a in one for b in other)


def _gave_nothing(attempt: Attempt, line: str, later: Attempt) -> Claim | None:
    call, reading = attempt.call, attempt.reading
    sent = verbatim(reading, call.command, call.resource)[:_LONGEST].rstrip()
    shown = verbatim(attempt.answer, line)[:_LONGEST].rstrip() if line else ""
    if not sent:
        return None
    tried = shortened(_sent(call), 140)
    instead = f"{shortened(_sent(later.call), 100)} ({later.reading.handle})"
    return claim(
        "dead_end",
        sent,
        text=f"{tried} \u2192 {shown}" if shown else tried,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.TOOL,
        status=Status.CLOSED,
        reason=REASON,
        evidence=(Evidence(span=attempt.answer.handle, quote=shown),) if shown else (),
        fields=(("instead", instead),),
        rank=_RANK,
    )
