"""How full the window of a session is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How full the window is, for a person's screen or the agent's own view.

    All tokens; `turns_left` is what the growth of the latest calls leaves until the backstop,
    `tokens_spent` what all calls of this process sent, those of delegated sub-tasks included.
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
