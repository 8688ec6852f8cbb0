"""`clew record`: the handoff record of a session or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.options import JsonOption, WindowOption
from clew.cli.record_check import check
from clew.cli.record_diff import diff
from clew.cli.record_edit import edit
from clew.cli.records import SOURCE_HELP, read_record
from clew.cli.screen import say, write_json

if TYPE_CHECKING:
    from clew.record.record import HandoffRecord

app = typer.Typer(help="The handoff record of a session or a file.")


@app.callback()
def _group() -> None:
    """The handoff record of a session or a file."""


@app.command("show")
def show(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help=SOURCE_HELP,
        ),
    ],
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="Which session of an archive."),
    ] = None,
    window: WindowOption = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="The whole record as an editable document.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show a handoff record: what it keeps, who said it, where it comes from."""
    from clew.record.markdown import record_to_markdown
    from clew.record.serde import record_to_json

    found = read_record(source, session, window)
    if json:
        write_json(record_to_json(found))
    elif markdown:
        say(record_to_markdown(found))
    else:
        _show(found)


def _show(record: HandoffRecord) -> None:
    from clew.record.aside import is_set_aside
    from clew.record.kinds import DEFAULT_KINDS
    from clew.record.lines import full_line

    say(f"goal ({record.goal_status}): {record.goal}")
    for kind in (*DEFAULT_KINDS.names(), *_other_kinds(record)):
        items = [item for item in record.of_kind(kind) if item.live]
        if items:
            table = DEFAULT_KINDS.get(kind)
            say("", table.heading if table is not None else kind)
            say(*(f"  {full_line(item)}" for item in items))
    live = sum(item.live for item in record.items)
    aside = sum(is_set_aside(item) for item in record.items)
    held = f"{aside:,} set aside, " if aside else ""
    standing = f"{live:,} live item{'' if live == 1 else 's'}"
    say("", f"next: {record.next or '(none)'}")
    say(f"{standing}, {held}{len(record.items) - live - aside:,} settled")


def _other_kinds(record: HandoffRecord) -> list[str]:
    from clew.record.kinds import DEFAULT_KINDS

    return sorted({item.kind for item in record.items} - set(DEFAULT_KINDS.names()))


app.command("diff")(diff)
app.command("check")(check)
app.command("edit")(edit)
