"""Sentences that look like findings and pass with the moment in which they are said.

What is looked at next, what is hoped, an account of a step, the number of a line that the next edit
moves, an answer that says nothing without its question.
"""

from __future__ import annotations

import re

from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import identifiers_in

_FEWEST_WORDS_OF_AN_ANSWER = 9
_FRAGMENT = re.compile(
    r"^(?:and|or|plus|with|without|for|from|to|in|on|of|by|as|instead|whatever|whichever|probably|"
    r"maybe|e\.g\.|i\.e\.|etc)\b"
)
"""A piece of a list that goes on from what stands above it; written small."""
_SUPPOSED = re.compile(
    r"^\W*(?:(?:so|and|but|now|well|ok(?:ay)?|wait)\W+)*(?:if|unless|ideally|suppose)\b(?!\snot\b)",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|wait|ah|so|yes|no|and)\W+)*lines?\s\d[\d\s,\u2013-]*(?:is|are|was|seems?|"
    r"looks?)\s(?!in\b|inside\b|part\b)[\w\s]{3,40}\W*$",
    re.IGNORECASE,
)
"""A line by its number alone, with nothing said that outlives the next edit."""
_SAW = re.compile(
    r"^\W*(?:(?:so|now|ok(?:ay)?|good|great|perfect|yes|ah)\W+)*(?:i|we)(?:\shave|['\u2019]ve)?\s"
    r"(?:now\s)?(?:found|identified|located|see|understand|know)\s(?:the|an?|my|our)\s[^:\u2014\u2013(]*$",
    re.IGNORECASE,
)
"""Says that something was found, but not what."""
_SAYS_WHAT = re.compile(r"\b(?:that|because|since|due|where|which|is|are|was|were)\b|\d|`")
_ANSWER = re.compile(
    r"^\W*(?:yes|no|yep|nope|right|correct|exactly)(?:[\s]*[,.!;:\u2014\u2013]|\s(?:but|and|not)\b)",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(
    r"^\W*(?:(?:so|now|ok(?:ay)?|good|great|perfect|yes|no|and|done|it\sseems)\W+)*"
    r"(?:i|we)(?:\shave|['\u2019]ve|\shad)?\s(?:now\s|also\s|just\s)?(?:successfully\s|manually\s)?"
    r"(?:created|added|updated|written|wrote|fixed|implemented|applied|edited|modified|inserted|"
    r"deleted|removed|replaced|renamed|moved|used|ran|run|saved|completed|made|tried|copied)\b"
    r"|^\W*the\s[`\w./-]+\s(?:\w+\s)?(?:has|have)\sbeen\s(?:updated|created|added|modified|saved)\b",
    re.IGNORECASE,
)


def passes(text: str, cues: Cues) -> bool:
    """Whether a sentence is about the moment, and nothing that outlives it."""
    if _FRAGMENT.match(text) is not None or _SUPPOSED.match(text) is not None:
        return True
    if _LINE.match(text) is not None or cues.has("moment", text):
        return True
    if _SAW.match(text) is not None and _SAYS_WHAT.search(text) is None:
        return not identifiers_in(text)
    return _ANSWER.match(text) is not None and _says_little(text)


def _says_little(text: str) -> bool:
    few = len(text.split()) < _FEWEST_WORDS_OF_AN_ANSWER
    return few and not identifiers_in(text) and _SAYS_WHAT.search(text) is None


def is_account(text: str) -> bool:
    """Whether a sentence tells a step of the agent; a report may, work that goes on shows it."""
    return _ACCOUNT.match(text) is not None
