"""Findings in words that the author of a delta understands."""

from __future__ import annotations

import re
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An answer under check: what was found, and how many operations nothing was found against."""

    findings: tuple[str, ...]
    sound: int

    def better_than(self, other: Checked) -> bool:
        """More that stands counts first: what does not is dropped operation by operation."""
        return (self.sound, -len(self.findings)) > (other.sound, -len(other.findings))


def place_of(finding: str) -> int:
    """The operation that a finding is about, from 1; 0 where it is about none."""
    match = _BY_PLACE.search(finding)
    return int(match[1]) if match is not None else 0


def with_operation(finding: str, operations: tuple[Operation, ...]) -> str:
    """A finding on `operation 3` with a word on which one that is: the model did not count them."""
    place = place_of(finding)
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
