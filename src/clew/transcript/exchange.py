"""Exchanges: the smallest units that may move.

An exchange is an assistant message with its reasoning, all its tool calls and all their
results; or one user message; or one system message. A result that comes back much later (a
Responses job) still belongs to the exchange of its call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from clew.transcript.message import Message, Role
from clew.transcript.parts import ReasoningPart, ToolCallPart


class ExchangeKind(StrEnum):
    """Who opened the exchange."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    ORPHAN = "orphan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Positions of the messages of one unit, ascending, and what is still open in it.

    `open_calls` are ids (or `name#n` where the format has none) of calls without a result.
    `orphans` are positions of messages whose results have no call.
    """

    kind: ExchangeKind
    indices: tuple[int, ...]
    open_calls: tuple[str, ...] = ()
    has_sealed_reasoning: bool = False

    @property
    def first(self) -> int:
        """Position of the first message."""
        return self.indices[0]

    @property
    def last(self) -> int:
        """Position of the last message."""
        return self.indices[-1]


class ExchangeGrouper:
    """Groups a growing list of messages into exchanges, one message at a time.

    `adjacent_results` is true for formats in which results stand directly behind their call
    (chat, Anthropic, Gemini) and false where they may come later (Responses). Feeding is linear;
    a prefix is never read twice.
    """

    def __init__(self, *, adjacent_results: bool) -> None:
        self._adjacent = adjacent_results
        self._units: list[_Unit] = []
        self._owner: dict[str, _Unit] = {}
        self._count = 0
        self._frozen: list[Exchange] = []
        self._stale: set[int] = set()

    @property
    def count(self) -> int:
        """How many messages were fed."""
        return self._count

    def feed(self, messages: Sequence[Message]) -> None:
        """Append messages behind those already fed."""
        for message in messages:
            self._place(self._count, message)
            self._count += 1

    def exchanges(self) -> tuple[Exchange, ...]:
        """The exchanges so far, in the order of their first message."""
        for number in sorted(self._stale):
            self._frozen[number] = self._units[number].freeze()
        self._stale.clear()
        return tuple(self._frozen)

    def _place(self, index: int, message: Message) -> None:
        match message.role:
            case Role.SYSTEM | Role.DEVELOPER:
                self._open(ExchangeKind.SYSTEM, index)
            case Role.ASSISTANT:
                self._place_assistant(index, message)
            case Role.TOOL | Role.USER:
                self._place_answer(index, message)

    def _place_assistant(self, index: int, message: Message) -> None:
        last = self._units[-1] if self._units else None
        # Where results are adjacent, messages of the model in a row are one exchange while a call
        # waits: Anthropic reads them as one turn, and their results follow together.
        joins = (
            last is not None
            and last.kind is ExchangeKind.ASSISTANT
            and not last.answered
            and last.indices[-1] == index - 1
            and (not self._adjacent or bool(last.calls))
        )
        unit = last if joins and last is not None else self._open(ExchangeKind.ASSISTANT, index)
        if unit is last and joins:
            unit.indices.append(index)
        self._stale.add(unit.number)
        unit.note(message)
        for call in message.calls:
            if not call.server_side:
                unit.calls.append(_OpenCall(call.call_id, call.name))
                if call.call_id:
                    self._owner[call.call_id] = unit

    def _place_answer(self, index: int, message: Message) -> None:
        results = [r for r in message.results if not r.server_side]
        unit = self._units[-1] if self._units else None
        if results and not self._adjacent:
            unit = self._owner.get(results[0].call_id)
        matched = False
        if unit is not None and unit.kind is ExchangeKind.ASSISTANT:
            for result in results:
                matched = unit.answer(result.call_id, result.name) or matched
        if matched and unit is not None:
            unit.indices.append(index)
            unit.answered = True
            self._stale.add(unit.number)
        elif message.role is Role.TOOL:
            self._open(ExchangeKind.ORPHAN, index)
        else:
            self._open(ExchangeKind.USER, index)

    def _open(self, kind: ExchangeKind, index: int) -> _Unit:
        unit = _Unit(kind, index, len(self._units))
        self._units.append(unit)
        self._frozen.append(unit.freeze())
        return unit


@dataclass(slots=True)
class _OpenCall:
    call_id: str
    name: str
    done: bool = False


class _Unit:
    """An exchange under construction."""

    __slots__ = ("answered", "calls", "indices", "kind", "number", "sealed")

    def __init__(self, kind: ExchangeKind, index: int, number: int) -> None:
        self.kind = kind
        self.number = number
        self.indices = [index]
        self.calls: list[_OpenCall] = []
        self.answered = False
        self.sealed = False

    def note(self, message: Message) -> None:
        """Remember whether the message carries reasoning bound to its place."""
        if any(
            (isinstance(p, ReasoningPart) and p.sealed) or (isinstance(p, ToolCallPart) and p.seal)
            for p in message.parts
        ):
            self.sealed = True

    def answer(self, call_id: str, name: str) -> bool:
        """Close the first open call with this id (or name, where ids are missing)."""
        for call in self.calls:
            if call_id and call.call_id:
                same = call.call_id == call_id
            else:
                same = call.name == name or not (name or call_id or call.call_id)
            if not call.done and same:
                call.done = True
                return True
        return False

    def freeze(self) -> Exchange:
        """The exchange as a value."""
        return Exchange(
            kind=self.kind,
            indices=tuple(self.indices),
            open_calls=tuple(c.call_id or c.name for c in self.calls if not c.done),
            has_sealed_reasoning=self.sealed,
        )
