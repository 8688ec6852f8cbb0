"""What one exchange says of a failure, whatever the others say."""

from __future__ import annotations

import re

from clew.summarize.extractive.conclusions import first_statement
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    Sentence,
    bounds_of,
    looks_like_code,
    sentences_with,
    trimmed,
)
from clew.summarize.extractive.verdicts import is_no_failure
from clew.tools_seen.worded import worded

_LONGEST_SAID = 200
_REACTION = 900
_FEWEST_WORDS = 3
_FEW_WORDS = 6
LABEL = re.compile(r"^\W*THOUGHT:\s*", re.IGNORECASE)
STILL = re.compile(r"\bstill\b", re.IGNORECASE)
_NOT_SAID_TO_BE = re.compile(
    r"\b(?:may|might|maybe|perhaps|could(?!n)|would(?!n)|should(?!n)|whether|in\scase|see\sif|"
    r"check|verify|(?<!as\s)expect(?:s|ed)?|intended|so\sthat|until|unless|"
    r"(?:i|we)\swon['\u2019]t|wondering|used\sto|previously|before|root\scause|was\sfailing|"
    r"were\sfailing|"
    r"the\suser\s(?:says|said|wants|asks|asked|reports|is|provided))\b|^\W*if\b|\bif\s(?:it|the|"
    r"this|that|you|we|i)\b",
    re.IGNORECASE,
)
_INTENDED = re.compile(
    r"^\W*(?:(?:thought|now|next|first|then|so|ok(?:ay)?|and)\W+)*"
    r"(?:wait\b|let\sme|let['\u2019]s|i\swill|i['\u2019]ll|i\sneed|i\sshould|i\scan\b|we\scan\b|"
    r"to\s)",
    re.IGNORECASE,
)
_STEPS_BACK = ("undo", "revert", "restor", "roll back", "back out", "take back")
_UNDOES = re.compile(
    r"(?:i['\u2019]ll|i\swill|let\sme|i\sneed\sto|i\sshould|i\shave\sto|let['\u2019]s|"
    r"i['\u2019]m)\s(?:first\s|now\s)?"
    r"(?:undo|revert|restor|roll\sback|back\sout|take\sback)",
    re.IGNORECASE,
)
_OVER = re.compile(r"\b(?:no\slonger|fixed|resolved)\b", re.IGNORECASE)
_NONE = re.compile(
    r"\b(?:failed|failures?|errors?)\W{1,3}0\b|\b(?:0|no|zero)\s(?:failed|failures|errors)\b",
    re.IGNORECASE,
)
"""Counts what failed, and there is nothing."""
_BUT_STILL = re.compile(r"\b(?:but|however|yet)\b.*\bstill\b", re.IGNORECASE)
"""Says of one thing that it is over, and of another that it is not."""
_REPORTS = re.compile(
    r"\W*(?:done|fixed|all\s(?:set|done|good|clean)|implemented|completed|finished)\b",
    re.IGNORECASE,
)
_AGAIN = worded(
    r"\bso\s(?:now\s)?(?:i['\u2019]m|i\sam|i['\u2019]ll|i\swill|let\sme|we['\u2019]ll|i\s(?:need|"
    r"have)\sto)\s"
    r"(?:now\s)?(?:re-?run|re-?try|re-?do|re-?issu|re-?send|re-?build|repeat|try)\w*\b",
    needs="rerun|re-run|try|redo|re-do|reissu|re-issu|resend|re-send|rebuild|re-build|repeat",
    flags=re.IGNORECASE,
)
"""Who does a thing once more for a reason says in the reason what went wrong."""
_OWN_MISTAKE = re.compile(
    r"\bi\sshould(?:n['\u2019]t|\snot)?\shave\b|\bso\si\s(?:\w+\s){1,2}(?:the\s)?wrong\b",
    re.IGNORECASE,
)
_SET_APART = re.compile(
    r"`[^`\n]*`|\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|\([^()\n]*\)"
    r"|\b(?:instead\sof|rather\sthan|without|avoid(?:s|ing|ed)?|prevent(?:s|ing|ed)?)\s[^,.;\n]*"
    r"|\b(?:no|zero|any)\s(?:[\w-]+\s){0,3}?[\w-]*(?:failures?|errors?)\b"
    r"|\b(?:handles?|covers?|catch(?:es)?|reports?|detects?|(?:in|for)\s(?:the\s)?cases?)\s"
    r"(?:[\w-]+\s){0,3}?(?:where|when|that|if)\s[^,;\n]*",
    re.IGNORECASE,
)
"""What only names a failure: a word of a program, an aside, what something avoids."""
_HOWEVER = re.compile(
    r"(?:^|(?<=[.!?] )|(?<=\n))(?:but|however|except)\b,?\s(?=\w|`)", re.IGNORECASE
)
"""Sets against what was done how it is."""
_QUOTED_ERROR = re.compile(
    r"`(?P<error>[^`\n]{0,60}?(?:\b[A-Z]\w*(?:Error|Exception)\b|\bERROR\b|\b[Ee]rror:|\bfatal:|"
    r"\bpanic:|\bno such \w+|\bnot found\b)[^`\n]{8,200})`"
)
_LONGEST_ACCOUNT = 300
_MOST_TOLD = 2


@once
def admission(reading: Reading, cues: Cues) -> str | None:
    """The sentence with which the agent takes in that something did not do what it should."""
    for text in (*reading.prose[:1], *reading.reasoning[:1]):
        opening = text[:_REACTION]
        for sentence in sentences_with(cues.patterns["failure"], opening, most=6):
            if _admits(sentence.text, cues) and not _is_as_before(sentence.text, opening, reading):
                return LABEL.sub("", with_more(sentence, text))
        for sentence in sentences_with(_AGAIN, opening, most=1):
            if not _INTENDED.match(sentence.text) and not looks_like_code(sentence.text):
                return LABEL.sub("", sentence.text)[:_LONGEST_SAID].rstrip()
    if error := quoted_error(reading):
        return error
    if cause := _own_mistake(reading):
        return cause
    # Who takes a step back says before it what the step had done.
    return first_statement(reading) if takes_back(reading) else None


def _is_as_before(said: str, opening: str, reading: Reading) -> bool:
    """Whether who reports that all is done says what stayed as it was."""
    reports = reading.finished and _REPORTS.match(opening) is not None
    return reports and STILL.search(said) is not None and _BUT_STILL.search(said) is None


def _own_mistake(reading: Reading) -> str:
    """What the agent did not think of, told before its mistake; else the mistake itself."""
    opening = LABEL.sub("", reading.prose[0][:_REACTION]) if reading.prose else ""
    mistake = _OWN_MISTAKE.search(opening)
    if mistake is None:
        return ""
    told = [found.end() for found in _HOWEVER.finditer(opening, 0, mistake.start())]
    for at in (*reversed(told), mistake.start()):
        said = trimmed(opening, *bounds_of(opening, at, at + 1))
        asks = said.endswith(("?", "\uff1f", ":", "\uff1a"))
        if len(said.split()) > _FEWEST_WORDS and not (asks or looks_like_code(said)):
            return said[:_LONGEST_SAID].rstrip()
    return ""


@once
def quoted_error(reading: Reading) -> str:
    """The error line that the agent's first words repeat between marks; empty without one."""
    opening = reading.prose[0][:_REACTION] if reading.prose else ""
    if "`" not in opening:
        return ""
    found = _QUOTED_ERROR.search(opening.partition("```")[0])
    if found is None or looks_like_code(found["error"]):
        return ""
    around = trimmed(opening, *bounds_of(opening, found.start(), found.end()))
    outside = around.replace(found["error"], "")
    supposed = _NOT_SAID_TO_BE.search(outside) or _OVER.search(outside)
    return "" if supposed or _INTENDED.match(around) else found["error"].strip()


@once
def account(reading: Reading) -> str:
    """What the first words behind a failed call say of it; empty where they say what comes.

    They need no word of failure: who speaks right behind a failure speaks of it.
    """
    words = (*reading.prose, *reading.reasoning)
    text = LABEL.sub("", words[0][:_REACTION]) if words else ""
    told = _first_sentences(text)
    if not told:
        return ""
    start = text.find(told[0])
    both = text[start : text.find(told[-1], start) + len(told[-1])]
    return both if len(both) <= _LONGEST_ACCOUNT else told[0]


def _first_sentences(text: str) -> list[str]:
    """The first two sentences of a text up to one that says what comes or asks."""
    found: list[str] = []
    at = 0
    while len(found) < _MOST_TOLD and at < len(text):
        start, end = bounds_of(text, at, at + 1)
        said = trimmed(text, start, end)
        asks = said.endswith(("?", "\uff1f", ":", "\uff1a"))
        if not said or asks or _INTENDED.match(said) or looks_like_code(said):
            break
        if len(said) > _LONGEST_ACCOUNT or len(said.split()) <= _FEWEST_WORDS:
            break
        found.append(said)
        at = max(end, at + 1)
    return found


def repeats(said: str) -> bool:
    """Whether a sentence says for which reason something is done once more."""
    return _AGAIN.search(said) is not None


@once
def takes_back(reading: Reading) -> bool:
    """Whether the agent says that it undoes what it did."""
    opening = reading.prose[0][:_REACTION] if reading.prose else ""
    stepped = any(word in opening for word in _STEPS_BACK)
    return stepped and _UNDOES.search(opening) is not None


def with_more(sentence: Sentence, text: str) -> str:
    """The sentence, with what stands behind it on the line where it is only a few words."""
    said = sentence.text
    start = text.find(said)
    if len(said.split()) < _FEW_WORDS and start >= 0:
        end = text.find("\n", start)
        said = text[start : end if end >= 0 else len(text)]
    return said[:_LONGEST_SAID].rstrip()


def _admits(said: str, cues: Cues) -> bool:
    text = LABEL.sub("", said)
    if text.startswith("|") or not cues.has("failure", _SET_APART.sub(" ", text)):
        return False
    if len(text.split()) < _FEWEST_WORDS or text.rstrip().endswith(("?", "\uff1f", ":", "\uff1a")):
        return False
    if _NOT_SAID_TO_BE.search(text) or _INTENDED.match(text) or _NONE.search(text):
        return False
    if _OVER.search(text) and not _BUT_STILL.search(text):
        return False
    return not (is_no_failure(text, cues) or looks_like_code(text))
