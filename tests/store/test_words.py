"""A word is counted whole and in its usual forms, never as a piece of another word."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.store.words import forms_of, stem_of, whole


@pytest.mark.parametrize(
    ("word", "held", "not_held"),
    [
        ("paint", "paint paints painted painting", "paintball"),
        ("running", "run runs running runner", "runway"),
        ("studies", "study studies studied", "studio"),
        ("car", "car cars", "caroline cart scar"),
        ("pass", "pass passes passed", "passage"),
        ("agencies", "agency agencies", "agenda"),
        ("key", "key keys", "keyboard monkey"),
    ],
)
def test_forms_of_a_word(word: str, held: str, not_held: str) -> None:
    pattern = forms_of(word)
    assert len(pattern.findall(held)) == len(held.split())
    assert pattern.findall(not_held) == []


@given(st.from_regex(r"[a-z]{3,30}", fullmatch=True))
def test_a_word_is_one_of_its_own_forms(word: str) -> None:
    assert word.startswith(stem_of(word))
    assert forms_of(word).findall(f"x {word}, x") == [word]


@pytest.mark.parametrize("unit", ["a", "aaab", "paint", "paint "])
def test_counting_takes_linear_time(unit: str) -> None:
    begin = time.process_time()
    forms_of("painting").findall(unit * 300_000)
    forms_of("aaa").findall(unit * 300_000)
    assert time.process_time() - begin < 3.0


@pytest.mark.parametrize(
    ("needle", "text", "count"),
    [
        ("run_3", "run_3 run_33 prerun_3 run_3.", 2),
        ("src/a.py", "src/a.py:4 lsrc/a.py src/a.pyc", 1),
        ("$x", "$x a$x $xy", 2),
        ("café", "café cafés", 1),
    ],
)
def test_a_name_is_not_found_inside_of_another(needle: str, text: str, count: int) -> None:
    assert len(whole(needle).findall(text)) == count
