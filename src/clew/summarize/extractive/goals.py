"""Whether the request that a run began with is long done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.questions import asks_the_user
from clew.summarize.extractive.reading import Reading

OPEN, DONE = "open", "done"
_OPENING_CHARS = 120
_SOME_OF = re.compile(
    r"\b\d+ ?(?:/|of|out of) ?\d+\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten) of\b"
    r"|\b(?:remain\w*|left|so far|not yet|partly|partially|still)\b",
    re.IGNORECASE,
)


def goal_status_after(status: str, readings: Sequence[Reading], cues: Cues) -> str:
    """`done` once the agent reported behind the goal and the user agreed to it and asked for more.

    A report alone is not enough: it may be one on a part. The user has to accept it in the next
    message; whoever only says "go on" has not.
    """
    if status != OPEN:
        return status
    for place, reading in enumerate(readings):
        if not reports_on_all(reading, cues):
            continue
        reply = next((later.typed[0] for later in readings[place + 1 :] if later.typed), "")
        if cues.has("approval", reply.strip()[:_OPENING_CHARS]):
            return DONE
    return status


@once
def reports_on_all(reading: Reading, cues: Cues) -> bool:
    """Whether an exchange is a final answer that asks nothing and speaks of no part alone."""
    if not reading.finished:
        return False
    answer = reading.prose[-1]
    return not asks_the_user(answer, cues) and _SOME_OF.search(answer) is None
