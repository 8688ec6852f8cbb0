r"""Texts as lines of a document that people edit: readable where possible, exact always.

A line end starts a new line; what an editor or a file could lose (control characters, lone
surrogates, blanks at the end of a line) is written as `\u{hex}`.
"""

from __future__ import annotations

import re

_FRAGILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]|\\s\\Z")
_NOT_IN_NAMES = re.compile(r"[^\w.@/-]|^new$")
_ESCAPE = re.compile(r"\\u\{([0-9a-f]{1,6})\}")
_BACKSLASH = re.compile(r"\\(?=u\{)")


def written_lines(text: str) -> list[str]:
    """The lines of a text, each safe to stand alone in a document; never empty."""
    return [
        _FRAGILE.sub(lambda m: _escape(m.group()), _BACKSLASH.sub(r"\\u{5c}", line))
        for line in text.split("\n")
    ]


def read_line(line: str) -> str:
    """The text that a written line stands for."""
    return _ESCAPE.sub(lambda m: _character(m.group(1)), line)


def written_name(name: str) -> str:
    """A name without blanks, colons or anything else that ends a label."""
    return _NOT_IN_NAMES.sub(lambda m: "".join(map(_escape, m.group())), name)


def _escape(characters: str) -> str:
    return "".join(f"\\u{{{ord(character):x}}}" for character in characters)


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code <= 0x10FFFF else f"\\u{{{digits}}}"
