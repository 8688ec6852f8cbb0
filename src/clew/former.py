"""What was given out for messages whose repair has become another since.

A chain value is one of what goes out, with our own sentence where a result was missing. When the
result comes late that sentence goes away, and no value behind it is the same: the state of before
is not found any more, though every message of the caller's is still there. It is found by what
was given, and its handles stay in reach from the state that took its place.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from clew.history import History
from clew.ports import Checkpoint, FoundCheckpoint
from clew.turn import Effect, Find, Former, Trace, Turn

REMOVED = "removed"
"""Kind of the spans of messages that a repair took out."""


def given_alias(key: str) -> str:
    """The key under which a checkpoint is found by what was given, before any repair."""
    return f"given:{key}"


def aliases_of(turn: Turn) -> tuple[str, ...]:
    """The further alias of a checkpoint that is made for a list with repairs."""
    return (given_alias(turn.given_keys[-1]),) if turn.given_keys else ()


def carried(checkpoint: Checkpoint | None) -> dict[str, Any]:
    """The facts that every checkpoint takes over from the one before: what stays in reach.

    `removed` are digests of the messages that repairs took out, `former` the ids of the states
    that this one took the place of.
    """
    if checkpoint is None:
        return {"removed": []}
    former = former_of(checkpoint)
    removed = {"removed": list(checkpoint.facts.get("removed", ()))}
    return {**removed, "former": list(former)} if former else removed


def former_of(checkpoint: Checkpoint | None) -> tuple[str, ...]:
    """Ids of the states that a checkpoint took the place of; their handles stay in reach."""
    return tuple(checkpoint.facts.get("former", ())) if checkpoint is not None else ()


def with_former(turn: Turn, history: History) -> Generator[Effect, Any, Turn]:
    """The turn with what was given out before, where the state in force does not lead to it."""
    now = history.checkpoint_id
    if turn.in_force == now or history.doubt:
        return turn
    keys = _keys(turn)
    found: FoundCheckpoint | None = yield Find(session_id=turn.session_id, keys=keys)
    if found is None or found.checkpoint.checkpoint_id == now:
        return turn
    if found.rivals and keys[found.index] in turn.given_keys:
        return turn  # sent in several histories alike: no one is taken for another
    if now:
        line: Sequence[Checkpoint] = yield Trace(checkpoint_id=now)
        if any(each.checkpoint_id == found.checkpoint.checkpoint_id for each in line):
            return turn
    gone: Sequence[Checkpoint] = yield Trace(checkpoint_id=found.checkpoint.checkpoint_id)
    return replace(turn, former=_given_out(gone))


def _keys(turn: Turn) -> list[str]:
    """What an earlier state may be found by that those of what goes out now do not lead to."""
    judged = set(turn.keys)
    keys: list[str] = []
    for key in turn.given_keys or turn.keys:
        if key not in judged:
            keys.append(key)
        keys.append(given_alias(key))
    return keys


def _given_out(line: Sequence[Checkpoint]) -> Former:
    """What the handles of a line of checkpoints, newest first, stand for."""
    removed = {span.handle: span for each in line for span in each.spans if span.kind == REMOVED}
    more = any(each.absorbed_count or each.stubs for each in line)
    ids = (line[0].checkpoint_id,) if more else ()
    return Former(checkpoints=(*ids, *former_of(line[0])), removed=tuple(removed.values()))


def missing(turn: Turn, checkpoint: Checkpoint | None) -> Former:
    """What of that is not in reach from a checkpoint yet."""
    facts: Mapping[str, Any] = checkpoint.facts if checkpoint is not None else {}
    there, former = set(facts.get("removed", ())), set(facts.get("former", ()))
    return Former(
        checkpoints=tuple(each for each in turn.former.checkpoints if each not in former),
        removed=tuple(span for span in turn.former.removed if not there.issuperset(span.digests)),
    )
