"""What another state of the same conversation gave out, and how nothing is given out twice.

A chain value is one of what goes out, with our own sentence where a result was missing. When the
result comes late that sentence goes away, and no value behind it is the same: the state of before
is not found any more, though every message of the caller's is still there. It is found by what
was given, and its handles stay in reach from the state that took its place.

Handles are numbered by place, and in the list as it is now other messages may stand in a place.
So what is given out from here on has numbers behind all that the former state gave out. The same
holds where the caller changed an early message and kept later ones, in which old handles may be
named: they are unknown then, but never stand for something else.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from clew.history import History, numbered_after, record_of, with_counters
from clew.ports import Checkpoint, FoundCheckpoint, Span
from clew.searchable import CITED
from clew.transcript import Role
from clew.turn import Apart, Effect, Find, Former, Spans, Turn

REMOVED = "removed"
"""Kind of the spans of messages that a repair took out."""

_Line = tuple[Checkpoint, Sequence[Span]]
"""A checkpoint, and what it and all that led to it gave out."""

_CARRIED = ("numbered_after", "numbered_upto", "counters")


def given_alias(key: str) -> str:
    """The key under which a checkpoint is found by what was given, before any repair."""
    return f"given:{key}"


def newest_alias(digest: str) -> str:
    """The key under which a checkpoint is found by the newest message when it was made."""
    return f"newest:{digest}"


def aliases_of(turn: Turn) -> tuple[str, ...]:
    """The further aliases of a checkpoint: its newest message, and the list given for repair."""
    newest = tuple(newest_alias(message.digest) for message in turn.messages[-1:])
    return (*newest, given_alias(turn.given_keys[-1])) if turn.given_keys else newest


def carried(checkpoint: Checkpoint | None) -> dict[str, Any]:
    """The facts that every checkpoint takes over from the one before: what stays in reach.

    `removed` are digests of the messages that repairs took out, `former` the ids of the states
    that this one took the place of. Handles begin behind `numbered_after`, none given out so far
    is higher than `numbered_upto`, and entries begin behind `counters`.
    """
    if checkpoint is None:
        return {"removed": []}
    facts: dict[str, Any] = {"removed": list(checkpoint.facts.get("removed", ()))}
    if former := former_of(checkpoint):
        facts["former"] = list(former)
    return {**facts, **{n: checkpoint.facts[n] for n in _CARRIED if n in checkpoint.facts}}


def with_given_out(turn: Turn, history: History, checkpoint: Checkpoint) -> Checkpoint:
    """A checkpoint that is about to be committed, with what this call knows to be given out.

    All of it goes into the first one of a call: whoever is stopped behind that finds it again.
    """
    facts = dict(checkpoint.facts)
    earlier = missing(turn, checkpoint)
    former = (*former_of(checkpoint), *earlier.checkpoints)
    facts["cited"] = [
        each
        for each in (*_cited(history), *_named_now(checkpoint))
        if each[0] >= checkpoint.absorbed_count or each[0] in checkpoint.kept
    ]
    facts["removed"] = [*facts.get("removed", ()), *(d for s in earlier.removed for d in s.digests)]
    if checkpoint.absorbed_count or checkpoint.stubs:
        upto = history.numbered_after + history.count
        facts["numbered_upto"] = max(upto, int(facts.get("numbered_upto", 0)))
    if former:
        facts["former"] = list(former)
    if history.numbered_after:
        facts["numbered_after"] = history.numbered_after
        facts["counters"] = dict(history.record.counters)
    return replace(checkpoint, facts=facts, spans=(*checkpoint.spans, *earlier.removed))


def _named_now(checkpoint: Checkpoint) -> list[list[Any]]:
    return [[s.position, *s.digests] for s in checkpoint.spans if s.kind == CITED]


def _cited(history: History) -> list[list[Any]]:
    """The exchanges in the context that have been named by a handle and are as they were then."""
    checkpoint = history.checkpoint
    named = checkpoint.facts.get("cited", ()) if checkpoint is not None else ()
    if not named:
        return []
    now = {
        history.positions[exchange.first]: [history.body[i].digest for i in exchange.indices]
        for exchange in history.exchanges
    }
    return [[first, *digests] for first, *digests in named if now.get(first) == digests]


def former_of(checkpoint: Checkpoint | None) -> tuple[str, ...]:
    """Ids of the states that a checkpoint took the place of; their handles stay in reach."""
    return tuple(checkpoint.facts.get("former", ())) if checkpoint is not None else ()


def with_former(turn: Turn, history: History) -> Generator[Effect, Any, tuple[Turn, History]]:
    """The turn with what was given out before, where the state in force does not lead to it.

    The history gives out none of its numbers again. Where the last call of this session ended with
    the state in force, and no other one has committed anything since, only what came since is
    looked at.
    """
    checkpoint = history.checkpoint
    if checkpoint is not None and len(_cited(history)) < len(checkpoint.facts.get("cited", ())):
        history = _numbered_behind(history, (checkpoint,))
    moved = turn.in_force != history.checkpoint_id
    whole = moved or turn.overtaken
    # Another worker may have got the last list, too, at the same time.
    start = 0 if whole else max(0, turn.given_before - 1)
    gone = yield from _apart(turn, history, _keys(turn, start))
    lines: dict[str, _Line] = {}
    for each in gone:
        lines[each.checkpoint_id] = each, (yield Spans(checkpoint_id=each.checkpoint_id))
    # Who sends whole histories sent these very messages then; a context may be of several runs.
    unclear = bool(turn.own(0, ())) and _differ(lines.values())
    if not history.doubt and not unclear:
        turn = replace(turn, former=_given_out(lines.values()))
    others: tuple[Checkpoint, ...] = ()
    if moved or (turn.overtaken and _called_elsewhere(turn)):
        others = yield from _branched_off(turn, history)
    return turn, _numbered_behind(history, (*gone, *others))


def _called_elsewhere(turn: Turn) -> bool:
    """Whether the model has been called since for more than the context that was given here."""
    calls = 0
    start = turn.given_before - max(0, len(turn.given_keys) - len(turn.messages))
    for index in range(max(1, start), len(turn.messages)):
        made = turn.messages[index].role is Role.ASSISTANT
        calls += made and turn.messages[index - 1].role is not Role.ASSISTANT
    return calls > 1


def _branched_off(turn: Turn, history: History) -> Generator[Effect, Any, tuple[Checkpoint, ...]]:
    """Other states, where the one that was made behind the latest of these messages is another.

    Other runs of the same session may have sent one or the other of the messages, too.
    """
    newest = [newest_alias(message.digest) for message in turn.messages]
    found: FoundCheckpoint | None = None
    if newest:
        found = yield Find(session_id=turn.session_id, keys=newest)
    if found is None or found.checkpoint.checkpoint_id == history.checkpoint_id:
        return ()
    apart = yield from _apart(turn, history, [newest[found.index]])
    if found.checkpoint not in apart:
        return ()
    return (yield from _apart(turn, history, newest))


def _apart(
    turn: Turn, history: History, keys: Sequence[str]
) -> Generator[Effect, Any, tuple[Checkpoint, ...]]:
    """What these keys lead to and nobody gets to from the state in force."""
    if not keys:
        return ()
    now = (history.checkpoint_id,) if history.checkpoint is not None else ()
    lines = (*now, *former_of(history.checkpoint))
    found: tuple[Checkpoint, ...] = yield Apart(session_id=turn.session_id, keys=keys, lines=lines)
    theirs = [former for each in found for former in former_of(each)]
    if len(found) > 1 and theirs:
        found = yield Apart(session_id=turn.session_id, keys=keys, lines=(*lines, *theirs))
    return found


def _keys(turn: Turn, start: int) -> list[str]:
    """What an earlier state may be found by that those of what goes out now do not lead to."""
    judged = set(turn.keys) if turn.given_keys else frozenset(turn.keys[start:])
    keys: list[str] = []
    for key in (turn.given_keys or turn.keys)[start:]:
        if key not in judged:
            keys.append(key)
        keys.append(given_alias(key))
    return keys


def _differ(lines: Collection[_Line]) -> bool:
    """Whether a handle stands for one thing in one of these lines and for another in another.

    Contexts that were sent in several histories alike lead to all of them: then no one is taken
    for another.
    """
    if len(lines) < 2:
        return False
    given: dict[str, object] = {}
    for _, spans in lines:
        ours: dict[str, object] = {}
        for span in spans:
            if span.digests or span.kind != "span":
                ours.setdefault(span.handle, span.digests or (span.kind, span.position))
        if any(given.setdefault(handle, what) != what for handle, what in ours.items()):
            return True
    return False


def _given_out(lines: Iterable[_Line]) -> Former:
    """What the handles of these checkpoints and of those before them stand for."""
    former: dict[str, None] = {}
    removed: dict[str, Span] = {}
    for gone, spans in lines:
        removed.update((span.handle, span) for span in spans if span.kind == REMOVED)
        if gone.stubs or any(span.kind != REMOVED for span in spans):
            former[gone.checkpoint_id] = None
        former.update(dict.fromkeys(former_of(gone)))
    return Former(checkpoints=tuple(former), removed=tuple(removed.values()))


def _numbered_behind(history: History, others: Iterable[Checkpoint]) -> History:
    """The history, which gives out no number that these checkpoints gave out."""
    others = tuple(others)
    record = history.record
    for each in others:
        record = with_counters(record, dict(record_of(each).counters))
    highest = max((numbered_upto(each) for each in others), default=0)
    if highest > history.numbered_after and history.checkpoint is not None:
        # A message that has a number already may get another one now: behind its own line, too.
        highest = max(highest, numbered_upto(history.checkpoint))
    after = max(highest, history.numbered_after)
    return replace(history, numbered_after=after, record=record)


def numbered_upto(checkpoint: Checkpoint) -> int:
    """The highest number that can have been given out up to a checkpoint."""
    after = numbered_after(checkpoint)
    known = checkpoint.facts.get("numbered_upto")
    if known is not None or not (checkpoint.absorbed_count or checkpoint.stubs):
        return max(after, int(known or 0))
    # One that was made before this was written down: no message of its call was further behind.
    most = checkpoint.absorbed_count + len(checkpoint.digests_before)
    return after + max(most, checkpoint.key_count)


def missing(turn: Turn, checkpoint: Checkpoint | None) -> Former:
    """What of that is not in reach from a checkpoint yet."""
    facts: Mapping[str, Any] = checkpoint.facts if checkpoint is not None else {}
    there, former = set(facts.get("removed", ())), set(facts.get("former", ()))
    return Former(
        checkpoints=tuple(each for each in turn.former.checkpoints if each not in former),
        removed=tuple(span for span in turn.former.removed if not there.issuperset(span.digests)),
    )
