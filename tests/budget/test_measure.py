"""Counting each thing once: messages by digest, what Clew puts in itself by its text."""

from __future__ import annotations

from collections.abc import Sequence

from clew.budget.measure import Meter
from clew.transcript import Format


class _Told:
    """Counts words and remembers what it was asked."""

    name = "words"
    exact = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    def count_text(self, text: str) -> int:
        return self.count_texts([text])[0]

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        self.asked.extend(texts)
        return [len(text.split()) for text in texts]


def test_texts_that_go_out_again_are_not_counted_again() -> None:
    told = _Told()
    meter = Meter(told, Format.OPENAI_CHAT)

    assert meter.count_inserted(["the goal", "a record of five words"]) == 7
    assert meter.count_inserted(["the goal", "a record of five words"]) == 7
    assert told.asked == ["the goal", "a record of five words"]


def test_only_those_of_the_latest_call_are_remembered() -> None:
    told = _Told()
    meter = Meter(told, Format.OPENAI_CHAT)
    meter.count_inserted(["the goal", "old record"])
    meter.count_inserted(["the goal", "the goal", "new"])

    assert meter.count_inserted(["old record"]) == 2
    assert told.asked == ["the goal", "old record", "new", "old record"]
