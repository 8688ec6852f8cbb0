"""A pattern that needs one of some words finds what the bare pattern finds.

That the words are needed is proven from the pattern itself: no way through it leads past them.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import string
import sys
from collections.abc import Iterable
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew.secrets
import clew.summarize.extractive
import clew.tools_seen
from clew.summarize.extractive.under_way import step_under_way
from clew.tools_seen.worded import Worded, folded, worded
from tests.conftest import shared_path

_PLACES = (clew.tools_seen, clew.summarize.extractive, clew.secrets)


def _all() -> dict[str, Worded]:
    found: dict[str, Worded] = {}
    for package in _PLACES:
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            names = vars(importlib.import_module(module.name))
            found.update(
                (f"{module.name.removeprefix('clew.')}.{name}", each)
                for name, each in names.items()
                if isinstance(each, Worded)
            )
    found["summarize.extractive.under_way.step_under_way"] = step_under_way()
    return found


ALL = _all()
EVERY_SIGN = "".join(map(chr, range(sys.maxunicode + 1)))


class _Ways:
    """The ways through a pattern that met none of the words, each as the letters it ends in."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = tuple(words)
        self._longest = max(map(len, self._words))

    def left(self, pattern: re.Pattern[str]) -> set[str]:
        return self._through(_parser.parse(pattern.pattern, pattern.flags), {""})

    def _through(self, tree: Iterable[tuple[Any, Any]], ways: set[str]) -> set[str]:
        for what, held in tree:
            ways = self._past(what, held, ways) if ways else ways
        return ways

    def _past(self, what: Any, held: Any, ways: set[str]) -> set[str]:
        if what is op.LITERAL:
            return self._behind(chr(held), ways)
        if what is op.IN and held == [(op.CATEGORY, op.CATEGORY_SPACE)]:
            return self._behind(" ", ways)
        if what is op.IN:
            signs = [chr(sign) for kind, sign in held if kind is op.LITERAL]
            known = len(signs) == len(held)
            return set().union(*(self._behind(s, ways) for s in signs)) if known else {""}
        if what is op.BRANCH:
            return set().union(*(self._through(each, ways) for each in held[1]))
        if what is op.SUBPATTERN:
            return self._through(held[3], ways)
        if what in (op.MAX_REPEAT, op.MIN_REPEAT):
            least, most, inner = held
            return self._repeated(least, most, inner, ways)
        if what is op.ASSERT and not self._through(held[1], {""}):
            return set()
        if what in (op.ASSERT, op.ASSERT_NOT, op.AT):
            return ways
        return {""}

    def _repeated(self, least: int, most: int, inner: Any, ways: set[str]) -> set[str]:
        for _ in range(least):
            ways = self._through(inner, ways)
        for _ in range(min(most - least, self._longest + 1)):
            ways = ways | self._through(inner, ways)
        return ways

    def _behind(self, sign: str, ways: set[str]) -> set[str]:
        longer = {way + folded(sign) for way in ways}
        kept = {way for way in longer if not any(word in way for word in self._words)}
        return {self._begun(way) for way in kept}

    def _begun(self, way: str) -> str:
        """The end of a way that one of the words may begin with."""
        ends = (way[place:] for place in range(len(way)))
        return next((end for end in ends if any(w.startswith(end) for w in self._words)), "")


@pytest.mark.parametrize("name", sorted(ALL))
def test_no_way_through_a_pattern_leads_past_its_words(name: str) -> None:
    assert _Ways(ALL[name].words).left(ALL[name].pattern) == set()


@pytest.mark.parametrize("name", sorted(ALL))
def test_words_are_in_lower_case_and_none_holds_another(name: str) -> None:
    words = ALL[name].words
    assert all(word == folded(word) for word in words)
    assert not any(one in other for one in words for other in words if one != other)


def test_a_way_past_the_words_is_seen() -> None:
    past = _Ways(("fix", "mend")).left
    assert past(re.compile(r"\b(?:fix|mend)(?:es|ed)?\b")) == set()
    assert past(re.compile(r"\b(?:fix|mend|repair)\b")) == {""}
    assert past(re.compile(r"(?:un)?fix", re.IGNORECASE)) == set()
    assert past(re.compile(r"a(?:fix)?b")) == {""}
    assert past(re.compile(r"f\Six")) != set()
    assert _Ways(("to do",)).left(re.compile(r"to\sdo")) == set()
    assert _Ways(("to do",)).left(re.compile(r"to\s+do")) != set()
    assert past(re.compile(r"(?=fix)\w+")) == set()
    assert past(re.compile(r"(?!fix)\w+")) != set()


def test_every_sign_that_a_pattern_takes_for_a_letter_folds_to_it() -> None:
    signs = re.findall("[a-z]", EVERY_SIGN, re.IGNORECASE)
    for letter in string.ascii_lowercase:
        taken = [sign for sign in signs if re.fullmatch(letter, sign, re.IGNORECASE)]
        assert {folded(sign) for sign in taken} == {letter}


def test_every_white_space_folds_to_a_blank() -> None:
    white = re.findall(r"\s", EVERY_SIGN)
    assert {folded(sign) for sign in white} == {" "}
    assert {folded(f"{sign}\u2019")[0] for sign in white} == {" "}


_PIECES = st.one_of(
    st.sampled_from(sorted({word for each in ALL.values() for word in each.words})),
    st.sampled_from(
        ("I ", "I'll ", "\u2019m ", "the ", ". ", "\n", ": ", "!", " to ", "0 ", "`x`")
    ),
    st.text(max_size=8),
)


@given(st.lists(_PIECES, max_size=12), st.sampled_from(sorted(ALL)))
def test_it_finds_what_the_bare_pattern_finds(pieces: list[str], name: str) -> None:
    each, text = ALL[name], "".join(pieces)
    for shown in (text, text.upper()):
        bare = [found.span() for found in each.pattern.finditer(shown)]
        assert [found.span() for found in each.finditer(shown)] == bare
        assert each.sub("_", shown) == each.pattern.sub("_", shown)
        found = each.search(shown)
        assert (found is None) is (each.pattern.search(shown) is None)
        assert (each.match(shown) is None) is (each.pattern.match(shown) is None)


@pytest.mark.parametrize(
    "recording",
    ["session-2026-01-02T03-26-ae691289.json", "session-2025-12-24T06-40-c330aea9.json"],
)
def test_in_a_recording_it_finds_what_the_bare_pattern_finds(recording: str) -> None:
    path = shared_path("corpora", "dev", "gemini_cli", recording)
    texts = {
        part[:4_000] for part in re.findall(r'"((?:[^"\\]|\\.){12,})"', path.read_text("utf-8"))
    }
    said = [text.replace("\\n", "\n") for text in sorted(texts)]
    for each in ALL.values():
        skipped = [text for text in said if not each.may_match(text)]
        assert not any(map(each.pattern.search, skipped))


def test_it_searches_from_a_place_on() -> None:
    each = worded(r"\bfix\w*", needs="fix")
    found = each.search("fixed, then fixing", 3)
    assert found is not None
    assert found.group() == "fixing"
    assert each.search("mended") is None
