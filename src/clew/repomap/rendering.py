"""From ranks to text: as many of the highest ranked symbols as fit the tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clew.ports import TokenCounter
from clew.repomap.languages import CONSTANT, GROUP
from clew.repomap.outline import Outline, Symbol, depth_of
from clew.repomap.ranking import Graph, SymbolKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Symbols and bare files, the most important first, with the rank of each."""

    keys: tuple[SymbolKey, ...]
    ranks: Mapping[SymbolKey, float]


def ranked(graph: Graph, ranks: Sequence[float], outlines: Mapping[str, Outline]) -> Ranked:
    """What may be shown, in order. A file with symbols is shown through them."""
    by_key = dict(zip(graph.keys, ranks, strict=True))
    shown = [
        (path, index)
        for path, index in graph.keys
        if (not outlines[path].symbols if index < 0 else _tells(outlines[path].symbols[index]))
    ]
    shown.sort(key=lambda key: (-by_key[key], key))
    return Ranked(keys=tuple(shown), ranks=by_key)


def _tells(symbol: Symbol) -> bool:
    """A private constant matters to its own file alone, and a group is shown with its members."""
    return symbol.kind != GROUP and not (symbol.kind == CONSTANT and symbol.name.startswith("_"))


def fitted(
    order: Ranked,
    outlines: Mapping[str, Outline],
    *,
    budget_tokens: int,
    counter: TokenCounter,
    foot: Callable[[int, int], str],
) -> str:
    """The largest map within the budget by doubling and halving; empty when nothing fits.

    `foot` writes the last line from the numbers of files and symbols shown.
    """
    best, least, most = "", 0, len(order.keys)
    count = min(most, max(1, budget_tokens // 16))
    while least < most:
        text = _text(order.keys[:count], order, outlines, foot)
        if counter.count_text(text) <= budget_tokens:
            best, least = text, count
            count = min(most, count * 2) if most == len(order.keys) else (least + most + 1) // 2
        else:
            most = count - 1
            count = (least + most + 1) // 2
    return best


def _text(
    keys: Sequence[SymbolKey],
    order: Ranked,
    outlines: Mapping[str, Outline],
    foot: Callable[[int, int], str],
) -> str:
    chosen: dict[str, set[int]] = {}
    weight: dict[str, float] = {}
    for path, index in keys:
        members = chosen.setdefault(path, set())
        weight[path] = weight.get(path, 0.0) + order.ranks[path, index]
        shown = index
        while shown >= 0:
            members.add(shown)
            shown = outlines[path].symbols[shown].parent
    lines: list[str] = []
    for path in sorted(chosen, key=lambda path: (-weight[path], path)):
        lines.append(path)
        lines += outline_lines(outlines[path], sorted(chosen[path]))
    symbols = sum(1 for _, index in keys if index >= 0)
    return "\n".join([*lines, foot(len(chosen), symbols)])


def outline_lines(outline: Outline, chosen: Sequence[int], *, numbered: bool = False) -> list[str]:
    """Signatures in source order, indented by what holds them; with line numbers on demand."""
    lines = []
    for index in chosen:
        symbol = outline.symbols[index]
        number = f"{symbol.first_line}: " if numbered else ""
        lines.append(f"{'  ' * (depth_of(outline.symbols, index) + 1)}{number}{symbol.signature}")
    return lines
