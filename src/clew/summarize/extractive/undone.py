"""Choices of a change that was taken back: they stay in the books as tried and taken back.

Who undoes a commit undoes what was chosen for it. What was found before the change still holds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from clew.record.items import Item, Speaker, Status
from clew.summarize.extractive.claims import Claim, settled
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.taken_back import AMENDED, BEFORE_IT, RESET, REVERTED, UNDONE
from clew.tools_seen.seen import Action, Outcome

_COMMIT = "git commit"
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})


def with_changes_undone(claims: Sequence[Claim], readings: Sequence[Reading]) -> list[Claim]:
    """The claims, the choices of changes that were taken back settled."""
    commits = [each.item for each in claims if _takes_in(each.item)]
    if not any(map(_is_taken_back, commits)):
        return [*claims]
    over = _changes_of(commits, readings)
    return [
        settled(each, Status.CLOSED, back.reason, back.evidence[-1])
        if _is_choice(each.item) and (back := over.get(each.position)) is not None
        else each
        for each in claims
    ]


def _takes_in(item: Item) -> bool:
    """Whether an effect is a commit that holds what was changed before it.

    One that was amended handed its changes on; a revert or a pick holds those of other commits.
    """
    made = item.kind == "effect" and item.field("action") == _COMMIT
    return made and not item.reason.startswith(AMENDED)


def _is_taken_back(item: Item) -> bool:
    back = item.status is Status.CLOSED
    return back and item.reason.startswith((UNDONE, REVERTED, RESET, BEFORE_IT))


def _is_choice(item: Item) -> bool:
    return item.kind == "decision" and item.said_by is Speaker.AGENT and item.live


def _changes_of(commits: Sequence[Item], readings: Sequence[Reading]) -> Mapping[int, Item]:
    """The commits that are gone by the positions of the changes that each of them took in.

    A change went into the first commit behind it: what a commit that stands holds is not undone
    with a later one.
    """
    ordered = sorted(commits, key=_first_seen)
    places = [commit.first_seen for commit in ordered]
    made: dict[int, Item] = {}
    for reading in filter(_changes, readings):
        place = bisect_left(places, reading.position)
        if place < len(ordered) and _is_taken_back(ordered[place]):
            made[reading.position] = ordered[place]
    return made


def _first_seen(item: Item) -> int:
    return item.first_seen


def _changes(reading: Reading) -> bool:
    return any(
        call.action is Action.WRITE and call.outcome not in _NOT_DONE for call in reading.calls
    )
