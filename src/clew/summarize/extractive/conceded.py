"""What the agent takes back because a person objects: "You're right, an ETA would be a guess".

Who concedes gives up what they said or did before. No word of failure needs to stand in the
objection; that the agent agrees with it tells that its way was not the right one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.failures_reported import reports_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.pasted import pasted_spans
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    bounds_of,
    looks_like_code,
    shortened,
    topic_words,
    trimmed,
)
from clew.summarize.extractive.stating import says_how_it_is

REASON = "given up because the user objected"
_CONCEDES = re.compile(
    r"^\W*(?:(?:ah|oh|yes|yeah|hm+|ok(?:ay)?)\b\W+)?(?:you['\u2019]re\s(?:\w+\s)?(?:right|correct)\b"
    r"(?!\sto\s(?:ask|be)\b)|you\sare\s(?:\w+\s)?(?:right|correct)\b(?!\sto\s(?:ask|be)\b)|"
    r"my\s(?:bad|mistake|apologies)\b|(?:i\s)?apologi[sz]e\b|"
    r"(?:i['\u2019]m\s|i\sam\s)?(?:so\s|very\s)?sorry\b|i\sstand\scorrected\b|that['\u2019]s\son\sme\b|"
    r"i\ssee\sthe\s(?:mismatch|confusion|mistake)\b)",
    re.IGNORECASE,
)
_LONGEST_OBJECTION, _LONGEST_GIVEN_UP = 900, 220
_SETS_OUT = re.compile(
    r"^\W*(?:i['\u2019]ll|i['\u2019]d|i\swill|let\sme|let['\u2019]s)\s(?!help\b)", re.IGNORECASE
)
"""Says what the agent is about to do, which an objection is about as a rule."""
_AGAINST = re.compile(
    r"\b(?:not|never|no|even\sthough|although|despite|still|wrong|instead|already|twice|only|without|nothing|"
    r"missing|too|cannot|unnecessar\w+|redundant|should(?:n['\u2019]t|\snot)?\shave)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
"""Sets how it is against how it should be."""
_FEWEST_OF_AN_ACCOUNT = 6
_FEWEST_WORDS, _FEWEST_SHARED = 3, 2
_FARTHEST = 6
_SHOWN = 4_000
_RANK = 0.6


def conceded(readings: Sequence[Reading], cues: Cues) -> list[Claim]:
    """What the agent gave up in these exchanges because the user objected."""
    made: list[Claim] = []
    for place in range(1, len(readings)):
        reading = readings[place]
        if reading.typed or not concedes(reading):
            continue
        asked = readings[place - 1]
        said = objection(asked, cues)
        before = _before(readings, place - 1, said) if said else None
        if before is not None:
            made.append(_given_up(said, asked, before, reading))
        elif granted := account_of(reading):
            made.append(_granted(granted, reading))
    if readings and not readings[0].typed and (granted := account_of(readings[0])):
        # What a stretch begins with may answer an objection that stands before it.
        made.append(_granted(granted, readings[0]))
    return made


@once
def account_of(reading: Reading) -> str:
    """What the agent grants in the sentence behind a concession; empty where it grants nothing."""
    if not concedes(reading):
        return ""
    text = reading.prose[0]
    at = bounds_of(text, 0, 1)[1]
    while at < len(text) and text[at].isspace():
        at += 1
    said = trimmed(text, *bounds_of(text, at, at + 1)) if at < len(text) else ""
    few = len(said.split()) < _FEWEST_OF_AN_ACCOUNT or len(said) > _LONGEST_GIVEN_UP
    unclear = few or said.endswith(("?", ":")) or looks_like_code(said)
    if unclear or _SETS_OUT.match(said) or not says_how_it_is(said):
        return ""
    return said if _AGAINST.search(said) else ""


def read_ahead(reading: Reading, cues: Cues) -> None:
    """Work out what one exchange grants, objects to and states, whatever the others say."""
    concedes(reading)
    account_of(reading)
    objection(reading, cues)
    _statements(reading)


@once
def concedes(reading: Reading) -> bool:
    """Whether the first words of an exchange grant that somebody else is right."""
    return bool(reading.prose) and _CONCEDES.match(reading.prose[0][:120]) is not None


@once
def objection(reading: Reading, cues: Cues) -> str:
    """The sentence that a person objects with; empty in a paste, and where it is a failure told."""
    text = reading.typed[-1] if reading.typed else ""
    told = any(said for _, said in reports_in(reading, cues))
    if not text or told or len(text) > _LONGEST_OBJECTION or pasted_spans(text):
        return ""
    line = next((each for each in text.splitlines() if len(each.split()) >= _FEWEST_WORDS), "")
    if not line or looks_like_code(line):
        return ""
    start = text.find(line)
    return text[start : start + len(line)].strip()[:_LONGEST_GIVEN_UP].rstrip()


def _before(readings: Sequence[Reading], place: int, said: str) -> tuple[Reading, str] | None:
    """The sentence of the agent before an objection that it is about, with its exchange."""
    about = topic_words(said)
    best: tuple[int, Reading, str] | None = None
    for reading in readings[max(0, place - _FARTHEST) : place][::-1]:
        for sentence in _statements(reading):
            shared = len(about & topic_words(sentence))
            shared += shared > 0 and _SETS_OUT.match(sentence) is not None
            if shared >= _FEWEST_SHARED and (best is None or shared > best[0]):
                best = (shared, reading, sentence)
        if reading.typed:
            break
    return best[1:] if best is not None else None


@once
def _statements(reading: Reading) -> tuple[str, ...]:
    """The sentences of one exchange that the agent may have to take back, the latest first."""
    found: list[str] = []
    for text in reading.prose:
        shown = text[-_SHOWN:]
        at = 0
        while at < len(shown):
            start, end = bounds_of(shown, at, at + 1)
            said = trimmed(shown, start, end)
            short = len(said.split()) < _FEWEST_WORDS or len(said) > _LONGEST_GIVEN_UP
            if not short and not said.endswith(("?", ":")) and not looks_like_code(said):
                found.append(said)
            at = max(end, at + 1)
    return tuple(found[::-1])


def _granted(said: str, reading: Reading) -> Claim:
    return claim(
        "dead_end",
        said,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.CLOSED,
        reason=REASON,
        rank=_RANK,
    )


def _given_up(said: str, asked: Reading, before: tuple[Reading, str], reading: Reading) -> Claim:
    held, given_up = before
    granted = trimmed(reading.prose[0], *bounds_of(reading.prose[0], 0, 1))[:_LONGEST_GIVEN_UP]
    return claim(
        "dead_end",
        said,
        text=f"{shortened(given_up, 160)} \u2192 {shortened(said, 160)}",
        span=asked.handle,
        position=asked.position,
        said_by=Speaker.USER,
        status=Status.CLOSED,
        reason=REASON,
        evidence=(
            Evidence(span=held.handle, quote=given_up),
            Evidence(span=reading.handle, quote=granted.rstrip()),
        ),
        rank=_RANK,
    )
