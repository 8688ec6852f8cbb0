"""Workers of one store that are stopped at a commit, or overtaken: no handle changes what it means.

A call that fails has given nothing out, yet it has read what the caller sent, and its commit may
have been written; another worker goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew
from clew.ports import ArchivedMessage, Checkpoint, FoundCheckpoint
from clew.store import SqliteStore
from clew.transcript import Format
from tests.laws.handles import Handles, session_for
from tests.laws.players import budget_of
from tests.laws.profile import sessions
from tests.laws.test_late_results import FORMATS, WINDOWS, answered, called, late, said
from tests.strategies import seeds, transcripts
from tests.telling import Native


class Stopping(SqliteStore):
    """A store whose commits may fail, before or after they are written; so may all reading."""

    def __init__(self, path: Path, chance: Random | None = None) -> None:
        super().__init__(path)
        self.chance = chance
        self.is_away = False

    def find(self, session_id: str, keys: Sequence[str]) -> FoundCheckpoint | None:
        if self.is_away:
            raise clew.StoreError(self.location, "the disk is away")
        return super().find(session_id, keys)

    def commit(self, checkpoint: Checkpoint, messages: Sequence[ArchivedMessage]) -> Checkpoint:
        lot = self.chance.random() if self.chance is not None else 1.0
        if lot < 0.15:
            raise clew.StoreError(self.location, "stopped before it was written")
        committed = super().commit(checkpoint, messages)
        if lot < 0.3:
            raise clew.StoreError(self.location, "stopped after it was written")
        return committed


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("fails", [False, True], ids=["all written", "failing commits"])
@sessions(4)
@given(told=st.data(), window=WINDOWS, seed=seeds)
def test_no_handle_changes_what_it_means_whichever_worker_gets_the_call(
    wire: Format,
    fails: bool,
    told: st.DataObject,
    window: int,
    seed: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    chance = Random(seed)
    steps = late(wire, told.draw(transcripts(wire, 4, 14)), chance)
    path = tmp_path_factory.mktemp("archive") / "clew.db"

    def started() -> clew.Session:
        return session_for(wire, window, Stopping(path, chance if fails else None))

    workers = [started(), started()]
    handles, held = Handles(), list[Native]()
    for step in steps:
        held = [*held, *step]
        which = chance.randrange(2)
        act = chance.random()
        try:
            if act < 0.2:
                workers[which].compact()
            elif act < 0.3:
                workers[which].close()
                workers[which] = started()
            context = workers[which].prepare(held)
        except (clew.FloorExceededError, clew.InvalidTranscriptError, clew.StoreError):
            continue
        handles.judge(workers[which], context, held)
    for worker in workers:
        worker.close()


# ---- the cases by which it was found -----------------------------------------------------------

LONG = " ".join(f"row {n} was counted" for n in range(150))


def begun(wire: Format) -> list[Native]:
    """A call without its result, then more of the conversation."""
    return [
        said(wire, "count the rows"),
        *called(wire, 4, 5),
        answered(wire, 4, f"12 marmots {LONG}"),
        said(wire, f"go on {LONG}"),
    ]


def gone_on(wire: Format, number: int) -> list[Native]:
    return [*called(wire, number), answered(wire, number, f"badger {number} {LONG}")]


@pytest.mark.parametrize("wire", FORMATS)
def test_a_call_that_failed_has_not_looked_for_what_was_given_out(
    wire: Format, tmp_path: Path
) -> None:
    path = tmp_path / "clew.db"
    store = Stopping(path)
    first, second = session_for(wire, 8_000, str(path)), session_for(wire, 8_000, store)
    handles = Handles()
    held: list[Native] = [said(wire, "count the rows")]
    for worker in (first, second):
        handles.judge(worker, worker.prepare(held), held)
    held = [*begun(wire), *gone_on(wire, 6), said(wire, "and on")]
    first.prepare(held)
    handles.judge(first, first.compact(), held)
    assert any(handle.startswith("S-") for handle in handles.given)
    held = [*held, *gone_on(wire, 7), said(wire, "once more")]
    store.is_away = True
    with pytest.raises(clew.StoreError):
        second.prepare(held)
    store.is_away = False
    held = [*held, answered(wire, 5, "what came late"), *gone_on(wire, 8), said(wire, "the end")]
    handles.judge(second, second.prepare(held), held)
    handles.judge(second, second.compact(), held)
    first.close()
    second.close()


@pytest.mark.parametrize("wire", FORMATS)
def test_what_was_given_out_behind_fewer_messages_is_in_reach_too(
    wire: Format, tmp_path: Path
) -> None:
    first, second = (
        clew.Session(
            policy=clew.Policy(budget_of(20_000, tail_tokens=tail)),
            format=wire,
            counter="estimate",
            store=str(tmp_path / "clew.db"),
        )
        for tail in (4_000, 200)
    )
    handles = Handles()
    held = begun(wire)
    for number in (6, 7, 8, 9):
        held = [*held, *gone_on(wire, number), said(wire, f"and on behind {number}")]
    first.prepare(held)
    second.prepare(held)
    longer = [*held, *called(wire, 10)]
    handles.judge(first, first.prepare(longer), longer)
    handles.judge(first, first.compact(), longer)
    before = len(handles.given)
    handles.judge(second, second.compact(), held)
    assert len(handles.given) > before
    longer = [*longer, answered(wire, 5, "what came late"), said(wire, "the end")]
    handles.judge(first, first.prepare(longer), longer)
    handles.judge(first, first.compact(), longer)
    first.close()
    second.close()
