"""A counter of one family made to stand for another."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from clew.ports import TokenCounter


class ScaledCounter:
    """Multiplies the counts of another counter by the factor of a tokenizer family, rounded up."""

    exact: Final = False

    def __init__(self, counter: TokenCounter, *, factor: float, family: str) -> None:
        self._counter: Final = counter
        self._factor: Final = Fraction(repr(factor))
        self._family: Final = family

    @property
    def name(self) -> str:
        """The counter underneath, the factor and the family."""
        return f"{self._counter.name} x {float(self._factor):g} ({self._family})"

    def count_text(self, text: str) -> int:
        """Count one text."""
        return self._scaled(self._counter.count_text(text))

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        """Count each text, in order."""
        return [self._scaled(tokens) for tokens in self._counter.count_texts(texts)]

    def _scaled(self, tokens: int) -> int:
        return -(-tokens * self._factor.numerator // self._factor.denominator)
