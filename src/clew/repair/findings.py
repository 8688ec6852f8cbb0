"""The plan of a repair: what goes, and which calls are answered where."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from clew.repair.naming import CallIds
from clew.repair.values import IN_PLACE, Repair, RepairKind, quoted
from clew.transcript import Message, Role, ToolCallPart, ToolResultPart
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

    `joins` names messages that become part of one before them, and that one; `renames` the calls
    and results that get another id, by message and path, `names` the results that get the name of
    their call.
    """

    drops: dict[int, set[Path]] = field(default_factory=dict)
    renames: dict[int, dict[Path, str]] = field(default_factory=dict)
    names: dict[int, dict[Path, str]] = field(default_factory=dict)
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
        """Whether nothing was found but ids that were used before or are missing, and names."""
        return all(repair.kind in IN_PLACE for repair in self.repairs)

    def goes(self, index: int) -> bool:
        """Whether the whole message at `index` goes."""
        return () in self.drops.get(index, ())

    def leaves_nothing(self, message: Message, index: int) -> bool:
        """Whether the whole message at `index` goes, or every part of it."""
        gone = self.drops.get(index, set())
        return () in gone or (bool(gone) and all(part.path in gone for part in message.parts))

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

    def take(
        self, result: ToolResultPart, sort: str, others: Sequence[str] = ("",)
    ) -> OpenCall | None:
        """The waiting call that this result answers; it no longer waits.

        `others` are the sorts that it may answer where none of its own waits; "" is any.
        """
        for each in (sort, *others) if result.call_id else ():
            found = _newest_waiting(self._by_id.get((result.call_id, each)))
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


def misnamed(call: OpenCall, result: ToolResultPart, index: int, found: Findings) -> None:
    """A result with the id of a call and the name of another tool goes out with the call's name."""
    if not result.name or not call.part.name or result.name == call.part.name:
        return
    found.names.setdefault(index, {})[result.path] = call.part.name
    call_id, given, name = map(quoted, (result.call_id, result.name, call.part.name))
    found.name(
        RepairKind.MISNAMED_RESULT,
        index,
        f"the result of call {call_id} names {given}, which is not the tool that was called; it "
        f"goes out under the name {name}",
    )


def mistyped(call: OpenCall, given: str, wanted: str, index: int, found: Findings) -> None:
    """An output of Responses of another type than its call wants goes out under that type."""
    if given == wanted:
        return
    found.names.setdefault(index, {})[("type",)] = wanted
    call_id = quoted(call.part.call_id)
    found.name(
        RepairKind.MISNAMED_RESULT,
        index,
        f"the result of call {call_id} is a {given}, which the provider does not take for this "
        f"call; it goes out as a {wanted}",
    )


def split_turns(messages: Sequence[Message], start: int, found: Findings) -> None:
    """Gemini wants what the model calls directly behind the user: a turn in pieces becomes one.

    Pieces stand one behind the other, too, where what stood between them goes.
    """
    answered = {batch.last for batch in found.batches if batch.calls}
    before = -1
    for index in range(start, len(messages)):
        if found.leaves_nothing(messages[index], index):
            continue
        pieces = before >= 0 and before not in answered and index not in found.joins
        if pieces and _is_piece(messages[before], messages[index]):
            split_turn(index, before, found)
        before = index


def split_turn(index: int, before: int, found: Findings) -> None:
    """Make a message of the model part of the one before."""
    found.joins[index] = before
    said = "one turn of the model stood in several messages; they stand in one now"
    found.name(RepairKind.SPLIT_TURN, index, said)


def _is_piece(first: Message, second: Message) -> bool:
    calls = any(isinstance(p, ToolCallPart) and not p.server_side for p in second.parts)
    return calls and first.role is Role.ASSISTANT and second.role is Role.ASSISTANT


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
