"""Words that sound like a failure and tell of none: what works now, and what was to fail."""

from __future__ import annotations

import re

from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading

_LONGEST_PASSAGE = 4_000
_KNOWN_FAILING = re.compile(
    r"\b(?:the|both|these|those|all|its|my|our|your|previously|formerly|once)\s(?:\w+\s){0,2}?"
    r"fail(?:ing|ed)\s(?:\w+\s)?(?:tests?|cases?|checks?|specs?|assertions?|commands?|steps?|jobs?|"
    r"builds?|ones?|suites?)\b",
    re.IGNORECASE,
)
"""Names by its failure what is spoken of: "the two failing tests"."""
_ATTRIBUTE = re.compile(r"\b(?:that|which|who)\s(?:\w+\s)?still\s\w+", re.IGNORECASE)
"""What a thing is like that a sentence speaks of: "files that still have changes"."""
_FAILED_ONES = re.compile(
    r"\b(?:that|which|who)\s(?:(?:were|was|had\sbeen)\s)?(?:\w+\s)?fail(?:ed|ing)\b", re.IGNORECASE
)
_WORKS = re.compile(
    r"\bnow\s(?:\w+\s){0,2}?(?:pass|work|succeed|build|compile|run|start|load|show|return|render|"
    r"green|fixed|resolved|correct)\w*\b"
    r"|\b(?:pass|work|succeed|build|compile|run|start|load)\w*\s(?:fine\s|correctly\s|again\s)?now\b"
    r"|\b(?:all|everything|both|tests?|suite|build|checks?|it|that|this)\s(?:\w+\s){0,2}?"
    r"(?:pass(?:es|ed)?|succeed(?:s|ed)?|(?:is|are)\s(?:all\s)?(?:green|fixed|resolved|solved|"
    r"passing|working)|works)\b"
    r"|\b(?:all|everything(?:\sis)?)\sgreen\b|\bsuccessful(?:ly)?\b|\bworked\s(?:as|fine|this\stime)\b"
    r"|\bno\s(?:more|further|remaining)\s(?:errors|failures)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"^\W*(?:done|fixed|completed|finished|resolved|solved|all\s(?:set|done|good))\b", re.IGNORECASE
)
_NOT_WHOLLY = re.compile(
    r"\b(?:but|however|yet|still|except|though|although|unfortunately|only|none|not|never|cannot|"
    r"can['\u2019]t|doesn['\u2019]t|didn['\u2019]t|isn['\u2019]t|aren['\u2019]t|don['\u2019]t|won['\u2019]t|"
    r"unless|while|whereas|instead|no\slonger|un(?:successful|able))\b",
    re.IGNORECASE,
)
"""Takes back a part of what works, or all of it."""
_MEANT = re.compile(
    r"\bfail\w*\s(?:\w+\s){0,3}?(?:as\s(?:expected|intended|planned|designed|it\sshould)|"
    r"for\sthe\s(?:expected|right|intended)\sreason|on\spurpose)\b"
    r"|\b(?:expected|intended|deliberate|wanted)\sfail\w*\b"
    r"|\bfail\w*\s(?:without|before|prior\sto)\s(?:the|my|our|this|that|any)\s(?:\w+\s)?"
    r"(?:fix|change|patch|implementation)\b",
    re.IGNORECASE,
)
_RED = re.compile(
    r"\b(?:red|RED)[-\s](?:step|phase|test|check|run|validation|green)\b"
    r"|\b(?:should|must|will|supposed\sto|expected?\s(?:it\s|them\s|this\s)?to)\s(?:\w+\s)?fail\s"
    r"(?:now|first|at\sfirst|before|until|without|because)\b"
    r"|\b(?:confirm|verify|prove|see|watch|show|ensure|check)\w*\s(?:that\s)?(?:\w+\s){1,4}?"
    r"fails?\s(?:now|first|before|without|until|as\sexpected)\b"
    r"|\bfailing\stests?\sfirst\b",
)
_BARE_ERROR = re.compile(
    r"^\W*(?:[\w.]*(?:Error|Exception)(?: \[\w+\])?: \S|fatal: \S|panic: \S|npm ERR! \S|"
    r"error(?:\[\w+\]| TS\d+)?: \S)"
)
_ASSENT = re.compile(
    r"^\W*(?:(?:no|nope|yes|yeah|yep|ok(?:ay)?|sure|thanks?(?:\syou)?|great|cool|nice|perfect)\b\W*)*"
    r"(?:(?:(?:this|that|it|all|everything)(?:['\u2019]s|\sis|\slooks|\sseems)?\s)?(?:just\s|all\s|very\s)?"
    r"(?:fine|good|great|ok(?:ay)?|perfect|right|correct|enough|nice|cool|awesome|works))?\W*$",
    re.IGNORECASE,
)
_LATER = re.compile(r"\bthen\b[^.!?\n]*$", re.IGNORECASE)


def is_no_failure(said: str, cues: Cues) -> bool:
    """Whether a sentence with a word of failure says that something works, or was meant to fail."""
    if _MEANT.search(said) is not None:
        return True
    rest = _ATTRIBUTE.sub(" ", _KNOWN_FAILING.sub(" ", said))
    if rest != said and not cues.has("failure", rest):
        return True
    if _NOT_WHOLLY.search(rest) is not None:
        return False
    rest = " ".join(_FAILED_ONES.sub(" ", rest).split())
    return _DONE.match(said) is not None or (
        _WORKS.search(rest) is not None and not cues.has("failure", _WORKS.sub(" ", rest))
    )


@once
def means_to_fail(reading: Reading) -> bool:
    """Whether the agent says before its call that it is to fail: the red step of a test."""
    for text in reading.prose:
        for found in _RED.finditer(text[:_LONGEST_PASSAGE]):
            # "I read the file, then I run the red step": that one is not run here.
            if _LATER.search(text[max(0, found.start() - 160) : found.start()]) is None:
                return True
    return False


def is_error_line(text: str) -> bool:
    """Whether a message is an error line and nothing else: no request, and no question."""
    line = text.strip()
    asks = line.endswith(("?", "\uff1f"))
    return "\n" not in line and not asks and _BARE_ERROR.match(line) is not None


def is_assent(line: str) -> bool:
    """Whether a line only says that something is fine; it asks for nothing."""
    return _ASSENT.match(line) is not None
