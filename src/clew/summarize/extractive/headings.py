"""What stands below a heading that says only that something is next."""

from __future__ import annotations

import re

from clew.summarize.extractive.remaining import open_entries
from clew.summarize.extractive.sentences import LONGEST_QUOTE

_LONGEST_BARE_WORDS = 6
_LONGEST_BELOW = 4_000
_SAYS_WHO = re.compile(r"\b(?:i|we|you|let)\b|\w['\u2019](?:ll|m|d|re)\b", re.IGNORECASE)
_TELLS_BACK = re.compile(r"\b(?:did|done|was|were|have|has|summar\w+|recap)\b", re.IGNORECASE)
_MARKS = "*_#>` \t"
_FENCE = "```"


def said_below(text: str, sentence: str, start: int) -> str:
    """The sentence at a place, or what it leads to where it is a bare heading; else empty.

    Below a heading stands its first open entry, or the line that follows. A sentence of its own
    that ends in a colon stays as it is, with the entry right below it.
    """
    at = text.find(sentence, start)
    line_start, line_end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[line_start : line_end if line_end >= 0 else len(text)].strip()
    if not _is_heading(line, sentence):
        return sentence
    below = text[line_end + 1 :][:_LONGEST_BELOW] if line_end >= 0 else ""
    entry = next(iter(open_entries(below.split("\n"))), "")
    if _is_bare(sentence):
        return entry or _line_below(below)
    reach = below.find(entry) + len(entry) if entry else 0
    joined = text[at : line_end + 1 + reach]
    if _TELLS_BACK.search(sentence):
        return sentence
    beside = entry and entry in below.lstrip("\n").partition("\n")[0]
    return joined if beside and len(joined) <= LONGEST_QUOTE else sentence


def _is_heading(line: str, sentence: str) -> bool:
    bare = line.strip(_MARKS)
    if not bare.endswith(sentence.strip(_MARKS)):
        return False
    marked = line.startswith("#") or (line.startswith("**") and line.endswith("**"))
    return marked or bare.endswith((":", "\uff1a"))


def _is_bare(sentence: str) -> bool:
    """Whether a heading names nothing that could be done."""
    return len(sentence.split()) <= _LONGEST_BARE_WORDS and _SAYS_WHO.search(sentence) is None


def _line_below(below: str) -> str:
    """The line that a heading without a list stands above; empty for code and further headings."""
    line = next((each.strip() for each in below.split("\n") if each.strip()), "")
    said = line.strip(_MARKS)
    heading = line.startswith("#") or said.endswith((":", "\uff1a"))
    listed = line[:2] in ("- ", "* ", "+ ") or line[:1].isdigit()
    if heading or listed or line.startswith(_FENCE) or len(line) > LONGEST_QUOTE:
        return ""
    return line if len(said.split()) > 1 else ""
