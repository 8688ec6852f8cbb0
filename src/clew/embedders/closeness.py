"""Comparing vectors by numpy, which the extra of the embedders brings."""

from __future__ import annotations

from collections.abc import Sequence

_ONE = 127.0


def closeness(query: bytes, vectors: Sequence[bytes]) -> list[float]:
    """The cosine of each vector to the query, from -1 to 1.

    About a millisecond for ten thousand vectors.
    """
    import numpy as np

    if not vectors:
        return []
    asked = np.frombuffer(query, dtype=np.int8).astype(np.float32) / _ONE
    known = np.frombuffer(b"".join(vectors), dtype=np.int8).reshape(len(vectors), len(query))
    return [float(value) for value in (known.astype(np.float32) @ asked) / _ONE]
