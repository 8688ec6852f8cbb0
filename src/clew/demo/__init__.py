"""The reconciliation scenario: which way to fill a context loses 47 rows, and why."""

from clew.demo.play import Played
from clew.demo.scenario import Demo, run_demo, why

__all__ = ["Demo", "Played", "run_demo", "why"]
