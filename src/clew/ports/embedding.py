"""What turns a text into a vector, and what keeps vectors so that each is made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class Embedder(Protocol):
    """A model that gives texts of like meaning vectors of like direction."""

    @property
    def name(self) -> str:
        """The model and its version; vectors of two names are never compared."""
        ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector for each text, in order, all of one length.

        A vector has length one; each component is kept as a signed byte, 127 for 1.0.
        """
        ...


@runtime_checkable
class VectorStore(Protocol):
    """A store that keeps vectors beside the texts; they are a cache, and may be lost."""

    def vectors(self, model: str, digests: Sequence[str]) -> dict[str, bytes]:
        """The vectors that exist among the digests of these texts."""
        ...

    def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors by the digest of their text."""
        ...
