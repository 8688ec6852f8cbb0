"""What left the view for want of room: it still holds, and says so wherever it is read."""

from __future__ import annotations

from dataclasses import replace

from clew.record.items import Item, Status

SET_ASIDE = "set aside"
"""How the reason begins for which an item left the view though nothing settled it, and the status
that a document gives for it."""


def is_set_aside(item: Item) -> bool:
    """Whether an item is closed for want of room alone."""
    return item.status is Status.CLOSED and item.reason.startswith(SET_ASIDE)


def written_status(item: Item) -> str:
    """The status of an item as a document gives it."""
    return SET_ASIDE if is_set_aside(item) else item.status.value


def with_written_status(item: Item, word: str) -> Item:
    """The item with a status that a document gives; ValueError where there is no such status."""
    if word != SET_ASIDE:
        return replace(item, status=Status(word))
    return replace(item, status=Status.CLOSED, reason=item.reason or SET_ASIDE)


def reason_left(item: Item) -> str:
    """The reason of an item without what its status says already."""
    return item.reason.removeprefix(SET_ASIDE).lstrip(": ") if is_set_aside(item) else item.reason
