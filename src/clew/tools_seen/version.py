"""The version of a resource: a digest of what was read or written, whatever tool showed it."""

from __future__ import annotations

import re

from clew.tools_seen.worded import worded
from clew.transcript import digest_of_text

_NUMBERED = re.compile(r"\s{0,8}\d{1,7}(?:→|\t|\||:|  )")
_NUMBERED_OR_BLANK = re.compile(
    r"^(?:[^\S\n]{0,8}(\d{1,7})(?:→|\t|\| ?|: ?|  )(.*)|[^\S\n]*)$", re.MULTILINE
)
_CODEX_HEADS = ("Chunk ID: ", "Exit code: ", "Wall time: ", "Process exited ", "Command: ")
_OPEN = re.compile(r"\s{0,8}<(?:file|content|output|path|type)>(?:[^\n<]*</(?:path|type)>)?\s*\n?")
_CLOSE = re.compile(r"\n?</(?:file|content|output)>\s{0,8}\Z")
_RETURN = re.compile(r"\A\s*<returncode>-?\d+</returncode>\s*")
_VIEW_HEAD = re.compile(r"\A(?:Here's the result of running `cat -n`[^\n]*\n|\[File: [^\n]*\n)")
_VIEW_TAIL = worded(
    r"\n*\((?:End of file|Open file|File has more)[^\n]*\)[\s\S]{0,400}\Z",
    needs="(end of file|(open file|(file has more",
)


def version_of(text: str) -> str:
    """Hex SHA-256 of the content without line numbers and wrappings; empty for no content."""
    plain = plain_content(text)
    return digest_of_text(plain) if plain else ""


def plain_content(text: str) -> str:
    """The content that a result shows, without what the tool put around it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.startswith(_CODEX_HEADS):
        text = _codex_body(text)
    if "<system-reminder>" in text[-4000:]:
        cut = text.rfind("<system-reminder>")
        if text.rstrip().endswith("</system-reminder>"):
            text = text[:cut]
    text = _unwrapped(_without_head(_RETURN, text))
    text = _without_head(_VIEW_HEAD, text)
    if len(text) > 600:
        text = text[:-600] + _VIEW_TAIL.sub("", text[-600:])
    else:
        text = _VIEW_TAIL.sub("", text)
    return _unnumbered(text).strip("\n")


def _without_head(head: re.Pattern[str], text: str) -> str:
    found = head.match(text)
    return text if found is None else text[found.end() :]


def _unwrapped(text: str) -> str:
    """The text without up to three tags around it."""
    for _ in range(3):
        head, tail = _OPEN.match(text), _CLOSE.search(text, max(len(text) - 60, 0))
        if head is None and tail is None:
            break
        text = text[head.end() if head else 0 : tail.start() if tail else len(text)]
    return text


def _codex_body(text: str) -> str:
    """What stands behind `Output:` in a result of Codex."""
    mark = text.find("\nOutput:\n", 0, 3000)
    return text[mark + 9 :] if mark >= 0 else text


def _unnumbered(text: str) -> str:
    """The text without the line numbers in front, when all its lines have rising ones."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    if _NUMBERED.match(first) is None:
        return text
    lines: list[tuple[str, str]] = _NUMBERED_OR_BLANK.findall(text)
    numbers = [int(number) for number, _ in lines if number]
    rising = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    if not rising or len(lines) != text.count("\n") + 1:
        return text
    return "\n".join(bare for _, bare in lines)
