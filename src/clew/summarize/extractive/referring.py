"""A sentence that points to the one before it ("It reads …") is quoted together with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.lists import is_entry
from clew.summarize.extractive.passing import passes
from clew.summarize.extractive.sentences import LONGEST_QUOTE, bounds_of, trimmed
from clew.summarize.extractive.stating import says_how_it_is

_REFERS = re.compile(
    r"^\W*(?:(?:so|and|but|also|yes|no)\W+)?(?:(?:it|they|both)\s(?!(?:seems|appears|looks)\b)|"
    r"it['\u2019]s\s|(?:this|that|these|those)\s(?:are|is|was|were|will|would|can|must|should|"
    r"has|have|did|does|also|only|(?!\w*(?:ss|us|is)\b)(?<!ese\s)(?<!ose\s)\w{3,}s)\b)",
    re.IGNORECASE,
)
_BARE = re.compile(r"^\W*(?:(?:so|and|but|also|yes|no)\W+)?(?:it|they|both)\b", re.IGNORECASE)
_FOR_A_STEP = re.compile(
    r"^\W*(?:(?:so|and|but|also)\W+)?(?:this|that|it)\s(?:should|could|would|will|ensures|gives|makes|"
    r"keeps|lets|allows|avoids|preserves|prevents|guarantees|way)\b",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"^\W*(?:(?:now|next|first|then|so|to\s[^,]{3,80})\W+)?(?:(?:i|we)(?:['\u2019](?:ll|m|re)\b|\s(?:will|am|"
    r"are|should|need|can|want)\b)|let\sme\b|let['\u2019]s\b|please\b)",
    re.IGNORECASE,
)
"""Says what somebody does or should do."""
_FEW_WORDS = 4
_OF_ANOTHER = re.compile(r"^\W*(?:however|still|but|and|so),?\s(?:it|they|those)\s", re.IGNORECASE)
"""Goes on about something that stands in another sentence."""
_REACH = 500
_FEWEST_WORDS = 3
_NO_STATEMENT = ("```", "?", ":")
_MOST_LINE_ENDS = 2
_LABEL = "THOUGHT: "


def refers(said: str) -> bool:
    """Whether a sentence opens with a word that points to something said before it."""
    return _REFERS.match(said) is not None


def is_of_another(said: str) -> bool:
    """Whether a sentence sets something against what another one says."""
    return _OF_ANOTHER.match(said) is not None


def is_cut_off(said: str, texts: Sequence[str]) -> bool:
    """Whether a sentence points to something that no sentence before it states.

    It opens with "It" and says little itself, or says of a step right before it what that is for.
    """
    if not refers(said):
        return False
    if len(said.split()) <= _FEW_WORDS and _BARE.match(said) is not None:
        return True
    before = _before(said, texts)
    return (
        before is not None and _FOR_A_STEP.match(said) is not None and bool(_STEP.match(before[0]))
    )


def with_what_it_refers_to(said: str, texts: Sequence[str], cues: Cues) -> str:
    """The sentence with the one right before it, verbatim, where it needs that and that states."""
    before = _before(said, texts)
    if before is None:
        return said
    sentence, whole = before
    stands = says_how_it_is(sentence) and not (refers(sentence) or passes(sentence, cues))
    return whole if stands else said


def with_the_one_before(said: str, texts: Sequence[str]) -> str:
    """The same for a choice: what it points to may be a step that is announced."""
    before = _before(said, texts)
    return said if before is None or refers(before[0]) else before[1]


def _before(said: str, texts: Sequence[str]) -> tuple[str, str] | None:
    """The sentence right before one that points to it, and both, verbatim; None without."""
    if not refers(said):
        return None
    places = ((text, text.find(said)) for text in texts)
    return next((_joined(text, at, said) for text, at in places if at >= 0), None)


def _joined(text: str, at: int, said: str) -> tuple[str, str] | None:
    head = text[max(0, at - _REACH) : at]
    bare = head.rstrip()
    if not bare or bare.endswith(_NO_STATEMENT) or head.count("\n", len(bare)) > _MOST_LINE_ENDS:
        return None
    first = bounds_of(bare, len(bare) - 1, len(bare))[0]
    before = trimmed(bare, first, len(bare)).removeprefix(_LABEL)
    start = text.rfind(before, 0, at)
    whole = text[start : at + len(said)]
    if start < 0 or len(whole) >= LONGEST_QUOTE or len(before.split()) < _FEWEST_WORDS:
        return None
    # An entry of a list or a line of its own heads what stands below it, or is another's.
    if "\n" in head[len(bare) :] and is_entry(bare[first:]):
        return None
    return before, whole
