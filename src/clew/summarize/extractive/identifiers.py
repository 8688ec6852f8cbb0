"""Identifiers in text: paths, dotted, snake and camel names, tickets, hashes, long numbers.

The index, the coverage measure and the linking of items all use this one definition.
"""

from __future__ import annotations

import re
from enum import StrEnum

LONGEST_IDENTIFIER = 120


class IdentifierKind(StrEnum):
    """What an identifier looks like."""

    PATH = "path"
    SLASHED = "slashed"
    FILE = "file"
    DOTTED = "dotted"
    SNAKE = "snake"
    CAMEL = "camel"
    TICKET = "ticket"
    HASH = "hash"
    NUMBER = "number"


# A byte table and a split cut words some five times quicker than a pattern does; identifiers are
# ASCII, so that whatever else a text holds only separates them.
_SEPARATORS = bytes(
    code if chr(code).isascii() and (chr(code).isalnum() or chr(code) in "_~./@-") else 32
    for code in range(256)
)
_EDGES = ".-@"
_NUMBER = re.compile(r"\d(?:[\d.,_-]*\d)?", re.ASCII)
_TICKET = re.compile(r"[A-Z][A-Z0-9]{1,9}-\d+", re.ASCII)
_HASH = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}", re.ASCII)
_PATH = re.compile(r"(?:~|\.{1,2})?/?[\w.@+-]+(?:/[\w.@+-]+)*/?", re.ASCII)
_DOTTED = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)+", re.ASCII)
_FILE = re.compile(r"\.?[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,5}", re.ASCII)
_CAMEL = re.compile(r"[A-Za-z]*(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2})[A-Za-z0-9]*", re.ASCII)
_SNAKE = re.compile(r"[A-Za-z0-9_]*[A-Za-z0-9]_[A-Za-z0-9][A-Za-z0-9_]*|_+[A-Za-z]\w{2,}", re.ASCII)
_SED_SCRIPT = re.compile(r"(?:\d+)?[sy]/[^/]+/.*/[gpIiMem\d]{0,3}", re.ASCII)
"""What a stream editor is told to put in the place of what; it only looks like a path."""
_FILE_ENDINGS = frozenset(
    """
    c cc cfg cjs conf cpp cs css csv db env gif go gradle h hpp html ini ipynb java jpg js
    json jsonl jsx kt lock log lua md mdx mjs mod patch php pl png po proto py pyc pyi rb rs
    rst sass scss sh sql sqlite sum svg swift tmpl toml ts tsv tsx txt vue xml yaml yml zig
    """.split()  # noqa: SIM905
)
_NOT_PATHS = frozenset(
    """
    and/or either/or he/she his/her i/o input/output n/a on/off pass/fail read/write
    true/false w/o yes/no before/after client/server add/remove start/stop
    """.split()  # noqa: SIM905
)

_MEMORY_LIMIT = 200_000


class _Memory(dict[str, str]):
    """Word to the identifier in it, empty when it holds none; forgets all when it is full."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MEMORY_LIMIT:
            self.clear()
        found = ""
        # Most words are plain; they need no closer look.
        if not (word.isalpha() and word[1:].islower()):
            bare = word.rstrip(_EDGES) if word[-1] in _EDGES else word
            if bare[:1] in {"-", "@"}:
                bare = bare.lstrip(_EDGES)
            found = bare if bare and _kinds[bare] is not None else ""
        self[word] = found
        return found


class _Kinds(dict[str, "IdentifierKind | None"]):
    """Identifier to its kind; forgets all when it is full."""

    def __missing__(self, word: str) -> IdentifierKind | None:
        if len(self) >= _MEMORY_LIMIT:
            self.clear()
        found = self[word] = _classify(word)
        return found


_memory = _Memory()
_kinds = _Kinds()


def kind_of(word: str) -> IdentifierKind | None:
    """What kind of identifier a word is, or None when it is none."""
    return _kinds[word]


def _classify(word: str) -> IdentifierKind | None:
    if not 3 <= len(word) <= LONGEST_IDENTIFIER:
        return None
    if word.isdigit():
        return IdentifierKind.NUMBER
    if word.isalpha():
        return IdentifierKind.CAMEL if _CAMEL.fullmatch(word) else None
    if "/" in word:
        return _classify_path(word) if _PATH.fullmatch(word) else None
    if word[0].isdigit() and _NUMBER.fullmatch(word):
        return IdentifierKind.NUMBER if sum(map(str.isdigit, word)) >= 3 else None
    if "-" in word and _TICKET.fullmatch(word):
        return IdentifierKind.TICKET
    if word.isalnum() and _HASH.fullmatch(word):
        return IdentifierKind.HASH
    return _classify_name(word) if "~" not in word else None


def _classify_path(word: str) -> IdentifierKind | None:
    if not any(c.isalpha() for c in word) or word.lower() in _NOT_PATHS or _is_script(word):
        return None
    inner = word.strip("/").split("/")
    if len(inner) == 1:
        rooted = word[0] in "/~." and len(inner[0]) >= 3
        return IdentifierKind.PATH if rooted or "." in inner[0].strip(".") else None
    if len(inner) == 2 and word[0] not in "/~." and all(len(part) < 3 for part in inner):
        return None
    if len(inner) == 2 and word[0] not in "/~." and "." not in word:
        # Two words and a slash may be a place (`refs/heads`) or a choice (`cleanup/reset`).
        return IdentifierKind.SLASHED
    return IdentifierKind.PATH


def _is_script(word: str) -> bool:
    return _SED_SCRIPT.fullmatch(word) is not None


def _classify_name(word: str) -> IdentifierKind | None:
    if "." in word:
        ending = word.rpartition(".")[2].lower()
        if ending in _FILE_ENDINGS and _FILE.fullmatch(word):
            return IdentifierKind.FILE
        if len(word) >= 5 and _DOTTED.fullmatch(word):
            return IdentifierKind.DOTTED
        return IdentifierKind.FILE if word[0] == "." and _FILE.fullmatch(word) else None
    if "_" in word:
        return IdentifierKind.SNAKE if _SNAKE.fullmatch(word) else None
    return IdentifierKind.CAMEL if _CAMEL.fullmatch(word) else None


def words_of(text: str) -> list[str]:
    """The words of a text that may be identifiers, repeated as they stand."""
    return text.encode("ascii", "replace").translate(_SEPARATORS).decode("ascii").split()


def identifiers_in(text: str) -> tuple[str, ...]:
    """The distinct identifiers of a text, in order of first appearance."""
    found = dict.fromkeys(map(_memory.__getitem__, dict.fromkeys(words_of(text))))
    found.pop("", None)
    return tuple(found)
