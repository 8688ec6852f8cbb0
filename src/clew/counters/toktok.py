"""Exact counting of OpenAI and Qwen 3.5 vocabularies by toktok-rs."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import Final

from clew.errors import MissingExtraError

VOCABULARIES: Final = ("o200k_base", "cl100k_base", "o200k_harmony", "qwen3.5")
"""The vocabularies that are compiled into the package."""

_PACKAGE: Final = "toktok"
_WORTH_THREADS: Final = 100_000
"""Characters; one thread counts them in about a millisecond."""


def toktok_installed() -> bool:
    """Whether the package can be imported; nothing is loaded."""
    return importlib.util.find_spec(_PACKAGE) is not None


class ToktokCounter:
    """Counts by one of the vocabularies in `VOCABULARIES`, o200k_base unless named.

    The vocabulary is loaded at the first count and shared by all counters of the process. Raises
    MissingExtraError when the package is absent.
    """

    exact: Final = True

    def __init__(self, vocabulary: str = "o200k_base") -> None:
        if not toktok_installed():
            raise MissingExtraError(
                package="toktok-rs", extra="tokenizers", purpose=f"exact counting by {vocabulary}"
            )
        self._vocabulary: Final = vocabulary

    @property
    def name(self) -> str:
        """The vocabulary."""
        return self._vocabulary

    def count_text(self, text: str) -> int:
        """Count one text; the text of a special token counts as ordinary text."""
        return self.count_texts((text,))[0]

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        """Count each text, in order; much faster than one by one."""
        import toktok

        # Little text is counted before a thread would have started.
        threads = 1 if sum(map(len, texts)) < _WORTH_THREADS else 0
        try:
            counts: list[int] = toktok.batch_count(texts, self._vocabulary, threads)
        except UnicodeEncodeError:
            whole = [_without_lone_surrogates(text) for text in texts]
            counts = toktok.batch_count(whole, self._vocabulary, threads)
        return counts


def _without_lone_surrogates(text: str) -> str:
    """A provider receives a replacement character where half a surrogate pair stands."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
