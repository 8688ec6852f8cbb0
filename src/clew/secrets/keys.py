"""Private keys: blocks of several lines between PEM marks, and those of PuTTY."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.secrets.found import Found, positions

_BEGIN = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY( BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BREAK = r"(?:\\r)?(?:\\n|\r?\n|\r)"
# Tools put line numbers, quotes and diff marks in front of the lines of a file.
_BORDER = r"[ \t>+|\"']{0,12}(?:\d{1,6}[ \t]{0,2}[→:|\t][ \t]?)?"
_LINE = re.compile(
    rf"{_BREAK}{_BORDER}(?:[A-Za-z0-9+/=]{{8,}}|[A-Z][A-Za-z-]{{3,20}}: [^\n\\]{{0,120}}"
    rf"|=[A-Za-z0-9+/]{{4}}|[A-Za-z0-9+/]{{1,7}}={{0,2}})?[ \t\"',+]{{0,4}}(?={_BREAK}|-----|$)"
)
_PUTTY = re.compile(r"Private-Lines: \d{1,4}")


def private_keys(text: str, view: bytes) -> Iterator[Found]:
    """Whole blocks where the end is there, else the mark and the lines that look like a key."""
    upto = 0
    for at in positions(view, b"-----begin"):
        if at < upto or (found := _BEGIN.match(text, at)) is None:
            continue
        upto = _body_end(text, found.end())
        if closing := _END.search(text, upto, upto + 80):
            upto = closing.end()
        yield Found(start=at, end=upto, kind="private-key")
    for at in positions(view, b"private-lines"):
        if found := _PUTTY.match(text, at):
            end = _body_end(text, found.end())
            if end > found.end():
                yield Found(start=found.end() + 1, end=end, kind="private-key")


def _body_end(text: str, at: int) -> int:
    """Where the lines of a key end, from the end of its first mark on."""
    joined = re.compile(r"[A-Za-z0-9+/= ]{32,}(?=-----END)").match(text, at)
    if joined is not None:
        return joined.end()
    while (line := _LINE.match(text, at)) is not None and line.end() > at:
        at = line.end()
    return at
