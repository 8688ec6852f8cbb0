"""What commands put on the screen. The only file that uses rich."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

PLAIN_WIDTH = 100


def write_json(document: Any) -> None:
    """One JSON document on standard output; ASCII, so that any text survives any terminal."""
    json.dump(document, sys.stdout, ensure_ascii=True, indent=2)
    sys.stdout.write("\n")


def printable(text: str) -> str:
    """Text from a recording without anything that steers a terminal; lines and tabs stay."""
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def colours_on(stream: IO[str]) -> bool:
    """Whether colours are welcome: a terminal that is not dumb, and NO_COLOR is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def console() -> Console:
    """The console for people; plain and 100 columns wide where standard output is no terminal."""
    from rich.console import Console

    class Piped(Console):
        """Leaves a reader that has gone to the start of the program, which exits 0."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    terminal = sys.stdout.isatty()
    return Piped(
        file=sys.stdout,
        force_terminal=terminal,
        no_color=not colours_on(sys.stdout),
        width=None if terminal else PLAIN_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )


def say(*lines: str) -> None:
    """Lines for people."""
    sys.stdout.write("\n".join(printable(line) for line in lines) + "\n")


def show_plot(drawn: str) -> None:
    """A plot that this program drew, with its colours."""
    sys.stdout.write(f"{drawn}\n\n")


def colours() -> bool:
    """Whether colours are welcome on standard output."""
    return colours_on(sys.stdout)


def width() -> int:
    """Columns to draw in."""
    return min(console().width, PLAIN_WIDTH)


def show_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[str] = ()
) -> None:
    """A table; the columns named in `numbers` are aligned to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        right = column in numbers
        table.add_column(column, justify="right" if right else "left", no_wrap=right)
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console().print(table)


@contextmanager
def progress(title: str) -> Iterator[Callable[[str], None]]:
    """A line on standard error that follows the work; silent where that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console

    with Console(stderr=True, no_color=not colours_on(sys.stderr)).status(title) as status:
        yield lambda step: status.update(f"{title}: {printable(step)}")
