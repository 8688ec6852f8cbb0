"""Whether the request that a run began with is long done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.objections import objects
from clew.summarize.extractive.once import once
from clew.summarize.extractive.questions import asks_the_user
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.slash_commands import is_slash_command

OPEN, DONE = "open", "done"
_OPENING_CHARS = 120
_REQUESTS_BEHIND = 2
_FEWEST_WORDS = 4
_GOES_ON = re.compile(
    r"\b(?:continue|go\son|go\sahead|proceed|next|rest|remaining|keep\sgoing|carry\son|finish|"
    r"(?:all|both)\sof\s(?:them|it|these|those)|steps?\s\d|phase|part)\b|^\W*(?:yes|yeah|yep|ok(?:ay)?|sure|do\b|\d|let['\u2019]?s)\b",
    re.IGNORECASE,
)
"""Lets the agent go on with what it set out to do."""
_SOME_OF = re.compile(
    r"\b\d+ ?(?:/|of|out of) ?\d+\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten) of\b"
    r"|\b(?:remain\w*|left|so far|not yet|partly|partially|still)\b",
    re.IGNORECASE,
)


def goal_status_after(status: str, readings: Sequence[Reading], cues: Cues) -> str:
    """`done` once the agent reported behind the goal and the user agreed to it and asked for more.

    A report alone is not enough: it may be one on a part. The user has to accept it in the next
    message, or to go over to other requests without a word against it; whoever only says "go on"
    has done neither.
    """
    if status != OPEN:
        return status
    moved_on, told = 0, False
    for place, reading in enumerate(readings):
        if told and reading.typed:
            told = False
            moved_on = 0 if objects(reading, cues) else moved_on + _asks_for_more(reading)
            if moved_on >= _REQUESTS_BEHIND:
                return DONE
        if not reports_on_all(reading, cues):
            continue
        told = True
        reply = next((later.typed[0] for later in readings[place + 1 :] if later.typed), "")
        if cues.has("approval", reply.strip()[:_OPENING_CHARS]):
            return DONE
    return status


def _asks_for_more(reading: Reading) -> bool:
    """Whether a person's message is a request of its own, not a word that lets the work go on."""
    text = reading.typed[-1].strip()
    few = len(text.split()) < _FEWEST_WORDS
    return not (few or is_slash_command(text) or _GOES_ON.search(text[:_OPENING_CHARS]))


@once
def reports_on_all(reading: Reading, cues: Cues) -> bool:
    """Whether an exchange is a final answer that asks nothing and speaks of no part alone."""
    if not reading.finished:
        return False
    answer = reading.prose[-1]
    return not asks_the_user(answer, cues) and _SOME_OF.search(answer) is None
