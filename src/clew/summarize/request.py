"""What a summarizer is shown, and what it has to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from clew.ports import LivePrompt, TokenCounter
from clew.record.delta import Delta
from clew.record.kinds import DEFAULT_KINDS, KindTable
from clew.record.record import HandoffRecord
from clew.tools_seen.seen import CallSeen
from clew.transcript import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanView:
    """One exchange as a summarizer sees it: its handle, its messages, what its calls did.

    `position` is the 0-based chain position of its first message. `positions` has one chain
    position per message.
    """

    handle: str
    position: int
    positions: tuple[int, ...]
    messages: tuple[Message, ...]
    calls: tuple[CallSeen, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRequest:
    """Everything a summarizer may use to propose a delta.

    `spans` is the middle to absorb, oldest first; `tail` what stays verbatim behind it, and here
    and there among it, oldest first (for what the agent is busy with and what answers the spans;
    nothing in it needs recording). `target_tokens` is the size the
    rendered record should keep to. `goal_given` says that the caller set the goal, so that no
    message of a person stands for it. `focus` is the caller's wish for this compaction,
    `instructions` the policy's own words. `live` is the agent's live prompt, where the summarizer
    may be the same model.
    """

    goal: str
    old: HandoffRecord
    spans: tuple[SpanView, ...]
    tail: tuple[SpanView, ...]
    target_tokens: int
    counter: TokenCounter
    kinds: KindTable = DEFAULT_KINDS
    focus: str = ""
    goal_given: bool = False
    instructions: str = ""
    live: LivePrompt | None = None

    @property
    def among(self) -> tuple[SpanView, ...]:
        """The part of the tail that stands among the spans: what stays where others are folded."""
        last = self.spans[-1].position if self.spans else 0
        return tuple(span for span in self.tail if span.position < last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What was proposed for the first spans of a request, before the others came.

    `facts` are the numbers of what it took; its calls count towards the limit of one compaction.
    """

    delta: Delta
    handles: tuple[str, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class Summarizer(Protocol):
    """Proposes operations on the record; code checks and applies them.

    It may raise SummarizerError; whatever else it does (a wrong type, any exception) is treated
    the same way: the offline summarizer takes over and the report says so. One with an attribute
    `background` that is true may be asked from another thread, or in a task of its own, before its
    answer is needed; `apropose`, where it has one, can then be cancelled.
    """

    @property
    def name(self) -> str:
        """Short name for reports."""
        ...

    def propose(self, request: SummaryRequest) -> Delta:
        """The operations that fold `request.spans` into `request.old`."""
        ...
