"""Which symbols matter: personalised PageRank over who uses whose name.

Nodes are files and symbols. A symbol passes rank to the definitions of the names it uses and to
what holds it, a file to its own symbols and to what its top level uses. A name that the file
defines itself means that definition; else those in files that it imports or that lie beside it;
else every definition of it, at a tenth of the weight. The more there are, and the plainer the word,
the less it says. The walk starts anew (one time in seven) at what the session touched.
Brin and Page, 1998, section 2.1; the damping is theirs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from clew.repomap.languages import GROUP
from clew.repomap.outline import Outline

DAMPING: Final = 0.85
TOUCHED_SHARE: Final = 0.7
"""How much of the walk starts at what was touched, the rest at all files alike: what is important
to everyone stays in the map of a session that looks at one corner."""
MOST_ROUNDS: Final = 40
CLOSE_ENOUGH: Final = 1e-5
HOLDER_WEIGHT: Final = 1.0
MEMBER_WEIGHT: Final = 0.5
UNSEEN_WEIGHT: Final = 0.1
PLAIN_WEIGHT: Final = 0.2
"""A lower-case word such as `items` is a local variable more often than another file's symbol."""

SymbolKey = tuple[str, int]
"""The path of a file and the position of a symbol in it; -1 is the file itself."""


@dataclass(slots=True, kw_only=True)
class Graph:
    """Nodes by number, in the order of paths and symbols.

    `targets` holds the nodes behind each name as it is used; `names_of` what a node passes to such
    groups, `nodes_of` what it passes to single nodes, with weights.
    """

    keys: list[SymbolKey] = field(default_factory=list)
    number: dict[SymbolKey, int] = field(default_factory=dict)
    by_name: dict[str, list[int]] = field(default_factory=dict)
    targets: list[list[int]] = field(default_factory=list)
    names_of: list[list[tuple[int, float]]] = field(default_factory=list)
    nodes_of: list[list[tuple[int, float]]] = field(default_factory=list)


def graph_of(outlines: Mapping[str, Outline]) -> Graph:
    """Who uses whose name; `outlines` by path, in the order of paths."""
    graph = Graph()
    for path, outline in outlines.items():
        for index in range(-1, len(outline.symbols)):
            graph.number[path, index] = len(graph.keys)
            graph.keys.append((path, index))
    graph.names_of = [[] for _ in graph.keys]
    graph.nodes_of = [[] for _ in graph.keys]
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for path, outline in outlines.items():
        for index, symbol in enumerate(outline.symbols):
            if symbol.kind != GROUP:
                by_name[symbol.name].append(graph.number[path, index])
    graph.by_name = dict(by_name)
    groups: dict[tuple[int, ...], int] = {}
    handles = {path: _handles(path) for path in outlines}
    for path, outline in outlines.items():
        _hold(graph, path, outline)
        known = (outline.imports, path.rpartition("/")[0])
        meant: dict[str, tuple[list[int], float]] = {}
        for use in outline.uses:
            if use.name not in meant:
                meant[use.name] = _meant(graph, use.name, path, known, handles)
            defined, weight = meant[use.name]
            if not defined:
                continue
            group = groups.setdefault(tuple(defined), len(graph.targets))
            if group == len(graph.targets):
                graph.targets.append(defined)
            row = (group, weight * sqrt(use.count / len(defined)))
            graph.names_of[graph.number[path, use.holder]].append(row)
    return graph


def _hold(graph: Graph, path: str, outline: Outline) -> None:
    for index, symbol in enumerate(outline.symbols):
        number, holder = graph.number[path, index], graph.number[path, symbol.parent]
        graph.nodes_of[number].append((holder, HOLDER_WEIGHT))
        graph.nodes_of[holder].append((number, MEMBER_WEIGHT))


def _handles(path: str) -> tuple[str, str, str]:
    """What an import may call a file by, and the folder it lies in."""
    folder, _, name = path.rpartition("/")
    return name.partition(".")[0], folder.rpartition("/")[2], folder


def _meant(
    graph: Graph,
    name: str,
    path: str,
    known: tuple[frozenset[str], str],
    handles: Mapping[str, tuple[str, str, str]],
) -> tuple[list[int], float]:
    """The definitions a name means in a file, and the weight of one use."""
    everywhere = graph.by_name.get(name, [])
    own = [number for number in everywhere if graph.keys[number][0] == path]
    if own or not everywhere:
        return own, 1.0
    words, here = known
    weight = PLAIN_WEIGHT if name.islower() and "_" not in name else 1.0
    near = []
    for number in everywhere:
        stem, folder, place = handles[graph.keys[number][0]]
        if stem in words or folder in words or place == here:
            near.append(number)
    return (near, weight) if near else (everywhere, weight * UNSEEN_WEIGHT)


def ranks_of(
    graph: Graph, *, files: Mapping[str, float], names: Mapping[str, float]
) -> list[float]:
    """The rank of each node; they sum to one. `files` and `names` are what was touched, weighed."""
    start = _start(graph, files, names)
    passed = [
        sum(w for _, w in by_name) + sum(w for _, w in by_node)
        for by_name, by_node in zip(graph.names_of, graph.nodes_of, strict=True)
    ]
    ranks = list(start)
    for _ in range(MOST_ROUNDS):
        fresh = _round(graph, ranks, passed, start)
        moved = sum(abs(new - old) for new, old in zip(fresh, ranks, strict=True))
        ranks = fresh
        if moved < CLOSE_ENOUGH:
            break
    return ranks


def _round(
    graph: Graph, ranks: list[float], passed: list[float], start: list[float]
) -> list[float]:
    fresh = [0.0] * len(ranks)
    to_names = [0.0] * len(graph.targets)
    kept = 0.0
    for number, rank in enumerate(ranks):
        if not passed[number]:
            kept += rank
            continue
        share = DAMPING * rank / passed[number]
        for group, weight in graph.names_of[number]:
            to_names[group] += share * weight
        for other, weight in graph.nodes_of[number]:
            fresh[other] += share * weight
    for defined, amount in zip(graph.targets, to_names, strict=True):
        each = amount / len(defined)
        for number in defined:
            fresh[number] += each
    anew = 1.0 - DAMPING + DAMPING * kept
    return [new + anew * at for new, at in zip(fresh, start, strict=True)]


def _start(graph: Graph, files: Mapping[str, float], names: Mapping[str, float]) -> list[float]:
    """Where the walk starts: all files alike, and what was touched."""
    touched: defaultdict[int, float] = defaultdict(float)
    symbols: defaultdict[str, list[int]] = defaultdict(list)
    for (path, index), number in graph.number.items():
        if path in files and index >= 0:
            symbols[path].append(number)
    for path in sorted(files):
        own, at = symbols.get(path, []), graph.number.get((path, -1))
        if at is None or files[path] <= 0:
            continue
        touched[at] += files[path] / 2
        for number in own or [at]:
            touched[number] += files[path] / 2 / max(1, len(own))
    for name in sorted(names):
        for number in graph.by_name.get(name, ()):
            touched[number] += max(0.0, names[name]) / len(graph.by_name[name])
    whole = sum(touched.values())
    everywhere = [number for number, (_, index) in enumerate(graph.keys) if index < 0]
    rest = (1.0 - TOUCHED_SHARE) if whole else 1.0
    start = [0.0] * len(graph.keys)
    for number in everywhere:
        start[number] = rest / len(everywhere)
    for number, weight in touched.items():
        start[number] += TOUCHED_SHARE * weight / whole
    return start
