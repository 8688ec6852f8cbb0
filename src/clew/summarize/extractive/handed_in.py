"""Reports that are no prose of the agent: of a helper, and those that a program reads as JSON.

A helper that a part of the work was given to reports back in the result of the call. An agent that
answers a program writes its report as JSON; the sentences in it are findings as any others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from clew.record.items import Speaker
from clew.summarize.extractive.bidding import is_order
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.passing import passes
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.reports import surest_of_report
from clew.summarize.extractive.sentences import LONGEST_QUOTE, bounds_of, trimmed
from clew.tools_seen.json_text import object_in
from clew.tools_seen.seen import Action

_MOST_OF_A_HELPER, _MOST_OF_A_DOCUMENT = 2, 5
_LONGEST_DOCUMENT = 40_000
_DEEPEST = 6
_FEWEST_WORDS = 5
_RANK = 1.2
_LESS_SURE = 0.4
"""What a helper tells counts less than what the agent makes of it."""
_TO_SOMEBODY = re.compile(r"^\W*(?:thank|thanks|sorry|hello|hi)\b|\bplease\b", re.IGNORECASE)
_WORDS_ONLY = re.compile(r"^[^\s/\\]+$|^\w+://|^[/~.]")
"""A value, an address or a path, not a sentence."""


@once
def handed_in(reading: Reading, cues: Cues) -> tuple[Claim, ...]:
    """The findings of reports that helpers handed in, and of those that are JSON."""
    return (*_of_helpers(reading, cues), *_of_documents(reading, cues))


def _of_helpers(reading: Reading, cues: Cues) -> Iterator[Claim]:
    given = [call.action is Action.DELEGATE for call in reading.calls]
    if not given or not all(given):
        return
    for result in reading.results:
        report = replace(reading, prose=(result,), calls=(), finished=True)
        for text, rank in surest_of_report(result, report, cues, _MOST_OF_A_HELPER):
            yield _claim(text, reading, Speaker.TOOL, rank - _LESS_SURE)


def _of_documents(reading: Reading, cues: Cues) -> Iterator[Claim]:
    if not reading.finished:
        return
    for text in reading.prose:
        bare = text.strip()
        if len(bare) > _LONGEST_DOCUMENT:
            continue
        said = [
            sentence
            for value in _texts(object_in(bare), 0)
            for sentence in _sentences(value)
            if sentence in text and _finds(sentence, cues)
        ]
        for sentence in list(dict.fromkeys(said))[:_MOST_OF_A_DOCUMENT]:
            yield _claim(sentence, reading, Speaker.AGENT, _RANK)


def _finds(sentence: str, cues: Cues) -> bool:
    """Whether a sentence states something: it asks nobody, leads to nothing and is no courtesy."""
    if sentence.rstrip().endswith(("?", ":", "\uff1f", "\uff1a")) or _TO_SOMEBODY.search(sentence):
        return False
    return not (is_order(sentence) or passes(sentence, cues) or cues.has("promise", sentence))


def _texts(value: Any, depth: int) -> Iterator[str]:
    """The sentences among the values of a document, at any depth."""
    if isinstance(value, str):
        if len(value.split()) >= _FEWEST_WORDS and not _WORDS_ONLY.match(value):
            yield value
    elif depth < _DEEPEST:
        inside = value.values() if isinstance(value, dict) else value
        for each in inside if isinstance(value, dict | list) else ():
            yield from _texts(each, depth + 1)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = max(bounds_of(text, start, start + 1)[1], start + 1)
        said = trimmed(text, start, end)
        if len(said.split()) >= _FEWEST_WORDS and len(said) < LONGEST_QUOTE:
            yield said
        start = end


def _claim(text: str, reading: Reading, said_by: Speaker, rank: float) -> Claim:
    return claim(
        "fact",
        text,
        span=reading.handle,
        position=reading.position,
        said_by=said_by,
        rank=rank,
    )
