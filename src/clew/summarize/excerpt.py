"""The part of a long text that a summarizer is shown: ends, error lines, numbers.

Where lines are left out a mark says how many, and the mark stands outside the quoted lines, so
that nothing inside a text can pass for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from clew.record.claims import qualifiers
from clew.record.fence import neutral

QUOTED = "| "
"""What every line of the history starts with; no line of the request's own does."""

RULE = (
    "Long texts are excerpts: first and last lines, lines with errors, then lines with numbers or "
    "limits; “[…]” says what is left out"
)

_HEAD, _TAIL, _ERRORS = 0.25, 0.25, 0.3
_LONGEST_LINE = 400
_READ_LINES = 4_000
_SHORTEST_LINE = 16
_TROUBLE = re.compile(
    r"error|exception|fail|fatal|panic|traceback|denied|refused|not found|cannot|warn|timed? ?out",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")
_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def quoted(text: str, limit_chars: int) -> str:
    """The text as quoted lines, an excerpt of about `limit_chars` characters when it is longer."""
    lines = _LINE_END.split(text)
    if len(text) <= limit_chars:
        return "\n".join(QUOTED + neutral(line) for line in lines)
    kept = _chosen(lines, limit_chars)
    shown: list[str] = []
    before = -1
    for place in sorted(kept):
        if place > before + 1:
            shown.append(_gap(lines[before + 1 : place]))
        shown.append(QUOTED + neutral(_clipped(lines[place], limit_chars)))
        before = place
    if before + 1 < len(lines):
        shown.append(_gap(lines[before + 1 :]))
    return "\n".join(shown)


def _chosen(lines: list[str], limit_chars: int) -> set[int]:
    """Places of the lines to show: ends first, then trouble, then numbers and limits."""
    kept: set[int] = set()
    _fill(kept, lines, range(len(lines)), int(_HEAD * limit_chars), limit_chars)
    _fill(kept, lines, range(len(lines) - 1, -1, -1), int(_TAIL * limit_chars), limit_chars)
    inner = [place for place in _inner(len(lines)) if place not in kept]
    trouble = (p for p in inner if _TROUBLE.search(lines[p][:_LONGEST_LINE]))
    used = _fill(kept, lines, trouble, int(_ERRORS * limit_chars), limit_chars, skip=True)
    left = int((1 - _HEAD - _TAIL) * limit_chars) - used
    telling = (p for p in inner if p not in kept and _tells(lines[p][:_LONGEST_LINE]))
    _fill(kept, lines, telling, left, limit_chars, skip=True)
    return kept


def _inner(count: int) -> list[int]:
    """Places in reading order; of a huge text only the first and last lines are looked at."""
    if count <= 2 * _READ_LINES:
        return list(range(count))
    return [*range(_READ_LINES), *range(count - _READ_LINES, count)]


def _tells(line: str) -> bool:
    return bool(_NUMBER.search(line)) or bool(qualifiers(line))


def _fill(
    kept: set[int],
    lines: list[str],
    places: Iterable[int],
    room_chars: int,
    limit_chars: int,
    *,
    skip: bool = False,
) -> int:
    """Add places while their lines fit; the first always, unless `skip`. Returns the characters."""
    used = 0
    for place in places:
        size = min(len(lines[place]), _longest(limit_chars)) + 1
        if used + size > room_chars and (skip or used):
            if skip and room_chars - used > _SHORTEST_LINE:
                continue
            break
        kept.add(place)
        used += size
    return used


def _longest(limit_chars: int) -> int:
    return max(20, min(_LONGEST_LINE, limit_chars // 4))


def _clipped(line: str, limit_chars: int) -> str:
    longest = _longest(limit_chars)
    if len(line) <= longest:
        return line
    head, tail = line[: longest * 2 // 3], line[-(longest // 3) :]
    return f"{head} […{len(line) - len(head) - len(tail):,} characters…] {tail}"


def _gap(lines: list[str]) -> str:
    characters = sum(map(len, lines)) + len(lines)
    return f"[… {len(lines):,} lines, {characters:,} characters left out …]"
