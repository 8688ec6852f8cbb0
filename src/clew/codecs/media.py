"""Media parts: where an image, sound or document comes from, and how large an image is.

Sizes are read from the first bytes of the file format (PNG, GIF, JPEG, WebP); nothing is decoded.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

from clew.codecs.plain import string
from clew.transcript import MediaKind, MediaPart
from clew.transcript.parts import Path

# A JPEG may carry a thumbnail and colour profile before its frame header.
_HEADER_CHARACTERS = 87_384


def kind_of(media_type: str, default: MediaKind = MediaKind.DOCUMENT) -> MediaKind:
    """The media kind that a MIME type names."""
    match media_type.partition("/")[0]:
        case "image":
            return MediaKind.IMAGE
        case "audio":
            return MediaKind.AUDIO
        case "video":
            return MediaKind.VIDEO
        case _:
            return default


def inline_media(
    kind: MediaKind, media_type: str, body: Any, path: Path, *, detail: str = "", name: str = ""
) -> MediaPart:
    """A part for media given by value; `body` is base64 text or bytes."""
    source = string(body)
    width, height = image_size(source) if kind is MediaKind.IMAGE else (0, 0)
    return MediaPart(
        kind=kind,
        media_type=media_type,
        source=source,
        inline=True,
        width=width,
        height=height,
        detail=detail,
        name=name,
        path=path,
    )


def addressed_media(
    kind: MediaKind,
    address: Any,
    path: Path,
    *,
    media_type: str = "",
    detail: str = "",
    name: str = "",
) -> MediaPart:
    """A part for media given by a URL or an id; a `data:` URL is media given by value."""
    source = string(address)
    if source.startswith("data:"):
        head, _, body = source.partition(",")
        named = head[5:].partition(";")[0]
        return inline_media(kind, named or media_type, body, path, detail=detail, name=name)
    return MediaPart(
        kind=kind, media_type=media_type, source=source, detail=detail, name=name, path=path
    )


def image_size(source: str) -> tuple[int, int]:
    """Width and height in pixels of a base64 image, (0, 0) when the header does not say."""
    head = source[:_HEADER_CHARACTERS]
    try:
        raw = base64.b64decode(
            head[: len(head) // 4 * 4], altchars=b"-_" if "-" in head or "_" in head else None
        )
    except (binascii.Error, ValueError):
        return 0, 0
    if raw[:8] == b"\x89PNG\r\n\x1a\n" and len(raw) >= 24:
        return int.from_bytes(raw[16:20], "big"), int.from_bytes(raw[20:24], "big")
    if raw[:6] in (b"GIF87a", b"GIF89a") and len(raw) >= 10:
        return int.from_bytes(raw[6:8], "little"), int.from_bytes(raw[8:10], "little")
    if raw[:2] == b"\xff\xd8":
        return _jpeg_size(raw)
    if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
        return _webp_size(raw)
    return 0, 0


def _jpeg_size(raw: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 <= len(raw) and raw[at] == 0xFF:
        marker = raw[at + 1]
        # Frame headers are C0 to CF without the Huffman, arithmetic and reserved tables.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height = int.from_bytes(raw[at + 5 : at + 7], "big")
            return int.from_bytes(raw[at + 7 : at + 9], "big"), height
        at += 2 + int.from_bytes(raw[at + 2 : at + 4], "big")
    return 0, 0


def _webp_size(raw: bytes) -> tuple[int, int]:
    kind = raw[12:16]
    if kind == b"VP8X" and len(raw) >= 30:
        width = int.from_bytes(raw[24:27], "little") + 1
        return width, int.from_bytes(raw[27:30], "little") + 1
    if kind == b"VP8L" and len(raw) >= 25:
        bits = int.from_bytes(raw[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and len(raw) >= 30:
        width = int.from_bytes(raw[26:28], "little") & 0x3FFF
        return width, int.from_bytes(raw[28:30], "little") & 0x3FFF
    return 0, 0
