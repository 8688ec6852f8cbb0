"""A counter for the lines of one record: each text is counted once, many in one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.ports import TokenCounter


class CountedOnce:
    """Counts by another counter and keeps what it said, for as long as one rendering takes.

    A tokenizer's call costs more than the few words of a heading; `expect` counts together what
    will be asked for one by one.
    """

    def __init__(self, counter: TokenCounter) -> None:
        self.name = counter.name
        self.exact = counter.exact
        self._counter = counter
        self._known: dict[str, int] = {}

    def expect(self, texts: Iterable[str]) -> None:
        """Count what is not known yet of these, in one call."""
        missing = list(dict.fromkeys(text for text in texts if text not in self._known))
        if missing:
            counts = self._counter.count_texts(missing)
            self._known.update(zip(missing, counts, strict=True))

    def count_text(self, text: str) -> int:
        """Count one text."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._counter.count_text(text)
        return known

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        """Count each text, in order."""
        self.expect(texts)
        return list(map(self._known.__getitem__, texts))
