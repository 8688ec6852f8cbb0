"""Sentences that tell a flaw of what is there, and the files and places that they tell it of."""

from __future__ import annotations

import re
from functools import lru_cache

FILE = re.compile(r"(?<![\w.])(?:[\w.-]+[/\\])*(?P<name>[\w-][\w.-]*\.[A-Za-z]\w{0,5})\b(?!\()")
"""The name of a file in a sentence, without its folders."""
_PLACE = re.compile(r"(?P<file>[\w./\\-]*\w\.[A-Za-z]\w{0,5}):\d+")
_FLAW = re.compile(
    r"[\u26a0\u274c]|\b(?:unused|dead\scode|never\s(?:used|read|called)|stale|drift\w*|duplicat\w*|missing|"
    r"lacks?|no\stests?|zero\s(?:test\s)?coverage|not\scovered|untested|unbounded\w*|leaks?|"
    r"still\s(?:documents?|says|uses|has|describes|references|refers|points|calls|imports|mentions|expects)|misleading|outdated|out\sof\sdate|inconsistent|silently|swallows?|"
    r"asserts\snothing|should\snow\b|"
    r"(?:\w+n['\u2019]t|not|never)\s(?:have|cover|check|handle|test|assert|validate)\w*)\b",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"[\u26a0\u274c]|^\W*(?:\d{1,2}\W+)?(?:high|medium|low|critical|major|minor|nit|p[0-3]|bug|issue|"
    r"blocker|warning)\b\W{0,4}[:\u2014\u2013\]-]",
    re.IGNORECASE,
)
"""Marked as a flaw, or with how bad it is."""

_SAYS_MORE = re.compile(r"\b(?:but|whereas|while)\b", re.IGNORECASE)
"""Sets something against the flaw that may hold behind the change."""


@lru_cache(maxsize=8_192)
def is_flaw(text: str) -> bool:
    """Whether a sentence says that something is missing, stale or twice there."""
    return _FLAW.search(text) is not None


@lru_cache(maxsize=8_192)
def is_flaw_alone(text: str) -> bool:
    """Whether a sentence tells a flaw, and nothing beside it that may hold behind the change."""
    return is_flaw(text) and _SAYS_MORE.search(text) is None


@lru_cache(maxsize=8_192)
def is_marked(text: str) -> bool:
    """Whether a sentence is marked as a flaw."""
    return _MARKED.search(text) is not None


@lru_cache(maxsize=8_192)
def files_of_a_flaw(text: str) -> frozenset[str]:
    """The names of the files that a sentence tells a flaw of; empty for any other sentence."""
    files = frozenset(found["name"] for found in FILE.finditer(text)) if "." in text else None
    return files if files and is_flaw(text) else frozenset()


@lru_cache(maxsize=8_192)
def files_of_places(text: str) -> frozenset[str]:
    """The names of the files of which a sentence names a line: a review points at such places."""
    places = _PLACE.finditer(text) if ":" in text else ()
    return frozenset(re.split(r"[/\\]", found["file"])[-1] for found in places)
