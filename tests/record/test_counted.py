"""Counting the texts of one rendering: together, and each once."""

from __future__ import annotations

from collections.abc import Sequence

from clew.record.counted import CountedOnce


class _Told:
    """Counts words and remembers what it was asked."""

    name = "words"
    exact = True

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def count_text(self, text: str) -> int:
        return self.count_texts([text])[0]

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        self.asked.append(list(texts))
        return [len(text.split()) for text in texts]


def test_what_was_expected_is_not_asked_for_again() -> None:
    told = _Told()
    counter = CountedOnce(told)
    counter.expect(["one", "two words", "one"])

    assert counter.count_text("two words") == 2
    assert counter.count_texts(["one", "", "one"]) == [1, 0, 1]
    assert told.asked == [["one", "two words"], [""]]


def test_it_speaks_for_the_counter_behind_it() -> None:
    counter = CountedOnce(_Told())

    assert (counter.name, counter.exact) == ("words", True)
    assert counter.count_texts([]) == []
