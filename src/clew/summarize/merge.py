"""Put the operations of several parts together into one delta on the record as it was.

A later part may close, revise or supersede what an earlier part proposed (`new-3`). Nothing called
so exists in the record yet, so such an operation changes the proposal itself.
"""

from __future__ import annotations

from dataclasses import replace

from clew.record.delta import Add, Close, Dismiss, Operation, Revise, SetNext, Supersede
from clew.record.items import Item, Status


def merged(before: tuple[Operation, ...], more: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of earlier parts with those of a later one folded in."""
    operations = list(before)
    for operation in more:
        _fold(operations, operation)
    return tuple(operations)


def proposed_items(operations: tuple[Operation, ...]) -> tuple[Item, ...]:
    """The new items that operations propose and that are not settled, in order."""
    return tuple(
        operation.item
        for operation in operations
        if isinstance(operation, Add | Supersede) and operation.item.live
    )


def _fold(operations: list[Operation], new: Operation) -> None:
    match new:
        case Add():
            if not any(_same_claim(operation, new) for operation in operations):
                operations.append(new)
        case SetNext():
            operations[:] = [each for each in operations if not isinstance(each, SetNext)]
            operations.append(new)
        case Dismiss():
            if new not in operations:
                operations.append(new)
        case Revise() | Close():
            place = _place(operations, new.id)
            if place is not None:
                operations[place] = _changed(operations[place], new)
            elif not (isinstance(new, Close) and _settled(operations, new.id)):
                operations.append(new)
        case Supersede():
            _supersede(operations, new)


def _supersede(operations: list[Operation], new: Supersede) -> None:
    ids: list[str] = []
    for item_id in new.ids:
        place = _place(operations, item_id)
        if place is None:
            if not _settled(operations, item_id):
                ids.append(item_id)
            continue
        earlier = operations.pop(place)
        if isinstance(earlier, Supersede):
            ids.extend(earlier.ids)
    if ids:
        operations.append(replace(new, ids=tuple(dict.fromkeys(ids))))
    else:
        operations.append(Add(item=new.item))


def _place(operations: list[Operation], item_id: str) -> int | None:
    """Where the new item with this local name is proposed."""
    for place, operation in enumerate(operations):
        if isinstance(operation, Add | Supersede) and operation.item.id == item_id:
            return place
    return None


def _settled(operations: list[Operation], item_id: str) -> bool:
    """Whether an earlier operation closes or supersedes this item of the record."""
    return any(
        (isinstance(operation, Close) and operation.id == item_id)
        or (isinstance(operation, Supersede) and item_id in operation.ids)
        for operation in operations
    )


def _changed(operation: Operation, change: Revise | Close) -> Operation:
    """A proposal of a new item with a later part's word on it worked in."""
    if not isinstance(operation, Add | Supersede):
        return operation
    item = operation.item
    evidence = tuple(dict.fromkeys((*item.evidence, *change.evidence)))
    if isinstance(change, Close):
        status = Status(change.status)
        item = replace(item, status=status, reason=change.reason, evidence=evidence)
    else:
        item = replace(item, text=change.text or item.text, evidence=evidence)
        item = item.with_fields(dict(change.fields))
    return replace(operation, item=item)


def _same_claim(operation: Operation, new: Add) -> bool:
    return (
        isinstance(operation, Add)
        and operation.item.kind == new.item.kind
        and operation.item.text == new.item.text
        and operation.item.fields == new.item.fields
    )
