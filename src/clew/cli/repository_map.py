"""`clew map`: the ranked structure of a code base, or more about one part of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clew.cli.options import JsonOption, tokens
from clew.cli.screen import printable, say, write_json
from clew.errors import BudgetError, ImportSourceError

if TYPE_CHECKING:
    from clew.repomap import RepositoryMap


def repository_map(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The root of the code base.")],
    size: Annotated[
        str, typer.Option("--tokens", metavar="N", help="Tokens the map may take, as 1500 or 2k.")
    ] = "1500",
    touched: Annotated[
        list[str] | None,
        typer.Option(
            "--touched", metavar="NAME", help="A path or identifier at work; may be repeated."
        ),
    ] = None,
    detail: Annotated[
        str | None,
        typer.Option("--detail", metavar="NAME", help="A file, folder or symbol to see more of."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show the most used symbols of a code base with their signatures, within a token budget.

    What --touched names, and what it uses, comes first; a name that the map does not have is said
    on standard error. With --detail only that is shown; exits 2 when the map does not have it.
    """
    from clew.counters import resolve_counter
    from clew.repomap import RepositoryMap

    repository = RepositoryMap(folder)
    if detail is not None:
        text = repository.detail(detail)
        if not repository.knows(detail):
            raise ImportSourceError(str(folder), text)
        write_json({"what": detail, "text": text}) if json else say(text)
        return
    unknown = repository.unknown(touched or ())
    counter = resolve_counter(None)
    most = tokens("--tokens", size)
    if most < 1:
        raise BudgetError("a map needs at least one token", arithmetic=f"--tokens = {size}")
    text = repository.render(most, touched=touched or (), counter=counter)
    _say_unknown(unknown)
    if not json:
        say(text)
        return
    made = {"tokens": counter.count_text(text), "counter": counter.name, "text": text}
    write_json({**_document(repository, touched or []), **made, "unknown": list(unknown)})


def _say_unknown(names: Sequence[str]) -> None:
    for name in names:
        sys.stderr.write(f"clew: --touched {printable(name)}: the map has no such file or name\n")


def _document(repository: RepositoryMap, touched: list[str]) -> dict[str, Any]:
    order = repository.ranked(touched)
    outlines = repository.outlines
    rows = []
    for path, index in order.keys[:200]:
        row: dict[str, Any] = {"path": path, "rank": round(order.ranks[path, index], 9)}
        if index >= 0:
            symbol = outlines[path].symbols[index]
            row |= {"symbol": symbol.qualified, "kind": symbol.kind, "line": symbol.first_line}
        rows.append(row)
    return {
        "root": str(repository.root),
        "files": len(outlines),
        "symbols": sum(len(outline.symbols) for outline in outlines.values()),
        "languages": sorted({o.language for o in outlines.values() if o.language}),
        "ranked": rows,
    }
