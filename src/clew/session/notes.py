"""What a caller adds between compactions: notes for the record, and pins. Durable at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.errors import RecordError
from clew.ports import CheckpointKind, Store, StoredNote
from clew.record.delta import Add, Delta, Operation
from clew.record.items import Evidence, Item, Proposer, Rejected, Speaker, Status
from clew.record.kinds import Kind, KindTable, Proof
from clew.record.serde import item_from_json, item_to_json
from clew.render import Rendered
from clew.session.operations import operation_from_json, operation_to_json
from clew.transcript import digest_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """Text, or a message by its digest, that stays verbatim in every context.

    `slot` names the hook whose latest text it is.
    """

    pin_id: str
    text: str = ""
    digest: str = ""
    slot: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """A sub-task in a session of its own: its last checkpoint and what it cost in tokens."""

    session_id: str
    checkpoint_id: str
    tokens: int


class Notes:
    """The notes and pins of one session, read from and written to the store.

    A session without an id yet keeps them in memory: under no id they would be everybody's. An id
    that was derived from the first words (`shared_id`) belongs to every session that opens alike;
    there a note made elsewhere holds only where the history it was made in is the history now.
    """

    def __init__(self, store: Store, session_id: str | None, *, shared_id: bool = False) -> None:
        self._store = store
        self._session_id = session_id
        self._shared_id = shared_id
        self._anchor = ""
        self._sent: Rendered | None = None
        self._held: set[int] = set()
        self._waiting: list[str] = []
        self._stored: list[StoredNote] = list(store.notes(session_id)) if session_id else []

    def stand_at(self, keys: Sequence[str]) -> bool:
        """Say which history this is, by its chain values; gives whether a note is undecided."""
        self._anchor, self._sent = keys[-1] if keys else "", None
        if not self._shared_id:
            return False
        undecided = [note for note in self._stored if note.sequence not in self._held]
        if undecided:
            here = set(keys)
            rows = ((note.sequence, json.loads(note.json)) for note in undecided)
            self._held.update(n for n, row in rows if here & {row.get("at"), row.get("sent")})
        return any(note.sequence not in self._held for note in undecided)

    def went_out(self, rendered: Rendered) -> None:
        """Say what this history was sent as: a caller that keeps it comes back with that."""
        self._sent = rendered

    def hold(self, sequences: Iterable[int]) -> None:
        """Take notes that a checkpoint of this history was made with."""
        self._held.update(sequences)

    def sequences(self) -> tuple[int, ...]:
        """Sequence numbers of the notes that hold, for the checkpoint."""
        return tuple(sequence for sequence, _ in self._numbered())

    def bind(self, session_id: str) -> None:
        """Write what waited for the id of the session; nothing when it has one."""
        if self._session_id is not None:
            return
        self._session_id = session_id
        self._stored = list(self._store.notes(session_id))
        waiting, self._waiting = self._waiting, []
        pinned = {pin.pin_id for pin in self.pins()}
        for text in waiting:
            row = json.loads(text)
            if row["op"] != "pin" or row["id"] not in pinned:
                self._append(row)

    def add(self, item: Item) -> None:
        """Keep an item for the record."""
        self._append({"op": "add", "item": item_to_json(item)})

    def take(self, operations: Sequence[Operation]) -> None:
        """Keep operations for the record, each held to its rules already."""
        for operation in operations:
            self._append({"op": "change", "change": operation_to_json(operation)})

    def delegated(self, run: Delegation) -> None:
        """Remember a sub-task that was run elsewhere."""
        row = {"session": run.session_id, "checkpoint": run.checkpoint_id, "tokens": run.tokens}
        self._append({"op": "delegated", **row})

    def delegations(self) -> tuple[Delegation, ...]:
        """The sub-tasks that this session had run elsewhere, in order."""
        return tuple(
            Delegation(
                session_id=row["session"], checkpoint_id=row["checkpoint"], tokens=row["tokens"]
            )
            for _, row in self._numbered()
            if row["op"] == "delegated"
        )

    def delegated_tokens(self) -> int:
        """What those sub-tasks cost."""
        return sum(run.tokens for run in self.delegations())

    def pin(self, text: str, digest: str = "") -> str:
        """Keep a text, or the message with this digest, verbatim; gives the pin's id."""
        pin_id = f"pin-{digest_of([text, digest])[:8]}"
        if all(pin.pin_id != pin_id for pin in self.pins()):
            self._append({"op": "pin", "id": pin_id, "text": text, "digest": digest})
        return pin_id

    def say(self, slot: str, text: str) -> None:
        """Keep a hook's text in place of what the same hook gave before; none for an empty one."""
        there = [pin for pin in self.pins() if pin.slot == slot]
        if [pin.text for pin in there] == [text]:
            return
        for pin in there:
            self.unpin(pin.pin_id)
        if text:
            pin_id = f"pin-{digest_of([text, slot])[:8]}"
            self._append({"op": "pin", "id": pin_id, "text": text, "digest": "", "slot": slot})

    def unpin(self, pin_id: str) -> None:
        """Let a pin go; raises RecordError for an id that is not pinned."""
        if all(pin.pin_id != pin_id for pin in self.pins()):
            raise RecordError("is not pinned", item=pin_id)
        self._append({"op": "unpin", "id": pin_id})

    def pins(self) -> tuple[Pin, ...]:
        """The pins in force, in the order they were made."""
        pins: dict[str, Pin] = {}
        for _, row in self._numbered():
            if row["op"] == "pin":
                pin = Pin(
                    pin_id=row["id"],
                    text=row["text"],
                    digest=row["digest"],
                    slot=row.get("slot", ""),
                )
                pins[pin.pin_id] = pin
            elif row["op"] == "unpin":
                pins.pop(row["id"], None)
        return tuple(pins.values())

    @property
    def upto(self) -> int:
        """Sequence number of the newest note."""
        return self._stored[-1].sequence if self._stored else 0

    def delta(self, after: int) -> Delta | None:
        """The notes behind a sequence number, as operations; None when there are none."""
        operations: list[Operation] = []
        for sequence, row in self._numbered():
            if sequence > after and row["op"] == "add":
                operations.append(Add(item=item_from_json(row["item"])))
            elif sequence > after and row["op"] == "change":
                operations.append(operation_from_json(row["change"]))
        if not operations:
            return None
        return Delta(operations=tuple(operations), proposed_by=Proposer.CALLER, summarizer="notes")

    def _numbered(self) -> Iterator[tuple[int, dict[str, Any]]]:
        for note in self._stored:
            if not self._shared_id or note.sequence in self._held:
                yield note.sequence, json.loads(note.json)
        for number, text in enumerate(self._waiting, start=self.upto + 1):
            yield number, json.loads(text)

    def _append(self, row: dict[str, Any]) -> None:
        sent = self._sent
        at = {"at": self._anchor, "sent": sent.alias(len(sent.messages)) if sent else ""}
        text = json.dumps({**row, **at}, ensure_ascii=True, sort_keys=True)
        if self._session_id is None:
            self._waiting.append(text)
            return
        stored = self._store.add_note(self._session_id, text)
        self._stored.append(stored)
        self._held.add(stored.sequence)


def noted_at_compaction(store: Store, session_id: str, keys: Sequence[str]) -> tuple[int, ...]:
    """The notes that the newest compaction of this very history was made with.

    So were those of any checkpoint found by what it put into the context: a history that merely
    opens alike does not hold that.
    """
    found = store.find(session_id, keys)
    if found is None:
        return ()
    for checkpoint in store.ancestry(found.checkpoint.checkpoint_id):
        compacted = checkpoint.kind is CheckpointKind.COMPACT and checkpoint.absorbed_count
        if compacted or (found.by_alias and "notes" in checkpoint.facts):
            return tuple(checkpoint.facts.get("notes", ()))
    return ()


def note_item(
    kinds: KindTable,
    kind: str,
    text: str,
    *,
    said_by: Speaker | str,
    why: str,
    rejected: Sequence[tuple[str, str]],
    evidence: Sequence[Evidence | str],
    fields: dict[str, str],
) -> Item:
    """An item as a caller wrote it; raises RecordError when the kind or its fields do not fit."""
    known = _checked_kind(kinds, kind, text, fields)
    try:
        speaker = Speaker(said_by)
        options = tuple(
            Rejected(option=str(option), why=str(reason)) for option, reason in rejected
        )
    except ValueError as error:
        raise RecordError(
            f"said_by is one of {', '.join(Speaker)}, rejected holds (option, why) pairs"
        ) from error
    if not all(isinstance(e, Evidence | str) for e in evidence):
        raise RecordError("evidence holds handles or Evidence values")
    if known.evidence is Proof.USER and speaker is not Speaker.USER:
        raise RecordError(f"a {kind} is in the user's own words; say said_by='user' if it is")
    return Item(
        id="",
        kind=kind,
        text=text,
        status=Status.OPEN if known.opens else Status.ACTIVE,
        evidence=tuple(e if isinstance(e, Evidence) else Evidence(span=e) for e in evidence),
        said_by=speaker,
        why=why,
        rejected=options,
        fields=tuple((name, value) for name, value in fields.items() if value),
        proposed_by=Proposer.CALLER,
    )


def _checked_kind(kinds: KindTable, kind: str, text: str, fields: Mapping[str, str]) -> Kind:
    known = kinds.get(kind)
    if known is None:
        raise RecordError(f"there is no kind {kind!r}; known are {', '.join(kinds.names())}")
    if not text.strip():
        raise RecordError(f"a {kind} needs a text")
    wanted = set(known.required) - {"text"}
    if missing := sorted(n for n in wanted if not fields.get(n, "").strip()):
        raise RecordError(f"a {kind} needs {', '.join(missing)}")
    return known
