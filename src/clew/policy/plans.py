"""How much of a run is still to come, by the agent's own plan, else by the run so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools_seen import TodoItem

_FINISHED = ("done", "dropped")


def plan_finished(todo: Sequence[TodoItem]) -> bool:
    """Whether a to-do list has nothing left to do; False for no list at all."""
    return bool(todo) and all(item.state in _FINISHED for item in todo)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The agent's to-do list as it stands and as it stood before its latest change, or none.

    `calls_so_far` are the model calls of the run, `calls_since` those after the latest change.
    """

    now: tuple[TodoItem, ...] = ()
    before: tuple[TodoItem, ...] = ()
    calls_so_far: int = 0
    calls_since: int = 0

    @property
    def finished(self) -> bool:
        """Whether there is a list and nothing is left on it."""
        return plan_finished(self.now)

    @property
    def planned_calls(self) -> float | None:
        """Model calls until the list is done, None where it does not tell.

        Each open entry takes as many as each finished one took. A single entry is no plan, and
        nothing finished no pace. A list that stood still for longer than what was left on it and
        one entry more is not kept any longer.
        """
        done = sum(item.state in _FINISHED for item in self.now)
        if len(self.now) < 2 or not done:
            return None
        pace = max(1, self.calls_so_far - self.calls_since) / done
        left = pace * (len(self.now) - done)
        return None if self.calls_since > left + pace else max(0.0, left - self.calls_since)

    @property
    def remaining_calls(self) -> float:
        """Expected model calls until the work is done.

        By the list where it tells; else as many again as there were, which is the median of what is
        left when a run was met at a random moment.
        """
        planned = self.planned_calls
        return float(self.calls_so_far) if planned is None else planned
