"""Text that was wrapped for its length is read in sentences, not in lines."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.sentences import bounds_of, trimmed

LONG = "The catch handles what the call itself throws; a failure inside of the"


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        # A long line that goes on in lower case is the same sentence, in both directions.
        (
            f"{LONG}\n     spawned process never reaches it. Done.",
            "never",
            f"{LONG}\n     spawned process never reaches it.",
        ),
        (f"{LONG}\nspawned process is lost. Done.", "catch", f"{LONG}\nspawned process is lost."),
        # A line of its own stays one: it is short, it is over, or what follows begins anew.
        ("Read the notes\nnever touch billing", "never", "never touch billing"),
        (f"{LONG} end.\nnever touch billing", "never", "never touch billing"),
        (f"{LONG}\nNever touch billing", "Never", "Never touch billing"),
        (f"{LONG}\n\nnever touch billing", "never", "never touch billing"),
        (f"{LONG}\n- never touch billing", "never", "never touch billing"),
        (f"{LONG} {{\nnever touch billing", "never", "never touch billing"),
    ],
)
def test_a_sentence_goes_on_where_its_line_was_wrapped(text: str, at: str, expected: str) -> None:
    place = text.index(at)

    assert trimmed(text, *bounds_of(text, place, place + len(at))) == expected


def test_an_empty_line_in_a_message_written_as_json_ends_a_sentence() -> None:
    text = '{"content": "You have two cards\\n\\nThen I will book, as agreed."}'
    at = text.index("will")
    start, end = bounds_of(text, at, at + 4)
    assert text[start:end] == 'Then I will book, as agreed."}'
    one = text.replace("\\n\\n", "\\n")
    assert bounds_of(one, one.index("will"), one.index("will") + 4)[0] == 0
