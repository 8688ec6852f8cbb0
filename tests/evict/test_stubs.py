"""Stubs: what they show, what they say, and that what they shorten still parses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.budget import Chars4Counter
from clew.codecs import codec_for
from clew.evict.stubs import Leaf, excerpt, leaf_handle, leaves, stub_text
from clew.transcript import Format

COUNTER = Chars4Counter()
LINES = "\n".join(f"line {n}: value {n * 37}" for n in range(400))


def leaf(text: str, **more: Any) -> Leaf:
    given_fields = {"number": 1, "path": ("content",), "what": "result", **more}
    return Leaf(text=text, **given_fields)


def test_a_stub_shows_first_and_last_lines_whole_and_says_what_is_missing() -> None:
    shown = stub_text(leaf(LINES), "S-7.1", COUNTER, 120)
    first, *_, last = shown.split("\n")
    assert first == "line 0: value 0"
    assert last == "line 399: value 14763"
    assert "tokens of this result are not shown here, kept whole in the archive as S-7.1]" in shown
    assert COUNTER.count_text(shown) < 180


def test_a_pointer_names_the_tool_only_to_a_reader_who_has_it() -> None:
    assert "clew_recall(handle='S-7.1')" in stub_text(
        leaf(LINES), "S-7.1", COUNTER, 60, recall_tool="clew_recall"
    )
    assert "clew_recall" not in stub_text(leaf(LINES), "S-7.1", COUNTER, 60)


def test_a_picture_leaves_what_it_was_and_its_handle() -> None:
    shown = stub_text(leaf("aGVsbG8=" * 900, what="image", is_media=True), "S-2.2", COUNTER, 50)
    assert shown.startswith("[clew: image sha256 ")
    assert "S-2.2" in shown
    assert "aGVsbG8" not in shown


@pytest.mark.parametrize("extra", range(12))
def test_shortened_arguments_parse_and_keep_their_keys(extra: int) -> None:
    value = "x" * (155 + extra) + "\U0001f69a" * 300 + ' "quoted" \\ {"nested": "json"}'
    arguments = json.dumps({"path": "notes/stall.md", "content": value, "mode": 7})
    shown = stub_text(leaf(arguments, is_arguments=True), "S-3.1", COUNTER, 50)
    parsed = json.loads(shown)
    assert list(parsed) == ["path", "content", "mode"]
    assert (parsed["path"], parsed["mode"]) == ("notes/stall.md", 7)
    assert "more characters, kept whole in the archive as S-3.1]" in parsed["content"]
    assert len(parsed["content"]) < 400
    shown.encode("utf-8")


@pytest.mark.parametrize("arguments", ["", "{bad", "*** Begin Patch\n" + "+x\n" * 500])
def test_arguments_that_are_no_json_become_one_note(arguments: str) -> None:
    shown = stub_text(leaf(arguments, is_arguments=True), "S-3.1", COUNTER, 50)
    assert shown.startswith("[clew: ")


@given(
    st.text(
        st.sampled_from("ab \n\u0301\u200d\U0001f468\U0001f469\U0001f3fd\ud83d\ude9a界"),
        max_size=300,
    ),
    st.integers(1, 40),
)
def test_an_excerpt_is_verbatim_bounded_and_splits_no_character(text: str, tokens: int) -> None:
    front, back = excerpt(text, COUNTER, tokens)
    assert text.startswith(front)
    assert text.endswith(back)
    assert len(front) + len(back) <= len(text)
    assert COUNTER.count_text(front) + COUNTER.count_text(back) <= max(
        tokens, COUNTER.count_text(text) if not back and front == text else 0
    )
    if back and front:
        assert not back.startswith(("\u0301", "\u200d", "\U0001f3fd", "\ude9a"))


def test_leaves_are_numbered_through_a_message_and_leave_sealed_parts_alone() -> None:
    native = {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            {"type": "text", "text": "Reading."},
            {"type": "tool_use", "id": "a", "name": "read", "input": {"path": "a.py"}},
            {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        ],
    }
    found = list(leaves(codec_for(Format.ANTHROPIC).parse(native, 0)))
    assert [(item.number, item.what) for item in found] == [
        (1, "text"),
        (2, "the arguments of read"),
    ]


def test_handles_count_messages_from_one() -> None:
    assert leaf_handle(0, 1) == "S-1.1"
    assert leaf_handle(41, 3) == "S-42.3"
