"""Exact counting of other families' vocabularies by splintr-rs, an extra."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache
from typing import Final, Protocol

from clew.errors import MissingExtraError

VOCABULARIES: Final = (
    "llama3",
    "qwen3",
    "deepseek_v3",
    "glm4",
    "kimi_k2",
    "mistral_v3",
    "gemma3",
    "phi4",
)
"""The vocabularies that Clew asks the package for."""

_PACKAGE: Final = "splintr"


class _Encoder(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


def splintr_installed() -> bool:
    """Whether the package can be imported; nothing is loaded."""
    return importlib.util.find_spec(_PACKAGE) is not None


class SplintrCounter:
    """Counts by one of the vocabularies in `VOCABULARIES`.

    The vocabulary is loaded at the first count and shared by all counters of the process. Raises
    MissingExtraError when the extra is not installed.
    """

    exact: Final = True

    def __init__(self, vocabulary: str) -> None:
        if not splintr_installed():
            raise MissingExtraError(
                package="splintr-rs", extra="tokenizers", purpose=f"exact counting by {vocabulary}"
            )
        self._vocabulary: Final = vocabulary

    @property
    def name(self) -> str:
        """The vocabulary."""
        return self._vocabulary

    def count_text(self, text: str) -> int:
        """Count one text; the text of a special token counts as ordinary text."""
        encoder = _encoder(self._vocabulary)
        try:
            return len(encoder.encode_ordinary(text))
        except UnicodeEncodeError:
            whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            return len(encoder.encode_ordinary(whole))

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        """Count each text, in order."""
        return [self.count_text(text) for text in texts]


@cache
def _encoder(vocabulary: str) -> _Encoder:
    import splintr

    return splintr.Tokenizer.from_pretrained(vocabulary)
