"""What holds for every codec and every transcript."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.codecs import codec_for, recognise
from clew.codecs.editing import set_at
from clew.errors import InvalidTranscriptError
from clew.repair import repair
from clew.transcript import (
    Format,
    Message,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    digest_of,
)
from clew.transcript.parts import Path
from tests.strategies import Native, transcripts
from tests.wire.check import violations
from tests.wire.official import official_problems

FORMATS = tuple(Format)
every_format = pytest.mark.parametrize("wire", FORMATS)


def parse(wire: Format, natives: list[Native]) -> tuple[Message, ...]:
    codec = codec_for(wire)
    return tuple(codec.parse(native, index) for index, native in enumerate(natives))


def paths_of(message: Message) -> list[tuple[Path, str]]:
    """Every leaf with text in a message, and the text that its part says stands there."""
    leaves: list[tuple[Path, str]] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            leaves.append((part.path, part.text))
        elif isinstance(part, ToolResultPart):
            leaves += [(p.path, p.text) for p in part.parts if isinstance(p, TextPart)]
    return leaves


def at(plain: Any, path: Path) -> Any:
    for key in path:
        plain = plain[key]
    return plain


@every_format
@given(data=st.data())
def test_the_generated_transcripts_are_valid_by_independent_rules(
    wire: Format, data: st.DataObject
) -> None:
    told = data.draw(transcripts(wire))
    assert violations(wire, told) == []
    assert official_problems(wire, told) == []


@every_format
@given(data=st.data())
def test_parsing_keeps_the_very_objects_and_their_digests(
    wire: Format, data: st.DataObject
) -> None:
    told = data.draw(transcripts(wire))
    before = copy.deepcopy(told)
    messages = parse(wire, told)
    assert all(m.native is native for m, native in zip(messages, told, strict=True))
    assert told == before
    assert [m.digest for m in messages] == [digest_of(native) for native in before]
    shuffled = [dict(reversed(list(native.items()))) for native in told]
    assert [m.digest for m in parse(wire, shuffled)] == [m.digest for m in messages]


@every_format
@given(data=st.data())
def test_every_text_stands_where_its_part_says(wire: Format, data: st.DataObject) -> None:
    for message in parse(wire, data.draw(transcripts(wire))):
        for path, text in paths_of(message):
            assert at(message.plain, path) == text


@every_format
@given(data=st.data())
def test_a_replaced_text_changes_nothing_else(wire: Format, data: st.DataObject) -> None:
    codec = codec_for(wire)
    messages = parse(wire, data.draw(transcripts(wire)))
    message = data.draw(st.sampled_from([m for m in messages if paths_of(m)]))
    path, text = data.draw(st.sampled_from(paths_of(message)))
    before = json.dumps(message.plain)
    edited = codec.replace(message, {path: "stub S-1"})
    assert json.dumps(message.plain) == before
    assert at(edited, path) == "stub S-1"
    again = codec.replace(codec.parse(edited, 0), {path: text})
    assert json.dumps(again) == before


@every_format
@given(data=st.data())
def test_replaced_arguments_stay_acceptable(wire: Format, data: st.DataObject) -> None:
    told = data.draw(transcripts(wire, 2, 6))
    codec = codec_for(wire)
    text = data.draw(st.sampled_from(("[stub S-3]", '{"path": "b"}', "[1]", "")))
    edited = []
    for message in parse(wire, told):
        calls = [p for p in message.parts if isinstance(p, ToolCallPart)]
        edits = {call.arguments_path: text for call in calls if not call.server_side}
        edited.append(codec.replace(message, edits) if edits else message.native)
    assert violations(wire, edited) == []
    assert official_problems(wire, edited) == []


@every_format
@given(data=st.data())
def test_valid_input_needs_no_repair_and_comes_back_as_it_is(
    wire: Format, data: st.DataObject
) -> None:
    messages = parse(wire, data.draw(transcripts(wire)))
    repaired = repair(messages, codec_for(wire))
    assert repaired.messages is messages
    assert repaired.repairs == ()
    assert repaired.removed == ()


@every_format
@given(data=st.data())
def test_a_format_is_recognised_or_does_not_matter(wire: Format, data: st.DataObject) -> None:
    told = data.draw(transcripts(wire))
    found = recognise(told)
    if found is not wire:  # every message is also a message of the format that was found
        assert violations(found, told) == []


@every_format
@given(
    junk=st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    (
                        "role",
                        "content",
                        "type",
                        "parts",
                        "tool_calls",
                        "id",
                        "call_id",
                        "text",
                        "output",
                    )
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=8,
    )
)
def test_junk_is_parsed_or_refused_by_name(wire: Format, junk: Any) -> None:
    codec = codec_for(wire)
    refused: InvalidTranscriptError | None = None
    try:
        message = codec.parse(junk, 7)
    except InvalidTranscriptError as error:
        refused = error
    else:
        assert message.native is junk
        assert message.role in Role
    assert refused is None or (refused.index == 7 and refused.expected)


def places(value: Any, path: Path = ()) -> list[Path]:
    """Every path in a JSON value."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(found for key, item in inner for found in places(item, (*path, key)))]


@every_format
@given(data=st.data())
def test_one_wrong_value_in_a_message_is_read_or_refused_by_name(
    wire: Format, data: st.DataObject
) -> None:
    codec = codec_for(wire)
    native = data.draw(st.sampled_from(data.draw(transcripts(wire, 2, 4))))
    path = data.draw(st.sampled_from(places(native)))
    wrong = data.draw(st.sampled_from((None, 7, True, "", "x", [], [None], ["x"], {}, {"type": 1})))
    damaged = set_at(native, path, wrong)
    refused: InvalidTranscriptError | None = None
    try:
        repair((codec.parse(damaged, 0),), codec)
        recognise([damaged])
    except InvalidTranscriptError as error:
        refused = error
    assert refused is None or str(refused)
