"""Which of several checkpoints a context belongs to whose beginning was sent for all of them.

Records and stubs of different histories may read alike, and those of one history at different
times: then it is what stands behind them that tells. Where that tells nothing either, no history
is taken for another.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from clew.history import absorbed_key
from clew.ports import Checkpoint, FoundCheckpoint

UNCLEAR = (
    "this context was sent in several histories of this session, and nothing behind its record "
    "tells which: it begins a new branch, so what its handles stand for is not in reach; send the "
    "whole history, or more of the context, or give each run a session_id of its own"
)


_FEWEST_ALIKE = 2
"""One message that two histories share, a call say, tells neither from the other."""


def told_apart(
    found: FoundCheckpoint | None, digests: Sequence[str], at: int, known: Set[str]
) -> FoundCheckpoint | None:
    """What was found, or the other checkpoint that the messages belong to; None when unclear.

    `digests` are those of the messages of the call, `at` is the index of the one that was found,
    `known` are the ids of the checkpoints that this session has had in force.
    """
    if found is None or not (found.rivals or found.earlier):
        return found
    line = (found.checkpoint, *found.earlier)
    scores = {c.checkpoint_id: _agreement(c, digests, at) for c in (*line, *found.rivals)}
    rivals = found.rivals
    if not max(scores.values())[0]:
        line, rivals = _known_first(line, rivals, known)
        if line and rivals:
            for mine, theirs in ((line, rivals), (rivals, line)):
                scores |= {
                    c.checkpoint_id: (False, 0)
                    for c in mine
                    if _is_weak(digests[at + 1 :], scores[c.checkpoint_id][1], theirs)
                }
    best = max(scores[c.checkpoint_id] for c in (*line, *rivals))
    tied = [c for c in line if scores[c.checkpoint_id] == best]
    others = [c for c in rivals if scores[c.checkpoint_id] == best]
    others = [c for c in others if not any(_same(c, each) for each in tied)]
    chosen = _only(tied, others, known)
    if chosen is None:
        return None
    return replace(found, checkpoint=chosen, rivals=(), earlier=())


def _is_weak(behind: Sequence[str], run: int, others: Sequence[Checkpoint]) -> bool:
    """Whether what agrees with one history is too little, or was all said in another one too."""
    alike = frozenset(behind[:run])
    return run < _FEWEST_ALIKE or any(
        alike <= {*c.digests_before, *c.digests_after} for c in others
    )


def _known_first(
    line: tuple[Checkpoint, ...], rivals: tuple[Checkpoint, ...], known: Set[str]
) -> tuple[tuple[Checkpoint, ...], tuple[Checkpoint, ...]]:
    """Those of the histories that this session has been in, or all where it has been in none.

    What agrees with part of a context only, and then goes on otherwise, may be of another run that
    did the same there: a session that has cut its own context sooner sent that.
    """
    if any(c.checkpoint_id in known for c in line):
        return line, ()
    own = tuple(c for c in rivals if c.checkpoint_id in known)
    return ((), own) if own else (line, rivals)


def _only(
    tied: Sequence[Checkpoint], others: Sequence[Checkpoint], known: Set[str]
) -> Checkpoint | None:
    """The deepest of one line, or the one that this session knows; None when there is no one."""
    if tied and not others:
        return tied[0]
    if not tied and all(_same(others[0], each) for each in others[1:]):
        return others[0]
    own = [c for c in (*tied, *others) if c.checkpoint_id in known]
    return own[0] if own and (len(own) == 1 or own[-1] in tied) else None


def _same(one: Checkpoint, other: Checkpoint) -> bool:
    """Whether two checkpoints stand for the same messages."""
    hidden = [{(s.handle, s.digest) for s in checkpoint.stubs} for checkpoint in (one, other)]
    return absorbed_key(one) == absorbed_key(other) and hidden[0] == hidden[1]


def _agreement(checkpoint: Checkpoint, digests: Sequence[str], at: int) -> tuple[bool, int]:
    """How many messages behind a place follow there as they did when the checkpoint was made.

    And, first, whether they do so to the end of the one or the other: of the context that was sent
    then, or of what came now where that is more than one message.
    """
    after = checkpoint.digests_after
    best = (False, 0)
    for start, digest in enumerate(after):
        if digest != digests[at]:
            continue
        run = 0
        for one, other in zip(after[start + 1 :], digests[at + 1 :], strict=False):
            if one != other:
                break
            run += 1
        sent, came = len(after) - start - 1, len(digests) - at - 1
        best = max(best, (run > 0 and (run == sent or _FEWEST_ALIKE <= run == came), run))
    return best
