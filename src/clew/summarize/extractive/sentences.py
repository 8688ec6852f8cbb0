"""Verbatim sentences and lines around a cue, and the words that tell what they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from clew.tools_seen.worded import Worded

LONGEST_QUOTE = 400

_FENCE = "```"
_STOPS = (". ", "! ", "? ", "。", "！", "？", "\n", "\\n\\n")
"""Ends of sentences; the last is an empty line in a message that is written as JSON."""
_LEADING = re.compile(r"(?:\s|[-*+>#•]+\s|\d{1,2}[.)]\s|\[[ x]\]\s)+")
_ABBREVIATED = ("e.g.", "i.e.", "etc.", "vs.", "cf.")
_LIST_NUMBER = re.compile(r"[:)]\d{1,2}$")
_WORDS = re.compile(r"[A-Za-z_][\w./-]*[\w/]|\d[\d.,:]*\d|\d|[^\W\d_]{2,}")
_CODE_LINE = re.compile(
    r"[{};]\s*$|^\s*(?:\d+\W+)?(?:import|from|def|class|func|return|if|for|const|let|var|type|use|//|#)"
    r"\s[^.]*$|=>|:=|::|\)\s*\{|&&|</|\w\.\w+\(|^\s*\d+\s*[\u2192|:].*[(=]"
)
_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
_COMMON = frozenset(
    """
    about after again all also and any are been before being but can could did does doing done
    each for from get got had has have her here him his how into its just let like make may
    more most much need needs new next not now off once one only other our out over own same
    she should some such than that the their them then there these they this those through too
    under until use used using very was way well were what when where which while who why will
    with would you your still must never always don't i'll it's that's we'll i'm isn't
    """.split()  # noqa: SIM905
)


_OPENING_CHARS = 1_200
"""Characters of a text whose words tell what it is about."""
_WRAPPED_FROM = 60
"""How long a line is at least that was wrapped for its length."""
_DEEPEST_INDENT = 24
_DENIED = re.compile(
    r"(?:instead\sof|rather\sthan|no\slonger|not|isn't|wasn't|aren't|was)\s+"
    r"(?P<denied>[^,.;:()\n]{2,60})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A verbatim piece of a text and where it begins."""

    text: str
    start: int


def prose_of(text: str) -> Iterator[tuple[int, str]]:
    """The parts of a text outside code fences, with their offsets."""
    if _FENCE not in text:
        yield 0, text
        return
    offset = 0
    for number, piece in enumerate(text.split(_FENCE)):
        if number % 2 == 0:
            yield offset, piece
        offset += len(piece) + len(_FENCE)


def sentences_with(
    pattern: re.Pattern[str] | Worded, text: str, *, most: int = 200
) -> list[Sentence]:
    """The sentences of a text's prose in which the pattern is found, each once, in order."""
    found: list[Sentence] = []
    for offset, piece in prose_of(text):
        at = 0
        while len(found) < most and (match := pattern.search(piece, at)) is not None:
            start, end = bounds_of(piece, match.start(), match.end())
            if sentence := trimmed(piece, start, end):
                found.append(Sentence(sentence, offset + start))
            at = max(end, match.end())
    return found


def bounds_of(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence around `text[start:end]` begins and ends."""
    low = max(0, start - LONGEST_QUOTE)
    first = max((_before(text, stop, low, start) for stop in _STOPS), default=low)
    high = min(len(text), end + LONGEST_QUOTE)
    last = min((_after(text, stop, max(start, end - 1), high) for stop in _STOPS), default=high)
    return first, max(last, end)


def trimmed(text: str, start: int, end: int) -> str:
    """A piece of text without list marks and blanks at its edges, never longer than a quote."""
    lead = _LEADING.match(text, start, end)
    piece = text[lead.end() if lead is not None else start : end].rstrip()
    if len(piece) <= LONGEST_QUOTE:
        return piece
    cut = piece.rfind(" ", 0, LONGEST_QUOTE)
    return piece[: cut if cut > LONGEST_QUOTE // 2 else LONGEST_QUOTE]


def _before(text: str, stop: str, low: int, start: int) -> int:
    at = text.rfind(stop, low, start)
    while at > low and (
        (stop == ". " and text.endswith(_ABBREVIATED, low, at + 1))
        or (stop == "\n" and _is_wrapped(text, at))
    ):
        at = text.rfind(stop, low, at)
    return low if at < 0 else at + len(stop)


def _after(text: str, stop: str, start: int, high: int) -> int:
    at = text.find(stop, start, high)
    while at >= 0 and (
        (stop == ". " and _goes_on(text, start, at)) or (stop == "\n" and _is_wrapped(text, at))
    ):
        at = text.find(stop, at + 1, high)
    return high if at < 0 else at + len(stop)


def _is_wrapped(text: str, at: int) -> bool:
    """Whether a line end only wraps a sentence: a long line of prose that goes on in lower case."""
    before = text[text.rfind("\n", 0, at) + 1 : at].rstrip()
    if len(before) < _WRAPPED_FROM or not (before[-1].isalpha() or before[-1] in ",-\u2014"):
        return False
    behind = text[at + 1 : at + 1 + _DEEPEST_INDENT].lstrip(" ")
    return behind[:1].islower()


def _goes_on(text: str, start: int, at: int) -> bool:
    """Whether a full stop belongs to an abbreviation, or to a list number right behind a sign."""
    if text.endswith(_ABBREVIATED, start, at + 1):
        return True
    return _LIST_NUMBER.search(text, max(start, at - 3), at) is not None


def line_around(text: str, at: int, *, most: int = 240) -> str:
    """The line around a place, verbatim and without blanks at its edges."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)].strip()[:most].rstrip()


def first_line(text: str, *, most: int = 120) -> str:
    """The first line that says something, cut at a word end."""
    for line in text.splitlines():
        bare = line.strip()
        if any(c.isalnum() for c in bare):
            return shortened(bare, most)
    return ""


def shortened(text: str, most: int) -> str:
    """A text cut at a word end, with an ellipsis when something is missing."""
    flat = " ".join(text.split())
    if len(flat) <= most:
        return flat
    cut = flat.rfind(" ", 0, most)
    return flat[: cut if cut > most // 2 else most].rstrip(" ,;:") + "…"


def looks_like_code(text: str) -> bool:
    """Whether a line is program text rather than a sentence."""
    return _CODE_LINE.search(text) is not None or (
        sum(map(text.count, '(){}[];=<>"|')) > 2 + len(text) // 25
    )


def topic_words(text: str) -> frozenset[str]:
    """The words that tell what a text is about: lower case, endings off, common words left out."""
    return _topics_of(text[:_OPENING_CHARS])


@lru_cache(maxsize=4_096)
def _topics_of(text: str) -> frozenset[str]:
    words = (word for word in _WORDS.findall(text.lower()) if word not in _COMMON)
    return frozenset([
        _ENDING.sub("", word) if len(word) > 4 and word.isalpha() else word
        for word in words
        if len(word) >= 3 or word[0].isdigit()
    ])  # fmt: skip


def likeness(first: frozenset[str], second: frozenset[str]) -> float:
    """Shared words as a share of all words (Jaccard), 0 to 1."""
    if not first or not second:
        return 0.0
    shared = len(first & second)
    return shared / (len(first) + len(second) - shared)


def containment(small: frozenset[str], large: frozenset[str]) -> float:
    """The share of the words of `small` that stand in `large`, 0 to 1."""
    return len(small & large) / len(small) if small else 0.0


def denied_words(text: str) -> frozenset[str]:
    """Topic words that a correcting sentence says are wrong now."""
    words: set[str] = set()
    for found in _DENIED.finditer(text):
        words |= topic_words(found["denied"])
    return frozenset(words)
