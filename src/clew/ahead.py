"""A summary that is made before it is needed: whether it still holds, and which cut it serves.

It is found by the hash chain, like everything else: a history that was rewound, edited or forked
within the summarised part does not lead to it.
"""

from __future__ import annotations

from dataclasses import replace

from clew.cuts import CutView, Selection, select_at
from clew.history import History
from clew.policy import Readiness
from clew.transcript import digest_of
from clew.turn import Ahead, Turn

STALE_SHARE = 0.5
"""Share of the tail's bound that may come before a prepared summary is extended: so that it is
extended, in the background, before the tail would outgrow twice its bound."""


def readiness_of(turn: Turn, history: History, selection: Selection | None) -> Readiness:
    """How far the summary for this history is, seen from the cut of now."""
    if not turn.prefetch or selection is None:
        return Readiness.UNNEEDED
    ahead = standing(turn, history)
    grown = _grown(history, selection, ahead.handles) if ahead is not None else None
    if ahead is None or grown is None:
        return Readiness.ABSENT
    outgrown = ahead.readiness is Readiness.READY and sum(grown) > _tail_tokens(turn)
    if outgrown and (ahead.extending or due(turn, history, selection) is not None):
        return Readiness.RUNNING
    return ahead.readiness


def standing(turn: Turn, history: History) -> Ahead | None:
    """The summary made ahead, where this history is the one it was made for."""
    ahead = turn.ahead
    if ahead is None or not history.absorbed_count <= ahead.count <= history.count:
        return None
    same = history.key_at(ahead.count) == ahead.key and ahead.base == _base(turn, history)
    return ahead if same else None


def due(turn: Turn, history: History, selection: Selection) -> tuple[Ahead, bool] | None:
    """What is to be summarised in the background now, and whether that extends what is there.

    None while nothing is to be done: it is being made, or little has come since.
    """
    ahead = standing(turn, history)
    wanted = _for(turn, history, selection)
    if ahead is None:
        return wanted, False
    if ahead.readiness is Readiness.RUNNING or ahead.extending:
        return None
    if _grown(history, selection, ahead.handles) is None:
        return wanted, False
    grown = _grown(history, selection, (*ahead.handles, *ahead.tried)) or []
    stale = _tail_tokens(turn) * STALE_SHARE
    # What moved out of the tail is not new: a run that stands still asks for nothing.
    came = sum(s for s, p in zip(history.sizes, history.positions, strict=True) if p >= ahead.seen)
    if min(sum(grown), came) <= stale:
        return None
    return wanted, ahead.readiness is Readiness.READY


def swapped(
    turn: Turn, history: History, view: CutView, selection: Selection, fits_tokens: int
) -> tuple[Selection, Ahead | None]:
    """The cut to make, and the summary made ahead that serves it.

    What came while it was made stays verbatim where all that is left fits into `fits_tokens`:
    nobody waits for an extension then. Otherwise the cut is the one of now, and the summary has to
    be extended.
    """
    ahead = standing(turn, history)
    if ahead is None or ahead.readiness is Readiness.FAILED:
        return selection, ahead
    grown = _grown(history, selection, ahead.handles)
    if grown is None:
        return selection, None
    if not grown:
        return selection, ahead
    earlier = _cut_of(history, view, selection, ahead)
    if earlier is None or earlier.floor_tokens > fits_tokens:
        return selection, ahead
    return earlier, ahead


def _tail_tokens(turn: Turn) -> int:
    return turn.unscaled(turn.budget.tail_tokens)


def _base(turn: Turn, history: History) -> str:
    checkpoint = history.checkpoint
    record = checkpoint.record_json if checkpoint is not None else ""
    return digest_of([history.absorbed_key, record, turn.focus])


def _for(turn: Turn, history: History, selection: Selection) -> Ahead:
    last = max(history.positions[i] for e in selection.middle for i in e.indices)
    # All of the middle may have been kept when what stood behind it was absorbed.
    count = max(last + 1, history.absorbed_count)
    start = selection.tail_start
    whole = start >= len(history.body)
    return Ahead(
        base=_base(turn, history),
        count=count,
        key=history.key_at(count),
        handles=tuple(history.handle_at(history.positions[e.first]) for e in selection.middle),
        tail_position=history.count if whole else history.positions[start],
        seen=history.count,
    )


def _grown(history: History, selection: Selection, handles: tuple[str, ...]) -> list[int] | None:
    """Sizes of the exchanges that a cut of now absorbs in addition; None when it leaves any out."""
    known = set(handles)
    sizes = []
    for exchange in selection.middle:
        handle = history.handle_at(history.positions[exchange.first])
        if handle in known:
            known.discard(handle)
        else:
            sizes.append(sum(history.sizes[i] for i in exchange.indices))
    return None if known else sizes


def _cut_of(
    history: History, view: CutView, selection: Selection, ahead: Ahead
) -> Selection | None:
    """The cut the summary was made for; what it does not speak of stays verbatim."""
    start = next(
        (i for i, position in enumerate(history.positions) if position >= ahead.tail_position),
        len(history.body),
    )
    cut = select_at(view, history.sizes, start=start, head_count=selection.head_count)
    if cut is None:
        return None
    known = set(ahead.handles)
    middle = tuple(e for e in cut.middle if history.handle_at(history.positions[e.first]) in known)
    if len(middle) < len(known):
        return None
    others = [i for e in cut.middle if e not in middle for i in e.indices]
    middle_tokens = sum(history.sizes[i] for e in middle for i in e.indices)
    return replace(
        cut,
        middle=middle,
        kept=tuple(sorted({*cut.kept, *others})),
        middle_tokens=middle_tokens,
        floor_tokens=cut.floor_tokens + cut.middle_tokens - middle_tokens,
        grown_tokens=max(0, cut.tail_tokens - selection.tail_tokens),
    )
