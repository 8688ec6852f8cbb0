"""Front matter: `name: value` lines between two lines of three dashes, at the top of a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.errors import HandoffError
from clew.record.plain_lines import read_line, written_lines

FENCE = "---"


def written_front(values: Mapping[str, str]) -> list[str]:
    """The lines of the front matter; a value of any text stays on its line."""
    return [
        FENCE,
        *(f"{name}: {_written(value)}".rstrip() for name, value in values.items()),
        FENCE,
    ]


def _written(value: str) -> str:
    line = "\\u{a}".join(written_lines(value))
    return f"\\u{{{ord(line[0]):x}}}{line[1:]}" if line[:1].isspace() else line


def read_front(lines: Sequence[str]) -> tuple[dict[str, str], int]:
    """The values, and how many lines they took; raises HandoffError with the line (1-based)."""
    if not lines or lines[0].strip() != FENCE:
        raise HandoffError(f"a handoff document begins with {FENCE!r} and its front matter", line=1)
    values: dict[str, str] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line.strip() == FENCE:
            return values, number
        if not line.strip():
            continue
        name, colon, value = line.partition(":")
        name = name.strip()
        if not colon or not name:
            raise HandoffError(f"expected `name: value`, not {line!r:.60}", line=number)
        if name in values:
            raise HandoffError(f"{name!r} stands twice in the front matter", line=number)
        values[name] = read_line(value.strip())
    raise HandoffError(f"the front matter has no closing {FENCE!r}", line=len(lines))
