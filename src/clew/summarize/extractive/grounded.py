"""Changes that stand on a finding: what is announced right behind a statement about the same thing.

No word says that it was chosen; the place does. Who says how something is, what to change there,
and changes it, has chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.record.items import Evidence, Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.decided import announces, changes
from clew.summarize.extractive.holding import names_a_cause
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import LONGEST_QUOTE, bounds_of, looks_like_code, trimmed
from clew.summarize.extractive.stating import says_how_it_is

_LONGEST_MESSAGE = 12_000
_MOST = 2
_RANK = 0.7
_FEWEST_WORDS, _MOST_WORDS = 5, 45
_REACH = 500
_ANNOUNCED = re.compile(
    r"(?:^|(?<=[.!?] )|(?<=\n))(?:(?:so|then|now|and|no|yes|ok(?:ay)?),?\s){0,2}"
    r"(?:i['\u2019]ll|i\swill|"
    r"i\s(?:need|want|have)\sto|i\sshould|we\s(?:need\sto|should)|we['\u2019]ll|let['\u2019]s|let\sme|"
    r"i['\u2019]m\sgoing\sto|i['\u2019]m|i\sam)\s",
    re.IGNORECASE,
)
_MARKED = re.compile(r"`[^`\n]{2,}`")
_POINTS = re.compile(r"\b(?:it|them|this|these|those|that)\b", re.IGNORECASE)
_TELLS_ON = re.compile(
    r"(?:They|It|This|That)\s(?:\w+\s)?(?:will|would|then|keeps?|lets?|makes?|way|avoids?|means|fixes|"
    r"ensures?|matches|gives?|leaves?|is\s(?:safer|simpler|cleaner|better|enough))\b"
)
"""Goes on with what the change brings."""
_FOLLOWS = re.compile(r"^\W*so\b", re.IGNORECASE)


@once
def grounded_choices(reading: Reading) -> tuple[Claim, ...]:
    """The announced changes of one message that a sentence beside them gives the ground for."""
    if not changes(reading):
        return ()
    made: list[Claim] = []
    for text in reading.prose:
        shown = text[-_LONGEST_MESSAGE:]
        made.extend(_claim(said, ground, reading) for said, ground in _grounded(shown))
    return tuple(made[-_MOST:])


def _grounded(text: str) -> Iterator[tuple[str, str]]:
    for found in _ANNOUNCED.finditer(text):
        start, end = bounds_of(text, found.start(), found.end())
        said = trimmed(text, max(start, found.start()), end)
        if not _FEWEST_WORDS <= len(said.split()) <= _MOST_WORDS or said.endswith("?"):
            continue
        if not (_MARKED.search(said) or identifiers_in(said)) or not announces(said):
            continue
        before, behind = _before(text, found.start()), _behind(text, end)
        if before and not looks_like_code(before) and _is_ground(before, said):
            yield said, before
        elif _TELLS_ON.match(behind):
            yield said, behind


def _before(text: str, at: int) -> str:
    """The sentence right before a place, in the same part of the text."""
    head = text[max(0, at - _REACH) : at].rstrip()
    if not head or head.endswith("```"):
        return ""
    start, _ = bounds_of(head, len(head) - 1, len(head))
    return trimmed(head, start, len(head))


def _behind(text: str, at: int) -> str:
    """The sentence right behind a place, in the same line."""
    line = text[at : at + _REACH].partition("\n")[0]
    end = bounds_of(line, 0, 1)[1] if line.strip() else 0
    return trimmed(line, 0, end)


def _is_ground(ground: str, said: str) -> bool:
    """Whether a sentence says of the same thing how it is."""
    if len(ground.split()) < 3 or len(ground) >= LONGEST_QUOTE or ground.endswith(("?", ":")):
        return False
    if names_a_cause(ground):
        return True
    if not says_how_it_is(ground):
        return False
    shared = _names_in(ground) & _names_in(said)
    return bool(shared) or (_POINTS.search(said) is not None or _FOLLOWS.match(said) is not None)


def _names_in(text: str) -> frozenset[str]:
    marked = (found.group().strip("`") for found in _MARKED.finditer(text))
    return frozenset((*marked, *identifiers_in(text)))


def _claim(said: str, ground: str, reading: Reading) -> Claim:
    return claim(
        "decision",
        said,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        why=ground.rstrip(" ."),
        evidence=(Evidence(span=reading.handle, quote=ground),),
        rank=_RANK,
    )
