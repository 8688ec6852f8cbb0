"""On which line of a TOML document a value stands; the parser of the standard library forgets it.

The text has been parsed already, so that only what is valid has to be walked over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

Path = tuple[str | int, ...]
"""Names of tables and members, and 0-based places in arrays of tables."""

_KEY = re.compile(r'[ \t]*(?:([A-Za-z0-9_-]+)|"((?:[^"\\]|\\.)*)"|\'([^\']*)\')[ \t]*')
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL
)
_COMMENT = re.compile(r"#[^\n]*")


def places_of(text: str) -> Mapping[Path, int]:
    """The line (1-based) of every table and every member of a valid document."""
    return _Walk(text.replace("\r\n", "\n")).places()


def line_of(places: Mapping[Path, int], path: Path) -> int | None:
    """The line of a value, or of the table around it; None for the document itself."""
    for length in range(len(path), 0, -1):
        if path[:length] in places:
            return places[path[:length]]
    return None


class _Walk:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._places: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}

    def places(self) -> Mapping[Path, int]:
        table: Path = ()
        while self._skip_blank():
            line = self._text.count("\n", 0, self._at) + 1
            if self._text.startswith("[[", self._at):
                table = self._array(self._header(2))
                self._places.setdefault(table[:-1], line)
            elif self._text[self._at] == "[":
                table = self._resolved(self._header(1))
            else:
                path = (*table, *self._key())
                self._at += 1
                self._value()
                self._places.setdefault(path, line)
                continue
            self._places.setdefault(table, line)
        return self._places

    def _skip_blank(self) -> bool:
        while self._at < len(self._text):
            if self._text[self._at] in " \t\n":
                self._at += 1
            elif comment := _COMMENT.match(self._text, self._at):
                self._at = comment.end()
            else:
                return True
        return False

    def _header(self, brackets: int) -> tuple[str, ...]:
        self._at += brackets
        key = self._key()
        self._at += brackets
        return key

    def _key(self) -> tuple[str, ...]:
        parts: list[str] = []
        while match := _KEY.match(self._text, self._at):
            self._at = match.end()
            parts.append(next(group for group in match.groups() if group is not None))
            if not self._text.startswith(".", self._at):
                break
            self._at += 1
        return tuple(parts)

    def _resolved(self, key: tuple[str, ...]) -> Path:
        """The path of a table; a name of an array of tables means its latest entry."""
        path: Path = ()
        for name in key:
            path = (*path, name)
            if path in self._counts:
                path = (*path, self._counts[path])
        return path

    def _array(self, key: tuple[str, ...]) -> Path:
        path = (*self._resolved(key[:-1]), key[-1])
        self._counts[path] = self._counts.get(path, -1) + 1
        return (*path, self._counts[path])

    def _value(self) -> None:
        """Walk over a value to the end of its last line."""
        depth = 0
        while self._at < len(self._text):
            if found := _STRING.match(self._text, self._at) or _COMMENT.match(self._text, self._at):
                self._at = found.end()
                continue
            character = self._text[self._at]
            if character == "\n" and depth == 0:
                return
            depth += (character in "[{") - (character in "]}")
            self._at += 1
