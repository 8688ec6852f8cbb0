"""From a reading and the checkpoint that was found to the history in force."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clew.budget.measure import Meter
from clew.history import History, absorbed_key, numbered_after, record_of
from clew.ports import ArchivedMessage, Checkpoint, Codec, FoundCheckpoint
from clew.record.record import HandoffRecord
from clew.render import INSERTED, ShownMessages
from clew.session.ledger import Reading
from clew.transcript import ROOT, ExchangeGrouper, Message, link

_Mark = tuple[str, bool, int]


class Bodies:
    """Builds histories, and extends the one before when only new messages came."""

    def __init__(
        self,
        codec: Codec,
        meter: Meter,
        shown: ShownMessages,
        *,
        offset: int = 0,
        opening_count: int = 0,
    ) -> None:
        # A resumed run counts on from the run before it: its message n has position n + offset.
        self._offset = offset
        self._opening_count = opening_count
        self._codec = codec
        self._meter = meter
        self._shown = shown
        self._mark: _Mark | None = None
        self._records: dict[str, HandoffRecord] = {}
        self._originals: dict[str, Message] = {}
        self._start(None)

    def _start(self, mark: _Mark | None) -> None:
        self._mark = mark
        self._taken = 0
        self._body: list[Message] = []
        self._positions: list[int] = []
        self._sizes: list[int] = []
        self._chain: list[str] = []
        self._inserted: dict[str, Any] = {}
        self._stubbed: dict[tuple[int, str], str] = {}
        self._grouper = ExchangeGrouper(adjacent_results=self._codec.adjacent_results)

    def wanted(self, reading: Reading, found: FoundCheckpoint | None) -> tuple[str, ...]:
        """Digests of archived messages that stand in the reading with stubs in place."""
        if found is None or not found.by_alias or not found.checkpoint.stubs:
            return ()
        original = {s.digest_after: s.digest for s in found.checkpoint.stubs}
        behind = [original[m.digest] for m in reading.messages if m.digest in original]
        return tuple(sorted(d for d in set(behind) if d not in self._originals))

    def history(
        self,
        reading: Reading,
        found: FoundCheckpoint | None,
        originals: Mapping[str, ArchivedMessage],
    ) -> History:
        """The history of a reading with the checkpoint that was found for its keys.

        `originals` are the archived messages that were wanted. A caller that keeps its contexts
        sends back messages with stubs in place; the history holds what they stand for, so that
        both kinds of caller have the same one.
        """
        for digest, kept in originals.items():
            self._originals[digest] = self._codec.parse(json.loads(kept.json), -1)
        mark = None
        if found is not None:
            mark = (found.checkpoint.checkpoint_id, found.by_alias, found.index)
        if mark != self._mark or reading.stable_count < self._taken:
            self._start(mark)
            if found is not None:
                if found.by_alias:
                    self._stubbed = {
                        (s.position, s.digest_after): s.digest for s in found.checkpoint.stubs
                    }
                self._open(reading, found)
        self._extend(reading, found)
        checkpoint = found.checkpoint if found is not None else None
        return History(
            format=self._codec.format,
            lead=reading.lead,
            body=self._body,
            positions=self._positions,
            sizes=self._sizes,
            exchanges=self._grouper.exchanges(),
            chain=self._chain,
            absorbed_count=checkpoint.absorbed_count if checkpoint is not None else 0,
            absorbed_key=absorbed_key(checkpoint) if checkpoint is not None else ROOT,
            head_count=checkpoint.head_count if checkpoint is not None else 0,
            checkpoint=checkpoint,
            record=self._record(checkpoint),
            record_text=checkpoint.record_message if checkpoint is not None else "",
            inserted=self._inserted,
            numbered_after=numbered_after(checkpoint),
        )

    def remember(self, history: History) -> None:
        """Keep the record of a history that was just made, so that it is not read back."""
        if history.checkpoint is not None:
            self._records = {history.checkpoint.checkpoint_id: history.record}

    def _record(self, checkpoint: Checkpoint | None) -> HandoffRecord:
        if checkpoint is None:
            return HandoffRecord()
        record = self._records.get(checkpoint.checkpoint_id)
        if record is None:
            record = record_of(checkpoint)
            self._records = {checkpoint.checkpoint_id: record}
        return record

    def _open(self, reading: Reading, found: FoundCheckpoint) -> None:
        """Take what stands before the first message that is younger than the key."""
        checkpoint = found.checkpoint
        if not found.by_alias:
            for message in reading.messages[: self._opening_count]:
                self._inserted[message.digest] = message.native
            for position in checkpoint.kept:
                self._take(reading.messages[position - self._offset], position)
            self._taken = checkpoint.absorbed_count - self._offset
            return
        for message, position in zip(reading.messages, checkpoint.layout, strict=False):
            if position == INSERTED:
                self._inserted[message.digest] = message.native
                continue
            taken = self._take(message, position)
            if position >= checkpoint.absorbed_count:
                self._link(checkpoint, (taken,))
        self._taken = found.index + 1

    def _take(self, message: Message, position: int) -> Message:
        taken = self._restored(message, position)
        self._body.append(taken)
        self._positions.append(position)
        self._grouper.feed((taken,))
        return taken

    def _restored(self, message: Message, position: int) -> Message:
        """What a message with stubs in place stands for; its native object is kept to go out."""
        digest = self._stubbed.get((position, message.digest)) if self._stubbed else None
        original = self._originals.get(digest) if digest is not None else None
        if original is None:
            return message
        self._inserted[message.digest] = message.native
        return original

    def _extend(self, reading: Reading, found: FoundCheckpoint | None) -> None:
        checkpoint = found.checkpoint if found is not None else None
        messages = reading.messages
        if found is None or checkpoint is None:
            self._append(messages[self._taken :], self._taken)
            self._chain.extend(reading.keys[len(self._chain) :])
        elif not found.by_alias:
            self._append(messages[self._taken :], self._taken + self._offset)
            first = checkpoint.absorbed_count + len(self._chain) - self._offset
            self._chain.extend(reading.keys[first:])
        else:
            first = checkpoint.absorbed_count + len(self._chain)
            new = [
                self._restored(message, first + n)
                for n, message in enumerate(messages[self._taken :])
            ]
            self._append(new, first)
            self._link(checkpoint, new)
        self._taken = len(messages)
        self._measure(checkpoint)

    def _append(self, messages: Sequence[Message], position: int) -> None:
        self._body.extend(messages)
        self._positions.extend(range(position, position + len(messages)))
        self._grouper.feed(messages)

    def _link(self, checkpoint: Checkpoint, messages: Sequence[Message]) -> None:
        """Carry the logical chain on behind what the checkpoint absorbed."""
        value = self._chain[-1] if self._chain else absorbed_key(checkpoint)
        for message in messages:
            value = link(value, message.digest)
            self._chain.append(value)

    def _measure(self, checkpoint: Checkpoint | None) -> None:
        if checkpoint is not None and checkpoint.stubs:
            history = History(
                format=self._codec.format,
                lead=(),
                body=self._body,
                positions=self._positions,
                sizes=(),
                exchanges=(),
                chain=(),
                checkpoint=checkpoint,
                inserted=self._inserted,
            )
            self._sizes = self._meter.count(self._shown.of(history))
        else:
            self._sizes.extend(self._meter.count(self._body[len(self._sizes) :]))
