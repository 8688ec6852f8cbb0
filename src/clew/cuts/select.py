"""Which messages stay at the front, which are absorbed, which stay verbatim at the end."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from clew.cuts.laws import CUT_LAWS, KEEP_LAWS, CutLaw, CutView, KeepLaw, SealedLoop
from clew.transcript import Exchange, ExchangeKind, Message, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A cut through a body of messages, all numbers are body indices or tokens.

    `head_count` messages stand before the record, `kept` between record and tail, the tail starts
    at `tail_start`. `middle` are the exchanges to absorb. `yielded` names laws that had to give
    way because nothing else would fit. `grown_tokens` of the tail came while the middle was being
    summarised; they stay verbatim beyond the bound of a tail.
    """

    head_count: int
    kept: tuple[int, ...]
    middle: tuple[Exchange, ...]
    tail_start: int
    middle_tokens: int
    floor_tokens: int
    tail_tokens: int
    yielded: tuple[str, ...] = ()
    grown_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TailBounds:
    """The largest tail wanted: whole exchanges within both bounds, at least the newest one."""

    messages: int
    tokens: int


def head_of(view: CutView) -> int:
    """How many body messages form the head: all up to the first message that a person typed.

    Text that a harness injected before it belongs to the head; where the assistant speaks first,
    or nobody typed anything, the head is empty or the user messages at the front.
    """
    count = 0
    for exchange in view.exchanges:
        if exchange.kind not in (ExchangeKind.USER, ExchangeKind.SYSTEM):
            return count
        if exchange.first != count:
            return count
        count = exchange.last + 1
        if exchange.kind is ExchangeKind.USER and view.is_person(exchange.first):
            return count
    return count


def goal_index(body: Sequence[Message], is_person: Callable[[Message], bool]) -> int | None:
    """Index of the message that holds the goal: the first a person typed, else the first user's."""
    first_user: int | None = None
    for index, message in enumerate(body):
        if message.role is not Role.USER:
            continue
        if is_person(message):
            return index
        if first_user is None:
            first_user = index
    return first_user


def select(
    view: CutView,
    sizes: Sequence[int],
    bounds: TailBounds,
    *,
    head_count: int | None = None,
    fits_tokens: int | None = None,
    cut_laws: Sequence[CutLaw] = CUT_LAWS,
    keep_laws: Sequence[KeepLaw] = KEEP_LAWS,
) -> Selection:
    """Choose head, middle and tail.

    `fits_tokens` is what head, kept and tail together may take; when the law for sealed loops
    alone makes them larger, that law gives way to batch borders (the kept messages are still
    whole), and the selection says so.
    """
    head = head_of(view) if head_count is None else head_count
    strict = _select(view, sizes, bounds, head, cut_laws, keep_laws)
    if fits_tokens is None or strict.floor_tokens <= fits_tokens:
        return strict
    loose_laws = [law for law in cut_laws if not isinstance(law, SealedLoop)]
    loose = _select(view, sizes, bounds, head, loose_laws, keep_laws)
    if loose.floor_tokens >= strict.floor_tokens:
        return strict
    return Selection(
        head_count=loose.head_count,
        kept=loose.kept,
        middle=loose.middle,
        tail_start=loose.tail_start,
        middle_tokens=loose.middle_tokens,
        floor_tokens=loose.floor_tokens,
        tail_tokens=loose.tail_tokens,
        yielded=(SealedLoop.name,),
    )


def _select(
    view: CutView,
    sizes: Sequence[int],
    bounds: TailBounds,
    head: int,
    cut_laws: Sequence[CutLaw],
    keep_laws: Sequence[KeepLaw],
) -> Selection:
    sums = [0, *accumulate(sizes)]
    start = _tail_start(view, sums, bounds, head, cut_laws)
    return _split(view, sizes, head, start, keep_laws)


def select_at(
    view: CutView, sizes: Sequence[int], *, start: int, head_count: int | None = None
) -> Selection | None:
    """The selection whose tail begins at a body index; None where a law forbids that cut."""
    head = head_of(view) if head_count is None else head_count
    if not head <= start <= _newest_start(view, len(view.body)):
        return None
    if any(start in law.forbidden(view) for law in CUT_LAWS):
        return None
    return _split(view, sizes, head, start, KEEP_LAWS)


def _split(
    view: CutView, sizes: Sequence[int], head: int, start: int, keep_laws: Sequence[KeepLaw]
) -> Selection:
    sums = [0, *accumulate(sizes)]
    kept: list[int] = []
    middle: list[Exchange] = []
    for exchange in view.exchanges:
        if exchange.first >= start:
            continue
        if exchange.last >= start or exchange.first < head:
            kept.extend(i for i in exchange.indices if head <= i < start)
        elif _stays(view, exchange, keep_laws):
            kept.extend(exchange.indices)
        else:
            middle.append(exchange)
    middle_tokens = sum(sizes[i] for exchange in middle for i in exchange.indices)
    return Selection(
        head_count=head,
        kept=tuple(sorted(kept)),
        middle=tuple(middle),
        tail_start=start,
        middle_tokens=middle_tokens,
        floor_tokens=sums[-1] - middle_tokens,
        tail_tokens=sums[-1] - sums[start],
    )


def _stays(view: CutView, exchange: Exchange, keep_laws: Sequence[KeepLaw]) -> bool:
    for law in keep_laws:  # noqa: SIM110 - asked of every exchange; a generator doubles the time
        if law.keeps(view, exchange):
            return True
    return False


def _tail_start(
    view: CutView,
    sums: Sequence[int],
    bounds: TailBounds,
    head: int,
    cut_laws: Sequence[CutLaw],
) -> int:
    total = len(view.body)
    newest = _newest_start(view, total)
    forbidden: set[int] = set()
    for law in cut_laws:
        forbidden |= law.forbidden(view)
    # The sums never fall, so what is behind the first position within the bounds is within them.
    within = max(head, total - bounds.messages, bisect_left(sums, sums[total] - bounds.tokens))
    for place in chain(range(within, newest + 1), range(newest, head - 1, -1)):
        if place not in forbidden:
            return place
    return head


def _newest_start(view: CutView, total: int) -> int:
    """Where the contiguous run of the newest exchange begins; the tail holds at least that."""
    if total == 0:
        return 0
    owner = next(e for e in reversed(view.exchanges) if e.last == total - 1)
    start = owner.last
    for index in reversed(owner.indices):
        if index < start - 1:
            break
        start = index
    return start
