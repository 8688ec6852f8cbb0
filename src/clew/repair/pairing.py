"""Finds calls without results and results without calls, in one pass over the transcript."""

from __future__ import annotations

from collections.abc import Sequence

from clew.repair.findings import (
    Batch,
    Findings,
    OpenCall,
    OpenCalls,
    client_calls,
    client_results,
    misnamed,
    mistyped,
    split_turn,
)
from clew.repair.naming import ITEM_ID, CallIds
from clew.repair.values import NO_RESULT, RESULT_ELSEWHERE, RepairKind, quoted
from clew.transcript import (
    CallKind,
    Format,
    Message,
    ReasoningPart,
    Role,
    ToolCallPart,
    ToolResultPart,
)

_TEXT = ("function", "custom_tool")
"""Families of Responses whose outputs are told alike, in one text or list."""

_TURN_IN_PIECES = (Format.ANTHROPIC, Format.GEMINI)


def pair_adjacent(
    messages: Sequence[Message], wire: Format, ids: CallIds, start: int = 0
) -> Findings:
    """Pairs where results stand directly behind the message with their calls.

    A batch is open until a message that holds anything but results; a result that comes later
    is late, and never moves.
    """
    found = Findings()
    seen = _Seen()
    batch: Batch | None = None
    waiting = OpenCalls(by_name=wire is Format.GEMINI)
    for index in range(start, len(messages)):
        message = messages[index]
        if message.role is Role.ASSISTANT:
            calls = client_calls(messages, index, ids, 0, found)
            if batch is not None and not batch.held and wire in _TURN_IN_PIECES:
                # Messages of the model in a row are one turn there and may share a batch.
                if wire is Format.GEMINI:
                    split_turn(index, batch.last, found)
                batch.calls.extend(calls)
                batch.last = index
            else:
                _close(batch, seen, found)
                batch = Batch(calls, index) if calls else None
                waiting = OpenCalls(by_name=wire is Format.GEMINI)
            for call in calls:
                waiting.add(call, call.part.name)
            seen.calls(message)
            _server_orphans(message, index, seen, found)
            continue
        for result in client_results(message):
            _answer(result, index, batch, waiting, wire, seen, found)
        if message.role is not Role.TOOL:
            _close(batch, seen, found)
            batch, waiting = None, OpenCalls(by_name=False)
    _close(batch, seen, found)
    return found


def _answer(
    result: ToolResultPart,
    index: int,
    batch: Batch | None,
    waiting: OpenCalls,
    wire: Format,
    seen: _Seen,
    found: Findings,
) -> None:
    """Take a result for the call of the open batch that it answers, or find that there is none."""
    taken = waiting.take(result, result.name) if batch is not None else None
    if batch is None or taken is None:
        seen.unmatched(result, index, found)
        return
    _told_anew(taken, result, index, found)
    if result.call_id:
        misnamed(taken, result, index, found)
    if wire is Format.GEMINI and batch.held and batch.last != index:
        _spread(index, batch.last, found)
    batch.last, batch.held = index, True
    seen.answered.add(result.call_id)


def pair_anywhere(messages: Sequence[Message], ids: CallIds, start: int = 0) -> Findings:
    """Pairs where a result may come any time after its call (Responses)."""
    found = Findings()
    seen = _Seen()
    waiting = OpenCalls(by_name=True)
    opened: list[OpenCall] = []
    neutral: dict[str, tuple[int, ToolResultPart]] = {}
    run = start
    for index in range(start, len(messages)):
        message = messages[index]
        if message.role is not Role.ASSISTANT:
            run = index + 1
        if ITEM_ID in ids.renamed(index):
            _repeated_item(message, index, found)
        for call in client_calls(messages, index, ids, run, found):
            waiting.add(call, _family(message))
            opened.append(call)
            neutral.pop(call.part.call_id, None)
        for result in client_results(message):
            family = _family(message)
            taken = waiting.take(result, family, _TEXT if family in _TEXT else ())
            if taken is not None:
                _told_anew(taken, result, index, found)
                if family in _TEXT:
                    wanted = f"{_family(messages[taken.index])}_call_output"
                    mistyped(taken, str(message.plain.get("type")), wanted, index, found)
                seen.answered.add(result.call_id)
                if result.text in (NO_RESULT, RESULT_ELSEWHERE):
                    neutral[result.call_id] = index, result
            elif result.call_id in neutral:
                # What we said for want of a result gives way to the result.
                place, stand_in = neutral.pop(result.call_id)
                _duplicated(stand_in, place, found)
            else:
                seen.unmatched(result, index, found)
    missing = [call for call in opened if not call.answered]
    if missing:
        found.batches.extend(_runs(messages, missing))
    return found


def _repeated_item(message: Message, index: int, found: Findings) -> None:
    """Responses takes one item of an id; what is nothing without its id goes, the rest lets it go.

    Reasoning and what the provider ran are known to it by their id.
    """
    kind = str(message.plain.get("type", "message"))
    said = f"the item id {quoted(message.plain['id'])} was used before; this {kind} item"
    if any(isinstance(p, ReasoningPart) or getattr(p, "server_side", False) for p in message.parts):
        found.drop(index, ())
        found.name(RepairKind.REPEATED_ITEM, index, f"{said} was moved to the archive")
    else:
        found.rename(index, ITEM_ID, "")
        found.name(RepairKind.REPEATED_ID, index, f"{said} goes out without it")


def _family(message: Message) -> str:
    """What the type of a call and that of its output have in common, such as `custom_tool`."""
    kind = str(message.plain.get("type"))
    for ending in ("_output", "_call", "_request", "_response"):
        kind = kind.removesuffix(ending)
    return kind


def _told_anew(call: OpenCall, result: ToolResultPart, index: int, found: Findings) -> None:
    """A result follows its call when that goes out with another id."""
    if call.new_id and (result.call_id or not call.part.call_id):
        found.rename(index, result.path, call.new_id)


class _Seen:
    """Ids that were answered, and calls whose batch closed without a result."""

    def __init__(self) -> None:
        self.answered: set[str] = set()
        self.unanswered: dict[str, OpenCall] = {}
        self.server: set[str] = set()
        self.unknown: set[str] = set()

    def calls(self, message: Message) -> None:
        """An id that is used again starts anew."""
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                if part.server_side:
                    self.server.add(part.call_id)
                    if part.kind is CallKind.UNKNOWN:
                        self.unknown.add(part.call_id)
                else:
                    self.answered.discard(part.call_id)
                    self.unanswered.pop(part.call_id, None)

    def unmatched(self, result: ToolResultPart, index: int, found: Findings) -> None:
        """A result that no waiting call takes: late, a second one, or without any call."""
        if result.call_id in self.unknown:
            return  # who answers a kind nobody has heard of is for its provider to say
        call = self.unanswered.pop(result.call_id, None) if result.call_id else None
        if call is not None:
            call.late = True
            self.answered.add(result.call_id)
            found.drop(index, result.path)
            found.name(
                RepairKind.LATE_RESULT,
                index,
                f"the result of call {quoted(result.call_id)} came after later messages; "
                f"it was moved to the archive and the call says so",
            )
        elif result.call_id and result.call_id in self.answered:
            _duplicated(result, index, found)
        else:
            found.drop(index, result.path)
            which = quoted(result.call_id or result.name or "without an id")
            found.name(
                RepairKind.ORPHANED_RESULT,
                index,
                f"the result {which} has no call; it was moved to the archive",
            )


def _duplicated(result: ToolResultPart, index: int, found: Findings) -> None:
    found.drop(index, result.path)
    found.name(
        RepairKind.DUPLICATED_RESULT,
        index,
        f"call {quoted(result.call_id)} has more than one result; this one was moved to the "
        f"archive",
    )


def _spread(index: int, before: int, found: Findings) -> None:
    """Gemini wants as many results in the content behind the calls as there are calls."""
    found.joins[index] = before
    found.name(
        RepairKind.SPREAD_RESULTS,
        index,
        "the results of one turn stood in several messages; they stand in one now",
    )


def _close(batch: Batch | None, seen: _Seen, found: Findings) -> None:
    if batch is None:
        return
    missing = batch.missing
    if missing:
        found.batches.append(batch)
        for call in missing:
            seen.unanswered[call.part.call_id] = call


def _server_orphans(message: Message, index: int, seen: _Seen, found: Findings) -> None:
    for part in message.parts:
        if not isinstance(part, ToolResultPart) or not part.server_side or not part.call_id:
            continue
        if part.call_id not in seen.server:
            seen.unmatched(part, index, found)


def _runs(messages: Sequence[Message], missing: Sequence[OpenCall]) -> list[Batch]:
    """Missing calls by the run of calls and their outputs in which they stand.

    Answers end the run, before the next call: their place stays the same when the list grows.
    """
    batches: list[Batch] = []
    end = -1
    for call in missing:
        if call.index <= end:
            batches[-1].calls.append(call)
            continue
        end = call.index
        answered = False
        while end + 1 < len(messages) and _is_call_or_output(messages[end + 1]):
            answered = answered or bool(messages[end + 1].results)
            if answered and messages[end + 1].calls:
                break
            end += 1
        batches.append(Batch([call], end))
    return batches


def _is_call_or_output(message: Message) -> bool:
    return any(
        isinstance(part, ToolCallPart | ToolResultPart) and not part.server_side
        for part in message.parts
    )
