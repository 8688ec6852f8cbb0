"""`clew inspect`: how recorded sessions grew, without compacting anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.options import JsonOption, PolicyOption, WindowOption
from clew.cli.screen import progress, say, show_table, write_json

if TYPE_CHECKING:
    from clew.analysis import Horizon

COLUMNS = ("session", "turns", "calls", "tokens", "p50", "p95", "p99", "trigger at", "repeats")


def inspect(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Recorded sessions.")],
    window: WindowOption = None,
    policy: PolicyOption = None,
    json: JsonOption = False,
) -> None:
    """Show growth, crossings, repeats and the largest results of recorded sessions."""
    from clew.analysis import horizon
    from clew.budget import Budget
    from clew.budget.measure import count_system, count_tools
    from clew.budget.measured import resolve_measured
    from clew.cli.policies import policy_for
    from clew.counters import resolve_counter
    from clew.importers import load_sessions
    from clew.prices import Catalogue, resolve_window

    stated = policy_for(policy, window).budget
    counter = resolve_counter(None)
    found: list[Horizon] = []
    with progress("inspect") as step:
        for file in files:
            step(file)
            for imported in load_sessions(file):
                size = resolve_window(model=imported.model or None, catalogue=Catalogue())
                budget = resolve_measured(
                    stated or Budget(size.tokens),
                    system_tokens=count_system(imported.system, counter),
                    tools_tokens=count_tools(imported.tools, counter),
                )
                found.append(horizon(imported, budget, counter))
    if json:
        write_json({"sessions": [one.as_json() for one in found]})
        return
    _show(found)


def _show(found: list[Horizon]) -> None:
    rows = [
        (
            Path(one.file).name[-40:],
            f"{one.turns:,}",
            f"{one.tool_calls:,}",
            f"{one.tokens:,}",
            f"{one.growth.p50:,}",
            f"{one.growth.p95:,}",
            f"{one.growth.p99:,}",
            f"{one.trigger_at:,}" if one.trigger_at is not None else "never",
            f"{one.repeats.raw:,}",
        )
        for one in found
    ]
    show_table(COLUMNS, rows, numbers=COLUMNS[1:])
    for one in found:
        say(f"{Path(one.file).name} ({one.format}):")
        say(*(f"  - {sentence}" for sentence in one.advice))
        say(
            *(f"  largest: {p.tokens:,} tokens, {p.tool}, message {p.message}" for p in one.largest)
        )
