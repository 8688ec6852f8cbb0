"""Line numbers are no content: with them or without, a file is the same version."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from clew.tools_seen.version import plain_content, version_of

NUMBERED = re.compile(r"^\s{0,8}(\d{1,7})(?:→|\t|\| ?|: ?|  )(.*)$")
LINES = st.lists(
    st.one_of(
        st.builds("{}{}{}".format, st.integers(0, 9), st.sampled_from(["\t", "→", ": ", "|"]),
                  st.sampled_from(["", "a", " b", "1\tc"])),
        st.sampled_from(["", " ", "\x0c", "text", "1", "  2  x"]),
    ),
    max_size=5,
)  # fmt: skip


def line_by_line(text: str) -> str:
    """The text without its line numbers where every line has one that goes on from the last."""
    numbers: list[int] = []
    bare: list[str] = []
    for line in text.split("\n"):
        found = NUMBERED.match(line)
        if found is None and line.strip():
            return text
        bare.append("" if found is None else found[2])
        numbers += [] if found is None else [int(found[1])]
    rising = all(after == before + 1 for before, after in pairwise(numbers))
    return "\n".join(bare) if numbers and rising else text


@given(LINES)
def test_all_line_numbers_are_taken_off_or_none(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert plain_content(text) == line_by_line(text).strip("\n")


@given(st.integers(1, 900), st.lists(st.sampled_from(["", "a = 1", "    b()"]), min_size=1))
def test_numbers_that_rise_by_one_leave_the_version_as_it_is(first: int, lines: list[str]) -> None:
    numbered = "\n".join(f"{first + place}\t{line}" for place, line in enumerate(lines))
    assert version_of(numbered) == version_of("\n".join(lines))
