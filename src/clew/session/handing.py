"""Handing a run off, and bringing a handed-off run into force in a fresh session."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from clew.budget import Budget
from clew.budget.measured import resolve_measured
from clew.codecs import codec_for
from clew.conclude import Concluded
from clew.document import (
    HandoffDocument,
    Opening,
    baseline_of,
    opening_of,
    read_handoff,
    reconcile,
    steps_for,
)
from clew.errors import HandoffError
from clew.former import carried
from clew.history import History
from clew.ports import Checkpoint, CheckpointKind, Span
from clew.prices import SAFE_WINDOW_TOKENS
from clew.record.apply import apply_delta
from clew.record.items import Item
from clew.record.kinds import KindTable
from clew.record.lineage import Lineage
from clew.record.record import HandoffRecord
from clew.record.serde import dump_record, load_record
from clew.render import Insertions, shown_alias
from clew.session.core import SessionCore
from clew.session.notes import Notes
from clew.session.resumed import Resumed
from clew.shrink import checkpoint_id, shown_key
from clew.transcript import Role, canonical_json, chain, digest_of


def handoff_document(
    core: SessionCore, concluded: Concluded | None, created_at: str
) -> HandoffDocument:
    """The document of a session; `concluded` None when this process prepared nothing."""
    record = core.record()
    position, used, checkpoint = 0, 0, None
    if concluded is not None:
        record, checkpoint = concluded.record, concluded.checkpoint
        position, used = concluded.position, concluded.tokens_used
    elif (newest := _newest(core)) is not None:
        checkpoint, record = _with_notes(core, newest)
        position, used = checkpoint.absorbed_count, newest.tokens_after
    pins, steps = _pins(core), steps_for(record)
    return HandoffDocument(
        record=record,
        session=core.session_id or "",
        store=core.store.location,
        format=(checkpoint.format if checkpoint is not None else core.format).value,
        policy=core.policy.digest,
        checkpoint=checkpoint.checkpoint_id if checkpoint is not None else "",
        position=position,
        tokens_used=used,
        tokens_budget=core.status().budget,
        created_by=f"clew {_version()}",
        created_at=created_at,
        pins=pins,
        checklist=steps,
        baseline=baseline_of(record, pins, steps),
    )


def _newest(core: SessionCore) -> Checkpoint | None:
    if core.history is not None:
        return core.history.checkpoint
    return core.store.latest(core.session_id) if core.session_id else None


def _with_notes(core: SessionCore, newest: Checkpoint) -> tuple[Checkpoint, HandoffRecord]:
    """A checkpoint and its record with the notes made since, committed like a hand-over."""
    before = load_record(newest.record_json) if newest.record_json else HandoffRecord()
    # The messages behind the checkpoint are unknown here; their handles stay unused.
    position = newest.absorbed_count + len(newest.digests_before)
    notes = core.notes()
    delta = notes.delta(newest.notes_applied)
    if delta is None:
        return replace(newest, absorbed_count=position), before
    applied = apply_delta(before, delta, kinds=core.policy.kinds, position=position)
    record_json = dump_record(applied.record)
    known = {item.id: item for item in before.items}
    checkpoint = replace(
        newest,
        session_id=core.session_id or "",
        key=digest_of(["handed off", newest.checkpoint_id, record_json]),
        key_count=position,
        absorbed_count=position,
        aliases=(),
        layout=(),
        kept=(),
        head_count=0,
        stubs=(),
        parent=newest.checkpoint_id,
        depth=newest.depth + 1,
        record_json=record_json,
        lineage_json=canonical_json(applied.lineage.to_json()),
        spans=tuple(_row(i) for i in applied.record.items if not _same(i, known.get(i.id))),
        notes_applied=notes.upto,
        digests_before=(),
        facts=carried(newest),
    )
    checkpoint = replace(checkpoint, checkpoint_id=checkpoint_id(checkpoint))
    committed = core.store.commit(checkpoint, [])
    return committed, load_record(committed.record_json)


def _version() -> str:
    from importlib import metadata  # half a hundred modules that only a hand-over needs

    try:
        return metadata.version("clew")
    except metadata.PackageNotFoundError:
        return "of a source tree"


def _pins(core: SessionCore) -> tuple[str, ...]:
    body = core.history.body if core.history is not None else ()
    texts = {message.digest: message.text for message in body}
    pins = [pin.text or texts.get(pin.digest, "") for pin in core.notes().pins()]
    return tuple(pin for pin in pins if pin)


def load_handoff(source: str | os.PathLike[str], kinds: KindTable) -> HandoffDocument:
    """Read a document from a file; raises HandoffError when it is none or no UTF-8."""
    name = os.fspath(source)
    try:
        text = Path(source).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise HandoffError(f"is not UTF-8 at byte {error.start:,}", source=name) from error
    except OSError as error:
        raise HandoffError(error.strerror or str(error), source=name) from error
    try:
        return read_handoff(text, kinds=kinds)
    except HandoffError as error:
        raise HandoffError(error.problem, line=error.line, source=name) from error


def bring_into_force(core: SessionCore, document: HandoffDocument) -> None:
    """Make the document's record that of a session which has prepared nothing yet.

    One checkpoint is committed: its parent is the one that was handed off, where this store has it.
    Raises HandoffError when a person's edit breaks a rule; nothing is then changed.
    """
    kinds = core.policy.kinds
    parent = core.store.checkpoint(document.checkpoint) if document.checkpoint else None
    base = load_record(parent.record_json) if parent is not None else None
    record, changes, lineage = reconcile(document, base, kinds=kinds)
    budget = resolve_measured(
        core.policy.budget or Budget(SAFE_WINDOW_TOKENS), system_tokens=0, tools_tokens=0
    )
    opening = opening_of(
        record,
        pins=document.pins,
        steps=document.checklist,
        added_steps=changes.steps_added,
        counter=core.counter,
        target_tokens=budget.record_tokens,
        reachable=parent is not None,
        kinds=kinds,
        shares=core.policy.view,
    )
    if core.session_id is None:
        core.session_id = digest_of(
            ["resumed", document.checkpoint, opening.record_text, *document.pins]
        )[:24]
    codec = codec_for(core.format)
    natives = tuple(codec.text_message(Role.USER, text) for text in opening.texts)
    resumed = Resumed(
        natives=natives,
        goal=record.goal,
        record_text=opening.record_text,
        offset=_position(document) - len(natives),
        codec=codec,
        document=document,
        changes=changes,
    )
    checkpoint = core.store.commit(_checkpoint(core, resumed, opening, parent, base, lineage), [])
    _enter(core, resumed, checkpoint, opening.record)


def _position(document: HandoffDocument) -> int:
    """How many messages the record stands for: at least one, or it would have no place."""
    return max(1, document.position)


def _checkpoint(
    core: SessionCore,
    resumed: Resumed,
    opening: Opening,
    parent: Checkpoint | None,
    base: HandoffRecord | None,
    lineage: Lineage | None,
) -> Checkpoint:
    document = resumed.document
    digests = [resumed.codec.parse(native, -1).digest for native in resumed.natives]
    known = {item.id: item for item in base.items} if base is not None else {}
    books = canonical_json(lineage.to_json()) if lineage is not None else ""
    checkpoint = Checkpoint(
        checkpoint_id="",
        session_id=core.session_id or "",
        kind=CheckpointKind.COMPACT,
        format=core.format,
        key=chain(digests)[-1],
        key_count=_position(document),
        absorbed_count=_position(document),
        aliases=(shown_alias(digests[-1]),),
        parent=parent.checkpoint_id if parent is not None else None,
        depth=(parent.depth if parent is not None else 0) + 1,
        record_json=dump_record(opening.record),
        record_message=opening.record_text,
        lineage_json=books,
        spans=tuple(_row(i) for i in opening.record.items if not _same(i, known.get(i.id))),
        policy_digest=core.policy.digest,
        tokens_before=document.tokens_used,
        tokens_after=opening.tokens,
        digests_after=tuple(digests),
        facts={
            "resumed_from": document.checkpoint,
            "session": document.session,
            "shown": shown_key(Insertions(goal=opening.goal, pins=opening.pins)),
            **carried(parent),
        },
    )
    return replace(checkpoint, checkpoint_id=checkpoint_id(checkpoint))


def _same(item: Item, before: Item | None) -> bool:
    return before is not None and replace(before, externalised=item.externalised) == item


def _row(item: Item) -> Span:
    return Span(
        handle=item.id,
        position=item.first_seen,
        digests=(),
        label=item.text.split("\n", 1)[0][:200],
        text="\n".join([item.text, item.why, *(value for _, value in item.fields)]),
        kind=item.kind,
    )


def _enter(
    core: SessionCore, resumed: Resumed, checkpoint: Checkpoint, record: HandoffRecord
) -> None:
    core.resumed = resumed
    core.goal = record.goal or None
    core.history = replace(History.at(checkpoint), record=record)
    core.known.add(checkpoint.checkpoint_id)
    notes = core.notes()
    for pin in resumed.document.pins:
        notes.pin(pin)
    known = {run.session_id for run in notes.delegations()}
    former = resumed.document.session if checkpoint.parent is not None else ""
    for run in Notes(core.store, former).delegations() if former else ():
        if run.session_id not in known:
            # Their evidence stays in reach; the former run has paid for them.
            notes.delegated(replace(run, tokens=0))
