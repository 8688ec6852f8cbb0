"""`clew handoff`: end a stored session in one document that a person can edit."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.options import JsonOption, PolicyOption
from clew.cli.screen import printable, say, write_json

if TYPE_CHECKING:
    from clew.document import HandoffDocument


def handoff(
    session: Annotated[
        str, typer.Argument(metavar="SESSION", help="The id of the session, or `latest`.")
    ],
    store: Annotated[
        str, typer.Option("--store", metavar="DB", help="The archive: a SQLite file or a URL.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="F.md", help="Where to write the document.")
    ],
    policy: PolicyOption = None,
    created_at: Annotated[
        str, typer.Option(metavar="TIME", help="A time to put into the document; none by itself.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Write the handoff document of a stored session.

    Edit it as you like, then give it to `clew resume`. The goal changes only when the document
    names who amended it.
    """
    from clew.cli.archives import open_archive
    from clew.cli.policies import policy_for
    from clew.handoff import hand_off
    from clew.store import open_store

    archive = open_archive(store, None if session == "latest" else session)
    archive.store.close()
    opened = open_store(store)
    try:
        document, whole = hand_off(
            opened, archive.session_id, out, created_at=created_at, policy=policy_for(policy, None)
        )
    finally:
        opened.close()
    if json:
        write_json(_written(out, document, whole))
        return
    say(f"{out}: {len(document.record.items):,} items, checkpoint {document.checkpoint[:12]}")
    if not whole:
        said = (
            "messages behind the newest compaction are not in the archive, so not in the document"
        )
        sys.stderr.write(f"clew: {printable(said)}\n")


def _written(out: Path, document: HandoffDocument, whole: bool) -> dict[str, object]:
    return {
        "file": str(out),
        "session": document.session,
        "checkpoint": document.checkpoint,
        "format": document.format,
        "goal": document.goal,
        "items": len(document.record.items),
        "whole": whole,
    }
