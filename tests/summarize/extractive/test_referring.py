"""A sentence that points back is quoted with the one it points to, and with no other."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.referring import (
    is_cut_off,
    refers,
    with_the_one_before,
    with_what_it_refers_to,
)


@pytest.mark.parametrize(
    ("text", "said", "quoted"),
    [
        (
            "The loader reads `tide.c` first. It then drops the empty rows.",
            "It then drops the empty rows.",
            "The loader reads `tide.c` first. It then drops the empty rows.",
        ),
        (
            "THOUGHT: `tide_test` fails with `bad row`.\n\nThis means the parser keeps blanks.",
            "This means the parser keeps blanks.",
            "`tide_test` fails with `bad row`.\n\nThis means the parser keeps blanks.",
        ),
        ("Let me look at the loader. It drops rows.", "It drops rows.", "It drops rows."),
        ("Where is it?\nIt is in `tide.c`.", "It is in `tide.c`.", "It is in `tide.c`."),
        (
            "- The loader reads `tide.c`.\n\nThis is why rows are lost.",
            "This is why rows are lost.",
            "This is why rows are lost.",
        ),
        (
            "The loader is slow. The parser drops rows.",
            "The parser drops rows.",
            "The parser drops rows.",
        ),
    ],
)
def test_what_is_pointed_to_is_quoted_with_it(text: str, said: str, quoted: str) -> None:
    assert with_what_it_refers_to(said, (text,), built_in_cues()) == quoted


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ("So it returns the first row.", True),
        ("These rows are lost.", False),
        ("These are lost.", True),
        ("This file holds the rows.", False),
        ("It seems the rows are lost.", False),
        ("The rows are lost because it drops them.", False),
    ],
)
def test_only_an_opening_word_points_back(said: str, points: bool) -> None:
    assert refers(said) is points


@pytest.mark.parametrize(
    ("text", "said", "quoted"),
    [
        (
            "I'll use a script for the rows. This is safer than `sed` for 20 of them.",
            "This is safer than `sed` for 20 of them.",
            "I'll use a script for the rows. This is safer than `sed` for 20 of them.",
        ),
        ("They stay. It is safer so.", "It is safer so.", "It is safer so."),
        ("```\nrows\n```\nThis is safer so.", "This is safer so.", "This is safer so."),
        ("I'll use `sed`. Rows stay.", "Rows stay.", "Rows stay."),
    ],
)
def test_a_choice_is_quoted_with_the_step_that_it_points_to(
    text: str, said: str, quoted: str
) -> None:
    assert with_the_one_before(said, (text,)) == quoted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("THOUGHT: It inherits `Tide`.", "It inherits `Tide`."),
        ("Both use `tide_of`.", "Both use `tide_of`."),
        (
            "I will write `copy_rows.py` to copy the rows. This ensures that no row is lost.",
            "This ensures that no row is lost.",
        ),
        (
            "To mend the lamp, we should round the rows. This should keep the 3 decimals.",
            "This should keep the 3 decimals.",
        ),
        ("Let me look why `tide` fails. It could be a row.", "It could be a row."),
    ],
)
def test_what_is_said_of_a_step_or_of_nothing_is_cut_off(text: str, said: str) -> None:
    assert is_cut_off(said, (text,))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It does not override `tide_of`.", "It does not override `tide_of`."),
        ("`Tide` fails on row 4. This means that a row is lost.", "This means that a row is lost."),
        ("`Tide` reads rows. This ensures their order.", "This ensures their order."),
        (
            "I will drop `Tide`. They will all inherit `Row.next` then.",
            "They will all inherit `Row.next` then.",
        ),
        ("The lamp is on.", "The lamp is on."),
    ],
)
def test_what_stands_by_itself_or_behind_a_statement_is_not(text: str, said: str) -> None:
    assert not is_cut_off(said, (text,))
