"""What counts tokens and what prices them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@runtime_checkable
class TokenCounter(Protocol):
    """Counts the tokens of a text; `exact` tells whether a tokenizer does it."""

    @property
    def name(self) -> str:
        """Short name for reports, such as `o200k_base`."""
        ...

    @property
    def exact(self) -> bool:
        """Whether the count is a tokenizer's own."""
        ...

    def count_text(self, text: str) -> int:
        """Tokens of `text`; 0 for the empty text; never raises for any str."""
        ...

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Prices per million tokens, all in one currency."""

    input: float
    output: float
    cached_read: float
    cache_write: float


class Prices(Protocol):
    """What is known about a model: its window, its output limit, its rates."""

    def window_tokens(self, model: str) -> int | None:
        """Context window of a model, None when unknown."""
        ...

    def output_tokens(self, model: str) -> int | None:
        """Largest output of a model, None when unknown."""
        ...

    def rates(self, model: str) -> Rates | None:
        """Rates of a model, None when unknown."""
        ...
