"""What the agent's program says when it gives up: "Only 3 reflections allowed, stopping"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Evidence, Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.failures_reported import named, quoted
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.seen import Action

_ENDING, _LAST_LINES, _LONGEST = 600, 3, 160
_TIMES = r"(?:reflections?|iterations?|turns?|steps?|attempts?|retries|tries|rounds?|tool\scalls)"
_STOPS = re.compile(
    rf"^\W*(?:only\s\d+\s(?:\w+\s)?{_TIMES}\s(?:are\s)?allowed\b[^\n]*\bstopp(?:ing|ed)\b"
    rf"|(?:[\w.]*error:\s)?(?:the\s)?(?:agent|run|session|task)?\s?(?:has\s)?(?:reached|exceeded|hit)\s(?:the\s)?"
    rf"(?:max(?:imum)?|limit\sof)\s(?:\w+\s){{0,3}}?{_TIMES}\b"
    rf"|max(?:imum)?\s(?:\w+\s){{0,2}}?{_TIMES}\s[^\n]{{0,40}}?\b(?:reached|exceeded|exhausted)\b)",
    re.IGNORECASE,
)
_WORDS = (" allowed", "reached", "exceeded", "exhausted", " hit ")
"""One of them stands in whatever the pattern finds, and is looked for far quicker."""
_LOOKS = frozenset({Action.READ, Action.SEARCH})


@once
def stopped_in(reading: Reading) -> str:
    """The line at the end of an exchange in which a program gives up; empty without."""
    if reading.calls and all(call.action in _LOOKS for call in reading.calls):
        return ""
    for text in (*reading.results[-1:], *reading.harness[-1:]):
        ending = text[-_ENDING:]
        if not any(word in ending for word in _WORDS):
            continue
        lines = [line.strip() for line in ending.split("\n") if line.strip()]
        for line in lines[-_LAST_LINES:]:
            if len(line) <= _LONGEST and _STOPS.match(line):
                return line
    return ""


def given_up(readings: Sequence[Reading]) -> list[Claim]:
    """The places where a program gave up, with the last call before it."""
    made: list[Claim] = []
    last: Reading | None = None
    followers = [*readings[1:], None][: len(readings)]
    for reading, after in zip(readings, followers, strict=True):
        last = reading if reading.calls else last
        # Behind a program that gave up nobody goes on but a person.
        line = stopped_in(reading) if after is None or after.typed else ""
        if not line or last is None:
            continue
        tried = named(last.calls[-1])
        made.append(
            claim(
                "dead_end",
                line,
                text=f"{shortened(tried, 100)} \u2192 {line}",
                span=reading.handle,
                position=reading.position,
                said_by=Speaker.TOOL,
                evidence=(Evidence(span=last.handle, quote=quoted(tried, last)),),
                rank=1.2,
            )
        )
    return made
