"""Choices of a change that was taken back: they stay in the books as tried and taken back.

Who undoes a commit undoes what was chosen for it. What was found before the change still holds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from clew.record.items import Item, Speaker, Status
from clew.summarize.extractive.claims import Claim, settled
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.taken_back import BEFORE_IT, RESET, REVERTED, UNDONE
from clew.tools_seen.seen import Action, Outcome

_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})


def with_changes_undone(claims: Sequence[Claim], readings: Sequence[Reading]) -> list[Claim]:
    """The claims, the choices of changes that were taken back settled."""
    gone = [each.item for each in claims if _is_taken_back(each.item)]
    if not gone:
        return [*claims]
    over = _changes_of(gone, readings)
    return [
        settled(each, Status.CLOSED, back.reason, back.evidence[-1])
        if _is_choice(each.item) and (back := over.get(each.position)) is not None
        else each
        for each in claims
    ]


def _is_taken_back(item: Item) -> bool:
    back = item.kind == "effect" and item.status is Status.CLOSED
    return back and item.reason.startswith((UNDONE, REVERTED, RESET, BEFORE_IT))


def _is_choice(item: Item) -> bool:
    return item.kind == "decision" and item.said_by is Speaker.AGENT and item.live


def _changes_of(commits: Sequence[Item], readings: Sequence[Reading]) -> Mapping[int, Item]:
    """The commits that are gone by the position of the change each of them held."""
    changes = [reading.position for reading in readings if _changes(reading)]
    made: dict[int, Item] = {}
    for commit in commits:
        place = bisect_right(changes, commit.first_seen) - 1
        if place >= 0:
            made[changes[place]] = commit
    return made


def _changes(reading: Reading) -> bool:
    return any(
        call.action is Action.WRITE and call.outcome not in _NOT_DONE for call in reading.calls
    )
