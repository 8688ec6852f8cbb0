"""Whether the request that a run began with is long done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.objections import objects
from clew.summarize.extractive.once import once
from clew.summarize.extractive.questions import asks_the_user
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import topic_words
from clew.tools_seen.slash_commands import is_slash_command

OPEN, DONE = "open", "done"
_OPENING_CHARS = 120
_REQUESTS_BEHIND = 2
_FEWEST_WORDS = 4
_REPORT_CHARS = 400
_MANY = re.compile(
    r"\b(?:all|every\w*|each|both|whole|entire)\b|\b(?:[2-9]|[1-9]\d{1,3})\s(?:[\w-]+\s){0,2}?[a-z]{2,}s\b"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|many|dozens?)\b",
    re.IGNORECASE,
)
"""Says that the goal is a number of things, of which a report may tell only some."""
_QUESTION = re.compile(
    r"^\W*(?:(?:and|but|so|ok(?:ay)?|hm+|wait)\b\W*)*(?:what|why|how|where|when|which|who|whose|is|are|was|"
    r"were|do|does|did|has|have|had|should|could|can|would|will)(?:n['\u2019]?t|['\u2019]s)?\s",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^\W*(?:(?:and|but|so|ok(?:ay)?)\b\W*)*(?:can|could|would|will)\syou\s(?:(?:also|now|please|then|next)\s)*"
    r"(?!(?:explain|tell|show|see|confirm|check|clarify|describe|say|give|remind|list|verify|find|read|"
    r"access|open|do|be|have|not|really|even)\b)\w",
    re.IGNORECASE,
)
"""Asks politely that something be done, not for words."""
_POINTS_BACK = re.compile(
    r"\b(?:it|its|them|the\ssame|those|these)\W*$|\b(?:to|of|in|on|from|for|with)\s(?:it|its|them)\b",
    re.IGNORECASE,
)
"""Is about what was handed over, without its name."""
_ANY_REQUEST = topic_words(
    "add change check create do file files find fix give help here look make move please put read "
    "remove rename run set show start test tests thing things try update want work write done code "
    "place first second last time lot good right today"
)
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


def goal_status_after(
    status: str, readings: Sequence[Reading], cues: Cues, *, goal: str = ""
) -> str:
    """`done` once the agent reported behind the goal and the user agreed to it and asked for more.

    A report alone is not enough: it may be one on a part. The user has to accept it in the next
    message, or to go over to other requests without a word against it; whoever only says "go on",
    asks about the report or has it changed has done neither. Of a goal of many things nobody knows
    without the user's word that the report was on all of them.
    """
    if status != OPEN:
        return status
    many, about = _MANY.search(goal) is not None, _names(goal)
    moved_on, told = 0, False
    for place, reading in enumerate(readings):
        if told and reading.typed:
            told = False
            moved_on = 0 if objects(reading, cues) else moved_on + _goes_over(reading, about)
            if moved_on >= _REQUESTS_BEHIND and not many:
                return DONE
        if not reports_on_all(reading, cues):
            continue
        told = True
        # Behind another request the report is on that one.
        about = about if moved_on else about | _names(reading.prose[-1][:_REPORT_CHARS])
        reply = next((later.typed[0] for later in readings[place + 1 :] if later.typed), "")
        if cues.has("approval", reply.strip()[:_OPENING_CHARS]):
            return DONE
    return status


def _goes_over(reading: Reading, about: frozenset[str]) -> bool:
    """Whether a person's message is a request for something else than what these words name."""
    text = reading.typed[-1].strip()
    if len(text.split()) < _FEWEST_WORDS or is_slash_command(text):
        return False
    if _GOES_ON.search(text[:_OPENING_CHARS]) or _asks(text) or _POINTS_BACK.search(text):
        return False
    return not _names(text) & about


def _asks(text: str) -> bool:
    """Whether a message is a question, and no request that is put as one."""
    question = _QUESTION.match(text) is not None or text.endswith(("?", "\uff1f"))
    return question and _REQUEST.match(text) is None


def _names(text: str) -> frozenset[str]:
    """The words that tell what a text is about, without those that any request may hold."""
    return topic_words(text) - _ANY_REQUEST


@once
def reports_on_all(reading: Reading, cues: Cues) -> bool:
    """Whether an exchange is a final answer that asks nothing and speaks of no part alone."""
    if not reading.finished:
        return False
    answer = reading.prose[-1]
    return not asks_the_user(answer, cues) and _SOME_OF.search(answer) is None
