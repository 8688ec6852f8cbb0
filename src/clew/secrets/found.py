"""A secret found in a text, and the quick views that say where to look for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

PLACEHOLDER = re.compile(r"\[secret:[a-z0-9-]{2,24}:[0-9a-f]{3,6}\]")
"""What stands in the place of a secret."""

RUN_CHARS = 20
"""The least length of a word that is looked at as a token; an AWS key id has exactly this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One secret: where it stands (characters, end exclusive) and its kind.

    `chosen` says that a person may have made it up, so that a dictionary could hold it.
    """

    start: int
    end: int
    kind: str
    chosen: bool = False


def fold(text: str) -> bytes:
    """The text in lower case, one byte a character; whatever is not ASCII is `?`.

    A byte search costs a thirtieth of what a pattern costs, so that a long text without
    anything suspicious is passed in milliseconds.
    """
    return text.encode("ascii", "replace").lower()


def positions(view: bytes, literal: bytes) -> Iterator[int]:
    """Every place at which a literal stands in a folded text, ascending, without overlaps."""
    at = view.find(literal)
    while at >= 0:
        yield at
        at = view.find(literal, at + len(literal))


_RUNS = bytes(97 if chr(code).isalnum() or chr(code) in "_-" else 32 for code in range(128)) + (
    b" " * 128
)
_LONG = b"a" * RUN_CHARS


def long_words(text: str, view: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of every run of at least RUN_CHARS letters, digits, `_` and `-`.

    Text inside JSON spells a line end as a backslash and an `n`, which is no part of the word
    behind it.
    """
    runs = view.translate(_RUNS)
    at = runs.find(_LONG)
    while at >= 0:
        end = runs.find(b" ", at)
        end = len(runs) if end < 0 else end
        escaped = at > 0 and text[at - 1] == "\\" and text[at] in "nrt"
        yield at + escaped, end
        at = runs.find(_LONG, end)
