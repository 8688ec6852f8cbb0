from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.record.claims import first_qualifier, qualifiers

WORDS = (
    "can't", "do not", "don't-care", "won’t", "no more than", "no", "as long as", "but", "not",
    "cannot", "is", "knot", "if", "un-if", "the key", "5", "-", "’t", "n't",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("it doesn't hold unless it is asked", "not"),
        ("it holds unless it doesn't", "unless"),
        ("no more than 5, if at all", "no more than"),
        ("it can't", "not"),
        ("the knot holds", ""),
    ],
)
def test_the_first_qualifier_is_the_one_that_stands_first(text: str, first: str) -> None:
    assert first_qualifier(text) == first


@given(st.lists(st.sampled_from(WORDS), max_size=8), st.sampled_from([" ", ", ", ""]))
def test_the_first_qualifier_is_the_first_of_all(words: list[str], between: str) -> None:
    text = between.join(words)
    assert first_qualifier(text) == next(iter(qualifiers(text)), "")
