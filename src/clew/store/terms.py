"""What the full-text index is given beside the text, and what a query asks of it.

The index splits at everything that is no letter or digit, so `src/clew/store.py` is found whole as
the phrase `src clew store py` and by each part. What it cannot split is given to it in a column of
its own: `getUserName` as `get user name`, and runs of scripts without blanks as overlapping pairs,
so that a query of two characters (or one) is an exact phrase too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clew.store.words import STOP_WORDS, forms_of, whole

LONGEST_QUERY = 4_000  # characters; what stands behind adds time, not better results
MOST_TERMS = 24

_WEAK = 0.4
_LONGEST_SPLIT = 64
_MOST_REMEMBERED = 100_000

_CJK = (
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"
    "\uac00-\ud7af\U00020000-\U0003ffff"
)
_CJK_RUN = re.compile(f"[{_CJK}]+")
_PIECE = re.compile(f"[{_CJK}]+|[^\\s{_CJK}]+")
_WORD = re.compile(r"[^\W_]+")
_MIXED = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[^\W\d_]\d|\d[^\W\d_]")
_HUMP = re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[^\W\d_]+")
_HEX = re.compile(r"(?=\w*\d)[0-9a-fA-F]{7,}\Z")
_EDGES = re.compile(r"^[^\w]+|[^\w]+$")
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s(?=\W*\Z)", re.IGNORECASE)
_PLAIN = re.compile(r"[a-z]{3,}")
_ASCII_WORDS = bytes(n if n < 128 and chr(n).isalnum() else 32 for n in range(256))


@dataclass(frozen=True, slots=True)
class Term:
    """One thing a query asks for.

    `phrase` is what the index is asked, words in order; `needle` the text to count in a candidate,
    lower case; `weight` its share against the query's other terms; `prefix` whether words that
    only begin with it count when none is equal.
    """

    phrase: str
    needle: str
    weight: float = 1.0
    prefix: bool = False

    def count_in(self, text: str) -> int:
        """How often a lower-case text holds it, never as a piece of a longer word.

        A plain word counts in its other forms too; scripts without blanks have no words to respect.
        """
        if _PLAIN.fullmatch(self.needle):
            return len(forms_of(self.needle).findall(text))
        if _CJK_RUN.search(self.needle):
            return text.count(self.needle)
        return len(whole(self.needle).findall(text)) if self.needle in text else 0

    @property
    def says_nothing(self) -> bool:
        """Whether it is made of words that stand in every text."""
        return STOP_WORDS.issuperset(self.phrase.lower().split())


def _humps(word: str) -> list[str]:
    if len(word) > _LONGEST_SPLIT or not _MIXED.search(word) or _HEX.match(word):
        return []
    humps = [part for part in _HUMP.findall(word) if len(part) > 1 or not part.isascii()]
    return humps if len(humps) > 1 else []


def _pairs(run: str) -> list[str]:
    return [run[n : n + 2] for n in range(len(run) - 1)] or [run]


def _words(text: str) -> list[str]:
    """The words of a text; most texts are ASCII, and those are split without a pattern."""
    if not text.isascii():
        return _WORD.findall(text)
    return text.encode("ascii").translate(_ASCII_WORDS).decode("ascii").split()


class _Memory(dict[str, str]):
    """Word to its humps as one text, empty when it hides none; forgets all when it is full."""

    def __missing__(self, word: str) -> str:
        if len(word) > _LONGEST_SPLIT:
            return ""
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        plain = word.isdecimal() or (word.isalpha() and word.islower())
        hidden = self[word] = "" if plain else " ".join(_humps(word))
        return hidden


_memory = _Memory()


def parts_of(text: str) -> str:
    """The words that hide inside the words of a text, for the index."""
    found = dict.fromkeys(map(_memory.__getitem__, _words(text)))
    found.pop("", None)
    if text.isascii():
        return " ".join(found)
    for run in dict.fromkeys(_CJK_RUN.findall(text)):
        found[" ".join(_pairs(run))] = None
        if len(run) > 1:
            found.update(dict.fromkeys(run))
    return " ".join(found)


def kind_word(kind: str) -> str:
    """A kind as one word that no query can ask for: it begins with a character of private use."""
    return "\ue000" + kind.encode("utf-8", "surrogatepass").hex()


def _terms_of(piece: str) -> list[Term]:
    if _CJK_RUN.match(piece):
        return [Term(" ".join(_pairs(piece)), piece)]
    piece = _POSSESSIVE.sub("", piece)
    words = _WORD.findall(piece)
    if not words:
        return []
    whole = _EDGES.sub("", piece).lower()
    single = len(words) == 1
    long_enough = len(whole) >= 6 or (len(whole) >= 4 and any(c.isdigit() for c in whole))
    terms = [Term(" ".join(words), whole or piece.lower(), prefix=single and long_enough)]
    if not single:
        terms += [Term(word, word.lower(), _WEAK) for word in words]
    for word in words:
        terms += [Term(hump, hump.lower(), _WEAK) for hump in _humps(word)]
    return terms


def terms_of(query: str) -> tuple[Term, ...]:
    """What any text asks for as a query; empty when it holds no letter and no digit.

    Words that stand in every text count only in a query that has no others.
    """
    found: dict[str, Term] = {}
    for piece in _PIECE.findall(query[:LONGEST_QUERY]):
        for term in _terms_of(piece):
            key = term.phrase.lower()
            if key not in found or found[key].weight < term.weight:
                found[key] = term
    telling = [term for term in found.values() if not term.says_nothing]
    strongest_first = sorted(telling or found.values(), key=lambda term: -term.weight)
    return tuple(strongest_first[:MOST_TERMS])
