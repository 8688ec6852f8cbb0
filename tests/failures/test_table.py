"""The table in docs/failures.md says what is true: every kind, and only tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[1] / "docs" / "failures.md"
KINDS = [f"K{number:02d}" for number in range(1, 55)]
ROW = re.compile(r"^\| (K\d\d) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
NAMED = re.compile(r"`(test_\w+)::(test_\w+)`")


def named_after_kinds() -> dict[str, set[tuple[str, str]]]:
    """Module and name of every test that is named after a kind."""
    found: dict[str, set[tuple[str, str]]] = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (
                kind := re.match(r"test_(k\d\d)_", node.name)
            ):
                found.setdefault(kind[1].upper(), set()).add((path.stem, node.name))
    return found


def rows() -> list[tuple[str, str, str, str]]:
    text = TABLE.read_text(encoding="utf-8").partition("## What lies outside")[0]
    return [(row[1], row[2], row[3], row[4]) for row in ROW.finditer(text)]


def test_every_kind_stands_in_the_table_once_and_in_order() -> None:
    assert [kind for kind, *_ in rows()] == KINDS
    assert all(what.strip() and where.strip() for _, what, where, _ in rows())


def test_the_table_names_every_test_of_a_kind_and_no_other() -> None:
    named = {kind: set(NAMED.findall(tests)) for kind, _, _, tests in rows()}
    assert named == named_after_kinds()


def test_what_lies_outside_has_a_reason() -> None:
    text = TABLE.read_text(encoding="utf-8").partition("## What lies outside")[2]
    outside = re.findall(r"^\| (K\d\d) \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    assert {kind for kind, _, _ in outside} <= set(KINDS)
    assert all(len(reason.strip()) > 20 for _, _, reason in outside)
    assert outside
