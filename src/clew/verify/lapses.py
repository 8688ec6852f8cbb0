"""Items that count for one thing, once: a call that used one up closes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.record.delta import Close, Delta, Operation
from clew.record.items import Evidence, Item, Proposer, Status
from clew.record.kinds import Kind, KindTable
from clew.record.record import HandoffRecord
from clew.summarize.request import SpanView
from clew.tools_seen.seen import Outcome
from clew.transcript import ToolCallPart
from clew.verify.domain import names

_HAPPENED = frozenset({Outcome.OK, Outcome.UNKNOWN})


def lapsed(record: HandoffRecord, kinds: KindTable, spans: Sequence[SpanView]) -> Delta:
    """A close for each live item that a call in these spans used up, with the call as evidence.

    A call counts when its tool is one of the kind's `used_by`, its arguments name the item's
    scope, it may have happened, and it came after the item was said. A call of unknown outcome
    uses an item up too: to ask once more is cheaper than to act twice.
    """
    operations: list[Operation] = []
    for item in record.live():
        kind = kinds.get(item.kind)
        if kind is None or not kind.used_by:
            continue
        span = next((s for s in spans if _uses(s, item, kind)), None)
        if span is not None:
            operations.append(
                Close(
                    id=item.id,
                    status=Status.CLOSED,
                    evidence=(Evidence(span=span.handle),),
                    reason=f"used up in {span.handle}",
                )
            )
    return Delta(operations=tuple(operations), proposed_by=Proposer.OFFLINE, summarizer="lapses")


def _uses(span: SpanView, item: Item, kind: Kind) -> bool:
    if _number(span.handle) <= _said_at(item):
        return False
    happened = {seen.call_id for seen in span.calls if seen.outcome in _HAPPENED}
    return any(
        call.name in kind.used_by
        and call.call_id in happened
        and names(item.field(kind.scope), call.arguments)
        for call in _calls(span)
    )


def _calls(span: SpanView) -> Iterator[ToolCallPart]:
    for message in span.messages:
        yield from message.calls


def _said_at(item: Item) -> int:
    """The number of the span in which an item was said; 0 for a caller's note, which has none."""
    return min(filter(None, (_number(each.span) for each in item.evidence)), default=0)


def _number(handle: str) -> int:
    """The number of a span, which rises with its place; 0 for what is no handle of one."""
    number = handle.removeprefix("S-")
    return int(number) if number != handle and number.isdecimal() else 0
