"""How full the window of a session is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.policy.spending import Spending
from clew.summarize.calls import CallTotals


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How full the window is, for a person's screen or the agent's own view.

    All tokens; `turns_left` is what the growth of the latest calls leaves until the backstop,
    `tokens_spent` what all calls of this process sent, those of delegated sub-tasks included.
    `spending` is what they cost beside what the caller's own list would have cost.
    `summarizer` is what the calls of the summarizer's model took in this process.
    """

    tokens_used: int
    prefix_tokens: int
    trigger: int
    backstop: int
    budget: int
    turns_left: int | None
    compactions: int
    session_id: str
    tokens_spent: int = 0
    spending: Spending = field(default_factory=Spending)
    summarizer: CallTotals = field(default_factory=CallTotals)


def turns_left(sizes: Sequence[int], room_tokens: int) -> int | None:
    """Calls until the room is used up at the growth of the latest eight; None without growth."""
    steps = [b - a for a, b in zip(sizes[-9:], sizes[-8:], strict=False) if b > a]
    return max(0, int(room_tokens / (sum(steps) / len(steps)))) if steps else None
