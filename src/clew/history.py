"""The history of one call: what a record stands for, what is kept of it, and what came since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clew.ports import Checkpoint, Stub
from clew.record.record import HandoffRecord
from clew.record.serde import load_record
from clew.transcript import ROOT, Exchange, Format, Message
from clew.transcript.parts import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Everything the stages need to know about the messages of one call.

    `lead` are the system messages at the front; they are never part of a chain. `body` is what
    is still there verbatim, in order: the messages kept from before the checkpoint, then all that
    came since. `positions` has the 0-based chain position of each, `sizes` its tokens with the
    stubs in force. `head_count` body messages stand before the record. `exchanges` hold indices
    into `body`. `absorbed_key` is the chain value of what the record stands for, `chain[i]` the
    one after position `absorbed_count + i`. `inserted` maps
    digests to native messages that Clew made earlier and the caller sent back: `body` holds the
    originals of those that have stubs. `passed` are the ids of the checkpoints that were in force
    since the call began. `doubt` says why none of several was taken, in one sentence.
    `numbered_after` is the highest number of a handle that another state of this conversation gave
    out: none is given out again for something else.
    """

    format: Format
    lead: tuple[Message, ...]
    body: Sequence[Message]
    positions: Sequence[int]
    sizes: Sequence[int]
    exchanges: tuple[Exchange, ...]
    chain: Sequence[str]
    absorbed_count: int = 0
    absorbed_key: str = ROOT
    head_count: int = 0
    checkpoint: Checkpoint | None = None
    record: HandoffRecord = field(default_factory=HandoffRecord)
    record_text: str = ""
    inserted: Mapping[str, Any] = field(default_factory=dict)
    passed: tuple[str, ...] = ()
    doubt: str = ""
    numbered_after: int = 0

    @classmethod
    def at(cls, checkpoint: Checkpoint) -> History:
        """A history that holds nothing but a checkpoint: enough to page from."""
        return cls(
            format=checkpoint.format,
            lead=(),
            body=(),
            positions=(),
            sizes=(),
            exchanges=(),
            chain=(),
            absorbed_count=checkpoint.absorbed_count,
            absorbed_key=absorbed_key(checkpoint),
            checkpoint=checkpoint,
            record_text=checkpoint.record_message,
            numbered_after=numbered_after(checkpoint),
        )

    @property
    def checkpoint_id(self) -> str:
        """The id of the checkpoint in force; empty when there is none."""
        return self.checkpoint.checkpoint_id if self.checkpoint is not None else ""

    @property
    def stubs(self) -> tuple[Stub, ...]:
        """The stubs in force."""
        return self.checkpoint.stubs if self.checkpoint is not None else ()

    @property
    def count(self) -> int:
        """How many messages the whole logical history has."""
        return self.absorbed_count + len(self.chain)

    def handle_at(self, position: int) -> str:
        """The handle of the span that starts at a 0-based chain position."""
        return handle_of(self.numbered_after + position)

    def key_at(self, count: int) -> str:
        """Chain value of the first `count` messages; `count` is at least what was absorbed."""
        if count == self.absorbed_count:
            return self.absorbed_key
        return self.chain[count - self.absorbed_count - 1]


def handle_of(position: int) -> str:
    """The handle of the span that starts at a 0-based chain position, in numbers from 1 on."""
    return f"S-{position + 1}"


def numbered_after(checkpoint: Checkpoint | None) -> int:
    """Behind which number the handles begin that are given out with this checkpoint in force."""
    return int(checkpoint.facts.get("numbered_after", 0)) if checkpoint is not None else 0


def record_of(checkpoint: Checkpoint) -> HandoffRecord:
    """The record of a checkpoint, whose new entries get numbers that none has had before."""
    text = checkpoint.record_json
    record = load_record(text) if text else HandoffRecord()
    return with_counters(record, checkpoint.facts.get("counters", {}))


def with_counters(record: HandoffRecord, least: Mapping[str, int]) -> HandoffRecord:
    """The record with numbers of entries that begin behind these, by the letter of their kind."""
    now = dict(record.counters)
    higher = {letter: n for letter, n in least.items() if n > now.get(letter, 0)}
    if not higher:
        return record
    return replace(record, counters=tuple(sorted({**now, **higher}.items())))


def stubs_by_position(stubs: Sequence[Stub]) -> dict[int, dict[Path, Stub]]:
    """Stubs arranged by message position and by place in the message."""
    arranged: dict[int, dict[Path, Stub]] = {}
    for stub in stubs:
        arranged.setdefault(stub.position, {})[stub.path] = stub
    return arranged


def absorbed_key(checkpoint: Checkpoint) -> str:
    """Chain value of what a checkpoint absorbed; its key may stand behind more than that."""
    known = checkpoint.facts.get("absorbed_key")
    if known is None and checkpoint.key_count == checkpoint.absorbed_count:
        known = checkpoint.key
    return str(known or ROOT)


def key_count_from(history: History, count: int) -> int:
    """Behind how many messages the key of a next checkpoint stands, at least `count`.

    Never before the key of the one in force, or that one would be found again instead.
    """
    checkpoint = history.checkpoint
    return max(count, min(history.count, checkpoint.key_count if checkpoint is not None else 0))


def advance(history: History, checkpoint: Checkpoint, record: HandoffRecord) -> History:
    """The same history with a newer checkpoint in force.

    `sizes` are those of before for the messages that are left; whoever makes stubs measures anew.
    """
    kept = frozenset(checkpoint.kept)
    left = [
        index
        for index, position in enumerate(history.positions)
        if position in kept or position >= checkpoint.absorbed_count
    ]
    place = {old: new for new, old in enumerate(left)}
    exchanges = tuple(
        replace(exchange, indices=tuple(place[i] for i in exchange.indices))
        for exchange in history.exchanges
        if exchange.last in place and all(i in place for i in exchange.indices)
    )
    return replace(
        history,
        body=[history.body[i] for i in left],
        positions=[history.positions[i] for i in left],
        sizes=[history.sizes[i] for i in left],
        exchanges=exchanges,
        chain=history.chain[checkpoint.absorbed_count - history.absorbed_count :],
        absorbed_count=checkpoint.absorbed_count,
        absorbed_key=absorbed_key(checkpoint),
        head_count=checkpoint.head_count,
        checkpoint=checkpoint,
        record=record,
        record_text=checkpoint.record_message,
        numbered_after=max(history.numbered_after, numbered_after(checkpoint)),
        passed=(*history.passed, checkpoint.checkpoint_id),
    )


def origin_of(checkpoint: Checkpoint) -> str:
    """The id of a checkpoint, or of the one that it is when read in a list changed early."""
    return str(checkpoint.facts.get("read_anew", checkpoint.checkpoint_id))
