"""A statement without its values: what it is about, in words, and what tells it from its like."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from clew.record.grouped import labelled
from clew.summarize.extractive.naming import Run, name_others, runs_in
from clew.summarize.extractive.stems import (
    LEADS,
    NO_MODIFIERS,
    ORDERS,
    VERBS,
    stem_of,
    stems_of,
)
from clew.summarize.extractive.values import Value, values_in

VALUED_ADJECTIVES = frozenset({"wish", "units"})
"""Sorts of which the value is a modifier itself: nothing is told apart by it."""

_TOKEN = re.compile(r"[^\W\d_][\w'’]*|[.,;:!?()]")
_NO_SUBJECTS = ORDERS | frozenset(
    """
    we i you they he she it there this that who please let let's i'm we're they're
    """.split()  # noqa: SIM905
)
_LONGEST_SUBJECT, _LONGEST_LABELLED = 6, 3
_WIDEST_GAP = 3
"""Blanks in front of the first word, where no value was taken out."""
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_FRONTED = re.compile(
    r"^\W*(?:for|in|on|at|from|after|before|since|if|when|once|until|by|as)\b[^,.;:]{1,60},\s+",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"^\W*(?:(?:hey|hi|hello|dear|thanks|thank\syou|yeah|yes|sure|wow|oh|okay|ok|bye)\b[\s,]*)+"
    r"(?:[A-Z]\w+\b)?",
    re.IGNORECASE,
)
"""Greetings and thanks, with the name of whom they are for, say nothing of the matter."""
_FOR_ONE_CASE = re.compile(
    r"\b(?:for|in|within|inside)\s+(?:the\s+)?(?P<case>[a-z]\w+(?:\s[a-z]\w+)?)", re.IGNORECASE
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z]\w+")
_PERIODS = frozenset({"week", "month", "year", "quarter", "sprint", "term", "season"})
_EVERYWHERE = re.compile(r"\b(?:all|every|everything|everywhere|always)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Frame:
    """A statement without its values.

    `values` are pairs of a sort (all in `sorts`) and lower-case text. `subject` are the words
    before the verb, none where a pronoun or an order stands there; `named` the sorts whose value
    stands there. `before` and `behind` pair a word with what tells it apart, `names` are further
    proper names. `cases` are those it is limited to ("for status reports"), none where it holds
    for all. `runs` are its names, in words that stand side by side. `given` are the values by sort.
    """

    values: frozenset[tuple[str, str]]
    sorts: frozenset[str]
    words: frozenset[str]
    subject: frozenset[str]
    named: frozenset[str]
    before: tuple[tuple[str, str], ...]
    behind: tuple[tuple[str, str], ...]
    names: frozenset[str]
    cases: frozenset[str]
    runs: tuple[Run, ...]
    given: Mapping[str, frozenset[str]]

    def of(self, sort: str) -> frozenset[str]:
        """The values of one sort."""
        return self.given.get(sort, frozenset())


@lru_cache(maxsize=8_192)
def frame_of(text: str) -> Frame:
    """The frame of a statement; what a path begins with counts as a word of it."""
    addressed = _ADDRESSED.match(text)
    text = _after_label(text[addressed.end() :] if addressed is not None else text)
    values = [value for value in values_in(text) if value.sort not in VALUED_ADJECTIVES]
    blanked, words = _without(text, values)
    tokens = [token.lower() for token in _TOKEN.findall(blanked)]
    subject, end = _subject_of(blanked)
    given: defaultdict[str, set[str]] = defaultdict(set)
    for value in values_in(text):
        given[value.sort].add(text[value.start : value.end].lower())
    return Frame(
        frozenset((sort, value) for sort, values in given.items() for value in values),
        frozenset(given),
        words | stems_of(tokens),
        subject,
        frozenset(value.sort for value in values if value.start < end),
        tuple(_pairs_before(tokens)),
        tuple(_pairs_behind(_TOKEN.findall(blanked))),
        frozenset(found.group() for found in _NAME.finditer(blanked)),
        _cases_of(text),
        runs_in(blanked),
        {sort: frozenset(values) for sort, values in given.items()},
    )


def _after_label(text: str) -> str:
    """A statement without a label that says of what kind it is; of a short one it is a part."""
    parts = labelled(text)
    short = len(parts.text.split()) <= _LONGEST_LABELLED
    return text if short or not parts.label else text[text.index(":") + 1 :].lstrip()


def _without(text: str, values: Sequence[Value]) -> tuple[str, frozenset[str]]:
    """The text with blanks for its values, and the words that paths among them begin with."""
    bare, words = list(text), set()
    for value in values:
        if value.sort.startswith("number of"):
            continue  # its noun is a word of the statement
        first, slash, _ = text[value.start : value.end].partition("/")
        if slash and first.isalpha():
            words.add(first.lower())
        bare[value.start : value.end] = " " * (value.end - value.start)
    return "".join(bare).replace("-", " "), frozenset(words)


def _subject_of(text: str) -> tuple[frozenset[str], int]:
    """The words in front of the verb, and where it begins; of a labelled name the label."""
    label, colon, rest = text.partition(":")
    if colon and len(rest.split()) <= _LONGEST_LABELLED and label.strip():
        return stems_of(label.lower().split()), len(label)
    fronted = _FRONTED.match(text)
    start = fronted.end() if fronted is not None else 0
    words = list(_WORD.finditer(text[start:]))
    led_by_value = bool(words) and words[0].start() > _WIDEST_GAP
    if not words or led_by_value or words[0].group().lower() in _NO_SUBJECTS:
        return frozenset(), start + (words[0].start() if words else 0)
    for place, word in enumerate(words[:_LONGEST_SUBJECT]):
        if word.group().lower() in VERBS:
            before = [each.group().lower() for each in words[:place]]
            return stems_of(before), start + word.start()
    stems = [(stem, word) for word in words if (stem := stem_of(word.group().lower()))]
    if not stems:
        return frozenset(), start
    return frozenset({stems[0][0]}), start + stems[0][1].end()


def _pairs_before(tokens: Sequence[str]) -> list[tuple[str, str]]:
    """Each word with the word right before it that may tell it apart."""
    return [
        (stem, before)
        for before, word in pairwise(tokens)
        if before.isalpha()
        and (not _is_verb(before) or (before == "this" and word in _PERIODS))
        and (stem := stem_of(word))
    ]


def _is_verb(word: str) -> bool:
    """Whether a word is none that tells the next one apart, as an adjective or a noun would."""
    plain = word.removesuffix("s")
    return word in NO_MODIFIERS | LEADS or word in ORDERS or plain in ORDERS


def _pairs_behind(tokens: Sequence[str]) -> list[tuple[str, str]]:
    """Each word with what follows it behind "for", "of" and the like, or as a single capital."""
    made = []
    for place, token in enumerate(tokens[1:], start=1):
        stem = stem_of(tokens[place - 1].lower())
        if stem and len(token) == 1 and token.isupper() and token != "I":
            made.append((stem, token))
        if stem and token.lower() in LEADS:
            rest = [t.lower() for t in tokens[place + 1 : place + 4]]
            told = next((stem_of(t) for t in rest if t not in NO_MODIFIERS), "")
            if told:
                made.append((stem, told))
    return made


def _cases_of(text: str) -> frozenset[str]:
    if _EVERYWHERE.search(text) is not None:
        return frozenset()
    return frozenset(found["case"].lower() for found in _FOR_ONE_CASE.finditer(text))


def are_two(one: Frame, other: Frame) -> bool:
    """Whether two statements that share words are about two things, `one` being the newer.

    A word that both share has another word beside it in each ("the east hall", "the west hall"),
    one name holds the other ("the hotel", "the hotel bar"), each speaks of what the other does not
    name ("exports", "imports"), or of another name, or each names its thing by a value
    ("ticket AB-1", "ticket AB-2").
    """
    shared = one.words & other.words
    for mine, theirs in ((one.before, other.before), (one.behind, other.behind)):
        for word in shared:
            here = {beside for stem, beside in mine if stem == word}
            there = {beside for stem, beside in theirs if stem == word}
            if here and there and not here & there:
                return True
    if one.subject and other.subject:
        apart = not one.subject & other.words and not other.subject & one.words
        if apart:
            return True
    if one.names and other.names and not one.names & other.names:
        return True
    return names_another(one, other) or name_others(one.runs, other.runs, shared)


def names_another(one: Frame, other: Frame) -> bool:
    """Whether two statements name their things by values: codes, or persons who have other values.

    A person alone may be the value: who does it now.
    """
    named = {sort for sort in one.named & other.named if one.of(sort) != other.of(sort)}
    return bool(named - {"person"}) or (
        "person" in named and bool((one.sorts & other.sorts) - {"person"})
    )
