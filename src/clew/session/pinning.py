"""From a message that a caller pins to what is kept of it."""

from __future__ import annotations

from typing import Any

from clew.codecs import codec_for
from clew.transcript import Format, Role, exact_json


def pinned_message(wire: Format, native: Any) -> tuple[str, str]:
    """Digest of a message, and its words for when the message itself is not there any more."""
    message = codec_for(wire).parse(native, 0)
    words = message.text or exact_json(message.plain)
    if message.role is not Role.USER:
        words = f"[pinned message of the {message.role.value}] {words}"
    return message.digest, words
