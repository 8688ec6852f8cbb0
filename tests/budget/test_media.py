"""Media cost what the provider charges, never the length of their base64 text."""

from __future__ import annotations

import base64
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.budget import base64_image_size, image_size, media_part_tokens, media_tokens
from clew.transcript.message import Format
from clew.transcript.parts import MediaKind, MediaPart


def png(width: int, height: int) -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + header
        + struct.pack(">I", zlib.crc32(header))
    )


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\x00\x00"


def jpeg(width: int, height: int, metadata_bytes: int = 16) -> bytes:
    metadata = b"\xff\xe1" + struct.pack(">H", metadata_bytes + 2) + b"e" * metadata_bytes
    tables = b"\xff\xc4" + struct.pack(">H", 4) + b"\x00\x00"
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\x00" * 9
    return b"\xff\xd8" + metadata + b"\xff" + tables + frame


def webp(kind: bytes, body: bytes) -> bytes:
    return b"RIFF\x00\x00\x00\x00WEBP" + kind + struct.pack("<I", len(body)) + body


def webp_lossy(width: int, height: int) -> bytes:
    return webp(b"VP8 ", b"\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", width, height))


def webp_lossless(width: int, height: int) -> bytes:
    return webp(b"VP8L", b"\x2f" + struct.pack("<I", (height - 1) << 14 | (width - 1)))


def webp_extended(width: int, height: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return webp(b"VP8X", b"\x00\x00\x00\x00" + size)


HEADERS = (png, gif, jpeg, webp_lossy, webp_lossless, webp_extended)


@pytest.mark.parametrize("header", HEADERS)
@given(width=st.integers(1, 16_000), height=st.integers(1, 16_000))
def test_the_size_is_read_from_the_header(header: object, width: int, height: int) -> None:
    assert callable(header)
    assert image_size(header(width, height)) == (width, height)


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_cut_anywhere_gives_the_size_or_nothing(header: object) -> None:
    assert callable(header)
    whole = header(640, 480)
    assert {image_size(whole[:end]) for end in range(len(whole))} <= {None, (640, 480)}


@given(first_bytes=st.binary(max_size=64))
def test_any_bytes_give_a_size_or_nothing(first_bytes: bytes) -> None:
    for start in (b"", b"\xff\xd8", b"RIFF1234WEBPVP8X", b"GIF89a"):
        size = image_size(start + first_bytes)
        assert size is None or min(size) > 0


def test_a_picture_of_no_width_has_no_size() -> None:
    assert image_size(png(0, 10)) is None


def test_the_size_is_found_behind_long_metadata_and_in_a_data_url() -> None:
    text = base64.b64encode(jpeg(1_200, 900, metadata_bytes=60_000) + b"\x00" * 500_000).decode()
    assert base64_image_size(text) == (1_200, 900)
    assert base64_image_size(f"data:image/jpeg;base64,{text}") == (1_200, 900)


@pytest.mark.parametrize("source", ["", "no base64 at all!", "é", "aGVsbG8gd29ybGQ="])
def test_what_is_no_picture_has_no_size(source: str) -> None:
    assert base64_image_size(source) is None


@pytest.mark.parametrize(
    ("wire_format", "width", "height", "detail", "tokens"),
    [
        (Format.ANTHROPIC, 200, 200, "", 54),
        (Format.ANTHROPIC, 800, 600, "", 640),
        (Format.ANTHROPIC, 1_092, 1_092, "", 1_590),
        (Format.ANTHROPIC, 8_000, 6_000, "", 1_600),
        (Format.ANTHROPIC, 8_000, 80, "", 33),
        (Format.OPENAI_CHAT, 1_024, 1_024, "high", 765),
        (Format.OPENAI_CHAT, 2_048, 4_096, "high", 1_105),
        (Format.OPENAI_CHAT, 4_096, 8_192, "low", 85),
        (Format.OPENAI_RESPONSES, 800, 600, "auto", 765),
        (Format.OPENAI_RESPONSES, 100, 100, "", 255),
        (Format.GEMINI, 384, 384, "", 258),
        (Format.GEMINI, 800, 600, "", 516),
        (Format.GEMINI, 1_536, 1_536, "", 1_032),
        (Format.ANTHROPIC, 0, 0, "", 1_600),
        (Format.OPENAI_CHAT, 0, 600, "", 1_105),
        (Format.OPENAI_CHAT, 0, 0, "low", 85),
        (Format.GEMINI, 0, 0, "", 1_032),
    ],
)
def test_an_image_costs_what_the_provider_publishes(
    wire_format: Format, width: int, height: int, detail: str, tokens: int
) -> None:
    assert (
        media_tokens(MediaKind.IMAGE, wire_format, width=width, height=height, detail=detail)
        == tokens
    )


@pytest.mark.parametrize("wire_format", Format)
def test_the_length_of_the_base64_text_does_not_count(wire_format: Format) -> None:
    short, long = (
        MediaPart(
            kind=MediaKind.IMAGE,
            media_type="image/png",
            source=base64.b64encode(png(800, 600) + b"\x00" * more).decode(),
            inline=True,
        )
        for more in (0, 40_000)
    )
    assert media_part_tokens(short, wire_format) == media_part_tokens(long, wire_format) < 1_000


def test_a_stated_size_goes_before_the_one_in_the_picture() -> None:
    part = MediaPart(
        kind=MediaKind.IMAGE,
        source=base64.b64encode(png(800, 600)).decode(),
        inline=True,
        width=75,
        height=100,
    )
    assert media_part_tokens(part, Format.ANTHROPIC) == 10


@pytest.mark.parametrize("kind", [MediaKind.AUDIO, MediaKind.VIDEO, MediaKind.DOCUMENT])
def test_sound_film_and_documents_have_a_fixed_price(kind: MediaKind) -> None:
    part = MediaPart(kind=kind, source="A" * 100_000, inline=True)
    assert 1_000 < media_part_tokens(part, Format.GEMINI) < 20_000
