"""The handoff record: the structured state that replaces the middle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from clew.record.items import Evidence, Item

RECORD_VERSION = 2


# A record has a thousand of these two: a named tuple is made five times as quickly.
class IndexEntry(NamedTuple):
    """What one absorbed span is and which identifiers it holds.

    `handle` is the span's (`S-41`), `label` one line that says what it is, `identifiers` the
    names, paths and numbers in it that the agent may need, best first, `weight` the expected use
    (unitless), `position` its chain position.
    """

    handle: str
    label: str
    identifiers: tuple[str, ...] = ()
    weight: float = 0.0
    position: int = 0


class Mention(NamedTuple):
    """How an identifier was used so far, carried from compaction to compaction.

    `agent_uses` counts how often the agent itself wrote it, `tool_uses` how often it came back
    from a tool; `first` and `last` are chain positions; `spans` the handles that hold it, newest
    first and bounded; `weight` is the expected use computed at the latest compaction.
    """

    name: str
    agent_uses: int = 0
    tool_uses: int = 0
    user_uses: int = 0
    first: int = 0
    last: int = 0
    spans: tuple[str, ...] = ()
    weight: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffRecord:
    """Goal, items, next action and the index of what was absorbed.

    `goal` is set once and never edited. `goal_status` is `open`, or `done` in a conversation that
    moved on to later requests. `items` holds live and settled items alike, in id order per kind.
    `version` is the schema version of the JSON form; `revision` counts applied deltas.
    `counters` remember the last number given per kind letter, so that an id is never reused.
    """

    goal: str = ""
    goal_status: str = "open"
    items: tuple[Item, ...] = ()
    next: str = ""
    next_evidence: tuple[Evidence, ...] = ()
    index: tuple[IndexEntry, ...] = ()
    mentions: tuple[Mention, ...] = ()
    counters: tuple[tuple[str, int], ...] = ()
    revision: int = 0
    version: int = RECORD_VERSION

    def get(self, item_id: str) -> Item | None:
        """The item with this id, or None."""
        return next((item for item in self.items if item.id == item_id), None)

    def of_kind(self, kind: str) -> tuple[Item, ...]:
        """The items of one kind, in order."""
        return tuple(item for item in self.items if item.kind == kind)

    def live(self) -> tuple[Item, ...]:
        """The items that still hold."""
        return tuple(item for item in self.items if item.live)
