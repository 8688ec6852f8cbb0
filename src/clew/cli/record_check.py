"""`clew record check`: run the regression checks of invariants, when asked to."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.options import JsonOption
from clew.cli.records import SOURCE_HELP, read_record
from clew.cli.screen import progress, say, write_json
from clew.errors import RecordError

if TYPE_CHECKING:
    from clew.record.items import Item
    from clew.workdir import Checked


def check(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=SOURCE_HELP)],
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[R-17]…", help="Invariants to check.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Run the check of every invariant.")] = False,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Which session of an archive.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="The longest that one check may take.")
    ] = 60.0,
    shell: Annotated[
        bool, typer.Option("--shell", help="Let a shell read the commands. Read them first.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--in", metavar="DIR", help="Where to run the checks.")
    ] = None,
    json: JsonOption = False,
) -> int:
    """List the invariants with their checks; run those that are named, or --all.

    A check is text of a record that a model may have written: without a name or --all nothing is
    run. Exit code 1 when a check fails.
    """
    from clew.workdir import not_run, run_check

    rows = []
    with progress("Checking") as step:
        for item in _chosen(source, session, ids or []):
            step(item.id)
            if every or ids:
                rows.append(run_check(item, timeout_seconds=timeout, shell=shell, folder=folder))
            else:
                rows.append(not_run(item, "not asked for; name it or give --all"))
    if json:
        write_json({"checks": [asdict(row) for row in rows]})
    else:
        _show(rows)
    return 1 if any(row.failed for row in rows) else 0


def _chosen(source: str, session: str | None, ids: list[str]) -> list[Item]:
    invariants = read_record(source, session).of_kind("invariant")
    if unknown := set(ids) - {item.id for item in invariants}:
        raise RecordError(f"no invariant is called {', '.join(sorted(unknown))} in {source}")
    return [item for item in invariants if not ids or item.id in ids]


def _show(rows: list[Checked]) -> None:
    for row in rows:
        why = f" ({row.reason})" if row.reason else ""
        say(f"{row.item} {row.verdict.value}{why}: {row.claim}", f"  {row.command or '(none)'}")
    if not rows:
        say("The record holds no invariant.")
