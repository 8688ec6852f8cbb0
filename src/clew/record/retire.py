"""Settled items that leave the record: they stay in the archive, behind their handles."""

from __future__ import annotations

from dataclasses import replace

from clew.record.items import Item, Speaker
from clew.record.record import HandoffRecord

MOST_SETTLED = 120
"""Settled items a record carries along: forty times what a context shows of a kind, and a bound to
what each compaction of a run of days writes."""


def retired(record: HandoffRecord, before: HandoffRecord) -> tuple[HandoffRecord, tuple[str, ...]]:
    """The record without the settled items that were used longest ago, and their ids.

    Only what was settled already in the record `before` leaves, so that the books have said what
    became of it; never what a person said, nor what an item that stays was superseded by.
    """
    settled = [item for item in record.items if not item.live]
    spare = len(settled) - MOST_SETTLED
    if spare <= 0:
        return record, ()
    settled.sort(key=_age)
    was = {item.id: item for item in before.items}
    old = [item for item in settled if _may_leave(item, was.get(item.id))]
    going = {item.id for item in old[:spare]}
    stays = [item for item in record.items if item.id not in going]
    while stays:
        wanted = {item.superseded_by for item in stays} & going
        going -= wanted
        stays = [item for item in old if item.id in wanted]
    left = tuple(item for item in record.items if item.id not in going)
    return replace(record, items=left), tuple(i.id for i in record.items if i.id in going)


def _age(item: Item) -> tuple[int, int, str]:
    return (item.last_used, item.first_seen, item.id)


def _may_leave(item: Item, was: Item | None) -> bool:
    return was is not None and not was.live and item.said_by is not Speaker.USER
