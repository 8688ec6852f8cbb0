"""The whole operations of an answer that breaks off.

A model at its output limit leaves half an operation behind many good ones; each of those stands by
itself and is checked by itself, so that the break costs no more than what it cut.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from clew.summarize.protocol import looks_plain, read_lines

_CLOSING: Final = {"{": "}", "[": "]"}
_MEMBER_DEPTH: Final = 1
_OPERATION_DEPTH: Final = 3
"""An operation closes inside the list of a member of the answer: object, list, operation."""


def whole_operations(text: str) -> Mapping[str, Any] | None:
    """The members of an answer up to its last whole operation; None where it has none."""
    start = text.find("{")
    if start >= 0 and (members := _closed(text[start:])) is not None:
        return members
    lines = text.splitlines()
    opened = [place for place, line in enumerate(lines) if looks_plain(line)]
    # What stands last may lack the lines that the break took.
    return read_lines("\n".join(lines[: opened[-1]])) if len(opened) > 1 else None


def _closed(text: str) -> Mapping[str, Any] | None:
    """The JSON text cut behind the last operation that ends, with what is open then closed."""
    cut, still_open = _last_end(text)
    if not cut:
        return None
    try:
        value = json.loads(text[:cut] + "".join(_CLOSING[mark] for mark in reversed(still_open)))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, Mapping) else None


def _last_end(text: str) -> tuple[int, str]:
    """Where the last whole operation or member ends, and the marks that are open there."""
    opened: list[str] = []
    end, still_open = 0, ""
    quoted = escaped = False
    for place, character in enumerate(text):
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            quoted = True
        elif character in _CLOSING:
            opened.append(character)
        elif character == "," and len(opened) == _MEMBER_DEPTH:
            end, still_open = place, "".join(opened)
        elif character in "}]" and opened:
            whole = character == "}" and len(opened) == _OPERATION_DEPTH
            opened.pop()
            if whole:
                end, still_open = place + 1, "".join(opened)
            if not opened:
                return place + 1, ""
    return end, still_open
