"""The laws hold, too, where ids of calls stand for several calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew
from clew.transcript import Format
from tests.laws.players import (
    Player,
    budget_of,
    judge_fits,
    judge_lineage,
    judge_nothing_lost,
    judge_valid,
)
from tests.laws.profile import sessions
from tests.repeated import repeating
from tests.telling import Native
from tests.wire.check import violations

FORMATS = [pytest.param(wire, id=wire.value) for wire in Format]
WINDOWS = st.integers(700, 4_000)
NAMED = "was used before"


def session_for(wire: Format, window: int, store: Any = None) -> clew.Session:
    policy = clew.Policy(budget_of(window))
    return clew.Session(policy=policy, format=wire, counter="estimate", store=store)


def repeats(wire: Format, messages: list[Native]) -> bool:
    return any(v.rule == "id" for v in violations(wire.value, messages))


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
@sessions()
@given(told=st.data(), window=WINDOWS)
def test_every_context_obeys_the_laws(
    wire: Format, keeps: bool, told: st.DataObject, window: int
) -> None:
    messages = told.draw(repeating(wire, 4, 24))
    player = Player(wire=wire, session=session_for(wire, window), keeps=keeps)

    def judge(given_messages: list[Native], context: clew.Context) -> None:
        judge_valid(wire, given_messages, context)
        judge_fits(context)
        judge_lineage(context)
        named = any(NAMED in warning for warning in context.report.repairs)
        assert set(context.report.repairs) <= set(context.report.warnings)
        assert named == repeats(wire, given_messages)
        sent_back = player.session.prepare(context.messages)
        assert sent_back.messages == context.messages
        assert not any(NAMED in warning for warning in sent_back.report.warnings)

    player.play(messages, judge)
    if player.contexts and not player.floors:
        judge_nothing_lost(player.session, messages, player.contexts[-1])


@pytest.mark.parametrize("wire", FORMATS)
@sessions(4)
@given(told=st.data(), window=WINDOWS)
def test_a_restart_from_a_store_goes_on_with_everything_there(
    wire: Format, told: st.DataObject, window: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    messages = told.draw(repeating(wire, 8, 24))
    at: Path = tmp_path_factory.mktemp("archive") / "clew.db"
    with session_for(wire, window, str(at)) as first:
        player = Player(wire=wire, session=first)
        player.play(messages, lambda given_messages, context: None)
        before = first.session_id
    if not player.contexts or player.floors:
        return
    with session_for(wire, window, str(at)) as session:
        context = session.prepare(messages)
        judge_valid(wire, messages, context)
        judge_nothing_lost(session, messages, context)
        again = session.prepare(messages)
        assert again.messages == context.messages
        assert session.session_id == before
