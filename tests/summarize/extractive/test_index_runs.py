"""Numbers that only count up name nothing."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.index import without_runs


@pytest.mark.parametrize(
    ("names", "left"),
    [
        ("7 8 9 10 11 12", ""),
        ("7 8 9 10 11", "7 8 9 10 11"),
        ("src/a.py 101 102 103 104 105 106 4711", "src/a.py 4711"),
        ("106 105 104 103 102 101", ""),
        ("100 200 300 400 500 600", "100 200 300 400 500 600"),
        ("001 002 003 004 005 006 v1.2 2.8.13", "v1.2 2.8.13"),
        ("9" * 30, "9" * 30),
        ("", ""),
    ],
)
def test_lines_rows_and_pages_are_no_names(names: str, left: str) -> None:
    assert list(without_runs(names.split())) == left.split()
