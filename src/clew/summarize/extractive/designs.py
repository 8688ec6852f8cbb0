"""Designs: how a thing is to be made or to behave, told before the change that makes it so.

No word says that anything was chosen. What makes a choice of such a sentence is the change: one in
the same exchange, or a later one that writes what the sentence names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.decided import changes, thought_better_of
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    bounds_of,
    looks_like_code,
    prose_of,
    trimmed,
)
from clew.tools_seen.worded import Worded, worded

_LONGEST_PASSAGE = 6_000
_FEWEST_WORDS, _MOST_WORDS = 6, 50
_MOST = 3
_SURE, _LESS_SURE = 1.1, 0.9
_FARTHEST = 12
"""Exchanges behind a design in which a change may carry it out."""
_BEHAVES = (
    r"(?:treat|return|skip|ignore|require|allow|count|mark|fall\sback|keep|use|default|reject|accept|"
    r"drop|merge|raise|reuse|pass|show|hide|leave)"
)
_MAKES = (
    r"(?:update|change|make|have|let|move|route|wire|pass|convert|replace|rename|extend|split|merge|"
    r"add|create|store|set|wrap|drop|remove|switch|modify|introduce|extract|rewrite|inject|register|"
    r"return|treat|cache|swap)"
)
_IN = r"(?:[^.!?\n]|\.(?!\s|$))"
"""A sign inside a sentence."""
_OPENS = r"(?:^|(?<=[.!?:] )|(?<=\n))[\s*_>-]{0,6}(?:\d{1,2}[.)]\s)?(?:THOUGHT: )?"
_IN_CASE = worded(
    rf"{_OPENS}(?:[^.!?:\n]{{3,30}}:\s)?(?:if|when|for)\s{_IN}{{12,140}},\s(?:just\s|then\s)?"
    rf"{_BEHAVES}\s(?!(?:it|that|this)\b\W*$)[^\n]{{8,}}",
    needs=", ",
    flags=re.IGNORECASE | re.MULTILINE,
)
"""A case and, behind the comma, what is done then; nobody is told to."""
_ONLY_SO = worded(
    rf"{_OPENS}(?!(?:[Ii]|[Ww]e|[Yy]ou)\b){_IN}{{3,90}}\sshould\s(?:only|never|always|not)\s"
    r"(?!be\sable|work|pass|fail|have|see|be\saffect|affect|happen|matter)\w[^\n]{6,}",
    needs=" should ",
    flags=re.MULTILINE,
)
_MADE_SO = worded(
    rf"{_OPENS}(?:(?:now|then|next|first|also|finally|so)\W+){{0,2}}{_MAKES}\s(?!sure\b|it\b|this\b|that\b)"
    rf"{_IN}*?(?:\sinstead\b|\srather\sthan\b|\((?:they|it|so|to|since|because)\s|\swithout\s|"
    rf"\sso\s(?:that|it|the|they)\s|\sto\s(?:pass|return|take|accept|default)\s`)[^\n]*",
    needs=" instead| rather than|(they |(it |(so |(to |(since |(because | without | so that |"
    " so it | so the| `",
    flags=re.IGNORECASE | re.MULTILINE,
)
"""A change without a subject, with what it is for or what it takes the place of."""
_THERE = worded(
    rf"{_OPENS}(?:so\s|then\s)?in\s`[^`\n]+`(?:\sand\s`[^`\n]+`)?,\s(?:i(?:['\u2019]ll|\swill|\scan|"
    rf"\sneed\sto|\sshould)\s)?{_MAKES}\s[^\n]+",
    needs="in `",
    flags=re.IGNORECASE | re.MULTILINE,
)
_BEST = worded(
    rf"{_OPENS}(?:but\s|so\s|and\s)?(?:(?:the\s)?(?:simplest|cleanest|safest|best|easiest|right|better|"
    r"proper|simple|correct|least\s\w+)(?:\sand\s(?:most\s)?\w+)?(?:\suseful)?\s?(?:fix|way|option|approach|"
    r"solution|version|change|move|path|design)|(?:simplest|cleanest|safest|best|better)(?:\sand\s"
    r"(?:most\s)?\w+)?)(?:\s(?:here|now))?(?:\sis\sto|\swould\sbe\sto|\sis\sjust\sto|:(?:\sjust)?|\s\u2014)\s"
    r"(?!do\snot\b|the\b|a\b|an\b|which\b|that\b)[a-z`][^\n]{8,}",
    needs="simpl|cleanest|safest|best|easiest|right|better|proper|correct|least ",
    flags=re.IGNORECASE | re.MULTILINE,
)
_CAN = worded(
    rf"\b(?:i|we)\s(?:can|could)\s(?:just\s|simply\s|then\s)?(?:{_MAKES}|use)\s(?={_IN}*`[^`\n]+`)"
    rf"{_IN}*\s(?:to|in|into|instead|with|when|so|by|that)\s[^\n]+",
    needs="`",
    flags=re.IGNORECASE,
)
_PATTERNS = (
    (_BEST, _SURE), (_IN_CASE, _SURE), (_THERE, _SURE), (_ONLY_SO, _LESS_SURE),
    (_MADE_SO, _LESS_SURE),
)  # fmt: skip
_OPEN = re.compile(
    r"\?|\bif\s(?:you|i|we)\b|\b(?:let\sme|maybe|perhaps|not\ssure|wait|hmm|either\sway|option|would\syou|"
    r"do\syou|might|print|debug\s(?:prints?|logs?|logging|output)|sed|heredoc|python\sscript|line\snumbers?|grep|script)\b|"
    r"\bor\s(?:just|maybe|i|we)\b|(?-i:\bOR\b)",
    re.IGNORECASE,
)
"""Leaves open what is done, or speaks of the tools it is done with."""
_SHOULD = re.compile(r"\bshould\b")
_MARKED = re.compile(r"`([^`\n]{3,90})`")


@once
def designs_in(reading: Reading) -> tuple[Claim, ...]:
    """The designs of one exchange that changes something, and says or thinks how."""
    if not changes(reading):
        return ()
    made: dict[str, Claim] = {}
    for text in (*reading.prose, *reading.reasoning):
        aloud = text in reading.prose
        for said, rank in _told(text[:_LONGEST_PASSAGE], _PATTERNS):
            made.setdefault(said, _claim(said, reading, rank if aloud else rank - 0.3))
    return tuple(islice(made.values(), _MOST))


@once
def _proposed(reading: Reading) -> tuple[tuple[str, frozenset[str]], ...]:
    """What the agent says at work that it can do, with the names of what it is about."""
    if not reading.calls or reading.finished:
        return ()
    found: list[tuple[str, frozenset[str]]] = []
    patterns = ((_CAN, _LESS_SURE), *(() if changes(reading) else _PATTERNS[:3]))
    for text in reading.prose:
        for said, _ in _told(text[:_LONGEST_PASSAGE], patterns):
            names = frozenset((*identifiers_in(said), *_MARKED.findall(said)))
            if names:
                found.append((said, names))
    return tuple(found[:_MOST])


@once
def _names_changed(reading: Reading) -> frozenset[str]:
    """The identifiers in what a change of an exchange sent."""
    if not changes(reading):
        return frozenset()
    said = frozenset(name for text in reading.prose for name in identifiers_in(text))
    return frozenset(reading.agent_names) - said


def carried_out(readings: Sequence[Reading], later: Sequence[Reading]) -> list[Claim]:
    """What the agent said that it can do, where a change soon behind names the same things."""
    everything = [*readings, *later]
    made: list[Claim] = []
    for place, reading in enumerate(readings):
        for said, names in _proposed(reading):
            behind = everything[place : place + 1 + _FARTHEST]
            if any(_does(each, names) for each in behind):
                made.append(_claim(said, reading, _LESS_SURE))
    return made


def _does(reading: Reading, names: frozenset[str]) -> bool:
    """Whether the changes of an exchange name most of what a design names."""
    changed = _names_changed(reading)
    if not changed:
        return False
    short = {each.rsplit(".", 1)[-1].strip("()") for each in names}
    return sum(each in changed for each in short) * 2 >= len(short)


def read_ahead(reading: Reading) -> None:
    """Work out what one exchange says by itself."""
    _proposed(reading)
    _names_changed(reading)


def _told(text: str, patterns: Sequence[tuple[Worded, float]]) -> Iterator[tuple[str, float]]:
    """The sentences of a passage that tell a design, where nothing behind goes back on it."""
    for offset, piece in prose_of(text):
        for pattern, rank in patterns:
            for found in pattern.finditer(piece):
                at = found.start() + len(found.group()) - len(found.group().lstrip(" *_>-\n"))
                start, end = bounds_of(piece, at, at + 1)
                said = trimmed(piece, max(start, 0), end).removeprefix("THOUGHT: ")
                if _is_design(said) and not thought_better_of(text, offset + end - 1):
                    yield said, rank


def _is_design(said: str) -> bool:
    plain = _MARKED.sub("it", said)
    # What somebody else says that it should be is quoted, not chosen.
    quoted = _SHOULD.search(said) is not None and _SHOULD.search(plain) is None
    if quoted or not _FEWEST_WORDS <= len(said.split()) <= _MOST_WORDS:
        return False
    return not looks_like_code(plain) and _OPEN.search(said) is None


def _claim(said: str, reading: Reading, rank: float) -> Claim:
    return claim(
        "decision",
        said,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        rank=rank + (0.3 if "`" in said or identifiers_in(said) else 0.0),
    )
