"""How often a model may be called for a summary."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isfinite

from clew.errors import PolicyError


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimits:
    """Bounds on calls; all of them hold at once.

    `spare` calls of a compaction are kept for retries and the repair round. After `failures` in a
    row, or one permanent refusal, the model is left alone for `cooldown_seconds`, twice as long
    each further time, at most `longest_cooldown_seconds`. A wait that a provider asks for is kept
    up to `longest_wait_seconds`; a longer one ends the attempts at once.
    """

    per_compaction: int = 12
    per_hour: int = 60
    per_run: int = 400
    spare: int = 3
    retries: int = 2
    repairs: int = 1
    failures: int = 3
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 20.0
    cooldown_seconds: float = 300.0
    longest_cooldown_seconds: float = 3_600.0

    def __post_init__(self) -> None:
        """Refuse limits under which no call could be made, or that are no number."""
        least = {"per_compaction": 1, "per_hour": 1, "per_run": 1, "failures": 1}
        for each in fields(self):
            value, lowest = getattr(self, each.name), least.get(each.name, 0)
            if not isfinite(value) or value < lowest:
                raise PolicyError(f"{each.name} is {value}; expected a number from {lowest} up")

    @property
    def parts(self) -> int:
        """How many parts a middle may be folded in."""
        return max(1, self.per_compaction - self.spare)
