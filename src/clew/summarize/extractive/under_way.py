"""What the agent says that it is doing, beside the calls that do it: the step in progress.

Where a stretch is cut off in the middle of the work, that is what comes next, though no word
announces it: "I'm checking the diff now", "Now wire it into the command".
"""

from __future__ import annotations

import re
from functools import cache

from clew.summarize.extractive.announced import verbs_of_steps
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import Sentence, sentences_with
from clew.tools_seen.worded import Worded, worded

_MOST = 20
_OPENS = r"(?:\A\s{0,4}|(?<=[.!?:)]\s)|(?<=\n))[>*_ \t-]{0,8}"
_DOING = (
    r"(?:i['\u2019]m|i\sam|we['\u2019]re|we\sare)\s(?:(?:now|also|just|first|currently)\s)*"
    r"(?!(?:going|wondering|thinking|seeing|assuming|hoping|getting|missing|guessing|leaning|"
    r"expecting|considering|having|being|trying|using)\b)[a-z]{2,}ing\b"
)
_LABELLED = r"now\s(?:for\s|on\sto\s)?(?!i\b|we\b|let\b)[^.:!?\n]{1,40}:(?=\s)"


@cache
def step_under_way() -> Worded:
    """Opens a sentence that tells the step in progress."""
    steps = "|".join(pattern.pattern for pattern in verbs_of_steps().values())
    return worded(
        rf"{_OPENS}(?:{_DOING}|now\s(?:also\s|just\s)?(?:{steps})|{_LABELLED})",
        needs="i'm |i am |we're |we are |now ",
        flags=re.IGNORECASE,
    )


def under_way(reading: Reading, text: str) -> list[Sentence]:
    """The sentences of a message that say what its calls are doing; none where it hands over."""
    return [] if reading.finished else sentences_with(step_under_way(), text, most=_MOST)
