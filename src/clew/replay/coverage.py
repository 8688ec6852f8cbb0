"""Reference coverage: what a session later needs of what was absorbed, and where it finds it.

Needed are the identifiers that the agent itself writes in its next exchanges and can only know
from the absorbed part: they stand in no goal, no tail, and nothing that was read since.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from clew.replay.played import Coverage
from clew.summarize.extractive.reading import Reading

HORIZON_EXCHANGES = 20
SEARCHED_SPANS = 5
_QUERY_CHARS = 2_000
_HANDLE = re.compile(r"\bS-\d+\b")

Search = Callable[[str], Sequence[str]]
"""One archive search: a query in, handles of spans out, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """An identifier that the agent wrote, and the text it wrote it in without the identifier."""

    name: str
    query: str


def names_of(reading: Reading) -> frozenset[str]:
    """All identifiers of an exchange, whoever wrote them."""
    return frozenset((*reading.agent_names, *reading.tool_names, *reading.user_names))


def needs_of(
    *,
    in_view: Iterable[str],
    absorbed: Iterable[str],
    later: Sequence[Reading],
    horizon: int = HORIZON_EXCHANGES,
) -> tuple[Need, ...]:
    """What the agent needs in its next `horizon` exchanges, each identifier once.

    `in_view` are the identifiers of goal and tail, `absorbed` those of everything folded so far,
    `later` the exchanges behind the compaction in order.
    """
    seen = set(in_view)
    folded = frozenset(absorbed)
    needs: dict[str, Need] = {}
    spoken = 0
    for reading in later:
        wrote = reading.prose or reading.arguments
        spoken += bool(wrote)
        if spoken > horizon:
            break
        for name in reading.agent_names:
            if name in folded and name not in seen and name not in needs:
                text = "\n".join((*reading.prose, *reading.arguments))[:_QUERY_CHARS]
                needs[name] = Need(name=name, query=text.replace(name, " "))
        seen.update(names_of(reading))
    return tuple(needs.values())


def visible_in(text: str, names: Iterable[str]) -> frozenset[str]:
    """The names that a reader of a text sees: whole, or as a file behind its directory."""
    lines = [line for line in text.split("\n") if "/: " in line]
    return frozenset(name for name in names if name in text or _behind_folder(name, lines))


def _behind_folder(name: str, lines: Sequence[str]) -> bool:
    bare = name.rstrip("/")
    cut = bare.rfind("/") + 1
    if not cut:
        return False
    folder, base = name[:cut], name[cut:]
    file = re.compile(rf"(?<![\w./-]){re.escape(base)}(?![\w/-])")
    return any(line.startswith(f"{folder}: ") and file.search(line) for line in lines)


def coverage_at(
    context: str,
    needs: Sequence[Need],
    absorbed: Mapping[str, frozenset[str]],
    search: Search | None = None,
) -> Coverage:
    """Where each need stands after one compaction.

    `context` is the text that went out, `absorbed` the identifiers of each absorbed span by its
    handle. Addressable: inside a span whose handle stands in the context.
    """
    names = [need.name for need in needs]
    visible = visible_in(context, names)
    handles = set(_HANDLE.findall(context))
    reachable = frozenset(
        name for handle in handles & absorbed.keys() for name in absorbed[handle]
    ).difference(visible)
    addressable = sum(name in reachable for name in names)
    left = [n for n in needs if n.name not in visible and n.name not in reachable]
    found = sum(_found(need, absorbed, search) for need in left) if search is not None else 0
    return Coverage(
        needed=len(names),
        visible=len(visible),
        addressable=addressable,
        searchable=found,
        lost=len(left) - found,
    )


def _found(need: Need, absorbed: Mapping[str, frozenset[str]], search: Search) -> bool:
    hits = search(need.query)[:SEARCHED_SPANS]
    return any(need.name in absorbed.get(handle, frozenset()) for handle in hits)


def summed(parts: Iterable[Coverage]) -> Coverage:
    """The coverage of several compactions as one."""
    needed = visible = addressable = searchable = lost = 0
    for part in parts:
        needed += part.needed
        visible += part.visible
        addressable += part.addressable
        searchable += part.searchable
        lost += part.lost
    return Coverage(
        needed=needed,
        visible=visible,
        addressable=addressable,
        searchable=searchable,
        lost=lost,
    )
