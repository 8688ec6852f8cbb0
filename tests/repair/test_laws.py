"""What holds for every repair, whatever was wrong."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.codecs import codec_for
from clew.repair import NO_RESULT, RESULT_ELSEWHERE, repair
from clew.transcript import ExchangeGrouper, ExchangeKind, Format, Message
from tests.strategies import (
    Draw,
    Native,
    broken,
    holds_results,
    transcripts,
)
from tests.wire.check import violations

every_format = pytest.mark.parametrize("wire", tuple(Format))


def parse(wire: Format, natives: list[Native]) -> tuple[Message, ...]:
    codec = codec_for(wire)
    return tuple(codec.parse(native, index) for index, native in enumerate(natives))


@st.composite
def repairable(draw: Draw, wire: Format) -> list[Native]:
    """A damaged transcript in which somebody still speaks."""
    damaged: list[Native] = draw(broken(wire))
    if holds_results(damaged[0]) or damaged[0].get("role") not in ("user", "system", "developer"):
        return [*draw(transcripts(wire, 1, 1)), *damaged]
    return damaged


def natives_of(messages: tuple[Message, ...]) -> list[Any]:
    return [message.native for message in messages]


def is_ordered_part(part: list[Any], whole: list[Any]) -> bool:
    """Whether the objects of `part` that are in `whole` stand in the same order there."""
    place = {id(native): at for at, native in enumerate(whole)}
    places = [place[id(native)] for native in part if id(native) in place]
    return places == sorted(places)


@every_format
@given(data=st.data())
def test_what_was_broken_between_calls_and_results_is_whole_again(
    wire: Format, data: st.DataObject
) -> None:
    damaged = data.draw(repairable(wire))
    repaired = repair(parse(wire, damaged), codec_for(wire))
    left = violations(wire, natives_of(repaired.messages))
    # Who speaks first or last is not for a repair to change.
    assert [v for v in left if v.rule not in ("role", "adjacency")] == []
    adjacency = [v for v in left if v.rule == "adjacency"]
    assert adjacency == [] or wire is Format.GEMINI


@every_format
@given(data=st.data())
def test_repair_loses_nothing_invents_nothing_and_moves_nothing(
    wire: Format, data: st.DataObject
) -> None:
    damaged = data.draw(repairable(wire))
    before = copy.deepcopy(damaged)
    repaired = repair(parse(wire, damaged), codec_for(wire))
    assert damaged == before
    kept = {id(native) for native in natives_of(repaired.messages)}
    archived = {id(message.native) for message in repaired.removed}
    archived |= {id(pair.given.native) for pair in repaired.renamed}
    gone = [native for native in damaged if id(native) not in kept | archived]
    # Formats that keep a batch in one message extend a copy of it; all that was in it still is.
    written = repr(natives_of(repaired.messages))
    blocks = [
        block for native in gone for block in native.get("content") or native.get("parts") or ()
    ]
    assert all(repr(block) in written for block in blocks)
    assert is_ordered_part(natives_of(repaired.messages), damaged)
    given_texts = {r.text for m in parse(wire, damaged) for r in m.results}
    texts = {r.text for m in repaired.messages for r in m.results}
    assert texts - given_texts <= {NO_RESULT, RESULT_ELSEWHERE, ""}


@every_format
@given(data=st.data())
def test_a_second_repair_finds_nothing(wire: Format, data: st.DataObject) -> None:
    codec = codec_for(wire)
    messages = parse(wire, data.draw(repairable(wire)))
    once = repair(messages, codec)
    again = repair(once.messages, codec)
    assert again.messages is once.messages
    assert again.repairs == ()
    same = repair(messages, codec)
    assert [m.digest for m in same.messages] == [m.digest for m in once.messages]
    assert same.repairs == once.repairs


@every_format
@given(data=st.data())
def test_every_repair_is_named_and_only_where_something_was_done(
    wire: Format, data: st.DataObject
) -> None:
    messages = parse(wire, data.draw(repairable(wire)))
    repaired = repair(messages, codec_for(wire))
    changed = natives_of(repaired.messages) != natives_of(messages)
    assert bool(repaired.repairs) == changed
    assert all(0 <= r.index < len(messages) and r.sentence for r in repaired.repairs)
    assert [r.index for r in repaired.repairs] == sorted(r.index for r in repaired.repairs)


@every_format
@given(data=st.data())
def test_a_clean_prefix_need_not_be_read_again(wire: Format, data: st.DataObject) -> None:
    codec = codec_for(wire)
    told = data.draw(transcripts(wire, 2, 6))
    clean = parse(wire, told)
    damaged = parse(wire, [*told, *data.draw(repairable(wire))])
    assert repair(clean, codec, start=len(clean)).messages is clean
    partly, wholly = repair(damaged, codec, start=len(clean)), repair(damaged, codec)
    assert [m.digest for m in partly.messages] == [m.digest for m in wholly.messages]


@every_format
@given(data=st.data())
def test_after_a_repair_no_exchange_is_open_or_orphaned(wire: Format, data: st.DataObject) -> None:
    codec = codec_for(wire)
    repaired = repair(parse(wire, data.draw(repairable(wire))), codec)
    grouper = ExchangeGrouper(adjacent_results=codec.adjacent_results)
    grouper.feed(repaired.messages)
    units = grouper.exchanges()
    assert [unit for unit in units if unit.open_calls] == []
    assert [unit for unit in units if unit.kind is ExchangeKind.ORPHAN] == []
    assert sorted(i for unit in units for i in unit.indices) == list(range(len(repaired.messages)))
