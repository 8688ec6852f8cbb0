"""Literals of a text: what a claim may only say when its source says it in the same letters.

Numbers compare by value (`1,234` = `1234`, `1.50` = `1.5`), everything else by letters, with
blanks, typographic dashes and quotes made equal.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum


class LiteralKind(StrEnum):
    """What a literal is."""

    URL = "url"
    QUOTED = "quoted string"
    PATH = "path"
    HASH = "hash"
    VERSION = "version or date"
    TICKET = "ticket"
    NAME = "identifier"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """One literal: its text, and the place where it stands in the folded claim."""

    kind: LiteralKind
    text: str
    start: int
    end: int


CHECKED_CHARS = 4_000
"""How much of one text is searched for literals; the search may cost its square."""

_SAME = {"-": "‐‑‒–—―−﹣－", '"': "“”„«»", "'": "‘’ʼ"}
_THOUSANDS = re.compile("(?<=\\d)[,_'’\u00a0\u202f\u2009](?=\\d{3}(?!\\d))")
_PLACES_TRIED = 1_000
_SUFFIX = {"k": 1_000, "m": 1_000_000}

_FILE_END = (
    r"(?:py|pyi|js|jsx|ts|tsx|mjs|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|sh|sql|md|rst|txt|"
    r"json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|css|scss|csv|tsv|parquet|ipynb|log|db|"
    r"sqlite|png|jpe?g|svg|pdf|zip|gz|tar|proto|tf|vue|lua|pl|r|jl|ex|exs|erl|hs|ml|diff|patch)"
)
_LITERAL = re.compile(
    r"(?P<url>\b[a-z][a-z0-9+.-]*://[^\s\"'`<>)\]]+)"
    r"|`(?P<code>[^`\n]{1,200})`"
    r"|\"(?P<quoted>[^\"\n]{2,200})\""
    r"|(?<!\w)'(?P<single>[^'\n]{3,200})'(?!\w)"
    r"|(?P<path>(?:(?<![\w.])(?:~|\.{1,2})?/|\b[A-Za-z]:[\\/])?"
    rf"(?:[\w.@+-]+[\\/])+(?:[\w.@+-]*\w/?)?|\b[\w-]+(?:\.[\w-]+)*\.{_FILE_END}\b(?!\())"
    r"|(?P<hash>\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b)"
    r"|(?P<version>\bv?\d+(?:\.\d+){2,}[\w.-]*\b|\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?\b)"
    r"|(?P<ticket>\b[A-Z]{1,10}-\d+\b|(?<!\w)\#\d+\b)"
    r"|(?P<name>\b[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+\b|\b[A-Za-z]\w*_\w+\b|\b_\w+\b|"
    r"(?<!\w)--?[a-z][\w-]+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z0-9]+[A-Z]\w*\b)"
    r"|(?P<number>(?<![\w.])(?<![A-Za-z0-9_]-)\d+(?:\.\d+)?)(?P<suffix>[kKM](?![\w]))?",
)
_KINDS = {
    "url": LiteralKind.URL, "code": LiteralKind.QUOTED, "quoted": LiteralKind.QUOTED,
    "single": LiteralKind.QUOTED, "path": LiteralKind.PATH, "hash": LiteralKind.HASH,
    "version": LiteralKind.VERSION, "ticket": LiteralKind.TICKET, "name": LiteralKind.NAME,
    "number": LiteralKind.NUMBER,
}  # fmt: skip
_PROSE_SLASH = frozenset(
    {"and/or", "n/a", "i/o", "he/she", "read/write", "his/her", "w/o", "yes/no"}
)
_ANY_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NUMBER_WORDS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "once": "1", "twice": "2",
}  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)


def folded(text: str) -> str:
    """The text with thousands separators left out and blanks, dashes and quotes made equal."""
    text = _THOUSANDS.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        # Replacing one character after the other is many times faster than str.translate.
        for plain, variants in _SAME.items():
            for variant in variants:
                text = text.replace(variant, plain)
    return " ".join(text.split())


def literals(claim: str) -> tuple[Literal, ...]:
    """The literals of a folded claim, in order; none inside another.

    Only the first `CHECKED_CHARS` are looked at: what is longer is content, not a claim.
    """
    found: list[Literal] = []
    for match in _LITERAL.finditer(claim[:CHECKED_CHARS]):
        group = match.lastgroup or ""
        if group == "suffix":
            found.append(_literal(LiteralKind.NUMBER, match.group(), match.start(), match.end()))
            continue
        text = match.group(group)
        kind = _KINDS[group]
        if kind is LiteralKind.URL:
            text = text.rstrip(".,;:!?")
        elif kind is LiteralKind.PATH:
            text = text.rstrip(".,;:!?")
            if text.lower() in _PROSE_SLASH or _ANY_NUMBER.fullmatch(text.replace("/", "")):
                continue
        if len(text) > 1 or kind is LiteralKind.NUMBER:
            found.append(_literal(kind, text, match.start(group), match.end(group)))
    return tuple(found)


def _literal(kind: LiteralKind, text: str, start: int, end: int) -> Literal:
    return Literal(kind=kind, text=text, start=start, end=end)


def values_of(number: str) -> frozenset[str]:
    """The values that a number literal may stand for (`5k` is 5 with a unit, or 5000)."""
    suffix = number[-1].lower() if number[-1].isalpha() else ""
    digits = number.rstrip("kKM")
    values = {_canonical(digits)}
    if suffix:
        values.add(_canonical(str(round(float(digits) * _SUFFIX[suffix]))))
    return frozenset(values)


def numbers_in(text: str) -> frozenset[str]:
    """The values of all numbers of a folded text, spelled ones up to twelve included."""
    found = {_canonical(match) for match in _ANY_NUMBER.findall(text)}
    found |= {_NUMBER_WORDS[word.lower()] for word in _NUMBER_WORD.findall(text)}
    found |= {part for value in tuple(found) if "." in value for part in value.split(".")}
    found |= {value for short in re.findall(r"\d+(?:\.\d+)?[kKM]\b", text)
              for value in values_of(short)}  # fmt: skip
    return frozenset(found)


def _canonical(number: str) -> str:
    whole, _, fraction = number.partition(".")
    fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole


def stands_in(literal: Literal, haystack: str) -> bool:
    """Whether a literal that is no number stands in a folded, casefolded text, whole."""
    needle = folded(literal.text).casefold()
    match literal.kind:
        case LiteralKind.PATH:
            return _path_stands(needle.replace("\\", "/"), haystack.replace("\\", "/"))
        case LiteralKind.HASH:
            return re.search(rf"(?<![0-9a-z]){re.escape(needle)}", haystack) is not None
        case LiteralKind.NAME:
            parts = [part for part in re.split(r"\.|::|->", needle) if part]
            return _whole(needle, haystack) or (
                len(parts) > 1 and all(_whole(part, haystack) for part in parts)
            )
        case LiteralKind.QUOTED:
            return needle.strip(" .,;:") in haystack
        case _:
            return _whole(needle, haystack)


def _path_stands(needle: str, haystack: str) -> bool:
    bare = needle.removeprefix("./").rstrip("/")
    if not bare or _whole(bare, haystack):
        return True
    folder, _, file = bare.rpartition("/")
    return bool(folder) and _whole(file, haystack) and _whole(folder, haystack)


def _whole(needle: str, haystack: str) -> bool:
    """Whether the needle stands there and is not a piece of a longer word."""
    start = haystack.find(needle)
    for _ in range(_PLACES_TRIED):
        if start < 0:
            break
        end = start + len(needle)
        before = haystack[start - 1] if start else " "
        behind = haystack[end] if end < len(haystack) else " "
        if not (_joined(before, needle[0]) or _joined(needle[-1], behind)):
            return True
        start = haystack.find(needle, start + 1)
    return False


def _joined(left: str, right: str) -> bool:
    return (left.isalnum() or left == "_") and (right.isalnum() or right == "_")
