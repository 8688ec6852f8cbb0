"""Words are split so that identifiers are found whole and in parts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.store.ranking import Scope
from clew.store.terms import LONGEST_QUERY, MOST_TERMS, kind_word, parts_of, terms_of


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain words, and_snake_case", ""),
        ("getUserName", "get User Name"),
        ("HTTPServerError", "HTTP Server Error"),
        ("file13", "file 13"),
        ("x1 v2", ""),
        ("9f8e7d6c5b4a", ""),
        ("a" * 80 + "B1", ""),
        ("数据库", "数据 据库 数 据 库"),
        ("数", "数"),
        ("get数据Name", "数据 数 据"),
    ],
)
def test_parts_are_what_the_index_cannot_split(text: str, parts: str) -> None:
    assert parts_of(text) == parts


@pytest.mark.parametrize(
    ("query", "strong", "weak"),
    [
        ("src/clew/store.py", ["src clew store py"], ["src", "clew", "store", "py"]),
        ("(composite_key)", ["composite key"], ["composite", "key"]),
        ("getUserName", ["getUserName"], ["get", "User", "Name"]),
        ("BILL-4471, BILL-4471", ["BILL 4471"], ["BILL", "4471"]),
        ("key composite_key", ["key", "composite key"], ["composite"]),
        ("数据库 x", ["数据 据库", "x"], []),
        ("--- \0 ???", [], []),
    ],
)
def test_a_query_asks_for_the_whole_first(query: str, strong: list[str], weak: list[str]) -> None:
    terms = terms_of(query)
    assert [term.phrase for term in terms if term.weight == 1.0] == strong
    assert [term.phrase for term in terms if term.weight < 1.0] == weak


@given(st.text(max_size=300))
def test_phrases_hold_no_syntax_whatever_is_asked(query: str) -> None:
    terms = terms_of(query)
    assert len(terms) <= MOST_TERMS
    for term in terms:
        assert term.phrase.split() == term.phrase.split(" ") != [""]
        assert not set(term.phrase) & set("\0\"'*^:(){}+-_")
        assert term.needle


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_query_can_ask_for_a_kind(kind: str, query: str) -> None:
    word = kind_word(kind)
    assert all(word not in term.phrase for term in terms_of(f"{query} {word}"))


@pytest.mark.parametrize("unit", ["a", "aB1", "a1", "_", "a.", "数", "A", " b", "aB_"])
def test_long_text_is_split_in_linear_time(unit: str) -> None:
    text = unit * 300_000
    begin = time.process_time()
    parts_of(text)
    terms_of(text[: 2 * LONGEST_QUERY])
    assert time.process_time() - begin < 3.0


def test_a_scope_joins_ranges_that_touch_and_counts_from_the_newest() -> None:
    scope = Scope(()).after(101, 110).after(111, 120).after(500, 499).after(301, 305)
    assert scope.ranges == ((301, 305), (101, 120))
    assert scope.size == 25
    assert [scope.down_to(row) for row in (305, 301, 120, 101)] == [1, 5, 6, 25]
    assert scope.newest(7).ranges == ((301, 305), (119, 120))
    assert scope.newest(5).ranges == ((301, 305),)
    assert scope.newest(99) == scope
    assert scope.newest(0).ranges == ()


@pytest.mark.parametrize(
    ("query", "strong"),
    [
        ("When did Melanie paint a sunrise?", ["Melanie", "paint", "sunrise"]),
        ("What is Caroline's identity?", ["Caroline", "identity"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
        ("isn't it", ["isn t", "it"]),
        ("the is_newest check", ["is newest", "check"]),
    ],
)
def test_words_that_stand_everywhere_count_only_alone(query: str, strong: list[str]) -> None:
    assert [term.phrase for term in terms_of(query) if term.weight == 1.0] == strong
