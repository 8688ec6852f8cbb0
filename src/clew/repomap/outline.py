"""What one file defines and what it uses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One definition: its name, and its signature on one line.

    `qualified` has the names of what holds it in front, with dots. Lines count from 1. `parent` is
    the position of what holds it among the symbols of its file, -1 at the top.
    """

    name: str
    qualified: str
    kind: str
    signature: str
    first_line: int
    last_line: int
    parent: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How often a name stands inside a symbol (`holder`, -1 for the file's top level)."""

    holder: int
    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The symbols of a file in source order, and the names it uses.

    `language` is empty where the file was not parsed; `broken` tells of syntax errors. `imports`
    are the words of its import statements.
    """

    language: str = ""
    symbols: tuple[Symbol, ...] = ()
    uses: tuple[Use, ...] = ()
    imports: frozenset[str] = frozenset()
    broken: bool = False


def depth_of(symbols: tuple[Symbol, ...], index: int) -> int:
    """How many symbols hold this one."""
    depth = 0
    while (index := symbols[index].parent) >= 0:
        depth += 1
    return depth
