"""Embedding models that work offline, for a search by meaning beside the one by words."""

from __future__ import annotations

from typing import Final

from clew.embedders.closeness import closeness
from clew.embedders.minilm import MiniLmEmbedder, minilm_installed
from clew.errors import PolicyError
from clew.ports import Embedder

EMBEDDER_NAMES: Final = ("minilm",)
"""Every name that `resolve_embedder` knows."""

__all__ = [
    "EMBEDDER_NAMES",
    "MiniLmEmbedder",
    "closeness",
    "minilm_installed",
    "resolve_embedder",
]


def resolve_embedder(embedder: Embedder | str | None) -> Embedder | None:
    """The embedder that a caller named; None is none, and an Embedder is taken as it is.

    Raises PolicyError for an unknown name and MissingExtraError for one that is not installed.
    """
    if not isinstance(embedder, str):
        return embedder
    if embedder not in EMBEDDER_NAMES:
        raise PolicyError(
            f"{embedder!r} is not one of {', '.join(EMBEDDER_NAMES)}", where="embedder"
        )
    return MiniLmEmbedder()
