"""`clew record`: the handoff record of a session or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.options import JsonOption, WindowOption
from clew.cli.screen import say, write_json
from clew.errors import RecordError

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
            help="An archive, a record as JSON or Markdown, or a recorded session to play first.",
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


def read_record(source: str, session: str | None, window: str | None) -> HandoffRecord:
    """The record in a source, whatever kind of source it is."""
    from clew.cli.archives import is_store, open_archive
    from clew.record.markdown import record_from_markdown
    from clew.record.serde import load_record

    path = Path(source)
    if "://" in source or is_store(path):
        archive = open_archive(source, session)
        archive.store.close()
        return archive.record
    if source != "-" and path.is_file():
        text = path.read_text(encoding="utf-8", errors="replace")
        if text.lstrip().startswith("# Handoff record"):
            return record_from_markdown(text)
        if _looks_like_a_record(text):
            return load_record(text)
    return _played(source, window)


def _looks_like_a_record(text: str) -> bool:
    import json

    if not text.lstrip().startswith("{"):
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and {"goal", "items", "version"} <= value.keys()


def _played(source: str, window: str | None) -> HandoffRecord:
    from clew.cli.policies import policy_for
    from clew.importers import load_session
    from clew.replay import replay

    result = replay(load_session(source), policy_for(None, window))
    if not result.compactions:
        raise RecordError(
            f"{source} was never compacted at this window, so there is no record; name a smaller "
            f"--window"
        )
    return result.record


def _show(record: HandoffRecord) -> None:
    from clew.record.kinds import DEFAULT_KINDS
    from clew.record.lines import full_line

    say(f"goal ({record.goal_status}): {record.goal}")
    for kind in (*DEFAULT_KINDS.names(), *_other_kinds(record)):
        items = [item for item in record.of_kind(kind) if item.live]
        if items:
            table = DEFAULT_KINDS.get(kind)
            say("", table.heading if table is not None else kind)
            say(*(f"  {full_line(item)}" for item in items))
    settled = sum(not item.live for item in record.items)
    say("", f"next: {record.next or '(none)'}")
    say(f"{len(record.items) - settled:,} live items, {settled:,} settled")


def _other_kinds(record: HandoffRecord) -> list[str]:
    from clew.record.kinds import DEFAULT_KINDS

    return sorted({item.kind for item in record.items} - set(DEFAULT_KINDS.names()))
