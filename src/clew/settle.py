"""What no compaction or eviction commits, but must be stored before a context goes out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from clew.former import REMOVED, former_of, missing
from clew.history import History, numbered_after
from clew.ports import ArchivedMessage, Span
from clew.render import Insertions
from clew.searchable import search_text
from clew.shrink import checkpoint_id, evicted, removed_before, shown_key
from clew.turn import Commit, Turn


def removed_handle(digest: str) -> str:
    """The handle of a message that a repair took out; it has no place in the history."""
    return f"M-{digest[:12]}"


def settling_commit(turn: Turn, history: History, insertions: Insertions) -> Commit | None:
    """The commit for messages that a repair took out, and for pins or a goal put in or let go.

    None when the store has all of it. The key stands behind everything when something was removed
    (the repair belongs to just these messages) or another state gave out handles, else as early as
    it can.
    """
    checkpoint = history.checkpoint
    kept = set(removed_before(history))
    before = missing(turn, checkpoint)
    removed = tuple(m for m in turn.removed if m.digest not in kept)
    renamed = {sent: m for sent, m in turn.renamed.items() if m.digest not in kept}
    shown = checkpoint.facts.get("shown", "") if checkpoint is not None else ""
    new = bool(removed or renamed or before.checkpoints or before.removed)
    renumbered = history.numbered_after != numbered_after(checkpoint)
    if not new and not renumbered and shown == shown_key(insertions):
        return None
    count = history.count
    if not removed and not before.checkpoints and not before.removed and not renumbered:
        head = history.positions[insertions.head - 1] + 1 if insertions.head else 0
        count = max(history.absorbed_count, head, _behind(history, renamed))
    fresh = tuple(dict.fromkeys((*removed, *renamed.values())))
    written = {message.digest for message in fresh}
    earlier = tuple(span for span in before.removed if not written.issuperset(span.digests))
    settled = evicted(turn, history, history, insertions, count)
    settled = replace(
        settled,
        spans=(
            *(_span(turn, message, history.count) for message in removed),
            *(_original(m, history.count) for m in fresh[len(removed) :]),
            *earlier,
        ),
        facts={
            **settled.facts,
            "removed": [
                *removed_before(history),
                *(m.digest for m in fresh),
                *(digest for span in earlier for digest in span.digests),
            ],
            "former": [*former_of(checkpoint), *before.checkpoints],
        },
    )
    settled = replace(settled, checkpoint_id=checkpoint_id(settled))
    return Commit(checkpoint=settled, messages=fresh)


def _behind(history: History, renamed: Mapping[str, ArchivedMessage]) -> int:
    """How many messages there are up to the last of those that go out with other ids."""
    for message, position in zip(reversed(history.body), reversed(history.positions), strict=True):
        if message.digest in renamed:
            return position + 1
    return 0


def _original(archived: ArchivedMessage, position: int) -> Span:
    """No search has to find it: what it says stands in the context, later in another span."""
    return Span(
        handle=removed_handle(archived.digest),
        position=position,
        digests=(archived.digest,),
        label="as it came in, with another id or name",
        kind=REMOVED,
    )


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
