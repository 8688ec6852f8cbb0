"""The plan of a repair: what goes, and which calls are answered where."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.repair.values import Repair, RepairKind
from clew.transcript import Message, ToolCallPart, ToolResultPart
from clew.transcript.parts import Path


@dataclass(slots=True)
class OpenCall:
    """A call of the client's, where it stands, and what became of it."""

    index: int
    part: ToolCallPart
    answered: bool = False
    late: bool = False


@dataclass(slots=True)
class Batch:
    """The calls of one message and `last`, the message behind which missing answers belong.

    `held` tells whether `last` already holds results of this batch.
    """

    calls: list[OpenCall]
    last: int
    held: bool = False

    @property
    def missing(self) -> list[OpenCall]:
        """Calls without a result."""
        return [call for call in self.calls if not call.answered]


@dataclass(slots=True)
class Findings:
    """What has to be done; filled by the readers, carried out at the end.

    `joins` names messages whose results become part of one before them, and that one.
    """

    drops: dict[int, set[Path]] = field(default_factory=dict)
    joins: dict[int, int] = field(default_factory=dict)
    batches: list[Batch] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)

    def drop(self, index: int, path: Path) -> None:
        """Take the block at `path` out of the message at `index`; () is the whole message."""
        self.drops.setdefault(index, set()).add(path)

    def goes(self, index: int) -> bool:
        """Whether the whole message at `index` goes."""
        return () in self.drops.get(index, ())

    def name(self, kind: RepairKind, index: int, sentence: str) -> None:
        """Say what was wrong."""
        self.repairs.append(Repair(kind=kind, index=index, sentence=sentence))


class OpenCalls:
    """Calls that wait for a result, found by id, or by name where one side has no id."""

    def __init__(self, *, by_name: bool) -> None:
        self._lenient = by_name
        self._by_id: dict[str, deque[OpenCall]] = {}
        self._by_name: dict[str, deque[OpenCall]] = {}

    def add(self, call: OpenCall) -> None:
        """One more call that waits."""
        self._by_id.setdefault(call.part.call_id, deque()).append(call)
        if self._lenient or not call.part.call_id:
            self._by_name.setdefault(call.part.name, deque()).append(call)

    def take(self, result: ToolResultPart) -> OpenCall | None:
        """The first waiting call that this result answers; it no longer waits."""
        if result.call_id:
            found = _first_waiting(self._by_id.get(result.call_id))
            if found is not None:
                found.answered = True
                return found
        named = _first_waiting(self._by_name.get(result.name))
        if named is None or (named.part.call_id and result.call_id):
            return None
        named.answered = True
        return named


def _first_waiting(calls: deque[OpenCall] | None) -> OpenCall | None:
    while calls:
        if not calls[0].answered:
            return calls[0]
        calls.popleft()
    return None


def client_results(message: Message) -> list[ToolResultPart]:
    """The results in a message that the client gave."""
    return [
        part for part in message.parts if isinstance(part, ToolResultPart) and not part.server_side
    ]


def client_calls(messages: Sequence[Message], index: int) -> list[OpenCall]:
    """The calls of a message that the client answers."""
    return [
        OpenCall(index, part)
        for part in messages[index].parts
        if isinstance(part, ToolCallPart) and not part.server_side
    ]
