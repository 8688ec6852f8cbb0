"""What an import takes in a fresh interpreter, with compiled files at hand."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.speed.timing import Times

_SCRIPT = """
import time
wall, cpu = time.perf_counter(), time.process_time()
{statement}
print((time.process_time() - cpu) * 1e3, (time.perf_counter() - wall) * 1e3)
"""

STATEMENTS = {
    "import clew": "import clew",
    "import clew; clew.Session()": "import clew; clew.Session(policy=clew.Policy())",
}


def import_times(statement: str, rounds: int) -> Times:
    """Median and least over fresh interpreters; the first one only compiles."""
    with tempfile.TemporaryDirectory() as compiled:
        settings = {
            **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
            "PYTHONPYCACHEPREFIX": compiled,
            "PYTHONPATH": str(Path(__file__).resolve().parents[2] / "src"),
        }
        taken = [_once(statement, settings) for _ in range(rounds + 1)][1:]
    cpu = sorted(pair[0] for pair in taken)
    wall = sorted(pair[1] for pair in taken)
    return Times(
        cpu_ms=cpu[len(cpu) // 2],
        wall_ms=wall[len(wall) // 2],
        least_cpu_ms=cpu[0],
        rounds=rounds,
    )


def _once(statement: str, settings: dict[str, str]) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT.format(statement=statement)],
        env=settings,
        check=True,
        capture_output=True,
        text=True,
    )
    cpu, wall = done.stdout.split()
    return float(cpu), float(wall)
