"""Findings in words that the author of a delta understands."""

from __future__ import annotations

import re
from typing import Final

from clew.record.delta import Add, Close, Delta, Dismiss, Operation, Revise, SetNext, Supersede

_NAMED_CHARS: Final = 80
_ACCOUNTING: Final = frozenset({"dead_end", "job", "commitment", "blocker"})
_BY_PLACE: Final = re.compile(r"\boperation (\d+)\b")


def accounting(offline: Delta) -> tuple[Operation, ...]:
    """What the offline proposal accounts for: failures, jobs, promises.

    A model is told not to repeat it, so that a check has to see it beside the model's operations.
    """
    return tuple(
        operation
        for operation in offline.operations
        if isinstance(operation, Dismiss)
        or (isinstance(operation, Add) and operation.item.kind in _ACCOUNTING)
    )


def about_the_first(finding: str, count: int) -> bool:
    """Whether a finding is about one of the first `count` operations, or about none of all."""
    match = _BY_PLACE.search(finding)
    return match is None or int(match[1]) <= count


def with_operation(finding: str, operations: tuple[Operation, ...]) -> str:
    """A finding on `operation 3` with a word on which one that is: the model did not count them."""
    match = _BY_PLACE.search(finding)
    place = int(match[1]) if match else 0
    if not 0 < place <= len(operations):
        return finding
    return finding.replace(f"operation {place}", f"“{_named(operations[place - 1])}”", 1)


def _named(operation: Operation) -> str:
    match operation:
        case Add(item=item):
            return f"add {item.kind}: {item.text[:_NAMED_CHARS]}"
        case Supersede(ids=ids, item=item):
            return f"supersede {' '.join(ids)}: {item.text[:_NAMED_CHARS]}"
        case Revise(id=item_id):
            return f"revise {item_id}"
        case Close(id=item_id):
            return f"close {item_id}"
        case Dismiss(span=span):
            return f"dismiss {span}"
        case SetNext():
            return "next"


def speaks_of_new(operation: Operation) -> bool:
    """Whether an operation changes what an earlier part proposed."""
    match operation:
        case Revise(id=item_id) | Close(id=item_id):
            return item_id.startswith("new-")
        case Supersede(ids=ids):
            return any(item_id.startswith("new-") for item_id in ids)
        case _:
            return False
