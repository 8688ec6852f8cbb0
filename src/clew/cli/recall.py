"""`clew recall`: search the archive, or fetch a handle byte for byte."""

from __future__ import annotations

import base64
import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.options import EmbedderOption, JsonOption
from clew.cli.screen import say, write_json
from clew.errors import UnknownHandleError

if TYPE_CHECKING:
    from clew.cli.archives import Archive
    from clew.ports import Embedder

NO_EMBEDDER = "none"
HANDLE = re.compile(r"S-\d+(?:\.\d+)?|M-[0-9a-f]{12}|[A-Z]+-\d+")


def recall(
    what: Annotated[
        str, typer.Argument(metavar="QUERY|HANDLE", help="Words, or a handle such as S-41 or R-17.")
    ],
    store: Annotated[
        str, typer.Option("--store", metavar="DB", help="The archive: a SQLite file or a URL.")
    ],
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="Which session; the newest unless named."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most hits to show.")] = 10,
    embedder: EmbedderOption = NO_EMBEDDER,
    json: JsonOption = False,
) -> int:
    """Search what left a session's window, or fetch what a handle stands for.

    A handle gives its bytes on standard output, unchanged. Exit code 1 when a search finds
    nothing, 2 for a handle that this session never gave. A search by meaning keeps the vectors
    that it makes in the archive.
    """
    from clew.cli.archives import open_archive
    from clew.embedders import resolve_embedder

    chosen = embedder.strip() or NO_EMBEDDER
    model = None if chosen == NO_EMBEDDER else resolve_embedder(chosen)
    archive = open_archive(store, session, read_only=model is None)
    try:
        if not HANDLE.fullmatch(what.strip()):
            return _search(archive, what, limit, json, model)
        try:
            return _fetch(archive, what.strip(), json)
        except UnknownHandleError:
            # A ticket id has the shape of an item's handle: PROJ-13 is looked for as words.
            if what.strip().startswith("S-") or _search(archive, what, limit, json, model):
                raise
            return 0
    finally:
        archive.store.close()


def _fetch(archive: Archive, handle: str, json: bool) -> int:
    from clew.session.paging import Pager

    found = Pager(archive.store).recall(handle, archive.history, archive.record)
    if not json:
        sys.stdout.flush()
        sys.stdout.buffer.write(found)
        return 0
    write_json(
        {
            "handle": handle,
            "session": archive.session_id,
            "bytes": len(found),
            "text": found.decode("utf-8", "surrogatepass"),
            "base64": base64.b64encode(found).decode("ascii"),
        }
    )
    return 0


def _search(archive: Archive, query: str, limit: int, json: bool, embedder: Embedder | None) -> int:
    from clew.session.paging import Pager

    pager = Pager(archive.store, embedder)
    hits = pager.search(query, archive.history, limit=limit)
    left = pager.embed(archive.history, 0)
    if left and not json:
        told = f"clew: {left:,} texts are searched by words alone as yet; a search embeds more\n"
        sys.stderr.write(told)
    if json:
        write_json(
            {
                "query": query,
                "session": archive.session_id,
                "embedder": embedder.name if embedder is not None else None,
                "not_embedded": left,
                "hits": [
                    {
                        "handle": hit.handle,
                        "kind": hit.kind,
                        "label": hit.label,
                        "excerpt": hit.excerpt,
                        "score": hit.score,
                    }
                    for hit in hits
                ],
            }
        )
    elif not hits:
        say("Nothing was found.")
    for hit in [] if json else hits:
        say(f"{hit.handle}  {hit.label}".rstrip(), *(f"  {x}" for x in hit.excerpt.splitlines()))
    return 0 if hits else 1
