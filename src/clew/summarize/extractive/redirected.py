"""Ways that a person stopped: work that was broken off, with what they said to do in its place.

Who interrupts and then says something other than "go on" does not want what was being done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Evidence, Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.failed_alike import intent
from clew.summarize.extractive.failures_reported import named, quoted, reports_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.pasted import pasted_spans
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.seen import Action
from clew.tools_seen.slash_commands import is_slash_command

_BROKEN_OFF = re.compile(
    r"^\W*(?:\[?request\sinterrupted\sby\suser|<turn_aborted>|(?:the\s)?(?:turn|task|response|generation|"
    r"conversation)\s(?:was\s)?(?:interrupted|aborted|cancell?ed|stopped)\sby\s(?:the\s)?user|"
    r"\[?(?:operation|request)\s(?:was\s)?(?:cancell?ed|interrupted|aborted)\b)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|sorry|please|oops|yes|yeah|sure)\b\W*)*(?:go\son\b|go\sahead|continue|proceed|"
    r"resume|carry\son|keep\sgoing|try\sagain|retry|again\W*$|you\s(?:can|may)\b|finish\b|done\W*$)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^\W*(?:what|why|how|which|where|when|who|is|are|did|does|do\syou|have\syou|can\syou\s(?:explain|tell|show))"
    r"\b[^.\n]*\?",
    re.IGNORECASE,
)
_SETS_RIGHT = re.compile(
    r"\b(?:not|no|don['\u2019]?t|do\snot|isn['\u2019]?t|aren['\u2019]?t|stop|wrong|instead|rather|never|"
    r"too|without|only|just|shouldn['\u2019]?t|should|actually|wait|let['\u2019]?s|try|use|better)\b",
    re.IGNORECASE,
)
"""Says what not to do, or what to do in its place."""
_FEWEST_WORDS, _LONGEST_SAID, _LONGEST_MESSAGE = 4, 240, 1_500
_FARTHEST = 8
_NO_WAYS = frozenset({Action.ASK, Action.PLAN})


def redirected(readings: Sequence[Reading], cues: Cues) -> list[Claim]:
    """What was being done when a person broke it off and said something else."""
    made: list[Claim] = []
    for place, reading in enumerate(readings):
        stopped = place and broken_off(reading)
        answer = (
            next((r for r in readings[place : place + 2] if r.typed), None) if stopped else None
        )
        said = other_course(answer, cues) if answer is not None else ""
        tried = _being_done(readings[max(0, place - _FARTHEST) : place + 1]) if said else None
        if answer is not None and tried is not None:
            made.append(_stopped(said, answer, tried))
    return made


@once
def broken_off(reading: Reading) -> bool:
    """Whether an exchange holds the harness's word that a person broke the work off.

    What a program printed is nobody's word for it.
    """
    return any(_BROKEN_OFF.match(text[:200]) is not None for text in reading.harness)


@once
def other_course(reading: Reading, cues: Cues) -> str:
    """The first line of a person's message that sets the agent on another course; empty without."""
    text = reading.typed[-1].strip() if reading.typed else ""
    told = any(said for _, said in reports_in(reading, cues))
    unfit = not text or len(text) > _LONGEST_MESSAGE or is_slash_command(text) or told
    if unfit or pasted_spans(text) or _GOES_ON.match(text) or _ASKS.match(text):
        return ""
    line = text.split("\n", 1)[0].strip()[:_LONGEST_SAID].rstrip()
    few = len(line.split()) < _FEWEST_WORDS or _SETS_RIGHT.search(line) is None
    return "" if few or line.endswith((";", "{", "}")) else line


def _being_done(readings: Sequence[Reading]) -> Reading | None:
    """The latest exchange with calls that no message of a person follows."""
    for reading in reversed(readings):
        if reading.calls:
            # Who answers a question in words of their own stops nothing.
            return None if reading.calls[-1].action in _NO_WAYS else reading
        if reading.typed and not broken_off(reading):
            return None
    return None


def _stopped(said: str, answer: Reading, tried: Reading) -> Claim:
    call = named(tried.calls[-1])
    return claim(
        "dead_end",
        said,
        text=f"{shortened(call, 140)} \u2192 {said}",
        span=answer.handle,
        position=answer.position,
        said_by=Speaker.USER,
        evidence=(Evidence(span=tried.handle, quote=quoted(call, tried)), *intent(tried)),
        rank=1.4,
    )
