"""How values become bytes in a store and come back: JSON, compressed, lone surrogates included."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.errors import StoreError
from clew.ports import Checkpoint, CheckpointKind, Span, Stub
from clew.transcript import Format

FILE_LEVEL = 1
"""On texts as short as messages more effort saves a twentieth of the bytes and costs a third more
time."""

MEMORY_LEVEL = 0
"""What lives no longer than its process is kept as it is."""


_AS_IT_IS = b"\0as it is\0"
"""Stands in front of what was not compressed; nothing that zlib wrote begins so, no damage does."""


def to_bytes(text: str) -> bytes:
    """UTF-8 of any str."""
    return text.encode("utf-8", "surrogatepass")


def to_text(raw: bytes) -> str:
    """The str that `to_bytes` was given."""
    return raw.decode("utf-8", "surrogatepass")


def packed(text: str, level: int = FILE_LEVEL) -> bytes:
    """A text as the archive keeps it."""
    raw = to_bytes(text)
    return zlib.compress(raw, level) if level else _AS_IT_IS + raw


def unpacked(raw: bytes) -> str:
    """The text that `packed` was given."""
    if raw.startswith(_AS_IT_IS):
        return to_text(raw[len(_AS_IT_IS) :])
    return to_text(zlib.decompress(raw))


# Not escaped: two lone surrogates side by side would come back as one character.
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def pack_span(span: Span, level: int = FILE_LEVEL) -> bytes:
    """All of a span but its handle."""
    parts = [span.kind, span.position, span.digests, span.label, span.text]
    return packed(_json(parts), level)


def unpack_span(handle: bytes, body: bytes) -> Span:
    """The span that `pack_span` was given."""
    kind, position, digests, label, text = json.loads(unpacked(body))
    return Span(
        handle=to_text(handle),
        position=position,
        digests=tuple(digests),
        label=label,
        text=text,
        kind=kind,
    )


def pack_checkpoint(checkpoint: Checkpoint, location: str, level: int = FILE_LEVEL) -> bytes:
    """All of a checkpoint but its spans.

    Raises StoreError when `facts` hold something that has no JSON form.
    """
    fields: dict[str, Any] = {
        name: getattr(checkpoint, name)
        for name in Checkpoint.__dataclass_fields__
        if name not in ("spans", "stubs", "facts")
    }
    fields["stubs"] = [
        [stub.handle, stub.position, stub.digest, stub.path, stub.text, stub.digest_after]
        for stub in checkpoint.stubs
    ]
    fields["facts"] = json.loads(_facts_json(checkpoint, location))
    return packed(_json(fields), level)


def _facts_json(checkpoint: Checkpoint, location: str) -> str:
    try:
        return _json(dict(checkpoint.facts))
    except (TypeError, ValueError) as error:
        raise StoreError(
            location, f"a fact of the checkpoint has no JSON form ({error})"
        ) from error


def as_stored(checkpoint: Checkpoint, location: str) -> Checkpoint:
    """A checkpoint that was packed, as unpacking would give it.

    Raises StoreError when `facts` hold something that has no JSON form.
    """
    return replace(checkpoint, facts=json.loads(_facts_json(checkpoint, location)))


def unpack_checkpoint(body: bytes, spans: Sequence[Span]) -> Checkpoint:
    """The checkpoint that `pack_checkpoint` was given, with its spans again."""
    fields: dict[str, Any] = json.loads(unpacked(body))
    # A field this Clew does not know was added by a later one, without a new version of the tables.
    known: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in fields.items()
        if name in Checkpoint.__dataclass_fields__
    }
    known["kind"] = CheckpointKind(known["kind"])
    known["format"] = Format(known["format"])
    known["stubs"] = tuple(
        Stub(
            handle=handle,
            position=position,
            digest=digest,
            path=tuple(path),
            text=text,
            digest_after=after,
        )
        for handle, position, digest, path, text, after in known.get("stubs", ())
    )
    return replace(Checkpoint(**known), spans=tuple(spans))
