"""From the messages of a call to the history in force: found by content, adopted, restored.

The chain of a caller that keeps its contexts no longer matches once something early in them was
changed. The record and every part with a stub are still known by their own digests; a state that
was recognised by them is written down anew for the changed list, and nothing in it is lost.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clew.alike import UNCLEAR, told_apart
from clew.former import carried
from clew.history import History, absorbed_key, advance, origin_of, record_of
from clew.ports import Checkpoint, CheckpointKind, FoundCheckpoint, Stub
from clew.record.record import HandoffRecord
from clew.record.serde import dump_record
from clew.render import INSERTED, shown_alias
from clew.shrink import checkpoint_id, measured
from clew.transcript import ROOT, Message, Role, digest_of, link
from clew.turn import Commit, Effect, Fetch, Find, Turn


def history_of(turn: Turn) -> Generator[Effect, Any, History]:
    """The history of this call, with the state that its messages lead to."""
    given: FoundCheckpoint | None = yield Find(session_id=turn.session_id, keys=turn.keys)
    found = given and _told_apart(turn, given, given.index)
    if found is not None and found.by_alias and 0 < len(found.checkpoint.layout) <= found.index:
        # Found by the whole of what went out; its layout speaks of the prefix.
        found = replace(found, index=len(found.checkpoint.layout) - 1)
    found = yield from _adopted(turn, found)
    doubt = UNCLEAR if given is not None and found is None else ""
    wanted = turn.wanted(found)
    originals = (yield Fetch(digests=wanted)) if wanted else {}
    history = turn.resume(found, originals)
    if found is not None and found.by_alias:
        history = yield from _caught_up(turn, history, found.checkpoint)
    if found is None:
        return replace(history, doubt=doubt)
    ids = (found.checkpoint.checkpoint_id, origin_of(found.checkpoint))
    return replace(history, passed=(*ids, *history.passed))


def _told_apart(turn: Turn, found: FoundCheckpoint, at: int) -> FoundCheckpoint | None:
    return told_apart(found, [message.digest for message in turn.messages], at, turn.known)


def _caught_up(
    turn: Turn, history: History, checkpoint: Checkpoint
) -> Generator[Effect, Any, History]:
    """Go on to a later checkpoint of the same history, made for a call whose answer was lost.

    A context that is sent again leads to the state before it; what it stands for leads further.
    """
    keys = [history.absorbed_key, *history.chain]
    later: FoundCheckpoint | None = yield Find(session_id=turn.session_id, keys=keys)
    if later is None or later.by_alias or later.checkpoint.depth <= checkpoint.depth:
        return history
    newer = later.checkpoint
    here = set(history.positions)
    if newer.absorbed_count < history.absorbed_count or not here.issuperset(newer.kept):
        return history
    return measured(turn, advance(history, newer, record_of(newer)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """Where the first messages of the call stand; `kept` of them stand before the record."""

    positions: tuple[int, ...]
    kept: int

    @property
    def last(self) -> int:
        """Index of the last message that is placed."""
        return len(self.positions) - 1


def _adopted(
    turn: Turn, found: FoundCheckpoint | None
) -> Generator[Effect, Any, FoundCheckpoint | None]:
    unknown = _unaccounted(turn, found)
    if not unknown:
        return found
    keys = [shown_alias(turn.messages[index].digest) for index in unknown]
    known: FoundCheckpoint | None = yield Find(session_id=turn.session_id, keys=keys)
    if known is None:
        return found
    at = unknown[known.index]
    if turn.messages[at].digest not in _inserted_digests(turn):
        known = _told_apart(turn, known, at)
        if known is None:
            return found
    origin = known.checkpoint
    draft = _with_record(turn, origin, unknown) or _with_stubs(turn, found, origin, unknown)
    if draft is None:
        return found
    layout, checkpoint = draft
    committed: Checkpoint = yield Commit(checkpoint=checkpoint, messages=())
    return FoundCheckpoint(checkpoint=committed, index=layout.last, by_alias=True)


def _unaccounted(turn: Turn, found: FoundCheckpoint | None) -> list[int]:
    """Indices of messages that look like Clew's own and are not part of the state found."""
    start = found.index + 1 if found is not None else 0
    inserted = _inserted_digests(turn)
    accounted = {s.digest_after for s in found.checkpoint.stubs} if found is not None else set()
    return [
        index
        for index in turn.own(start, inserted)
        if turn.messages[index].digest in inserted or turn.messages[index].digest not in accounted
    ]


def _with_record(
    turn: Turn, origin: Checkpoint, unknown: Sequence[int]
) -> tuple[_Layout, Checkpoint] | None:
    """The state of `origin` for a list in which its record stands behind other messages."""
    digest = _text_digest(turn, origin.record_message)
    at = next((i for i in reversed(unknown) if turn.messages[i].digest == digest), None)
    if at is None:
        return None
    ours = _inserted_digests(turn)
    positions: list[int] = []
    kept = 0
    for message in turn.messages[:at]:
        positions.append(INSERTED if message.digest in ours else kept)
        kept += message.digest not in ours
    if kept > origin.absorbed_count:
        return None
    last = max([at, *(i for i in unknown if _stubs_for(origin, turn.messages[i]))])
    younger = range(origin.absorbed_count, origin.absorbed_count + last - at)
    layout = _Layout(positions=(*positions, INSERTED, *younger), kept=kept)
    key = link(absorbed_key(origin), turn.keys[last])
    checkpoint = replace(
        origin,
        key=key,
        key_count=origin.absorbed_count,
        kept=tuple(range(kept)),
        head_count=kept,
        stubs=_placed(turn, origin, layout),
        facts={**carried(origin), "absorbed_key": key},
    )
    return layout, _finished(turn, checkpoint, origin, layout)


def _with_stubs(
    turn: Turn, found: FoundCheckpoint | None, origin: Checkpoint, unknown: Sequence[int]
) -> tuple[_Layout, Checkpoint] | None:
    """The state found, with the stubs of `origin` for messages that stand behind it."""
    base = found.checkpoint if found is not None else None
    absorbed = base.absorbed_count if base is not None else 0
    if found is not None and absorbed and not found.by_alias:
        return None
    ours = _inserted_digests(turn)
    last = max(
        (
            i
            for i in unknown
            if turn.messages[i].digest in ours or _stubs_for(origin, turn.messages[i])
        ),
        default=None,
    )
    if last is None:
        return None
    layout, count = _layout_behind(turn, found, absorbed, last)
    checkpoint = replace(
        base or _unabsorbed(origin),
        key=digest_of(["adopted", turn.keys[last]]),
        key_count=count,
        stubs=(*(base.stubs if base is not None else ()), *_placed(turn, origin, layout)),
        facts={
            **carried(origin),
            "shown": base.facts.get("shown", "") if base is not None else "",
            "absorbed_key": absorbed_key(base) if base is not None else ROOT,
        },
    )
    return layout, _finished(turn, checkpoint, origin, layout)


def _layout_behind(
    turn: Turn, found: FoundCheckpoint | None, absorbed: int, last: int
) -> tuple[_Layout, int]:
    """The places of all messages up to `last`, and how many the history has up to there."""
    if found is not None and found.by_alias:
        positions = list(found.checkpoint.layout[: found.index + 1])
    else:
        positions = list(range(found.index + 1)) if found is not None else []
    ours = _inserted_digests(turn)
    count = absorbed + sum(position >= absorbed for position in positions)
    for message in turn.messages[len(positions) : last + 1]:
        positions.append(INSERTED if message.digest in ours else count)
        count += message.digest not in ours
    return _Layout(positions=tuple(positions), kept=0), count


def _unabsorbed(origin: Checkpoint) -> Checkpoint:
    """A checkpoint of the same session that stands for nothing yet."""
    return replace(
        origin,
        absorbed_count=0,
        kept=(),
        head_count=0,
        record_json=dump_record(HandoffRecord()),
        record_message="",
        notes_applied=0,
        stubs=(),
    )


def _inserted_digests(turn: Turn) -> set[str]:
    """Digests of the messages that a goal and pins stand in."""
    pinned = (text for _, text in turn.message_pins)
    return {_text_digest(turn, text) for text in (turn.goal, *turn.pins, *pinned) if text}


def _stubs_for(origin: Checkpoint, message: Message) -> tuple[Stub, ...]:
    return tuple(stub for stub in origin.stubs if stub.digest_after == message.digest)


def _placed(turn: Turn, origin: Checkpoint, layout: _Layout) -> tuple[Stub, ...]:
    """The stubs of a checkpoint where their messages stand now."""
    return tuple(
        replace(stub, position=position)
        for message, position in zip(turn.messages, layout.positions, strict=False)
        if position != INSERTED
        for stub in _stubs_for(origin, message)
    )


def _finished(
    turn: Turn, checkpoint: Checkpoint, origin: Checkpoint, layout: _Layout
) -> Checkpoint:
    shown = [stub.digest_after for stub in checkpoint.stubs]
    shown.extend(_inserted_digests(turn))
    if checkpoint.record_message:
        shown.append(_text_digest(turn, checkpoint.record_message))
    finished = replace(
        checkpoint,
        kind=CheckpointKind.EVICT,
        session_id=turn.session_id,
        aliases=(turn.keys[layout.last], *(shown_alias(digest) for digest in sorted(set(shown)))),
        layout=layout.positions,
        parent=origin.checkpoint_id,
        depth=origin.depth + 1,
        policy_digest=turn.policy_digest,
        spans=(),
        lineage_json="",
        tokens_before=0,
        digests_before=(),
        digests_after=tuple(m.digest for m in turn.messages[: layout.last + 1]),
        facts={**checkpoint.facts, "read_anew": origin_of(origin)},
    )
    return replace(finished, checkpoint_id=checkpoint_id(finished))


def _text_digest(turn: Turn, text: str) -> str:
    return turn.codec.parse(turn.codec.text_message(Role.USER, text), -1).digest if text else ""
