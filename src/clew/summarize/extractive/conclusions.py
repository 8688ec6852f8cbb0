"""What the agent concluded: plain statements right behind a result or a question of the user.

Such sentences carry no word that marks them. Their place does: who has just read a result says
first what it showed, in words that share its names or numbers, before saying what comes next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from clew.record.claims import one_line
from clew.record.items import Speaker
from clew.summarize.extractive.bidding import is_order
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.passing import is_account, passes
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.referring import is_cut_off, with_what_it_refers_to
from clew.summarize.extractive.sentences import LONGEST_QUOTE, looks_like_code, trimmed
from clew.summarize.extractive.shown_pages import own_prose
from clew.summarize.extractive.stating import (
    CONCLUDING,
    HEADING,
    TELLS_WORK,
    opens_as_statement,
    plain_words,
)

_OPENING = 700
"""Characters of a message in which a result is taken in; behind them stands what comes next."""

_LONGEST_RESULT = 8_000
_MOST_LOOKED_AT = 6
_MOST_KEPT = 2
_MOST_CLAIMED = 24
"""Conclusions of a stretch that are looked at further; a record keeps fewer."""

_ANSWERING = 2
_FEWEST_WORDS, _MOST_WORDS = 3, 60
_FEW_WORDS = 8
_FEWEST_PLAIN_WORDS = 6
"""A shorter sentence without a name or number ("all tests pass") is about the moment."""

_ENOUGH = 0.85
_END = re.compile(r"[.!?][*\"')]{0,2}\s|\n")
_GOES_ON = (".g.", ".e.", "etc.", " vs.", " cf.")
_SUPPOSING = frozenset({"wondering", "maybe", "perhaps", "might", "hunch"})
_SUPPOSED = ("not sure", "i think", "should now", "let's ", "let me ", "let\u2019s ")
_EMPTY = re.compile(
    r"\b(?:i|we)\s(?:now\s)?(?:see|found|understand)\s(?:the|an?)\s\w+\W*$", re.IGNORECASE
)
"""Says that something was seen, but not what."""
_OF_THE_TASK = re.compile(
    r"\bthe\suser\b|^\W*(?:i|my|this\sway)\b|\bi(?:['\u2019]ll|\swonder|\smight|\sshould|\salready)\b",
    re.IGNORECASE,
)
"""Thinks of the task and of oneself, not of what is there."""
_MARKED = re.compile(r"`([^`\n]{2,60})`")
_NUMBER = re.compile(r"(?<![\w.])\d(?:[\d.,:]*\d)?%?(?!\w)")
_LABEL = "THOUGHT:"
_LISTED = re.compile(r"\s*(?:[-*+\u2022]|\d{1,2}[.)])\s")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence that may conclude something, and the names and numbers it may share."""

    text: str
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    place: int
    concludes: bool
    thought: bool


def conclusions_in(readings: Sequence[Reading], cues: Cues) -> list[Claim]:
    """What messages say of the result, or of the question, right before them: the surest ones."""
    rated = [
        (rank, place, statement)
        for place, (before, reading) in enumerate(pairwise(readings), start=1)
        for rank, statement in _rated(reading, before, cues)
    ]
    surest = sorted(rated, key=lambda each: (-each[0], -each[1]))[:_MOST_CLAIMED]
    return [_claim(statement, readings[place], rank) for rank, place, statement in surest]


@once
def _rated(reading: Reading, before: Reading, cues: Cues) -> tuple[tuple[float, _Statement], ...]:
    """The statements of one message that conclude something, the surest first."""
    if not _heard_in(reading) or not _speaks_first(reading):
        return ()
    answers = bool(before.typed)
    if not before.results and not answers:
        return ()
    shown = [result[:_LONGEST_RESULT] for result in before.results]
    rated = [
        (_rank(each, shown, answers), each)
        for each in _statements_of(reading)
        if not passes(each.text, cues) and (reading.finished or not is_account(each.text))
    ]
    surest = sorted((r for r in rated if r[0] > 0), key=lambda r: -r[0])[:_MOST_KEPT]
    said = reading.prose or reading.reasoning
    told = [(r, with_what_it_refers_to(each.text, said, cues), each) for r, each in surest]
    return tuple(
        (rank, replace(each, text=text)) for rank, text, each in told if not is_cut_off(text, said)
    )


def _claim(statement: _Statement, reading: Reading, rank: float) -> Claim:
    return claim(
        "fact",
        statement.text,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        rank=rank,
    )


def read_ahead(reading: Reading, before: Reading | None, cues: Cues) -> tuple[str, ...]:
    """Work out what one message states; what it concludes from the exchange right before it."""
    if before is not None:
        return tuple(one_line(stated.text) for _, stated in _rated(reading, before, cues))
    if _speaks_first(reading):
        _statements_of(reading)
    return ()


def first_statement(reading: Reading) -> str | None:
    """What a message states first, before it says what comes next; None where it states nothing."""
    found = _statements_of(reading)
    return found[0].text if found else None


def _speaks_first(reading: Reading) -> bool:
    """Whether the agent's words open the exchange; beside a call a person speaks behind them."""
    return not reading.typed or bool(reading.calls)


def _rank(statement: _Statement, shown: list[str], answers: bool) -> float:
    """How sure it is that the statement concludes something, 0 for one that hardly does."""
    names = any(name in result for result in shown for name in statement.names)
    numbers = any(number in result for result in shown for number in statement.numbers)
    if statement.thought and not (numbers or (names and statement.concludes)):
        return 0.0
    rank = 0.8 * names + 1.0 * numbers + 0.6 * statement.concludes
    rank += 0.3 if statement.place == 0 else 0.0
    # Only the first sentences answer a question, and only where they conclude something.
    if answers and statement.place < _ANSWERING and (statement.concludes or statement.names):
        rank += 0.6
    account = not statement.concludes and TELLS_WORK.search(statement.text) is not None
    if rank >= _ENOUGH and account:
        rank -= 0.7
    return round(0.2 + rank, 2) if rank >= _ENOUGH else 0.0


def _heard_in(reading: Reading) -> str:
    """What a message says first; where it only calls, what is thought before the call."""
    if reading.prose:
        return next(iter(own_prose(reading)), "")
    return reading.reasoning[0] if reading.reasoning and not reading.typed else ""


@once
def _statements_of(reading: Reading) -> tuple[_Statement, ...]:
    """The plain statements among the first sentences of a message."""
    found: list[_Statement] = []
    for text in _sentences(_heard_in(reading)[:_OPENING]):
        words = plain_words(text)
        concludes = not CONCLUDING.isdisjoint(words)
        # What opens a list says little without it, unless it counts.
        opens = text.endswith((":", "\uff1a")) and _NUMBER.search(text) is None
        if opens or not _states(text, words):
            continue
        if not reading.prose and _OF_THE_TASK.search(text) is not None:
            continue
        made = _Statement(
            text=text,
            names=(*identifiers_in(text), *(_MARKED.findall(text) if "`" in text else ())),
            numbers=tuple(n for n in _NUMBER.findall(text) if len(n) > 1),
            place=len(found),
            concludes=concludes,
            thought=not reading.prose,
        )
        if made.names or made.numbers or len(words) >= _FEWEST_PLAIN_WORDS:
            found.append(made)
    return tuple(found)


def _sentences(opening: str) -> Iterator[str]:
    """The first sentences before any fence, list entries left out."""
    prose = opening.partition("```")[0]
    start = count = 0
    while start < len(prose) and count < _MOST_LOOKED_AT:
        found = _END.search(prose, start)
        while found is not None and _goes_on(prose, start, found.end()):
            found = _END.search(prose, found.end())
        end = found.end() if found is not None else len(prose)
        count += 1
        if _LISTED.match(prose, start) is None and (text := trimmed(prose, start, end)):
            yield text.removeprefix(_LABEL).lstrip()
        start = end


def _goes_on(prose: str, start: int, end: int) -> bool:
    """Whether a full stop belongs to an abbreviation or to the number of a list entry."""
    return prose.endswith(_GOES_ON, start, end) or prose[start:end].strip()[:-1].isdigit()


def _states(text: str, words: list[str]) -> bool:
    """Whether a sentence says how something is, not what is done, asked or supposed."""
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or len(text) >= LONGEST_QUOTE:
        return False
    if not opens_as_statement(words) or text.endswith(("?", "\uff1f")) or is_order(text):
        return False
    if not _SUPPOSING.isdisjoint(words) or HEADING.match(text) or looks_like_code(text):
        return False
    if len(words) <= _FEW_WORDS and _EMPTY.search(text):
        return False
    if "`" in text and len(_MARKED.sub("", text).split()) < _FEWEST_WORDS:
        return False
    return not any(said in text.lower() for said in _SUPPOSED)
