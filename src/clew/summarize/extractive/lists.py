"""Lists in a message and the lines that head them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_ENTRY = re.compile(
    r"^(?P<indent> {0,6})(?:[-*+\u2022]|\d{1,2}[.)]) +(?:\[ \] )?(?P<text>\S[^\n]*)$"
)

_FEW_UNDER = 2
_ORDERS = re.compile(
    r"(?:\*\*[\w ]{2,30}\*\*:\s)?(?:Or\s)?[A-Z][a-z]+\s"
    r"(?!.*\b(?:is|are|was|were|has|have|still)\b)[^\n]*[^:\n]$"
)
"""An order, not a statement and no heading."""
_ONLY_NAMES = re.compile(r"\*\*[^*\n]+\*\*:?$")
"""An entry that is a label alone."""


def is_heading(line: str) -> bool:
    """Whether a line looks like it heads what stands below: marked, bold, or ending in a colon."""
    bare = line.strip()
    marked = bare.startswith("#") or bare.rstrip("*_ ").endswith((":", "\uff1a"))
    return marked or (bare.startswith("**") and bare.endswith("**"))


def is_entry(line: str) -> bool:
    """Whether a line is an entry of a list."""
    return _ENTRY.match(line) is not None


def entry_in(line: str) -> str | None:
    """The text of an entry of a list; None for any other line."""
    found = _ENTRY.match(line)
    return found["text"].strip() if found is not None else None


def entries_filled(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The entries of the first list; of one that is a label alone, the few that stand under it.

    Those have to say what is to be done: a label sums up many of them, and what only describes it.
    """
    outer: str | None = None
    groups: list[tuple[tuple[str, str], list[tuple[str, str]]]] = []
    for line in lines:
        entry = _ENTRY.match(line)
        if entry is None and line.strip() and not line.startswith((" ", "\t")):
            break
        if entry is None:
            continue
        found = (line, entry["text"].strip())
        outer = entry["indent"] if outer is None else outer
        if entry["indent"] == outer:
            groups.append((found, []))
        elif groups and len(entry["indent"]) > len(outer):
            groups[-1][1].append(found)
    for found, under in groups:
        told = 0 < len(under) <= _FEW_UNDER and all(_ORDERS.match(text) for _, text in under)
        yield from under if told and _ONLY_NAMES.match(found[1]) else (found,)


def entries_of(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The entries of the first list at its outer indent, each as its line and its text.

    What stands below an entry belongs to it; the next line at the margin ends the list.
    """
    indent: str | None = None
    for line in lines:
        entry = _ENTRY.match(line)
        if entry is not None and indent in (None, entry["indent"]):
            indent = entry["indent"]
            yield line, entry["text"].strip()
        elif line.strip() and not line.startswith((" ", "\t")):
            return
