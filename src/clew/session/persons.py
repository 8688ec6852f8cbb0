"""Who really typed a message, and what calls did: cached views of `tools_seen`."""

from __future__ import annotations

from collections.abc import Sequence

from clew.evict.stubs import STUB_MARK, leaves
from clew.record.fence import FENCE_OPEN
from clew.tools_seen import is_harness_text, is_observation, see_transcript
from clew.tools_seen.seen import CallSeen
from clew.transcript import Message, Role
from clew.turn import ExchangesSeen

_EXCHANGES_KEPT = 256


class Persons:
    """Answers by content, each message and each exchange once."""

    def __init__(self) -> None:
        self._typed: dict[str, bool] = {}
        self._ours: dict[str, bool] = {}
        self._seen: dict[tuple[str, ...], tuple[CallSeen, ...]] = {}
        self._exchanges = ExchangesSeen()

    def exchanges_seen(self, messages: int) -> ExchangesSeen:
        """What is known of the exchanges of a history of so many messages.

        Those of histories that were left long ago are forgotten.
        """
        if len(self._exchanges.calls) > 2 * messages + _EXCHANGES_KEPT:
            self._exchanges = ExchangesSeen()
        return self._exchanges

    def is_person(self, message: Message) -> bool:
        """Whether a person typed this message: no result, no harness text, no record of ours."""
        if message.role is not Role.USER:
            return False
        known = self._typed.get(message.digest)
        if known is None:
            known = not (
                is_observation(message)
                or is_harness_text(message)
                or message.text.lstrip().startswith(FENCE_OPEN)
            )
            self._typed[message.digest] = known
        return known

    def is_ours(self, message: Message) -> bool:
        """Whether a message looks like our record, or holds what looks like a stub of ours."""
        known = self._ours.get(message.digest)
        if known is None:
            record = message.role is Role.USER and message.text.lstrip().startswith(FENCE_OPEN)
            known = record or any(STUB_MARK in leaf.text for leaf in leaves(message))
            self._ours[message.digest] = known
        return known

    def see(self, messages: Sequence[Message]) -> tuple[CallSeen, ...]:
        """What the calls in these messages did."""
        key = tuple(message.digest for message in messages)
        known = self._seen.get(key)
        if known is None:
            known = tuple(call for _, call in see_transcript(messages))
            self._seen[key] = known
        return known
