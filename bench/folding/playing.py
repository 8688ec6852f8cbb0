"""Plays one list of messages through a session and keeps the books of every compaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import clew
from clew.record.items import Item
from clew.record.lineage import Fate

RECORD_TOKENS = 900
FLOOR_WORDS = "protected items alone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Folding:
    """One compaction: the record after it, what is in view, and whether the books balance."""

    number: int
    items: dict[str, Item]
    visible: frozenset[str]
    missing: tuple[str, ...]
    record_tokens: int
    over_target: bool
    warned: bool


@dataclass(slots=True)
class Run:
    """All compactions of one session, and for every item the compaction that earned it."""

    foldings: list[Folding] = field(default_factory=list)
    earned: dict[str, int] = field(default_factory=dict)
    floor_reached: str = ""


def play(messages: Sequence[Any], window: int, *, every: int = 8, most: int = 20) -> Run:
    """Prepare growing prefixes until `most` compactions were made or the list ends.

    `every` is how many messages come between two calls; a call that would split an exchange is
    left to the session, which then holds.
    """
    budget = clew.Budget(
        window, prefix_tokens=0, tail_tokens=window // 6, record_tokens=RECORD_TOKENS
    )
    session = clew.Session(policy=clew.Policy(budget))
    run = Run()
    before: dict[str, Item] = {}
    for upto in range(every, len(messages) + every, every):
        try:
            context = session.prepare(list(messages[:upto]))
        except clew.FloorExceededError as error:
            run.floor_reached = str(error)
            break
        if not isinstance(context.outcome, clew.Compacted):
            continue
        folding = _folding(len(run.foldings) + 1, session, context, before)
        run.foldings.append(folding)
        before = folding.items
        for name in folding.items:
            run.earned.setdefault(name, folding.number)
        if len(run.foldings) >= most:
            break
    session.close()
    return run


def _folding(
    number: int, session: clew.Session, context: clew.Context, before: dict[str, Item]
) -> Folding:
    items = {item.id: item for item in session.record.items}
    books = context.report.lineage
    accounted = {fate.id for fate in books.fates} | set(books.added) if books is not None else set()
    fates = books.fates if books is not None else ()
    left = {fate.id for fate in fates if fate.fate is Fate.EXTERNALISED and fate.handle}
    # Whatever was there before has a fate, and whatever is new was added or noted. What was settled
    # long ago may leave the record, when the books name the handle that it stands behind.
    missing = [name for name in before if name not in accounted or name not in {*items, *left}]
    missing += [name for name in items if name not in before and name not in accounted]
    return Folding(
        number=number,
        items=items,
        visible=frozenset(n for n, item in items.items() if item.live and not item.externalised),
        missing=tuple(missing),
        record_tokens=context.report.record_tokens,
        over_target=context.report.record_tokens > RECORD_TOKENS,
        warned=any(FLOOR_WORDS in warning for warning in context.report.warnings),
    )


def survival(run: Run, number: int) -> dict[str, dict[str, int]]:
    """By kind, what became of the items that earlier compactions earned, after the n-th.

    `earned` counts those of compactions before it (of the first one when it is the first),
    `visible` stand in the record, `behind` are live behind a handle, `settled` were closed or
    superseded.
    """
    folding = run.foldings[number - 1]
    rows: dict[str, dict[str, int]] = {}
    for name, earned_at in run.earned.items():
        if earned_at > max(1, number - 1):
            continue
        item = folding.items.get(name)
        known = (f.items[name] for f in reversed(run.foldings[:number]) if name in f.items)
        kind = next(known).kind
        row = rows.setdefault(kind, {"earned": 0, "visible": 0, "behind": 0, "settled": 0})
        row["earned"] += 1
        if item is None:
            row["settled"] += 1  # and has left the record
            continue
        place = "visible" if name in folding.visible else "behind" if item.live else "settled"
        row[place] += 1
    return rows
