from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.summarize.extractive.identifiers import IdentifierKind, identifiers_in, kind_of


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("src/clew/errors.py", IdentifierKind.PATH),
        ("/tmp/x", IdentifierKind.PATH),
        ("~/notes.txt", IdentifierKind.PATH),
        ("refs/heads", IdentifierKind.SLASHED),
        ("README.md", IdentifierKind.FILE),
        ("os.path.join", IdentifierKind.DOTTED),
        ("case_id", IdentifierKind.SNAKE),
        ("__init__", IdentifierKind.SNAKE),
        ("camelCase", IdentifierKind.CAMEL),
        ("HTTPServer", IdentifierKind.CAMEL),
        ("PROJ-1234", IdentifierKind.TICKET),
        ("4197b0c", IdentifierKind.HASH),
        ("8080", IdentifierKind.NUMBER),
        ("1.2.3", IdentifierKind.NUMBER),
        ("2026-11-29", IdentifierKind.NUMBER),
    ],
)
def test_an_identifier_is_told_by_its_look(word: str, kind: IdentifierKind) -> None:
    assert kind_of(word) is kind
    assert identifiers_in(f"see ({word}), then") == (word,)


@pytest.mark.parametrize("word", ["s/tide_row/moon_row/g", "12s/tide.c/moon.c/", "y/abc/xyz/"])
def test_a_script_of_a_stream_editor_is_no_path(word: str) -> None:
    assert kind_of(word) is None


@pytest.mark.parametrize(
    "word", ["s/tide/moon.c", "src/tide/g", "/s/tide/moon/g", "ss/tide/moon/g"]
)
def test_a_place_with_a_short_part_is_a_path(word: str) -> None:
    assert kind_of(word) is IdentifierKind.PATH


@pytest.mark.parametrize("word", ["word", "Word", "and/or", "12", "e.g", "i/o", "a-b", "", "..."])
def test_plain_words_and_short_numbers_are_none(word: str) -> None:
    assert kind_of(word) is None
    assert identifiers_in(f" {word} ") == ()


def test_names_come_once_in_order_and_other_scripts_only_separate_them() -> None:
    text = "foo_bar、src/a.py は foo_bar です。\ud800x_y"
    assert identifiers_in(text) == ("foo_bar", "src/a.py", "x_y")


@given(st.text())
def test_every_identifier_stands_in_the_text(text: str) -> None:
    assert all(name in text for name in identifiers_in(text))
