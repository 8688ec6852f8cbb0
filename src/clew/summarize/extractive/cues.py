"""Cue phrases: what a sentence is for, read from data files that a user can extend."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from clew.errors import PolicyError

SECTIONS = (
    "rule", "wish", "update", "decision", "contrast", "reason", "rejected", "dead_end",
    "correction", "stop", "promise", "deferred", "next", "done", "fact", "question",
    "awaiting", "approval", "scope", "failure", "left", "choice", "guess", "doubt", "verdict",
    "moment", "told", "offered", "alone", "permission", "barred", "courtesy",
)  # fmt: skip
_NO_OPENERS = frozenset(
    """
    done scope stop next reason deferred wish update failure left guess doubt verdict moment
    told offered alone permission barred courtesy
    """.split()  # noqa: SIM905
)
"""Sections of words so common that they make no sentence worth a look on their own."""
_BY_NAME = frozenset({"alone", "permission", "barred", "courtesy"})
"""Sections that are asked for by name: the first three of what a person says, the last of an
answer."""


_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Openings:
    """The first words of some phrases: without one of them a pattern needs not be tried.

    `whole` are words, `begun` beginnings of words behind a blank, `signs` tells that a phrase
    begins with something else.
    """

    whole: frozenset[str]
    begun: tuple[str, ...]
    signs: bool

    def stand_in(self, words: frozenset[str], joined: str) -> bool:
        """Whether a sentence of these words, joined by blanks, may hold one of the phrases."""
        return (
            self.signs
            or not self.whole.isdisjoint(words)
            or any(beginning in joined for beginning in self.begun)
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cues:
    """One compiled pattern per purpose, and one that finds any of them.

    `phrases` are the plain lower-case phrases behind the patterns, by purpose, `openings` the
    first words of these phrases: without one of them a pattern needs not be tried.
    """

    phrases: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, re.Pattern[str]]
    openings: Mapping[str, Openings]
    any: re.Pattern[str]

    def purposes(self, sentence: str) -> frozenset[str]:
        """What a sentence may be for."""
        if not sentence.isascii():  # some letters have more than one lower-case form
            tried = list(self.openings)
        else:
            words = _WORD.findall(sentence.lower())
            distinct, joined = frozenset(words), " " + " ".join(words)
            tried = [n for n, first in self.openings.items() if first.stand_in(distinct, joined)]
        return frozenset(name for name in tried if self.patterns[name].search(sentence))

    def has(self, purpose: str, sentence: str) -> bool:
        """Whether a sentence holds a cue for one purpose."""
        return self.patterns[purpose].search(sentence) is not None


def compile_cues(lists: Mapping[str, Iterable[str]]) -> Cues:
    """Compile phrase lists by purpose; a purpose that is left out finds nothing."""
    phrases = {
        name: tuple(dict.fromkeys(p.strip().lower() for p in lists.get(name, ()) if p.strip()))
        for name in SECTIONS
    }
    openers = {phrase for name in SECTIONS if name not in _NO_OPENERS for phrase in phrases[name]}
    return Cues(
        phrases=phrases,
        patterns={name: _pattern(values) for name, values in phrases.items()},
        openings={n: _openings(values) for n, values in phrases.items() if n not in _BY_NAME},
        any=_pattern(openers),
    )


def read_cue_file(text: str, *, name: str) -> dict[str, tuple[str, ...]]:
    """The phrase lists of one cue file; raises PolicyError when a section is unknown or no list."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{name} is not TOML: {error}", where=name) from error
    lists: dict[str, tuple[str, ...]] = {}
    for section, body in document.items():
        if section == "language":
            continue
        phrases = body.get("phrases") if isinstance(body, dict) else None
        if section not in SECTIONS or not isinstance(phrases, list):
            raise PolicyError(
                f"{name}: [{section}] is no cue section; known are {', '.join(SECTIONS)}",
                where=f"{name} [{section}]",
            )
        lists[section] = tuple(str(phrase) for phrase in phrases)
    return lists


@cache
def built_in_cues() -> Cues:
    """The cues that come with the package."""
    merged: dict[str, tuple[str, ...]] = {}
    folder = files("clew.summarize.extractive").joinpath("cues")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".toml"):
            for section, phrases in read_cue_file(
                entry.read_text(encoding="utf-8"), name=entry.name
            ).items():
                merged[section] = (*merged.get(section, ()), *phrases)
    return compile_cues(merged)


def _openings(phrases: Iterable[str]) -> Openings:
    whole: set[str] = set()
    begun: set[str] = set()
    signs = False
    for phrase in phrases:
        word = _WORD.match(phrase)
        if _runs_on(phrase):
            continue  # never in the sentences of one script that are looked at by words
        if word is None:
            signs = True
        elif phrase[word.end() :] == "*":
            begun.add(f" {word.group()}")
        else:
            whole.add(word.group())
    return Openings(frozenset(whole), tuple(sorted(begun)), signs)


def _pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """One pattern for all phrases with shared beginnings, so that a scan stays quick."""
    distinct = sorted(set(phrases))
    if not distinct:
        return re.compile(r"(?!)")
    bordered = [phrase for phrase in distinct if not _runs_on(phrase)]
    inside = [f"{phrase}*" for phrase in distinct if _runs_on(phrase)]
    options = [rf"(?<!\w){_branch(bordered)}"] if bordered else []
    options += [_branch(inside)] if inside else []
    return re.compile("|".join(options), re.IGNORECASE)


def _runs_on(phrase: str) -> bool:
    """Whether a phrase is of a script that is written without spaces, so without word borders."""
    return ord(phrase[0]) >= 0x2E80


def _branch(endings: list[str]) -> str:
    """A pattern for the given endings of phrases; an empty ending closes the word."""
    by_letter: dict[str, list[str]] = {}
    for ending in endings:
        by_letter.setdefault(ending[:1], []).append(ending[1:])
    options = [
        r"(?!\w)" if letter == "" else "" if letter == "*" else _letter(letter) + _branch(rest)
        for letter, rest in sorted(by_letter.items(), reverse=True)
    ]
    return options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"


def _letter(letter: str) -> str:
    if letter == "'":
        return "['\u2019]"
    return r"\s" if letter == " " else re.escape(letter)
