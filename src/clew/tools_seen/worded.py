"""Patterns that need one of some words: a plain word is looked for some fifty times quicker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_SHORT_CHARS = 2_000
_SHORT_KEPT = 512
_LONG_KEPT = 32
"""How many texts are kept folded: each module asks for the texts of all exchanges in turn, and few
of those that are long."""
_ASCII_READ_AS = tuple((sign, " ") for sign in "\t\n\v\f\r\x1c\x1d\x1e\x1f")
_WIDE_BLANKS = "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000", *map(chr, range(0x2000, 0x200B))
_READ_AS = (
    *_ASCII_READ_AS,
    *((sign, " ") for sign in "".join(_WIDE_BLANKS)),
    ("\u2019", "'"), ("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"),
)  # fmt: skip
"""What a pattern takes for a blank, an apostrophe, an i or an s, where it is not particular."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A pattern, and words in lower case of which every text that it matches holds one.

    Most texts hold none of them, and are not searched.
    """

    pattern: re.Pattern[str]
    words: tuple[str, ...]

    def may_match(self, text: str) -> bool:
        """Whether one of the words stands in a text, in whatever case."""
        lowered = folded(text)
        for word in self.words:  # noqa: SIM110  (a generator costs more than the search)
            if word in lowered:
                return True
        return False

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first match from a place on."""
        return self.pattern.search(text, start) if self.may_match(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the beginning."""
        return self.pattern.match(text) if self.may_match(text) else None

    def sub(self, new: str, text: str) -> str:
        """The text with something else in the place of every match."""
        return self.pattern.sub(new, text) if self.may_match(text) else text

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches that do not overlap."""
        return self.pattern.finditer(text) if self.may_match(text) else iter(())


def worded(pattern: str, *, needs: str, flags: int = 0) -> Worded:
    """A pattern, with the words that it needs in lower case and with a bar between them.

    A word may be a phrase: a blank in it stands for any white space, an apostrophe for either.
    """
    return Worded(re.compile(pattern, flags), tuple(needs.split("|")))


def folded(text: str) -> str:
    """The text in lower case, with a blank for each white space and plain apostrophes."""
    return _short_folded(text) if len(text) <= _SHORT_CHARS else _long_folded(text)


def _folded(text: str) -> str:
    for sign, read in _READ_AS if not text.isascii() else _ASCII_READ_AS:
        text = text.replace(sign, read)
    return text.lower()


_short_folded = lru_cache(maxsize=_SHORT_KEPT)(_folded)
_long_folded = lru_cache(maxsize=_LONG_KEPT)(_folded)
