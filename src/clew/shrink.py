"""Taking single parts out: which leaves, what stands in their place, and the checkpoint for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from clew.cuts import goal_index
from clew.errors import FloorExceededError
from clew.evict.stubs import Leaf, leaf_handle, leaves, stub_text
from clew.former import carried
from clew.history import History, advance, key_count_from, stubs_by_position
from clew.ports import ArchivedMessage, Checkpoint, CheckpointKind, Span, Stub
from clew.record.serde import dump_record
from clew.render import Insertions, Rendered, render
from clew.searchable import evicted_spans
from clew.transcript import (
    Message,
    Path,
    ReasoningPart,
    digest_of,
    digest_of_text,
)
from clew.turn import Commit, Turn, written_out

_NOTE_TOKENS = 48
"""About what the note inside a stub takes; excerpts are planned with it."""


def archived(
    messages: Iterable[Message], written: Callable[[Message], ArchivedMessage] = written_out
) -> tuple[ArchivedMessage, ...]:
    """Messages as the archive keeps them, each once."""
    return tuple(map(written, {m.digest: m for m in messages}.values()))


def cut_goal(turn: Turn, history: History, handles: Sequence[str]) -> tuple[str, ...]:
    """What to say where these handles took bulk out of the message that holds the goal."""
    at = goal_index(history.body, turn.is_person) if handles else None
    if at is None:
        return ()
    place = history.positions[at]
    taken = [s.handle for s in history.stubs if s.position == place and s.handle in handles]
    if not taken:
        return ()
    return (
        (
            f"the message with the goal alone is larger than a quarter of the budget: its bulk is "
            f"behind {', '.join(taken)}, and what is left of it is the goal from now on"
        ),
    )


def make_stubs(
    turn: Turn, history: History, chosen: Sequence[tuple[int, Leaf, int]]
) -> tuple[Stub, ...]:
    """Stubs for (body index, leaf, allowance in tokens), with the digest each message gets.

    What a message had already is among them: its digest changes with every further stub.
    """
    by_index: dict[int, dict[Path, Stub]] = {}
    known = stubs_by_position(history.stubs)
    for index, leaf, allowance in chosen:
        position = history.positions[index]
        handle = leaf_handle(history.numbered_after + position, leaf.number)
        text = stub_text(leaf, handle, turn.meter.counter, allowance, recall_tool=turn.recall_tool)
        in_place = by_index.setdefault(index, dict(known.get(position, {})))
        in_place[leaf.path] = Stub(
            handle=handle,
            position=position,
            digest=history.body[index].digest,
            path=leaf.path,
            text=text,
        )
    made: list[Stub] = []
    for index, in_place in by_index.items():
        edited = turn.shown.one(history.body[index], in_place)
        made.extend(replace(stub, digest_after=edited.digest) for stub in in_place.values())
    return tuple(made)


def with_stubs(turn: Turn, history: History, stubs: Sequence[Stub]) -> History:
    """The history with further stubs in force, measured anew (not committed).

    A stub for a place that has one already replaces it.
    """
    base = history.checkpoint or _empty_checkpoint(turn, history)
    places = {(stub.position, stub.path) for stub in stubs}
    kept = tuple(s for s in base.stubs if (s.position, s.path) not in places)
    checkpoint = replace(base, stubs=(*kept, *stubs))
    return measured(turn, advance(history, checkpoint, history.record))


def measured(turn: Turn, history: History) -> History:
    """The history with the sizes of its messages as they go out."""
    return replace(history, sizes=turn.meter.count(turn.shown.of(history)))


def _empty_checkpoint(turn: Turn, history: History) -> Checkpoint:
    return Checkpoint(
        checkpoint_id="",
        session_id=turn.session_id,
        kind=CheckpointKind.EVICT,
        format=history.format,
        key="",
        key_count=0,
        absorbed_count=0,
        record_json=dump_record(history.record),
        policy_digest=turn.policy_digest,
        depth=0,
        facts={"absorbed_key": history.absorbed_key},
    )


def evict_commit(
    turn: Turn, before: History, after: History, insertions: Insertions, tokens: tuple[int, int]
) -> Commit:
    """The commit for stubs that are in force in `after` and not yet in `before`.

    The key stands behind the last stubbed message, so that a rewind to before it forgets the stub.
    """
    known = set(before.stubs)
    new = [stub for stub in after.stubs if stub not in known]
    count = max(before.absorbed_count, max(s.position for s in new) + 1)
    stubbed = {s.digest for s in new}
    spans = evicted_spans(turn, before, new)
    return Commit(
        checkpoint=evicted(turn, before, after, insertions, count, spans),
        messages=archived((m for m in before.body if m.digest in stubbed), turn.written),
    )


def evicted(
    turn: Turn,
    before: History,
    after: History,
    insertions: Insertions,
    count: int,
    spans: tuple[Span, ...] = (),
) -> Checkpoint:
    """The checkpoint for the state of `after`, found again by at least `count` messages.

    `spans` are what a search finds with it.
    """
    count = key_count_from(before, count)
    rendered = render(after, insertions, turn.codec, turn.shown)
    prefix = _rendered_upto(rendered, count)
    base = after.checkpoint or _empty_checkpoint(turn, after)
    parent = before.checkpoint
    checkpoint = replace(
        base,
        kind=CheckpointKind.EVICT,
        key=before.key_at(count),
        key_count=count,
        aliases=rendered.aliases(after.stubs, prefix),
        layout=tuple(rendered.layout[:prefix]),
        parent=parent.checkpoint_id if parent is not None else None,
        depth=(parent.depth if parent is not None else 0) + 1,
        spans=spans,
        lineage_json="",
        tokens_before=0,
        tokens_after=parent.tokens_after if parent is not None else 0,
        policy_digest=turn.policy_digest,
        digests_before=tuple(m.digest for m in before.body),
        digests_after=tuple(m.digest for m in rendered.messages),
        facts={
            "absorbed_key": before.absorbed_key,
            **carried(before.checkpoint),
            "shown": shown_key(insertions),
        },
    )
    return replace(checkpoint, checkpoint_id=checkpoint_id(checkpoint))


def removed_before(history: History) -> list[str]:
    """Digests of the messages that repairs took out and that are in the archive."""
    checkpoint = history.checkpoint
    return list(checkpoint.facts.get("removed", ())) if checkpoint is not None else []


def shown_key(insertions: Insertions) -> str:
    """What of the insertions may change between two checkpoints; empty when there is nothing."""
    if not insertions.goal and not insertions.pins:
        return ""
    return digest_of([insertions.goal, list(insertions.pins)])


def _rendered_upto(rendered: Rendered, count: int) -> int:
    """How many rendered messages stand for the first `count` of the logical history."""
    upto = rendered.prefix_count
    while upto < len(rendered.layout) and rendered.layout[upto] < count:
        upto += 1
    return upto


def checkpoint_id(checkpoint: Checkpoint) -> str:
    """Content address of a checkpoint: the same work gives the same id."""
    return digest_of(
        {
            "session": checkpoint.session_id,
            "kind": checkpoint.kind,
            "key": checkpoint.key,
            "parent": checkpoint.parent,
            "policy": checkpoint.policy_digest,
            "kept": list(checkpoint.kept),
            "record": digest_of_text(checkpoint.record_json),
            "message": checkpoint.record_message,
            "stubs": [[s.handle, s.digest, s.text] for s in checkpoint.stubs],
            "spans": [s.handle for s in checkpoint.spans],
            "shown": checkpoint.facts.get("shown", ""),
        }
    )


def squeeze(turn: Turn, history: History, target_tokens: int, used_tokens: int) -> History:
    """Shorten the largest leaves until the history is at most `target_tokens` large, if it can be.

    Both sizes are counted tokens. Neither the goal nor pins nor messages with sealed reasoning are
    touched; the newest message a person typed is shortened last.
    """
    over = used_tokens - target_tokens
    least = turn.policy.eviction.stub_tokens
    chosen: list[tuple[int, Leaf, int]] = []
    for tokens, index, leaf in _candidates(turn, history, least):
        if over <= 0:
            break
        allowance = max(least, tokens - over - _NOTE_TOKENS)
        chosen.append((index, leaf, allowance))
        over -= tokens - allowance - _NOTE_TOKENS
    if not chosen:
        return history
    return with_stubs(turn, history, make_stubs(turn, history, chosen))


def _candidates(turn: Turn, history: History, least: int) -> list[tuple[int, int, Leaf]]:
    stubbed = stubs_by_position(history.stubs)
    goal_at = goal_index(history.body, turn.is_person)
    found: list[tuple[bool, int, int, Leaf]] = []
    newest = max((i for i, m in enumerate(history.body) if turn.is_person(m)), default=-1)
    for index, message in enumerate(history.body):
        if index == goal_at or message.digest in turn.pinned_digests:
            continue
        if history.sizes[index] <= 2 * least or history.positions[index] in stubbed:
            continue
        if any(isinstance(p, ReasoningPart) and p.sealed for p in message.parts):
            continue
        for leaf in leaves(message):
            tokens = 0 if leaf.is_media else turn.meter.counter.count_text(leaf.text)
            if tokens > 2 * least:
                found.append((index == newest, -tokens, index, leaf))
    found.sort(key=lambda row: (row[0], row[1], row[2], row[3].number))
    return [(-negative, index, leaf) for _, negative, index, leaf in found]


def floor_error(
    turn: Turn, history: History, insertions: Insertions, used_tokens: int
) -> FloorExceededError:
    """What holds the floor up, by part, in tokens."""
    count = turn.meter.counter.count_text
    head = sum(history.sizes[: history.head_count])
    younger = [
        size
        for size, position in zip(history.sizes, history.positions, strict=True)
        if position >= history.absorbed_count
    ]
    kept = sum(history.sizes) - head - sum(younger)
    parts = (
        ("goal", turn.scaled(count(insertions.goal))),
        ("head", turn.scaled(head)),
        ("kept messages", turn.scaled(max(0, kept))),
        ("pins", turn.scaled(sum(count(p) for p in insertions.pins))),
        ("record", turn.scaled(count(insertions.record) if insertions.record else 0)),
        ("tail", turn.scaled(sum(younger))),
        ("system and tools", turn.budget.prefix_tokens),
    )
    return FloorExceededError(
        floor_tokens=used_tokens,
        limit_tokens=turn.budget.transcript_budget_tokens,
        parts=tuple(part for part in parts if part[1] > 0),
    )
