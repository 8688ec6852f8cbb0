from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.verify.literals import (
    Literal,
    LiteralKind,
    folded,
    literals,
    numbers_in,
    stands_in,
    values_of,
)
from tests.record.building import TEXTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pool_size is 5", [("identifier", "pool_size"), ("number", "5")]),
        ("see src/app/a.py, and config.toml.", [("path", "src/app/a.py"), ("path", "config.toml")]),
        ("call foo.bar() or getUser", [("identifier", "foo.bar"), ("identifier", "getUser")]),
        ("run `git push` on “main branch”", [("quoted string", "git push"),
                                            ("quoted string", "main branch")]),
        ("ABC-7 and #12 at 3f2a9c1", [("ticket", "ABC-7"), ("ticket", "#12"), ("hash", "3f2a9c1")]),
        ("v1.2.3 since 2024-01-02", [("version or date", "v1.2.3"),
                                     ("version or date", "2024-01-02")]),
        ("https://x.y/z?a=1. Then", [("url", "https://x.y/z?a=1")]),
        ("1,234.50 ms, 70%, 5k rows", [("number", "1234.50"), ("number", "70"), ("number", "5k")]),
        ("--force-with-lease", [("identifier", "--force-with-lease")]),
        ("it's the user's and/or mine, don't", []),
        ("UTF8 and file2 and step-3", []),
    ],
)  # fmt: skip
def test_literals_of_a_claim(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(each.kind.value, each.text) for each in literals(folded(text))] == expected


@pytest.mark.parametrize(
    ("number", "text", "there"),
    [
        ("1234", "about 1,234 rows", True),
        ("1234", "about 1\u202f234 rows", True),
        ("1.50", "costs 1.5", True),
        ("3", "three retries", True),
        ("5k", "5000 rows", True),
        ("5k", "5 km", True),
        ("5", "15 rows", False),
        ("1234", "1243", False),
        ("7", "v2.7.1", True),
    ],
)
def test_numbers_compare_by_value(number: str, text: str, there: bool) -> None:
    assert bool(values_of(number) & numbers_in(folded(text))) is there


@pytest.mark.parametrize(
    ("kind", "text", "source", "there"),
    [
        (LiteralKind.PATH, "app/a.py", "/work/app/a.py:12: error", True),
        (LiteralKind.PATH, "app/a.py", "app/a.pyc", False),
        (LiteralKind.PATH, "src/b.py", "cd src && run b.py", True),
        (LiteralKind.PATH, "src/c.py", "cd src && run b.py", False),
        (LiteralKind.PATH, "a\\b.py", "a/b.py", True),
        (LiteralKind.HASH, "3f2a9c1", "commit 3f2a9c1d55e0", True),
        (LiteralKind.HASH, "f2a9c1d", "commit 3f2a9c1d55e0", False),
        (LiteralKind.NAME, "Config.timeout", "class Config: timeout = 5", True),
        (LiteralKind.NAME, "pool_size", "pool_sizes", False),
        (LiteralKind.NAME, "Pool_Size", "POOL_SIZE=5", True),
        (LiteralKind.QUOTED, "no  such file", "error: No such file.", True),
        (LiteralKind.TICKET, "OPS-12", "OPS-123", False),
    ],
)
def test_a_literal_stands_whole_or_not_at_all(
    kind: LiteralKind, text: str, source: str, there: bool
) -> None:
    literal = Literal(kind=kind, text=text, start=0, end=len(text))
    assert stands_in(literal, folded(source).casefold()) is there


@given(
    text=TEXTS, before=st.sampled_from(["", "see ", "x\n"]), behind=st.sampled_from(["", " end"])
)
def test_every_literal_stands_in_its_own_text(text: str, before: str, behind: str) -> None:
    claim = folded(text)
    source = folded(f"{before}{text}{behind}")
    for literal in literals(claim):
        if literal.kind is LiteralKind.NUMBER:
            assert values_of(literal.text) & numbers_in(source)
        else:
            assert stands_in(literal, source.casefold())


def test_typographic_marks_make_no_difference() -> None:
    assert folded("a – “b”\u00a0’c’  10\u202f000") == "a - \"b\" 'c' 10000"
