"""What images, sound, film and documents cost in tokens, by the rules the providers publish.

The length of the base64 text never counts: a provider charges by what is shown.
"""

from __future__ import annotations

from typing import Final, assert_never

from clew.budget.image_size import base64_image_size
from clew.transcript.message import Format
from clew.transcript.parts import MediaKind, MediaPart

_ANTHROPIC_PIXELS_PER_TOKEN: Final = 750
_ANTHROPIC_EDGE: Final = 1_568
_ANTHROPIC_MOST: Final = 1_600

_OPENAI_LOW: Final = 85
_OPENAI_TILE: Final = 170
_OPENAI_TILE_EDGE: Final = 512
_OPENAI_LONG_EDGE: Final = 2_048
_OPENAI_SHORT_EDGE: Final = 768

_GEMINI_TILE: Final = 258
_GEMINI_SMALL_EDGE: Final = 384
_GEMINI_TILE_EDGE: Final = 768

UNKNOWN_IMAGE_TOKENS: Final = {
    Format.ANTHROPIC: 1_600,
    Format.OPENAI_CHAT: 1_105,
    Format.OPENAI_RESPONSES: 1_105,
    Format.GEMINI: 1_032,
}
"""An image of unknown size: the most Anthropic charges, six tiles of OpenAI, four of Gemini."""

UNKNOWN_AUDIO_TOKENS: Final = 1_920
"""Sound of unknown length: one minute at Gemini's 32 tokens a second."""

UNKNOWN_VIDEO_TOKENS: Final = 17_700
"""Film of unknown length: one minute at Gemini's 295 tokens a second."""

UNKNOWN_DOCUMENT_TOKENS: Final = 9_000
"""A document of unknown length: three pages at 3,000 tokens, the most Anthropic names."""


def media_tokens(
    kind: MediaKind, wire_format: Format, *, width: int = 0, height: int = 0, detail: str = ""
) -> int:
    """Tokens of one media part; width and height in pixels, 0 when unknown.

    `detail` is OpenAI's word: "low" costs the base price whatever the size.
    """
    match kind:
        case MediaKind.IMAGE:
            return _image_tokens(wire_format, width, height, detail)
        case MediaKind.AUDIO:
            return UNKNOWN_AUDIO_TOKENS
        case MediaKind.VIDEO:
            return UNKNOWN_VIDEO_TOKENS
        case MediaKind.DOCUMENT:
            return UNKNOWN_DOCUMENT_TOKENS
        case _:
            assert_never(kind)


def media_part_tokens(part: MediaPart, wire_format: Format) -> int:
    """Tokens of a media part, its size read from the picture itself where the part has none."""
    size = (part.width, part.height)
    if (
        part.kind is MediaKind.IMAGE
        and min(size) <= 0
        and (part.inline or part.source[:5] == "data:")
    ):
        size = base64_image_size(part.source) or (0, 0)
    return media_tokens(part.kind, wire_format, width=size[0], height=size[1], detail=part.detail)


def _image_tokens(wire_format: Format, width: int, height: int, detail: str) -> int:
    known = width > 0 and height > 0
    match wire_format:
        case Format.OPENAI_CHAT | Format.OPENAI_RESPONSES:
            if detail == "low":
                return _OPENAI_LOW
            return _openai_tokens(width, height) if known else UNKNOWN_IMAGE_TOKENS[wire_format]
        case Format.ANTHROPIC:
            return _anthropic_tokens(width, height) if known else UNKNOWN_IMAGE_TOKENS[wire_format]
        case Format.GEMINI:
            return _gemini_tokens(width, height) if known else UNKNOWN_IMAGE_TOKENS[wire_format]
        case _:
            assert_never(wire_format)


def _anthropic_tokens(width: int, height: int) -> int:
    """Pixels over 750, after the long edge is brought to 1,568; at most 1,600."""
    longest = max(width, height, _ANTHROPIC_EDGE)
    pixels = width * height * _ANTHROPIC_EDGE**2 // longest**2
    return max(1, min(_ANTHROPIC_MOST, _ceil_div(pixels, _ANTHROPIC_PIXELS_PER_TOKEN)))


def _openai_tokens(width: int, height: int) -> int:
    """85 and 170 a tile of 512, after fitting into 2,048 and bringing the short edge to 768."""
    scale = min(1.0, _OPENAI_LONG_EDGE / max(width, height))
    scale *= min(1.0, _OPENAI_SHORT_EDGE / (min(width, height) * scale))
    across, down = (max(1, round(edge * scale)) for edge in (width, height))
    tiles = _ceil_div(across, _OPENAI_TILE_EDGE) * _ceil_div(down, _OPENAI_TILE_EDGE)
    return _OPENAI_LOW + _OPENAI_TILE * tiles


def _gemini_tokens(width: int, height: int) -> int:
    """258 for a small image, else 258 for each tile of 768."""
    if max(width, height) <= _GEMINI_SMALL_EDGE:
        return _GEMINI_TILE
    return _GEMINI_TILE * _ceil_div(width, _GEMINI_TILE_EDGE) * _ceil_div(height, _GEMINI_TILE_EDGE)


def _ceil_div(whole: int, part: int) -> int:
    return -(-whole // part)
