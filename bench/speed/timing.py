"""Taking times: CPU beside wall clock, medians of many."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Milliseconds of CPU (all threads of the process) and of wall clock: median and least."""

    cpu_ms: float
    wall_ms: float
    least_cpu_ms: float
    rounds: int


class Watch:
    """Collects rounds of one measurement."""

    def __init__(self) -> None:
        self._cpu: list[float] = []
        self._wall: list[float] = []

    def take(self, action: Callable[[], Any]) -> Any:
        """Run an action once and keep what it took."""
        wall, cpu = time.perf_counter(), time.process_time()
        result = action()
        self._cpu.append((time.process_time() - cpu) * 1e3)
        self._wall.append((time.perf_counter() - wall) * 1e3)
        return result

    @property
    def taken(self) -> int:
        """How many rounds were taken."""
        return len(self._cpu)

    @property
    def times(self) -> Times:
        """The median and the least of what was taken."""
        return Times(
            cpu_ms=statistics.median(self._cpu),
            wall_ms=statistics.median(self._wall),
            least_cpu_ms=min(self._cpu),
            rounds=len(self._cpu),
        )


def pace_ms() -> float:
    """CPU milliseconds of a fixed loop, least of three: how quick this machine is just now."""
    watch = Watch()
    for _ in range(3):
        watch.take(_loop)
    return watch.times.least_cpu_ms


def _loop() -> int:
    total = 0
    for number in range(3_000_000):
        total += number * number
    return total
