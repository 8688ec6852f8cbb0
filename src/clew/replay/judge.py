"""Judges what goes out, without asking the code that made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clew.budget.measure import Meter
from clew.ports import Codec
from clew.transcript import ExchangeGrouper, ExchangeKind, Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One context: whether its calls and results are whole, and what it shares with the one before.

    `shared_tokens` is the size of the messages at the front that are equal to those before,
    `tokens` the size of all.
    """

    valid: bool
    shared_tokens: int
    tokens: int
    messages: tuple[Message, ...]


class Judge:
    """Reads each context of a session; what it has read before it does not read again."""

    def __init__(self, codec: Codec, meter: Meter) -> None:
        self._codec = codec
        self._meter = meter
        # The native object is kept beside its reading, so that an id is never reused.
        self._read: dict[int, tuple[Any, Message]] = {}
        self._last: list[Message] = []
        self._grouper = ExchangeGrouper(adjacent_results=codec.adjacent_results)

    def judge(self, natives: Sequence[Any]) -> Judged:
        """Judge one context, in the order of the calls."""
        messages = [self._message(native, index) for index, native in enumerate(natives)]
        shared = 0
        for one, other in zip(messages, self._last, strict=False):
            if one is not other and one.digest != other.digest:
                break
            shared += 1
        if shared < len(self._last):
            self._grouper = ExchangeGrouper(adjacent_results=self._codec.adjacent_results)
            self._grouper.feed(messages)
        else:
            self._grouper.feed(messages[shared:])
        self._last = messages
        sizes = self._meter.count(messages)
        return Judged(
            valid=self._valid(),
            shared_tokens=sum(sizes[:shared]),
            tokens=sum(sizes),
            messages=tuple(messages),
        )

    def _message(self, native: Any, index: int) -> Message:
        known = self._read.get(id(native))
        if known is None:
            known = (native, self._codec.parse(native, index))
            self._read[id(native)] = known
        return known[1]

    def _valid(self) -> bool:
        return not any(
            unit.open_calls or unit.kind is ExchangeKind.ORPHAN
            for unit in self._grouper.exchanges()
        )
