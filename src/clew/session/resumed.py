"""The first messages of a resumed run, and how they get in front of whatever the caller sends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clew.document import Changes, HandoffDocument
from clew.ports import Codec
from clew.record.fence import FENCE_OPEN
from clew.transcript import Message, Role

_LOOKED_AT = 8
"""Beside the opening itself, how far from the front a record of ours may stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """What a run goes on from.

    `natives` are the first messages in the format of this run, `offset` what is added to a place
    in the caller's list to get the position in the whole lineage.
    """

    natives: tuple[Any, ...]
    goal: str
    record_text: str
    offset: int
    codec: Codec
    document: HandoffDocument
    changes: Changes

    def placed(self, messages: Sequence[Any]) -> Sequence[Any]:
        """The caller's messages with the opening in front, where it is not there yet.

        A caller that begins with the goal itself does not get it twice; one that sends back what it
        was given is left alone.
        """
        front = self._front(messages)
        lead = next(
            (n for n, m in enumerate(front) if m.role not in (Role.SYSTEM, Role.DEVELOPER)),
            len(front),
        )
        behind = front[lead:]
        for place, message in enumerate(behind):
            if message.text == self.record_text:
                if place + 1 == len(self.natives):
                    return messages
                return self._joined(messages, lead, lead + place + 1)
            if message.text.startswith(FENCE_OPEN):
                return messages
        begins_with_goal = bool(self.goal) and bool(behind) and behind[0].text == self.goal
        return self._joined(messages, lead, lead + begins_with_goal)

    def _front(self, messages: Sequence[Any]) -> list[Message]:
        front: list[Message] = []
        for index, native in enumerate(messages):
            message = self.codec.parse(native, index)
            front.append(message)
            behind = sum(m.role not in (Role.SYSTEM, Role.DEVELOPER) for m in front)
            if behind >= _LOOKED_AT + len(self.natives):
                break
        return front

    def _joined(self, messages: Sequence[Any], lead: int, behind: int) -> list[Any]:
        return [*messages[:lead], *self.natives, *messages[behind:]]
