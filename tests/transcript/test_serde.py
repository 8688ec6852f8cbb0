"""A dumped transcript comes back as it was, whatever is in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.codecs import codec_for
from clew.errors import ImportSourceError
from clew.transcript import Format, Message
from clew.transcript.serde import dump_transcript, load_transcript
from tests.strategies import transcripts


def parse(wire: Format, natives: list[Any]) -> tuple[Message, ...]:
    return tuple(codec_for(wire).parse(native, index) for index, native in enumerate(natives))


@pytest.mark.parametrize("wire", tuple(Format))
@given(data=st.data())
def test_what_is_loaded_is_what_was_dumped(wire: Format, data: st.DataObject) -> None:
    natives = data.draw(transcripts(wire))
    text = dump_transcript(parse(wire, natives), wire)
    found, messages = load_transcript(text, codec_for)
    assert found is wire
    assert [m.native for m in messages] == natives
    assert [json.dumps(m.native) for m in messages] == [json.dumps(n) for n in natives]
    assert dump_transcript(messages, wire) == text
    assert text.isascii()


@pytest.mark.parametrize(
    "part",
    [
        {"inlineData": {"mimeType": "image/png", "data": b"\x00\xff"}},
        {"functionCall": {"name": "f", "args": {"$bytes": "AAA="}}},
        {
            "functionCall": {
                "name": "f",
                "args": {"$literal": {"$bytes": "AAA="}, "x": [{"$bytes": 1}]},
            }
        },
        {"functionCall": {"name": "f", "args": {"$literal": {}}}},
    ],
)
def test_bytes_and_our_own_marks_survive(part: dict[str, Any]) -> None:
    messages = parse(Format.GEMINI, [{"role": "user", "parts": [part]}])
    _, again = load_transcript(dump_transcript(messages, Format.GEMINI), codec_for)
    assert again[0].native == messages[0].native
    assert again[0].digest == messages[0].digest


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no JSON"),
        ("[]", "no version field"),
        ('{"version": "1"}', "no version field"),
        ('{"version": 99, "format": "gemini", "messages": []}', "newer than 1; upgrade Clew"),
        ('{"version": 0}', "no version 0"),
        ('{"version": 1, "format": "x", "messages": []}', "the format is 'x'"),
        ('{"version": 1, "format": "gemini"}', "the messages are missing"),
    ],
)
def test_other_text_is_refused_by_name(text: str, problem: str) -> None:
    with pytest.raises(ImportSourceError, match=problem):
        load_transcript(text, codec_for)


def test_the_first_version_is_read_for_ever() -> None:
    text = '{"version":1,"format":"openai-chat","messages":[{"role":"user","content":"hi"}]}'
    wire, messages = load_transcript(text, codec_for)
    assert (wire, messages[0].native) == (Format.OPENAI_CHAT, {"role": "user", "content": "hi"})
