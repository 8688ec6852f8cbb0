"""A list that grows is read on from where it was; the result is that of reading it anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.budget.measure import Meter
from clew.codecs import codec_for
from clew.counters import resolve_counter
from clew.errors import InvalidTranscriptError
from clew.session.ledger import Ledger, Reading
from clew.session.looks import Looks
from clew.transcript import Format, Message
from tests.repeated import repeating
from tests.strategies import broken, transcripts

every_format = pytest.mark.parametrize("wire", tuple(Format))


def ledger_of(wire: Format) -> Ledger:
    return Ledger(codec_for(wire), Meter(resolve_counter("chars4", None), wire))


def told(reading: Reading) -> tuple[Any, ...]:
    return (
        [message.digest for message in reading.messages],
        list(reading.keys),
        reading.tokens,
        [message.digest for message in reading.removed],
        [(sent, message.digest) for sent, message in reading.renamed.items()],
        sorted(reading.repairs),
    )


def read(ledger: Ledger, messages: Sequence[Any]) -> tuple[Any, ...] | str:
    try:
        return told(ledger.read(list(messages)))
    except InvalidTranscriptError as error:
        return str(error)


@every_format
@given(data=st.data())
def test_growing_by_any_steps_reads_as_reading_at_once(wire: Format, data: st.DataObject) -> None:
    pieces = data.draw(st.permutations((broken(wire), transcripts(wire), repeating(wire, 2, 8))))
    damaged = [message for piece in (*pieces, pieces[0]) for message in data.draw(piece)]
    ledger = ledger_of(wire)
    length = 0
    while length < len(damaged):
        length = data.draw(st.integers(length + 1, len(damaged)))
        assert read(ledger, damaged[:length]) == read(ledger_of(wire), damaged[:length])


@every_format
@given(data=st.data())
def test_what_may_be_ours_is_found_as_by_looking_at_everything(
    wire: Format, data: st.DataObject
) -> None:
    def odd(message: Message) -> bool:
        return int(message.digest[:8], 16) % 3 == 0

    codec = codec_for(wire)
    looks = Looks(odd)
    before: list[Message] = []
    for _ in range(3):
        kept = data.draw(st.integers(0, len(before)))
        natives = data.draw(transcripts(wire))
        now = [*before[:kept], *(codec.parse(each, n) for n, each in enumerate(natives))]
        looks.follow(now, kept)
        start = data.draw(st.integers(0, len(now)))
        wanted = data.draw(st.sets(st.sampled_from([m.digest for m in now]), max_size=2))
        assert looks.own(start, wanted) == [
            index
            for index in range(start, len(now))
            if odd(now[index]) or now[index].digest in wanted
        ]
        before = now
