"""The commands by name. Each lives in a file of its own and imports what it needs when it runs."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.main import get_command

import clew
from clew.cli import (
    budget,
    compact,
    demo,
    doctor,
    handoff,
    inspect,
    policy,
    recall,
    record,
    replay,
    repository_map,
    resume,
)

app = typer.Typer(
    name="clew",
    help="Decides what an agent's context holds at every turn.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"clew {clew.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Decides what an agent's context holds at every turn."""


app.command("demo")(demo.demo)
app.command("replay")(replay.replay)
app.command("compact")(compact.compact)
app.command("inspect")(inspect.inspect)
app.command("budget")(budget.budget)
app.add_typer(record.app, name="record")
app.add_typer(policy.app, name="policy")
app.command("handoff")(handoff.handoff)
app.command("resume")(resume.resume)
app.command("recall")(recall.recall)
app.command("map")(repository_map.repository_map)
app.command("doctor")(doctor.doctor)


def command() -> Any:
    """The whole program as one command of the option parser."""
    return get_command(app)
