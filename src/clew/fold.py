"""One compaction: the middle goes into the record, the record into the context."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any

from clew.assess import calls_of, inserted_tokens, used_tokens
from clew.cuts import Selection, goal_index
from clew.former import carried
from clew.history import History, advance, key_count_from
from clew.hooking import edited_by_hooks
from clew.live import live_prompt
from clew.ports import Checkpoint, CheckpointKind, Span
from clew.record.apply import apply_delta, externalise
from clew.record.lineage import Lineage, balance
from clew.record.record import HandoffRecord
from clew.record.retire import retired
from clew.record.serde import dump_record
from clew.record.view import RenderedRecord, render_record
from clew.render import Insertions, render
from clew.searchable import cited_spans, evicted_spans, item_spans, search_text
from clew.shrink import (
    archived,
    checkpoint_id,
    measured,
    shown_key,
    squeeze,
)
from clew.summarize.request import SpanView, SummaryRequest
from clew.transcript import Exchange
from clew.turn import Ahead, Commit, Effect, Proposed, Summarize, Turn
from clew.verify.lapses import lapsed


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A compaction that is ready to be committed, and what it did."""

    history: History
    commit: Commit
    rendered_record: RenderedRecord
    lineage: Lineage
    proposed: Proposed
    spans: tuple[Span, ...]
    absorbed_messages: int
    warnings: tuple[str, ...]


def fold(
    turn: Turn,
    history: History,
    selection: Selection,
    insertions: Insertions,
    *,
    tokens_before: int,
    limit_tokens: int,
    ahead: Ahead | None = None,
) -> Generator[Effect, Any, Folded]:
    """Summarise, apply, render, and prepare the commit; `limit_tokens` are counted tokens.

    `ahead` names a summary made before for these exchanges, or for the first of them.
    """
    request = request_for(turn, history, selection, insertions)
    proposed: Proposed = yield Summarize(request=request, ahead=ahead)
    made = _applied(turn, history, request, proposed)
    record, lineage, warnings = yield from edited_by_hooks(turn, history, request, proposed, made)
    shown = _view(turn, record)
    record = externalise(record, shown.externalised)
    lineage = lineage.with_externalised({item_id: item_id for item_id in shown.externalised})
    draft = _draft(turn, history, selection, record, shown.text)
    after = measured(turn, advance(history, draft, record))
    behind = replace(insertions, record=shown.text)
    after = _fit(turn, after, selection, inserted_tokens(turn, behind), limit_tokens)
    spans = _spans(turn, history, after, selection, request)
    commit = _commit(turn, history, after, behind, spans, lineage, tokens_before)
    if shown.floor_exceeded:
        said = (
            f"the record's protected items alone take {shown.tokens:,} tokens, its target is "
            f"{shown.target_tokens:,}: externalise, delegate or hand off"
        )
        warnings = (*warnings, said)
    return Folded(
        history=after,
        commit=commit,
        rendered_record=shown,
        lineage=lineage,
        proposed=proposed,
        spans=spans,
        absorbed_messages=sum(len(e.indices) for e in selection.middle),
        warnings=(*proposed.warnings, *warnings),
    )


# ---- what the summarizer is shown -----------------------------------------------------------


def request_for(
    turn: Turn, history: History, selection: Selection, insertions: Insertions | None = None
) -> SummaryRequest:
    """The request for this selection; every text in it is free of secrets, but for a live prompt.

    That goes to the very model that has it already.
    """
    tail = _tail(history, selection)
    old = history.record
    if not old.goal:
        old = replace(old, goal=_goal_text(turn, history))
    return SummaryRequest(
        goal=turn.redact_text(old.goal),
        old=old,
        spans=tuple(span_view(turn, history, e) for e in selection.middle),
        tail=tuple(span_view(turn, history, e) for e in tail),
        target_tokens=turn.unscaled(turn.budget.record_tokens),
        counter=turn.meter.counter,
        kinds=turn.policy.kinds,
        focus=turn.focus,
        goal_given=turn.goal is not None,
        instructions=turn.policy.instructions,
        live=None if insertions is None else live_prompt(turn, history, insertions),
    )


def _tail(history: History, selection: Selection) -> tuple[Exchange, ...]:
    """The exchanges that stay word for word behind the head, those among the middle too."""
    stays = {*selection.kept, *range(selection.tail_start, len(history.body))}
    return tuple(e for e in history.exchanges if not stays.isdisjoint(e.indices))


def _goal_text(turn: Turn, history: History) -> str:
    if turn.goal is not None:
        return turn.goal
    body = turn.shown.of(history)
    at = goal_index(body, turn.is_person)
    return body[at].text if at is not None else ""


def span_view(turn: Turn, history: History, exchange: Exchange) -> SpanView:
    """One exchange as a summarizer sees it, without secrets."""
    body, positions = history.body, history.positions
    first = positions[exchange.first]
    handle, calls = history.handle_at(first), calls_of(turn, history, exchange)
    known = turn.seen.views.get(id(exchange))
    if known is not None:
        view = known[1]
        if view.handle == handle and view.position == first and view.calls is calls:
            return view
    made = SpanView(
        handle=handle,
        position=first,
        positions=tuple([positions[i] for i in exchange.indices]),
        messages=tuple([turn.redacted(body[i]) for i in exchange.indices]),
        calls=calls,
    )
    turn.seen.views[id(exchange)] = (exchange, made)
    return made


# ---- the record -----------------------------------------------------------------------------


def _applied(
    turn: Turn, history: History, request: SummaryRequest, proposed: Proposed
) -> tuple[HandoffRecord, Lineage, tuple[str, ...]]:
    before = history.record
    noted = request.old
    warnings: list[str] = []
    position = history.count
    revised: list[Any] = []
    dismissed: list[Any] = []
    checkpoint = history.checkpoint
    noted_upto = checkpoint.notes_applied if checkpoint is not None else 0
    for delta in (turn.notes_after(noted_upto, turn.notes_upto), proposed.delta, proposed.further):
        if delta is None:
            continue
        applied = apply_delta(noted, delta, kinds=turn.policy.kinds, position=position)
        noted = applied.record
        revised.extend(applied.lineage.revised)
        dismissed.extend(applied.lineage.dismissed)
        warnings.extend(f"an operation was refused: {why}" for _, why in applied.rejected)
    if (used_up := lapsed(noted, turn.policy.kinds, request.spans)).operations:
        noted = apply_delta(noted, used_up, kinds=turn.policy.kinds, position=position).record
    record = replace(
        noted, index=proposed.index, mentions=proposed.mentions, revision=before.revision + 1
    )
    if proposed.revalue is not None:
        record = proposed.revalue(record)
    record, gone = retired(record, before)
    lineage = balance(
        before,
        record,
        externalised={item_id: item_id for item_id in gone},
        revised=tuple(revised),
        dismissed=tuple(dismissed),
    )
    return record, lineage, tuple(warnings)


def _view(turn: Turn, record: HandoffRecord) -> RenderedRecord:
    return render_record(
        record,
        kinds=turn.policy.kinds,
        counter=turn.meter.counter,
        target_tokens=turn.unscaled(turn.budget.record_tokens),
        recall_available=bool(turn.recall_tool),
        goal_in_head=True,
        newest_in_tail=True,
        shares=turn.policy.view,
    )


# ---- the checkpoint -------------------------------------------------------------------------


def _draft(
    turn: Turn, history: History, selection: Selection, record: HandoffRecord, text: str
) -> Checkpoint:
    start = selection.tail_start
    end = len(history.body)
    absorbed = history.positions[start] if start < end else history.count
    # A tail may begin among messages that were kept when others behind them were absorbed.
    absorbed = max(absorbed, history.absorbed_count)
    stays = (*range(selection.head_count), *selection.kept, *range(start, end))
    kept = tuple(history.positions[i] for i in stays if history.positions[i] < absorbed)
    middle = {history.positions[i] for e in selection.middle for i in e.indices}
    parent = history.checkpoint
    key_count = key_count_from(history, absorbed)
    return Checkpoint(
        checkpoint_id="",
        session_id=turn.session_id,
        kind=CheckpointKind.COMPACT,
        format=history.format,
        key=history.key_at(key_count),
        key_count=key_count,
        absorbed_count=absorbed,
        parent=parent.checkpoint_id if parent is not None else None,
        depth=(parent.depth if parent is not None else 0) + 1,
        kept=kept,
        head_count=selection.head_count,
        stubs=tuple(s for s in history.stubs if s.position not in middle),
        record_json=dump_record(record),
        record_message=text,
        policy_digest=turn.policy_digest,
        notes_applied=turn.notes_upto,
        facts={**carried(parent), "absorbed_key": history.key_at(absorbed)},
    )


def _fit(
    turn: Turn, after: History, selection: Selection, inserted: int, limit_tokens: int
) -> History:
    """Shorten what makes the tail larger than its bound, or the whole larger than the budget."""
    used = sum(after.sizes) + inserted
    tail_bound = turn.unscaled(turn.budget.tail_tokens)
    over_tail = max(0, selection.tail_tokens - selection.grown_tokens - tail_bound)
    target = min(used - over_tail, limit_tokens)
    return after if used <= target else squeeze(turn, after, target, used)


def _commit(
    turn: Turn,
    before: History,
    after: History,
    insertions: Insertions,
    spans: tuple[Span, ...],
    lineage: Lineage,
    tokens_before: int,
) -> Commit:
    base = after.checkpoint
    assert base is not None
    rendered = render(after, insertions, turn.codec, turn.shown)
    prefix = rendered.prefix_count
    checkpoint = replace(
        base,
        aliases=rendered.aliases(after.stubs),
        layout=tuple(rendered.layout[:prefix]),
        lineage_json=json.dumps(lineage.to_json(), ensure_ascii=True, sort_keys=True),
        spans=spans,
        tokens_before=tokens_before,
        tokens_after=used_tokens(turn, after, insertions),
        digests_before=tuple(m.digest for m in before.body),
        digests_after=tuple(m.digest for m in rendered.messages),
        facts={**base.facts, "shown": shown_key(insertions)},
    )
    checkpoint = replace(checkpoint, checkpoint_id=checkpoint_id(checkpoint))
    return Commit(checkpoint=checkpoint, messages=archived(before.body, turn.written))


# ---- what search may find --------------------------------------------------------------------


def _spans(
    turn: Turn,
    history: History,
    after: History,
    selection: Selection,
    request: SummaryRequest,
) -> tuple[Span, ...]:
    """The middle without secrets, what was cut behind it, and items that are new or changed."""
    record = after.record
    labels = {entry.handle: entry.label for entry in record.index}
    spans = [
        Span(
            handle=seen.handle,
            position=seen.position,
            digests=tuple([history.body[i].digest for i in exchange.indices]),
            label=labels.get(seen.handle, ""),
            text=search_text(seen.messages),
        )
        for exchange, seen in zip(selection.middle, request.spans, strict=True)
    ]
    was = {item.id: item for item in history.record.items}
    changed = (item for item in record.items if was.get(item.id) != item)
    known = set(history.stubs)
    cut = [stub for stub in after.stubs if stub not in known]
    tail = _tail(history, selection)
    return (
        *spans,
        *cited_spans(history, tail, record, after.record_text),
        *evicted_spans(turn, after, cut),
        *item_spans(changed),
    )
