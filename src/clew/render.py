"""From a history to the native messages that go out: head, insertions, record, kept, tail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from clew.history import History, stubs_by_position
from clew.ports import Codec, Stub
from clew.transcript import Message, Path, Role, chain

_NATIVE = attrgetter("native")

INSERTED = -1
"""Chain position of a message that Clew put there itself."""


def shown_alias(digest: str) -> str:
    """The key under which a checkpoint is found by a message that only Clew can have made."""
    return f"shown:{digest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Insertions:
    """Messages of Clew's own making, as native-neutral texts.

    `goal` stands first of all, when it is nowhere in the history; `pins` stand behind the head,
    the record behind the pins. While nothing was absorbed the head is the first `head` messages.
    """

    goal: str = ""
    pins: tuple[str, ...] = ()
    record: str = ""
    head: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """What goes out. `messages` are the parsed forms behind the lead, `layout` their positions.

    `prefix_count` of them stand before the first message that is younger than the checkpoint.
    """

    natives: list[Any]
    messages: Sequence[Message]
    layout: Sequence[int]
    prefix_count: int

    def alias(self, count: int | None = None) -> str:
        """Chain value of the first `count` messages behind the lead (default: the prefix)."""
        upto = self.prefix_count if count is None else count
        values = chain(m.digest for m in self.messages[:upto])
        return values[-1] if values else ""

    def aliases(self, stubs: Sequence[Stub], count: int | None = None) -> tuple[str, ...]:
        """Everything in these messages that leads back to their checkpoint.

        The chain values of the prefix and of the whole (records may read alike, and what stands
        behind them tells them apart), and single messages of Clew's own making: goal, pins,
        record, and those with stubs.
        """
        digests = {stub.digest_after for stub in stubs}
        digests.update(
            message.digest
            for message, position in zip(self.messages, self.layout, strict=True)
            if position == INSERTED
        )
        whole = self.alias(len(self.messages))
        return (self.alias(count), whole, *(shown_alias(digest) for digest in sorted(digests)))


def render(
    history: History, insertions: Insertions, codec: Codec, shown: ShownMessages
) -> Rendered:
    """Lay out everything in order. Messages without a stub keep their native object."""
    head = history.head_count if history.absorbed_count else insertions.head
    before = _inserted(history, codec, [insertions.goal] if insertions.goal else [])
    behind = _inserted(history, codec, [*insertions.pins, insertions.record])
    younger = history.absorbed_count
    body = shown.of(history)
    kept_end = head
    if history.checkpoint is not None:
        while kept_end < len(body) and history.positions[kept_end] < younger:
            kept_end += 1
    positions = history.positions
    messages: Sequence[Message]
    layout: Sequence[int]
    if not before and not behind:
        messages, layout = body, positions
    else:
        messages = [*before, *body[:head], *behind, *body[head:]]
        layout = [
            *([INSERTED] * len(before)),
            *positions[:head],
            *([INSERTED] * len(behind)),
            *positions[head:],
        ]
    return Rendered(
        natives=[*map(_NATIVE, history.lead), *map(_NATIVE, messages)],
        messages=messages,
        layout=layout,
        prefix_count=len(before) + kept_end + len(behind),
    )


def _inserted(history: History, codec: Codec, texts: Sequence[str]) -> list[Message]:
    made = []
    for text in texts:
        if not text:
            continue
        message = codec.parse(codec.text_message(Role.USER, text), -1)
        native = history.inserted.get(message.digest)
        made.append(message if native is None else codec.parse(native, -1))
    return made


@dataclass(slots=True)
class ShownMessages:
    """Messages with their stubs in place, each made once.

    A stub is applied only to the very message it was made for: same position, same digest.
    """

    codec: Codec
    _made: dict[tuple[str, tuple[tuple[Path, str], ...]], Message] = field(default_factory=dict)

    def of(self, history: History) -> Sequence[Message]:
        """The body of a history as it goes out."""
        arranged = stubs_by_position(history.stubs)
        if not arranged:
            return history.body
        body = list(history.body)
        for index, position in enumerate(history.positions):
            stubs = arranged.get(position)
            if stubs:
                shown = self.one(body[index], stubs)
                native = history.inserted.get(shown.digest)
                if native is not None and shown is not body[index]:
                    shown = replace(shown, native=native)
                body[index] = shown
        return body

    def one(self, message: Message, stubs: Mapping[Path, Stub]) -> Message:
        """One message with the stubs that were made for it."""
        edits = {path: stub.text for path, stub in stubs.items() if stub.digest == message.digest}
        if not edits:
            return message
        key = (message.digest, tuple(sorted(edits.items(), key=lambda pair: str(pair[0]))))
        made = self._made.get(key)
        if made is None:
            made = self.codec.parse(self.codec.replace(message, edits), -1)
            self._made[key] = made
        return made
