"""A transcript as versioned JSON: the messages as they are sent, in order, with their format.

Text is written in ASCII, so lone surrogates survive; bytes are marked. An SDK object is written
as its JSON view and comes back as a dict with the same digest.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from clew.errors import ImportSourceError
from clew.transcript.message import Format, Message

VERSION = 1
_SOURCE = "transcript"
_BYTES, _LITERAL = "$bytes", "$literal"


class Parser(Protocol):
    """Reads one native message, as a codec does."""

    def parse(self, native: Any, index: int) -> Message:
        """Read one native message; `index` is only for errors."""
        ...


def dump_transcript(messages: Sequence[Message], format: Format) -> str:
    """The JSON text of a transcript."""
    document = {
        "version": VERSION,
        "format": format.value,
        "messages": [_marked(message.plain) for message in messages],
    }
    return json.dumps(document, ensure_ascii=True, separators=(",", ":"))


def load_transcript(
    text: str, codec_for: Callable[[Format], Parser]
) -> tuple[Format, tuple[Message, ...]]:
    """Format and messages of a dumped transcript, of this version or an older one.

    Raises ImportSourceError for text that is no transcript or was written by a newer Clew.
    """
    try:
        document = json.loads(text)
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise ImportSourceError(_SOURCE, f"no JSON ({error})", line=line) from error
    if not isinstance(document, dict) or not isinstance(document.get("version"), int):
        raise ImportSourceError(_SOURCE, "no version field; expected a dumped transcript")
    version = document["version"]
    if version > VERSION:
        raise ImportSourceError(
            _SOURCE, f"version {version} is newer than {VERSION}; upgrade Clew to read it"
        )
    loader = _LOADERS.get(version)
    if loader is None:
        raise ImportSourceError(_SOURCE, f"there is no version {version}")
    return loader(document, codec_for)


def _load_1(
    document: Mapping[str, Any], codec_for: Callable[[Format], Parser]
) -> tuple[Format, tuple[Message, ...]]:
    named, natives = document.get("format"), document.get("messages")
    known = [wire for wire in Format if wire.value == named]
    if not known:
        raise ImportSourceError(_SOURCE, f"the format is {named!r}")
    if not isinstance(natives, list):
        raise ImportSourceError(_SOURCE, "the messages are missing")
    parser = codec_for(known[0])
    parsed = (parser.parse(_unmarked(native), at) for at, native in enumerate(natives))
    return known[0], tuple(parsed)


_LOADERS = {1: _load_1}


def _marked(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return {_BYTES: base64.b64encode(bytes(value)).decode("ascii")}
    if isinstance(value, dict):
        inner = {key: _marked(item) for key, item in value.items()}
        # A message may itself speak of our marks.
        return {_LITERAL: inner} if _BYTES in value or _LITERAL in value else inner
    if isinstance(value, list | tuple):
        return [_marked(item) for item in value]
    return value


def _unmarked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and isinstance(value.get(_BYTES), str):
        return base64.b64decode(value[_BYTES])
    literal = value.get(_LITERAL) if len(value) == 1 else None
    inner = literal if isinstance(literal, dict) else value
    return {key: _unmarked(item) for key, item in inner.items()}
