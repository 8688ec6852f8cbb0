"""The words of a claim: when two are the same, which qualifiers one holds, where one may be cut."""

from __future__ import annotations

import re
from dataclasses import dataclass

QUALIFIERS: tuple[str, ...] = (
    "not", "never", "no", "none", "neither", "nor", "without", "cannot", "only", "except", "unless",
    "until", "within", "per", "solely", "exclusively", "excluding", "at least", "at most",
    "no more than", "no longer", "up to", "as long as", "but not", "other than", "if", "provided",
    "before", "after", "outside", "apart from", "instead of", "rather than",
)  # fmt: skip
"""Words that make a claim narrower; losing one changes what the claim allows."""

_CONTRACTED = re.compile(r"\b(can|do|does|did|is|are|was|were|has|have|had|must|should|would|could|"
                         r"need|ai|won|shan)(?:n['’ʼ]t|['’ʼ]t)\b", re.IGNORECASE)  # fmt: skip
_QUALIFIER = re.compile(
    r"(?<![\w-])(?:" + "|".join(sorted(QUALIFIERS, key=len, reverse=True)).replace(" ", r"\s+")
    + r")(?![\w-])",
    re.IGNORECASE,
)  # fmt: skip
_SHORTEST_CLAUSE = 0.4
"""What share of the limit the first clauses of a shortened text have to fill."""
_BLANKS = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?;。！？；])\s+|\n+")
_CLAUSE_END = re.compile(r"(?<=[,:])\s+|\s+(?=[—–(])|(?<=[、，：])")


def one_line(text: str) -> str:
    """The text with every run of blanks and line ends as one blank."""
    return " ".join(text.split())


def normalised(text: str) -> str:
    """The form in which two wordings of one claim compare equal: case, blanks, end marks."""
    return one_line(text).casefold().rstrip(" .;,:!")


def qualifiers(text: str) -> tuple[str, ...]:
    """The qualifying words of a text in order, lower case; contractions count as `not`."""
    spelled = _CONTRACTED.sub(lambda m: f"{m.group(1)} not", text)
    return tuple(one_line(m.group()).lower() for m in _QUALIFIER.finditer(spelled))


def first_qualifier(text: str) -> str:
    """The first of the qualifying words of a text; empty when it has none."""
    # Nothing behind the first that is spelled out can come before it.
    spelled_out = _QUALIFIER.search(text)
    return next(iter(qualifiers(text[: spelled_out.end()] if spelled_out else text)), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortened:
    """The beginning of a text, whether anything is missing, and the first qualifier that is."""

    text: str
    cut: bool
    lost: str = ""


def shortened(text: str, limit_chars: int) -> Shortened:
    """The first sentences of a text that fit, else its first clauses, else its first words.

    Clauses that leave most of the room free say too little ("git push:" says not what was pushed).
    A cut inside a sentence happens only where the first sentence alone is over the limit.
    """
    text = text.strip()
    if len(text) <= limit_chars:
        return Shortened(text=one_line(text), cut=False)
    # Long pastes: nothing behind a generous window can end up in the short form.
    window = text[: 4 * limit_chars]
    kept = (
        _longest(window, _SENTENCE_END, limit_chars)
        or _first_clauses(window, limit_chars)
        or _longest(window, _BLANKS, limit_chars)
        or window[:limit_chars]
    )
    line = one_line(kept)
    rest = text[len(kept) :]
    if not rest.strip():
        return Shortened(text=line, cut=False)
    return Shortened(text=line, cut=True, lost=first_qualifier(rest[: 8 * limit_chars]))


def _first_clauses(text: str, limit_chars: int) -> str:
    clauses = _longest(text, _CLAUSE_END, limit_chars)
    return clauses if len(clauses) >= limit_chars * _SHORTEST_CLAUSE else ""


def _longest(text: str, ends: re.Pattern[str], limit_chars: int) -> str:
    """The longest beginning that stops at one of these ends and fits; empty when none does."""
    best = 0
    for match in ends.finditer(text):
        if match.start() > limit_chars:
            break
        best = match.start()
    if len(text) <= limit_chars:
        return text
    return text[:best]
