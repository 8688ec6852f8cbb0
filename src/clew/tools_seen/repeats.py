"""Calls that were made again: how many, how many on the same version, how many for no reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.tools_seen.seen import Action, CallSeen, Outcome

REPEATABLE = frozenset({Action.READ, Action.SEARCH, Action.RUN})
CHANGING = frozenset({Action.WRITE, Action.EFFECT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """`raw`: the same call as an earlier one. `same_version`: and it brought back the same.

    `unexplained`: and nothing in between made checking necessary, neither a write, an effect or a
    command that may have changed something, nor that the earlier call had failed.
    """

    raw: int = 0
    same_version: int = 0
    unexplained: int = 0


@dataclass(slots=True)
class _Earlier:
    version: str
    outcome: Outcome
    changes: int


def count_repeats(calls: Iterable[CallSeen]) -> Repeats:
    """Count the repeats among the calls of a session, in order."""
    seen: dict[tuple[str, ...], _Earlier] = {}
    raw = same = unexplained = changes = 0
    for call in calls:
        key = _purpose(call)
        if call.action in CHANGING:
            changes += 1
        if call.action not in REPEATABLE or not any(key[1:]):
            continue
        earlier = seen.get(key)
        if earlier is not None:
            raw += 1
            if call.version and call.version == earlier.version:
                same += 1
                unexplained += earlier.changes == changes and earlier.outcome is not Outcome.FAILED
        seen[key] = _Earlier(call.version, call.outcome, changes)
    return Repeats(raw=raw, same_version=same, unexplained=unexplained)


def _purpose(call: CallSeen) -> tuple[str, ...]:
    """What makes two calls the same: what is done to what, and why."""
    return (call.action, call.resource, *call.resources, call.command, call.purpose)
