"""The plan of a repair: what goes, and which calls are answered where."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from clew.repair.naming import CallIds
from clew.repair.values import NEW_IDS, Repair, RepairKind, quoted
from clew.transcript import Message, ToolCallPart, ToolResultPart
from clew.transcript.parts import Path


@dataclass(slots=True)
class OpenCall:
    """A call of the client's, where it stands, and what became of it.

    `run` is the place of the first of the model's messages in a row that hold it, `new_id` the id
    it goes out with where its own was used before.
    """

    index: int
    part: ToolCallPart
    run: int = 0
    new_id: str = ""
    answered: bool = False
    late: bool = False

    @property
    def sent(self) -> ToolCallPart:
        """The call as it goes out."""
        return replace(self.part, call_id=self.new_id) if self.new_id else self.part


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

    `joins` names messages whose results become part of one before them, and that one; `renames`
    the calls and results that get another id, by message and path.
    """

    drops: dict[int, set[Path]] = field(default_factory=dict)
    renames: dict[int, dict[Path, str]] = field(default_factory=dict)
    joins: dict[int, int] = field(default_factory=dict)
    batches: list[Batch] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)

    def drop(self, index: int, path: Path) -> None:
        """Take the block at `path` out of the message at `index`; () is the whole message."""
        self.drops.setdefault(index, set()).add(path)

    def rename(self, index: int, path: Path, call_id: str) -> None:
        """Give the call or result at `path` of the message at `index` another id."""
        self.renames.setdefault(index, {})[path] = call_id

    @property
    def only_renames(self) -> bool:
        """Whether nothing was found but ids that were used before or are missing."""
        return all(repair.kind in NEW_IDS for repair in self.repairs)

    def goes(self, index: int) -> bool:
        """Whether the whole message at `index` goes."""
        return () in self.drops.get(index, ())

    def name(self, kind: RepairKind, index: int, sentence: str) -> None:
        """Say what was wrong."""
        self.repairs.append(Repair(kind=kind, index=index, sentence=sentence))


class OpenCalls:
    """Calls that wait for a result, found by id, or by name where one side has no id.

    Of several calls with one id a result answers one of its own `sort` (the name of the tool, or
    the type of an item); among these the first of the newest run.
    """

    def __init__(self, *, by_name: bool) -> None:
        self._lenient = by_name
        self._by_id: dict[tuple[str, str], list[deque[OpenCall]]] = {}
        self._by_name: dict[str, deque[OpenCall]] = {}
        self._without_id: deque[OpenCall] = deque()

    def add(self, call: OpenCall, sort: str) -> None:
        """One more call that waits."""
        for key in {(call.part.call_id, ""), (call.part.call_id, sort)}:
            runs = self._by_id.setdefault(key, [])
            if not runs or (runs[-1] and runs[-1][-1].run != call.run):
                runs.append(deque())
            runs[-1].append(call)
        if self._lenient or not call.part.call_id:
            self._by_name.setdefault(call.part.name, deque()).append(call)
        if not call.part.call_id:
            self._without_id.append(call)

    def take(self, result: ToolResultPart, sort: str) -> OpenCall | None:
        """The waiting call that this result answers; it no longer waits."""
        if result.call_id:
            found = _newest_waiting(self._by_id.get((result.call_id, sort)))
            found = found or _newest_waiting(self._by_id.get((result.call_id, "")))
            if found is not None:
                found.answered = True
                return found
        nothing = not result.call_id and not result.name
        named = _first_waiting(self._without_id if nothing else self._by_name.get(result.name))
        if named is None or (named.part.call_id and result.call_id):
            return None
        named.answered = True
        return named


def _newest_waiting(runs: list[deque[OpenCall]] | None) -> OpenCall | None:
    while runs:
        found = _first_waiting(runs[-1])
        if found is not None:
            return found
        runs.pop()
    return None


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


def client_calls(
    messages: Sequence[Message], index: int, ids: CallIds, run: int, found: Findings
) -> list[OpenCall]:
    """The calls of a message that the client answers, with an id of its own for each."""
    renamed = ids.renamed(index)
    calls = [
        OpenCall(index, part, run, renamed.get(part.path, ""))
        for part in messages[index].parts
        if isinstance(part, ToolCallPart) and not part.server_side
    ]
    for call in calls if renamed else ():
        if call.new_id:
            found.rename(index, call.part.path, call.new_id)
            given, name, sent = map(quoted, (call.part.call_id, call.part.name, call.new_id))
            found.name(
                RepairKind.REPEATED_ID if given else RepairKind.MISSING_ID,
                index,
                f"the call id {given} was used before; this {name} call and its result go out as "
                f"{sent}"
                if given
                else f"a {name} call has no id; it and its result go out as {sent}",
            )
    return calls
