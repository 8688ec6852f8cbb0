"""Lists of what could be done: who sets out options says nothing of how anything is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.summarize.extractive.lists import is_entry, is_heading

_LONGEST_HEADING = 120
_HEADS = re.compile(
    r"^[#*\s\d.]{0,8}(?:(?:the|some|my|two|three|four|a\sfew|several|other|possible|alternative|"
    r"main|here\sare|i\ssee)\s)*(?:options?|alternatives?|approaches|possibilities|"
    r"variants|ways\sto\s\w+)\b(?:\s(?:i\ssee|here|are|(?:for|to)\s[^.!?\n]{3,60}))?\W*$",
    re.IGNORECASE,
)


def options_in(text: str) -> Sequence[tuple[int, int]]:
    """Where the lists of options of a text begin and end."""
    found: list[tuple[int, int]] = []
    opened, listed, at = -1, False, 0
    for line in text.split("\n"):
        # A line between the heading and its list leads to it; behind the list it ends it.
        at_margin = bool(line.strip()) and not (is_entry(line) or line[:1].isspace())
        if opened >= 0 and at_margin and (listed or is_heading(line)):
            found.append((opened, at))
            opened = -1
        listed = opened >= 0 and (listed or is_entry(line))
        heads = len(line) <= _LONGEST_HEADING and is_heading(line)
        if opened < 0 and heads and _HEADS.match(line) is not None:
            opened = at
        at += len(line) + 1
    return [*found, (opened, at)] if opened >= 0 else found


def without_options(text: str) -> str:
    """The text with blanks in place of its lists of options."""
    for start, end in options_in(text):
        text = f"{text[:start]}{' ' * len(text[start:end])}{text[end:]}"
    return text
