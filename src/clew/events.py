"""What happens in a session, as values that any logger can take.

Each event is frozen and has a JSON form: its name, the session, and its own numbers. The messages
of a conversation are in none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from clew.policy import ArmedBy, Boundary, Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a session."""

    session_id: str

    @property
    def name(self) -> str:
        """The event's name in snake case, for logs."""
        kind = type(self).__name__
        return "".join(f"_{c.lower()}" if c.isupper() else c for c in kind).lstrip("_")

    def to_json(self) -> dict[str, Any]:
        """The JSON form: `event` is the name, the rest are the event's own fields."""
        return {"event": self.name, **{f.name: _plain(getattr(self, f.name)) for f in fields(self)}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPrepared(Event):
    """A call of `prepare` ended; `outcome` is held, evicted or compacted."""

    outcome: str
    why: Why
    tokens_before: int
    tokens_after: int
    prefix_tokens: int
    budget: int
    seconds: float
    waited_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerNear(Event):
    """The context has come near the trigger: `tokens` of `trigger`. Said once on each way up."""

    tokens: int
    trigger: int
    backstop: int
    turns_left: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionArmed(Event):
    """Compaction waits for a boundary now. Said once on each way up."""

    armed_by: ArmedBy
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryBegun(Event):
    """A summary of these spans is being made in the background."""

    spans: int
    extends: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryEnded(Event):
    """Such a summary is ready, or failed with `problem`."""

    problem: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionMade(Event):
    """The middle was folded; `items` counts what became of the items that went in."""

    why: Why
    boundary: Boundary | None
    tokens_before: int
    tokens_after: int
    absorbed_messages: int
    record_tokens: int
    summarizer: str
    checkpoint_id: str
    waited_seconds: float
    items: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionVetoed(Event):
    """A hook refused a compaction."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvictionMade(Event):
    """Parts were put behind these handles."""

    why: Why
    handles: tuple[str, ...]
    freed_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HookFailed(Event):
    """A hook raised, or answered what is no answer; it was passed over."""

    step: str
    hook: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningGiven(Event):
    """A warning that stands in the report of the call."""

    text: str


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
