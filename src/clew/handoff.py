"""Handing off a run that another process made: from its archive alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from clew.codecs import codec_for
from clew.document import HandoffDocument
from clew.errors import HandoffError, StoreError
from clew.ports import ArchivedMessage, Checkpoint, Codec, Store
from clew.record.serde import load_record
from clew.session import Session
from clew.transcript import Path, Role


def hand_off(
    store: Store,
    session_id: str,
    path: str | os.PathLike[str] | None = None,
    *,
    created_at: str = "",
    **options: Any,
) -> tuple[HandoffDocument, bool]:
    """The document of a stored session, and whether its last context could be taken in whole.

    What an agent did after its newest checkpoint was never stored and is not in it. `options` are
    those of a Session. Raises StoreError when the store holds no such session, HandoffError when
    all that it holds are evicted parts.
    """
    checkpoint = store.latest(session_id)
    if checkpoint is None:
        known = ", ".join(store.sessions()[-5:]) or "none"
        raise StoreError(store.location, f"holds no session {session_id!r}; the newest are {known}")
    goal = load_record(checkpoint.record_json).goal if checkpoint.record_json else ""
    session = Session(
        goal=goal or None,
        store=store,
        session_id=session_id,
        format=checkpoint.format,
        **options,
    )
    # A checkpoint of a hand-over has no context of its own: everything is in its record already.
    whole = bool(checkpoint.layout)
    messages = last_context(store, checkpoint) if whole else None
    if messages is None and not goal:
        raise HandoffError(
            f"session {session_id} was never compacted, so the archive holds neither its goal nor "
            f"its record; hand it off from the process that runs it"
        )
    document = session.handoff(path, messages=messages, created_at=created_at)
    return document, messages is not None or not whole


def last_context(store: Store, checkpoint: Checkpoint) -> list[Any] | None:
    """The native messages that went out at a checkpoint; None when the archive lacks one."""
    codec = codec_for(checkpoint.format)
    wanted = {*checkpoint.digests_after, *(stub.digest for stub in checkpoint.stubs)}
    kept = store.messages(sorted(wanted))
    made = _stubbed(codec, checkpoint, kept)
    texts = [checkpoint.record_message, *_texts_in_front(store, checkpoint)]
    for text in texts:
        if text:
            native = codec.text_message(Role.USER, text)
            made[codec.parse(native, -1).digest] = native
    context: list[Any] = []
    for digest in checkpoint.digests_after:
        if digest in made:
            context.append(made[digest])
        elif digest in kept:
            context.append(json.loads(kept[digest].json))
        else:
            return None
    return context


def _texts_in_front(store: Store, checkpoint: Checkpoint) -> list[str]:
    goal = load_record(checkpoint.record_json).goal if checkpoint.record_json else ""
    rows = [json.loads(note.json) for note in store.notes(checkpoint.session_id)]
    return [goal, *(row["text"] for row in rows if row["op"] == "pin")]


def _stubbed(
    codec: Codec, checkpoint: Checkpoint, kept: Mapping[str, ArchivedMessage]
) -> dict[str, Any]:
    edits: dict[tuple[str, str], dict[Path, str]] = {}
    for stub in checkpoint.stubs:
        edits.setdefault((stub.digest, stub.digest_after), {})[stub.path] = stub.text
    made: dict[str, Any] = {}
    for (digest, after), texts in edits.items():
        if digest in kept:
            original = codec.parse(json.loads(kept[digest].json), -1)
            made[after] = codec.replace(original, texts)
    return made
