"""Flaws that somebody listed and the agent then took on, all or by name, and changed files for.

Who says "Let me fix all five" below a review and writes files has left no flaw of it as it was
found; who lists what is fixed now has picked those. What is said to be left afterwards still holds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.flaws import FILE, is_flaw_alone, is_marked
from clew.summarize.extractive.lists import entries_of, is_entry
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import containment, topic_words
from clew.tools_seen.seen import Action, Outcome
from clew.tools_seen.worded import worded

_LONGEST_MESSAGE = 12_000
_LONGEST_ORDER = 1_000
_MOST_LISTED = 20
_FARTHEST = 6
"""How many exchanges lie at most between what was found and who takes it on."""
_SAME, _FEWEST_SHARED = 0.5, 2
_ALL = (
    r"(?:(?:all|each|every\s?one|everything)\b|both\b|them\b|these\b|those\b|"
    r"the\s(?:\w+\s){0,2}?(?:findings|issues|problems|points|comments|flaws|bugs|gaps|remarks)\b)"
)
_MENDS = r"(?:fix|address|resolve|tackle|correct|mend|handle)"
_TAKES_ON = worded(
    r"(?:^|(?<=[.!:] )|(?<=\n))\W{0,6}(?:(?:now|so|ok(?:ay)?|good|great|yes)\W+)?"
    r"(?:let\sme|let['\u2019]s|i['\u2019]ll|i\swill|i['\u2019]m\sgoing\sto|we['\u2019]ll|going\sto)\s"
    rf"(?:now\s|also\s|go\sand\s)?{_MENDS}\s{_ALL}"
    rf"|(?:^|(?<=[.!:] )|(?<=\n))\W{{0,6}}(?:now\s)?{_MENDS}ing\s{_ALL}",
    needs="fix|address|resolve|tackle|correct|mend|handle",
    flags=re.IGNORECASE,
)
_ORDERED = re.compile(
    r"(?:^|(?<=[.!,;:] )|(?<=\n)|(?<=\band )|(?<=\bplease )|(?<=\byou )|(?<=\bto )|"
    r"(?<=\blet['\u2019]s ))\W{0,4}"
    rf"{_MENDS}\s{_ALL}",
    re.IGNORECASE,
)
_IN_A_WORD = re.compile(
    r"^\W*(?:(?:yes|ok(?:ay)?|please|then|just)\W+){0,2}(?:fix|address|resolve|correct|mend|patch|repair)\s"
    r"(?:it|that|this)(?:\W+(?:then|now|please|all|up))?\W*$",
    re.IGNORECASE,
)
"""A message that asks for nothing but that what was reported be mended."""
_SOME = re.compile(
    r"^\W*(?:of\s)?(?:the\s)?(?:\w+\s)?(?:first|worst|critical|important|actionable|main|easy|"
    r"high|blocking|ones?\sthat|except|but|apart)\b",
    re.IGNORECASE,
)
"""Takes on a part of what was found."""
_PICKS = re.compile(
    rf"^[#*\s]{{0,8}}(?:(?:what\si['\u2019]m|i['\u2019]m|to|will|now)\s)?{_MENDS}(?:ing|es)?"
    r"(?:\s(?:now|these|next|here|first))?\s?(?::\**|\**:|\**)\s*$",
    re.IGNORECASE,
)
"""Heads a list of what is mended now."""
_LEFT = re.compile(
    r"\b(?:still|deferr\w*|skipp\w*|not\s(?:yet|done|fixed|addressed)|left|remain\w*|open|later)\b",
    re.IGNORECASE,
)
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})


@dataclass(frozen=True, slots=True)
class _Taken:
    """Where a message takes on what was found: the text before it, or the entries it picks."""

    above: str = ""
    picked: tuple[frozenset[str], ...] = ()
    ordered: bool = False


def taken_on(
    claims: Sequence[Claim], readings: Sequence[Reading], files: Collection[str]
) -> set[int]:
    """The findings, by identity, that were taken on since and that changes came behind.

    `files` are the names of the files that were written: a finding about another file stands.
    """
    facts = [each for each in claims if each.item.kind == "fact"]
    changed = max((r.position for r in readings if writes(r)), default=-1) if facts else -1
    over: dict[int, Claim] = {}
    for place, reading in enumerate(readings) if changed >= 0 else ():
        for taken in takes_on(reading) if reading.position <= changed else ():
            first = readings[max(0, place - _FARTHEST)].position
            near = range(first, reading.position + taken.ordered)
            over |= {id(each): each for each in facts if _is_meant(each, taken, reading, near)}
    return {
        name
        for name, made in over.items()
        if _is_of(made.item.text, files) and not _is_left(made, claims)
    }


@once
def writes(reading: Reading) -> bool:
    """Whether an exchange writes a file."""
    return any(
        call.action is Action.WRITE and call.outcome not in _NOT_DONE for call in reading.calls
    )


@once
def takes_on(reading: Reading) -> tuple[_Taken, ...]:
    """Where the agent takes on what was found, and where a person asks for that."""
    return (*_ordered_in(reading), *_taken_by_agent(reading))


def _ordered_in(reading: Reading) -> Iterator[_Taken]:
    for text in reading.typed:
        found = _ORDERED.search(text) if len(text) <= _LONGEST_ORDER else None
        found = found or _IN_A_WORD.match(text)
        if found is not None and not _SOME.match(text[found.end() :]):
            yield _Taken(picked=_listed_below(text[found.end() :].split("\n")[1:]), ordered=True)


def _taken_by_agent(reading: Reading) -> Iterator[_Taken]:
    for text in reading.prose if not reading.finished or reading.calls else ():
        shown = text[:_LONGEST_MESSAGE]
        for found in _TAKES_ON.finditer(shown):
            if not _SOME.match(shown[found.end() :]):
                yield _Taken(above=shown[: found.start()])
        lines = shown.split("\n")
        for place, line in enumerate(lines):
            if _PICKS.match(line):
                yield _Taken(picked=_listed_below(lines[place + 1 :]))


def _listed_below(lines: Sequence[str]) -> tuple[frozenset[str], ...]:
    listed = entries_of([line for line in lines if line.strip()])
    return tuple(topic_words(entry) for _, entry in islice(listed, _MOST_LISTED))


def _is_meant(made: Claim, taken: _Taken, reading: Reading, near: range) -> bool:
    """Whether a finding is one of those that are taken on."""
    if made.item.said_by is Speaker.USER and not (taken.ordered and taken.picked):
        return False
    if taken.picked:
        return made.position in near and any(_is_same(made.topics, each) for each in taken.picked)
    quote = made.item.evidence[0].quote
    if not taken.ordered and made.position == reading.position and quote in taken.above:
        start = taken.above.rfind("\n", 0, taken.above.find(quote)) + 1
        return is_entry(taken.above[start:].partition("\n")[0])
    return made.position in near and (is_marked(made.item.text) or is_flaw_alone(made.item.text))


def _is_same(found: frozenset[str], entry: frozenset[str]) -> bool:
    return len(found & entry) >= _FEWEST_SHARED and containment(entry, found) >= _SAME


def _is_of(text: str, files: Collection[str]) -> bool:
    """Whether a finding names no file, or one that was written."""
    named = [found["name"] for found in FILE.finditer(text)]
    return not named or any(name in files for name in named)


def _is_left(made: Claim, claims: Sequence[Claim]) -> bool:
    """Whether a later statement says that a finding is left as it was."""
    return any(
        later.position > made.position
        and len(made.topics & later.topics) >= _FEWEST_SHARED
        and containment(made.topics, later.topics) >= _SAME
        and _LEFT.search(later.item.text) is not None
        for later in claims
    )
