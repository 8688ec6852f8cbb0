"""Width and height of an image, read from its first bytes."""

from __future__ import annotations

import base64
import binascii
import struct
from typing import Final

_HEADER_CHARS: Final = 262_144
"""Base64 characters that are decoded: enough to step over the metadata in front of a JPEG frame."""

_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE: Final = frozenset((0x01, *range(0xD0, 0xD9)))


def image_size(first_bytes: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a PNG, GIF, JPEG or WebP; None for anything else or cut."""
    try:
        size = _read(first_bytes)
    except (struct.error, IndexError):
        return None
    return size if size and min(size) > 0 else None


def base64_image_size(source: str) -> tuple[int, int] | None:
    """Width and height of an image given as base64 text or as a data URL; None when unreadable."""
    start = source.find(",") + 1 if source.startswith("data:") else 0
    text = source[start : start + _HEADER_CHARS]
    try:
        return image_size(base64.b64decode(text[: len(text) // 4 * 4]))
    except (binascii.Error, ValueError):
        return None


def _read(head: bytes) -> tuple[int, int] | None:
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return _pair(struct.unpack(">II", head[16:24]))
    if head.startswith((b"GIF87a", b"GIF89a")):
        return _pair(struct.unpack("<HH", head[6:10]))
    if head.startswith(b"\xff\xd8"):
        return _read_jpeg(head)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return _read_webp(head)
    return None


def _read_jpeg(head: bytes) -> tuple[int, int] | None:
    at = 2
    while head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_ALONE:
            at += 2
        elif marker in _JPEG_FRAMES:
            height, width = _pair(struct.unpack(">HH", head[at + 5 : at + 9]))
            return width, height
        else:
            (length,) = struct.unpack(">H", head[at + 2 : at + 4])
            at += 2 + int(length)
    return None


def _read_webp(head: bytes) -> tuple[int, int] | None:
    kind = head[12:16]
    if kind == b"VP8 ":
        width, height = _pair(struct.unpack("<HH", head[26:30]))
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", head[21:25])
        return (int(bits) & 0x3FFF) + 1, (int(bits) >> 14 & 0x3FFF) + 1
    if kind == b"VP8X" and len(head) >= 30:
        return (
            int.from_bytes(head[24:27], "little") + 1,
            int.from_bytes(head[27:30], "little") + 1,
        )
    return None


def _pair(numbers: tuple[int, ...]) -> tuple[int, int]:
    first, second = numbers
    return first, second
