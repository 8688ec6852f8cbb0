"""What a person told the agent in passing: information that outlives its short acknowledgement.

A short message that set nothing in motion, because the agent only said a word to it, told
something. It is kept whole: a sentence of it alone may have lost what it is about.
"""

from __future__ import annotations

import re

from clew.record.grouped import labelled
from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.questions import asks_the_user
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.values import sorts_of_value

LONGEST_STATEMENT = 300
LONGEST_WORD_TO_IT = 80
"""Characters of an answer that says no more than that the message was read."""

_FEWEST_WORDS = 3
_SPECIFIC = re.compile(r"\d|[^\W\d_]\w*[-/]\d|(?<=[a-z,;] )[A-Z][a-z]+|(?<!^)\b[A-Z]{2,}\b")
_FORBIDS = re.compile(r"(?:^|[.;:]\s+)(?:No|Only)\s+(?!problem|worries|need|idea|one\b)\w")
"""A statement that opens with what is not, or alone, to be: a rule without a verb."""
_LABEL_TELLS = 1.0
"""Who puts a label before a statement ("Deadline: …") wants it kept."""
_DOING_TELLS_LESS = 0.4
_DOING = re.compile(r"[A-Z][a-z]{2,}ing\s(?!is\b|are\b|was\b|must\b|needs?\b)")
"""A line that opens with what somebody is doing reports progress; it states nothing."""
_IN_CASE = re.compile(
    r"(?:[\w ]{1,30}:\s+)?(?:If|When|Whenever|Before|After|Once)\s[^,.;?!]{5,120},\s+"
    r"(?!(?:i|we|you|he|she|it|they|this|that|these|those|there|the|an?|my|our|your|his|her|its|"
    r"their|what|which|who|no|some|all|one|most)\b|\w+['’]|\w+(?:s|ed)\b)[a-z]+\b"
)
"""A case and, behind the comma, an order: a rule without a word that says so."""
_TELLING = frozenset(
    {"rule", "wish", "update", "fact", "correction", "awaiting", "next", "decision"}
)


def told(reading: Reading, answer: Reading | None, cues: Cues, goal: str) -> str:
    """The message of an exchange when it told something and asked for nothing, else empty."""
    if answer is None or not answer.finished or answer.calls or len(reading.typed) != 1:
        return ""
    text = reading.typed[0].strip()
    word = answer.prose[-1].strip()
    if len(text) > LONGEST_STATEMENT or len(word) > LONGEST_WORD_TO_IT:
        return ""
    asks = text.endswith(("?", "？")) or asks_the_user(word, cues)
    return "" if asks or text == goal.strip() or len(text.split()) < _FEWEST_WORDS else text


def weight_of(text: str, cues: Cues) -> float:
    """How telling a statement is, about 0 to 2, by its label, its cues and the values in it."""
    telling = min(1.0, 0.4 * len(cues.purposes(text) & _TELLING))
    telling += _LABEL_TELLS if labelled(text).label else 0.0
    telling -= _DOING_TELLS_LESS if _DOING.match(text) else 0.0
    return telling + 0.2 * min(3, len(sorts_of_value(text)) + len(identifiers_in(text)))


def statement(text: str, reading: Reading, cues: Cues) -> list[Claim]:
    """The claim of a message that told something; none when nothing in it is specific."""
    purposes = cues.purposes(text)
    names = len(identifiers_in(text))
    specific = min(names, 2) + (1 if _SPECIFIC.search(text) else 0)
    telling = purposes & _TELLING
    if not specific and not telling and not labelled(text).label:
        return []
    return [
        claim(
            "invariant" if _is_rule(text, purposes) else "fact",
            text,
            span=reading.handle,
            position=reading.position,
            said_by=Speaker.USER,
            corrects=bool(purposes & {"correction", "stop", "update"}),
            rank=2.0 + specific + len(telling),
        )
    ]


def _is_rule(text: str, purposes: frozenset[str]) -> bool:
    return "rule" in purposes or any(each.search(text) for each in (_FORBIDS, _IN_CASE))
