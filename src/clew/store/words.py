"""What is known of words: which say nothing of a text, and how one is spelled in its other forms.

The index stems with Porter's algorithm; what is here only counts how often a text that the index
found holds a word, so that it needs to be near, not equal.
"""

from __future__ import annotations

import re
from functools import lru_cache

_FUNCTION_WORDS = """
a an the this that these those and or but if of to in on at by for from with into onto as than then
so is are was were be been being am do does did done doing have has had having will would shall
should can could may might must i me my mine we us our ours you your yours he him his she her hers
it its they them their theirs what which who whom whose when where why how there here not no nor
about
"""
_SPLIT_CONTRACTIONS = """
s t d ll m re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
"""

STOP_WORDS = frozenset((_FUNCTION_WORDS + _SPLIT_CONTRACTIONS).split())
"""Function words of English: in a question they are everywhere, in what answers it rare."""

_SUFFIXES = ("ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e", "y")
_SHORTEST_STEM = 3
_KEPT_DOUBLE = "lsz"
_PATTERNS_REMEMBERED = 4_096


def stem_of(word: str) -> str:
    """The beginning that the forms of a lower-case word share."""
    for suffix in _SUFFIXES:
        stem = word[: -len(suffix)]
        if len(stem) >= _SHORTEST_STEM and word.endswith(suffix):
            double = len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2]
            return stem[:-1] if double and stem[-1] not in _KEPT_DOUBLE else stem
    return word


@lru_cache(maxsize=_PATTERNS_REMEMBERED)
def forms_of(word: str) -> re.Pattern[str]:
    """Finds a lower-case word in a lower-case text, whole, in any of its usual forms."""
    stem = stem_of(word)
    whole, last = re.escape(stem), re.escape(stem[-1])
    # The stem stands first so that it is searched for as plain text.
    return re.compile(
        f"{whole}(?<![^\\W_]{whole}){last}?(?:s|es|e|ed|d|er|ers|ing|ings|y|ies|ied|ly)?(?![^\\W_])"
    )


@lru_cache(maxsize=_PATTERNS_REMEMBERED)
def whole(needle: str) -> re.Pattern[str]:
    """Finds a text that neither begins nor ends within a word: `run_3` is not in `run_33`."""
    escaped = re.escape(needle)
    before = f"(?<![^\\W_]{escaped})" if needle[0].isalnum() else ""
    after = "(?![^\\W_])" if needle[-1].isalnum() else ""
    return re.compile(f"{escaped}{before}{after}")
