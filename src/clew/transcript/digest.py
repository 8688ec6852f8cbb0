"""Content addresses: the digest of a message and the hash chain over a transcript.

State is found by content, never by position: two callers that send the same messages have the
same chain, wherever and whenever they send them.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

ROOT = "0" * 64


def _encode(value: object) -> object:
    if isinstance(value, bytes | bytearray):
        return {"$bytes": base64.b64encode(bytes(value)).decode("ascii")}
    raise TypeError(f"{type(value).__name__} has no JSON form")


# Made once: a message is digested in microseconds, and making an encoder takes as long.
_ENCODER = json.JSONEncoder(
    sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=_encode
)
_EXACT = json.JSONEncoder(ensure_ascii=False, default=_encode)
_ESCAPED = json.JSONEncoder(ensure_ascii=True, default=_encode)


def canonical_json(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no blanks, ASCII (so lone surrogates survive).

    Raises TypeError for a value that has no JSON form.
    """
    return _ENCODER.encode(value)


def exact_json(value: Any) -> str:
    """JSON text that keeps the order of keys, for the archive: reading it gives the same value."""
    text = _EXACT.encode(value)
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return _ESCAPED.encode(value)
    return text


def digest_of(value: Any) -> str:
    """Hex SHA-256 of the canonical JSON of `value`."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


def digest_of_text(text: str) -> str:
    """Hex SHA-256 of a text; lone surrogates count as they are."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def link(previous: str, digest: str) -> str:
    """The chain value after one more message."""
    return hashlib.sha256(f"{previous}{digest}".encode("ascii")).hexdigest()


def chain(digests: Iterable[str], start: str = ROOT) -> Sequence[str]:
    """Chain values after each digest; the n-th stands for the first n messages."""
    values: list[str] = []
    value = start
    for digest in digests:
        value = link(value, digest)
        values.append(value)
    return values
