"""From a record as it was shown and as somebody wants it to the operations in between."""

from __future__ import annotations

from collections.abc import Iterator

from clew.record.delta import Add, Close, Operation, Revise, SetNext
from clew.record.items import Item, Status
from clew.record.record import HandoffRecord

REMOVED = "taken out"


def edits_between(before: HandoffRecord, after: HandoffRecord) -> tuple[Operation, ...]:
    """The operations that make `after` of `before`; what is no item of `before` is added.

    An item that is missing is withdrawn. The goal, who said an item and its place in the books are
    not for an edit to change and are passed over.
    """
    return tuple(_operations(before, after))


def _operations(before: HandoffRecord, after: HandoffRecord) -> Iterator[Operation]:
    wanted = {item.id: item for item in after.items}
    known = {item.id: item for item in before.items}
    for item in before.items:
        now = wanted.get(item.id)
        if now is None:
            if item.live:
                yield Close(id=item.id, status=Status.WITHDRAWN, reason=REMOVED)
        elif now != item:
            yield from _changes(item, now)
    yield from (Add(item=item) for item in after.items if item.id not in known)
    if after.next.strip() and after.next != before.next:
        yield SetNext(text=after.next, evidence=after.next_evidence)


def _changes(item: Item, now: Item) -> Iterator[Operation]:
    was = dict(item.fields)
    fields = tuple((name, value) for name, value in now.fields if was.get(name) != value)
    more = tuple(e for e in now.evidence if e not in item.evidence)
    if now.text != item.text or fields or more:
        text = now.text if now.text != item.text else ""
        yield Revise(id=item.id, text=text, evidence=more, fields=fields, reason=now.reason)
    if item.live and not now.live:
        yield Close(id=item.id, status=now.status, reason=now.reason)
