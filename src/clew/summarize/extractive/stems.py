"""The words of a statement by their stems, and the small words that name nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.summarize.extractive.sentences import topic_words

LEADS = frozenset({"for", "of", "in", "from", "at", "by", "with", "about", "to", "on"})
NO_MODIFIERS = frozenset(
    """
    a an the this that these those my our your his her its their all any each every some no new
    old current previous latest other same and or but to on is are was were be been being has
    have had will would can may must not only now then so also we i you they he she it there
    """.split()  # noqa: SIM905
)
VERBS = frozenset(
    """
    is are was were be has have had must may can cannot will would should shall does do did goes
    gets got
    """.split()  # noqa: SIM905
)
ORDERS = frozenset(
    """
    use set keep make take put send call run give show report print write ship pay get bring hold
    want need own move change switch buy sell tell ask start stop add drop book leave spend
    """.split()  # noqa: SIM905
)
"""Verbs that open an order, or stand between who and what: neither a subject nor a modifier."""
_DOER, _SHORTEST_DOER = re.compile(r"(?:ership|er|or)$"), 4
"""Who owns a thing is its owner, and has its ownership."""
_SHORT_ENDING = re.compile(r"(?<!s)s$|e$")


@lru_cache(maxsize=8_192)
def stem_of(word: str) -> str:
    """What a word is compared by; empty for small words."""
    if len(word) == 2 and word.isalpha() and word not in NO_MODIFIERS | LEADS | VERBS:
        return word
    stem = next(iter(topic_words(word)), "")
    stem = _SHORT_ENDING.sub("", stem) if len(stem) == _SHORTEST_DOER else stem
    return _DOER.sub("", stem) if len(stem) > _SHORTEST_DOER else stem


def stems_of(tokens: Sequence[str]) -> frozenset[str]:
    """The stems of those tokens that are words."""
    return frozenset(stem for token in tokens if token.isalpha() and (stem := stem_of(token)))
