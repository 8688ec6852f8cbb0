"""What no compaction or eviction commits, but must be stored before a context goes out."""

from __future__ import annotations

import json
from dataclasses import replace

from clew.history import History
from clew.ports import ArchivedMessage, Span
from clew.render import Insertions
from clew.searchable import search_text
from clew.shrink import checkpoint_id, evicted, removed_before, shown_key
from clew.turn import Commit, Turn

REMOVED = "removed"
"""Kind of the spans of messages that a repair took out."""


def removed_handle(digest: str) -> str:
    """The handle of a message that a repair took out; it has no place in the history."""
    return f"M-{digest[:12]}"


def settling_commit(turn: Turn, history: History, insertions: Insertions) -> Commit | None:
    """The commit for messages that a repair took out, and for pins or a goal put in or let go.

    None when the store has all of it. The key stands behind everything when something was removed
    (the repair belongs to just these messages), else as early as it can.
    """
    kept = set(removed_before(history))
    fresh = tuple(m for m in turn.removed if m.digest not in kept)
    checkpoint = history.checkpoint
    shown = checkpoint.facts.get("shown", "") if checkpoint is not None else ""
    if not fresh and shown == shown_key(insertions):
        return None
    count = history.count
    if not fresh:
        head = history.positions[insertions.head - 1] + 1 if insertions.head else 0
        count = max(history.absorbed_count, head)
    settled = evicted(turn, history, history, insertions, count)
    settled = replace(
        settled,
        spans=tuple(_span(turn, message, history.count) for message in fresh),
        facts={**settled.facts, "removed": [*removed_before(history), *(m.digest for m in fresh)]},
    )
    settled = replace(settled, checkpoint_id=checkpoint_id(settled))
    return Commit(checkpoint=settled, messages=fresh)


def _span(turn: Turn, archived: ArchivedMessage, position: int) -> Span:
    message = turn.redacted(turn.codec.parse(json.loads(archived.json), -1))
    text = search_text([message])
    return Span(
        handle=removed_handle(archived.digest),
        position=position,
        digests=(archived.digest,),
        label=f"taken out by a repair: {text.strip().splitlines()[0][:80] if text.strip() else ''}",
        text=text,
        kind=REMOVED,
    )
