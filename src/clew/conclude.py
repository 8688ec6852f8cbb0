"""The last compaction of a run: everything that is still verbatim goes into record and archive."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

from clew.adopt import history_of
from clew.assess import used_tokens, view_of
from clew.cuts import Selection, head_of
from clew.fold import Folded, fold
from clew.former import carried, with_former, with_given_out
from clew.history import History, record_of
from clew.pipeline import insertions_for
from clew.ports import Checkpoint, Span
from clew.record.record import HandoffRecord
from clew.searchable import exchange_span
from clew.shrink import checkpoint_id
from clew.transcript import Exchange, digest_of
from clew.turn import Commit, Effect, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Concluded:
    """A run that is ready to be handed off: its last checkpoint and record.

    `position` is how many messages the whole run had, `tokens_used` what its last context took.
    """

    checkpoint: Checkpoint
    record: HandoffRecord
    position: int
    tokens_used: int
    warnings: tuple[str, ...] = ()


def conclude(turn: Turn) -> Generator[Effect, Any, Concluded]:
    """Fold all that is left into the record and commit it, without a change to the running context.

    The checkpoint's key is no chain value, so that the run itself can go on from where it was.
    """
    turn, history = yield from with_former(turn, (yield from history_of(turn)))
    insertions = insertions_for(turn, history)
    used = used_tokens(turn, history, insertions)
    selection, head = _everything(turn, history)
    folded = yield from fold(
        turn,
        history,
        selection,
        insertions,
        tokens_before=used,
        limit_tokens=turn.unscaled(turn.budget.transcript_budget_tokens),
    )
    spans = (*(exchange_span(turn, history, e) for e in head), *folded.spans)
    commit = _commit(turn, folded, history, spans)
    checkpoint: Checkpoint = yield commit
    mine = checkpoint.record_json == commit.checkpoint.record_json
    record = folded.history.record if mine else record_of(checkpoint)
    return Concluded(
        checkpoint=checkpoint,
        record=record,
        position=history.count,
        tokens_used=used,
        warnings=folded.warnings,
    )


def _everything(turn: Turn, history: History) -> tuple[Selection, tuple[Exchange, ...]]:
    """A cut behind the newest message; the head is archived, but is no news to the record."""
    head_count = history.head_count or head_of(view_of(turn, history))
    head = tuple(e for e in history.exchanges if e.last < head_count)
    middle = tuple(e for e in history.exchanges if e not in head)
    selection = Selection(
        head_count=0,
        kept=(),
        middle=middle,
        tail_start=len(history.body),
        middle_tokens=sum(history.sizes[i] for e in middle for i in e.indices),
        floor_tokens=0,
        tail_tokens=0,
    )
    return selection, head


def _commit(turn: Turn, folded: Folded, history: History, spans: tuple[Span, ...]) -> Commit:
    base = folded.commit.checkpoint
    key = digest_of(["handed off", history.key_at(history.count), base.record_json])
    checkpoint = replace(
        base,
        checkpoint_id="",
        key=key,
        aliases=(),
        layout=(),
        spans=spans,
        facts=carried(history.checkpoint),
    )
    checkpoint = with_given_out(turn, history, checkpoint)
    checkpoint = replace(checkpoint, checkpoint_id=checkpoint_id(checkpoint))
    return replace(folded.commit, checkpoint=checkpoint)
