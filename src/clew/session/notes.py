"""What a caller adds between compactions: notes for the record, and pins. Durable at once."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from clew.alike import told_apart
from clew.errors import RecordError
from clew.ports import CheckpointKind, Store, StoredNote
from clew.record.delta import Add, Delta, Operation
from clew.record.items import Evidence, Item, Proposer, Rejected, Speaker, Status
from clew.record.kinds import Kind, KindTable, Proof
from clew.record.serde import item_from_json, item_to_json
from clew.render import Rendered
from clew.session.ledger import Reading
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
    there a note made elsewhere holds only where the history it was made in is the history now. A
    pin that was let go stays so wherever that pin would hold. Safe to call from several threads.
    """

    def __init__(self, store: Store, session_id: str | None, *, shared_id: bool = False) -> None:
        self._store = store
        self._session_id = session_id
        self._shared_id = shared_id
        self._lock = threading.RLock()
        self._anchor = self._given = ""
        self._sent: Rendered | None = None
        self._held: set[int] = set()
        self._made_in_call: list[int] = []
        self._waiting: list[str] = []
        self._stored: list[StoredNote] = []
        self._upto = 0
        self.refresh()

    def refresh(self) -> None:
        """Read what other sessions with this id have written since."""
        if self._session_id is None:
            return
        with self._lock:
            known = {note.sequence for note in self._stored}
            newer = self._store.notes(self._session_id, self._upto)
            self._stored.extend(note for note in newer if note.sequence not in known)
            self._stored.sort(key=lambda note: note.sequence)

    def stand_at(self, keys: Sequence[str], given_keys: Sequence[str] = ()) -> bool:
        """Say which history this is, by its chain values; gives whether a note is undecided.

        `given_keys` are those before a repair, where there was one.
        """
        with self._lock:
            self._anchor, self._sent = keys[-1] if keys else "", None
            self._given = given_keys[-1] if given_keys else ""
            self._made_in_call.clear()
            if not self._shared_id:
                return False
            undecided = [note for note in self._stored if note.sequence not in self._held]
            here = {*keys, *given_keys} if undecided else set()
            for note in undecided:
                row = json.loads(note.json)
                if here & {row.get("at"), row.get("sent"), row.get("given")}:
                    self._held.update((note.sequence, *row.get("notes", ())))
            return any(note.sequence not in self._held for note in undecided)

    def went_out(self, rendered: Rendered) -> None:
        """Say what this history was sent as: a caller that keeps it comes back with that.

        What was noted while the call was under way was noted in that context too.
        """
        with self._lock:
            self._sent = rendered
            made = tuple(self._made_in_call)
            self._made_in_call.clear()
            if made and self._shared_id:
                self._append({"op": "stand", "notes": made})

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
        with self._lock:
            self._session_id = session_id
            self.refresh()
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
        with self._lock:
            if all(pin.pin_id != pin_id for pin in self.pins()):
                self._append({"op": "pin", "id": pin_id, "text": text, "digest": digest})
        return pin_id

    def say(self, slot: str, text: str) -> None:
        """Keep a hook's text in place of what the same hook gave before; none for an empty one."""
        with self._lock:
            there = [pin for pin in self.pins() if pin.slot == slot]
            if [pin.text for pin in there] == [text]:
                return
            for pin in there:
                self._append({"op": "unpin", "id": pin.pin_id, "replaced": bool(text)})
            if text:
                pin_id = f"pin-{digest_of([text, slot])[:8]}"
                self._append({"op": "pin", "id": pin_id, "text": text, "digest": "", "slot": slot})

    def unpin(self, pin_id: str) -> None:
        """Let a pin go; raises RecordError for an id that is not pinned."""
        with self._lock:
            if all(pin.pin_id != pin_id for pin in self.pins()):
                raise RecordError("is not pinned", item=pin_id)
            self._append({"op": "unpin", "id": pin_id})

    def pins(self) -> tuple[Pin, ...]:
        """The pins in force, in the order they were made."""
        pins: dict[str, tuple[int, Pin]] = {}
        for sequence, row, holds in self._rows():
            if row["op"] == "pin" and holds:
                pin = Pin(
                    pin_id=row["id"],
                    text=row["text"],
                    digest=row["digest"],
                    slot=row.get("slot", ""),
                )
                pins[pin.pin_id] = (sequence, pin)
            elif row["op"] == "unpin":
                made = pins[row["id"]][0] if row["id"] in pins else 0
                if holds or made in row.get("of", ()):
                    pins.pop(row["id"], None)
        return tuple(pin for _, pin in pins.values())

    @property
    def upto(self) -> int:
        """Sequence number of the newest note before which none is unread."""
        with self._lock:
            for note in self._stored[self._upto :]:
                if note.sequence != self._upto + 1:
                    break
                self._upto += 1
            return self._upto

    def delta(self, after: int, upto: int | None = None) -> Delta | None:
        """The notes behind one sequence number, up to another; None when there are none."""
        operations: list[Operation] = []
        for sequence, row in self._numbered():
            if sequence <= after or (upto is not None and sequence > upto):
                continue
            if row["op"] == "add":
                operations.append(Add(item=item_from_json(row["item"])))
            elif row["op"] == "change":
                operations.append(operation_from_json(row["change"]))
        if not operations:
            return None
        return Delta(operations=tuple(operations), proposed_by=Proposer.CALLER, summarizer="notes")

    def _numbered(self) -> Iterator[tuple[int, dict[str, Any]]]:
        return ((sequence, row) for sequence, row, holds in self._rows() if holds)

    def _rows(self) -> list[tuple[int, dict[str, Any], bool]]:
        """All there is, in order, and whether it holds in this history."""
        with self._lock:
            rows = [
                (n.sequence, json.loads(n.json), not self._shared_id or n.sequence in self._held)
                for n in self._stored
            ]
            newest = rows[-1][0] if rows else 0
            waiting = enumerate(self._waiting, start=newest + 1)
            return [*rows, *((number, json.loads(text), True) for number, text in waiting)]

    def _append(self, row: dict[str, Any]) -> None:
        with self._lock:
            sent = self._sent
            at = {"at": self._anchor, "sent": sent.alias(len(sent.messages)) if sent else ""}
            at |= {"given": self._given} if self._given else {}
            if self._session_id is None:
                self._waiting.append(json.dumps({**row, **at}, ensure_ascii=True, sort_keys=True))
                return
            if row["op"] == "unpin" and not row.get("replaced"):
                row = {**row, "of": self._pinned_by(row["id"])}
            text = json.dumps({**row, **at}, ensure_ascii=True, sort_keys=True)
            stored = self._store.add_note(self._session_id, text)
            self._stored.append(stored)
            self._stored.sort(key=lambda note: note.sequence)
            self._held.add(stored.sequence)
            if sent is None:
                self._made_in_call.append(stored.sequence)

    def _pinned_by(self, pin_id: str) -> list[int]:
        """The notes that this pin was made with here."""
        numbered = self._numbered()
        return [n for n, row in numbered if row["op"] == "pin" and row["id"] == pin_id]


def noted_at_compaction(
    store: Store, session_id: str, reading: Reading, known: Set[str]
) -> tuple[int, ...]:
    """The notes that the newest compaction of this very history was made with.

    So were those of any checkpoint found by what it put into the context: a history that merely
    opens alike does not hold that.
    """
    given = store.find(session_id, reading.keys)
    digests = [message.digest for message in reading.messages]
    found = given and told_apart(given, digests, given.index, known)
    if found is None:
        return ()
    for each in store.line(found.checkpoint.checkpoint_id):
        if each.kind is not CheckpointKind.COMPACT and not found.by_alias:
            continue
        checkpoint = store.checkpoint(each.checkpoint_id)
        assert checkpoint is not None
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
    if isinstance(evidence, str) or not all(isinstance(e, Evidence | str) for e in evidence):
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


def _checked_kind(kinds: KindTable, kind: str, text: Any, fields: Mapping[str, Any]) -> Kind:
    known = kinds.get(kind)
    if known is None:
        raise RecordError(f"there is no kind {kind!r}; known are {', '.join(kinds.names())}")
    for name, value in (("text", text), *fields.items()):
        if value is not None and not isinstance(value, str):
            said = type(value).__name__
            raise RecordError(f"the {name} of a {kind} is of type {said}; expected a text")
    if not (text or "").strip():
        raise RecordError(f"a {kind} needs a text")
    wanted = set(known.required) - {"text"}
    if missing := sorted(n for n in wanted if not (fields.get(n) or "").strip()):
        raise RecordError(f"a {kind} needs {', '.join(missing)}")
    return known
