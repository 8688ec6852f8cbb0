"""The eight laws, each as a property over generated transcripts in every wire format."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew
from clew.transcript import Format
from tests.laws.players import (
    Player,
    budget_of,
    call_points,
    judge_authority,
    judge_fits,
    judge_lineage,
    judge_nothing_lost,
    judge_valid,
    said_by_user,
)
from tests.laws.profile import sessions
from tests.laws.summarizers import DEMANDED, INJECTED, SCRIPTS, Scripted
from tests.strategies import broken, transcripts
from tests.telling import Native
from tests.wire.check import violations

FORMATS = [pytest.param(wire, id=wire.value) for wire in Format]
OF_THE_CALLER = {"role"}
"""What a repair cannot mend without saying something that nobody said."""
WINDOWS = st.integers(700, 4_000)


def rules_broken(wire: Format, messages: list[Native]) -> set[str]:
    """A first message that is not the user's may break a rule about its neighbours as well."""
    return {"role" if v.index == 0 else v.rule for v in violations(wire.value, messages)}


def session_for(wire: Format, window: int, summarizer: Any = "extractive", **more: Any) -> Any:
    policy = clew.Policy(budget_of(window, **more))
    return clew.Session(policy=policy, format=wire, summarizer=summarizer, counter="estimate")


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
@sessions()
@given(told=st.data(), window=WINDOWS)
def test_every_context_obeys_the_laws(
    wire: Format, keeps: bool, told: st.DataObject, window: int
) -> None:
    messages = told.draw(transcripts(wire, 4, 40))
    player = Player(wire=wire, session=session_for(wire, window), keeps=keeps)
    user_text = said_by_user(wire, messages)
    goals: list[str] = []

    def judge(given_messages: list[Native], context: clew.Context) -> None:
        judge_valid(wire, given_messages, context)
        judge_fits(context)
        judge_lineage(context)
        judge_authority(player.session, user_text)
        goals.append(json.dumps(first_user(wire, context), sort_keys=True))

    player.play(messages, judge)
    assert len(set(goals)) <= 1
    if player.contexts and not player.floors:
        judge_nothing_lost(player.session, messages, player.contexts[-1])


def first_user(wire: Format, context: clew.Context) -> Native:
    return next(m for m in context.messages if m.get("role") == "user")


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("script", SCRIPTS)
@sessions(3)
@given(told=st.data(), window=WINDOWS)
def test_no_summarizer_can_break_a_law(
    wire: Format, script: str, told: st.DataObject, window: int
) -> None:
    messages = told.draw(transcripts(wire, 12, 30))
    summarizer = Scripted(script, SCRIPTS[script])
    player = Player(wire=wire, session=session_for(wire, window, summarizer))
    user_text = said_by_user(wire, messages)

    def judge(given_messages: list[Native], context: clew.Context) -> None:
        judge_valid(wire, given_messages, context)
        judge_fits(context)
        judge_lineage(context)
        judge_authority(player.session, user_text)
        text = json.dumps(context.messages, ensure_ascii=False)
        assert INJECTED not in text
        assert DEMANDED not in text
        assert DEMANDED not in {item.text for item in player.session.record.items}
        assert text.count("</clew-record>") <= 1

    player.play(messages, judge)
    if player.contexts and not player.floors:
        judge_nothing_lost(player.session, messages, player.contexts[-1])
    assert summarizer.calls <= 2 * (len(player.contexts) + player.floors)


@pytest.mark.parametrize("wire", FORMATS)
@sessions()
@given(told=st.data(), window=WINDOWS)
def test_the_same_history_gives_the_same_bytes(
    wire: Format, told: st.DataObject, window: int
) -> None:
    messages = told.draw(transcripts(wire, 8, 40))
    runs: list[list[str]] = []
    for _ in range(2):
        player = Player(wire=wire, session=session_for(wire, window))
        player.play(messages, lambda given_messages, context: None)
        runs.append([json.dumps(c.messages, sort_keys=True) for c in player.contexts])
    assert runs[0] == runs[1]


@pytest.mark.parametrize("wire", FORMATS)
@sessions()
@given(told=st.data(), window=WINDOWS)
def test_a_second_call_at_once_changes_nothing(
    wire: Format, told: st.DataObject, window: int
) -> None:
    messages = told.draw(transcripts(wire, 8, 40))
    session = session_for(wire, window)

    def judge(given_messages: list[Native], context: clew.Context) -> None:
        again = session.prepare(given_messages)
        assert again.messages == context.messages
        sent_back = session.prepare(context.messages)
        assert sent_back.messages == context.messages
        assert all(a is b for a, b in zip(sent_back.messages, context.messages, strict=True))

    Player(wire=wire, session=session).play(messages, judge)


@pytest.mark.parametrize("wire", FORMATS)
@sessions()
@given(told=st.data(), window=WINDOWS, at=st.integers(0, 40))
def test_a_restart_goes_on_where_the_store_stands(
    wire: Format, told: st.DataObject, window: int, at: int
) -> None:
    messages = told.draw(transcripts(wire, 8, 40))
    store = clew.Session(format=wire).store
    policy = clew.Policy(budget_of(window))
    points = list(call_points(wire, messages))
    stop = points[at % len(points)]

    def run(restart_after: int | None) -> list[str]:
        texts = []
        session = clew.Session(policy=policy, format=wire, counter="estimate")
        if restart_after is not None:
            session = clew.Session(policy=policy, format=wire, counter="estimate", store=store)
        for length in points:
            try:
                texts.append(json.dumps(session.prepare(messages[:length]).messages))
            except clew.FloorExceededError:
                texts.append("floor")
            if length == restart_after:
                session = clew.Session(policy=policy, format=wire, counter="estimate", store=store)
        return texts

    assert run(stop) == run(None)


@pytest.mark.parametrize("wire", FORMATS)
@sessions()
@given(told=st.data(), window=WINDOWS, rules=st.integers(0, 20))
def test_a_new_worker_at_each_call_comes_to_the_same_bytes(
    wire: Format, told: st.DataObject, window: int, rules: int
) -> None:
    """Also where rules that are noted make a record so large that folding frees too little."""
    messages = told.draw(transcripts(wire, 8, 40))
    policy = clew.Policy(budget_of(window, trigger=0.5, record_tokens=60))

    def run(store: Any, *, anew: bool) -> list[str]:
        texts: list[str] = []
        session = None
        for length in call_points(wire, messages):
            if session is None or anew:
                session = clew.Session(
                    policy=policy, format=wire, counter="estimate", store=store, session_id="s"
                )
            for number in range(0 if texts else rules):
                session.note("invariant", f"rule {number}: keep {number + 300} rows, no more")
            try:
                texts.append(json.dumps(session.prepare(messages[:length]).messages))
            except clew.FloorExceededError:
                texts.append("floor")
        return texts

    stores = [clew.Session(format=wire).store for _ in range(2)]
    assert run(stores[0], anew=True) == run(stores[1], anew=False)


@pytest.mark.parametrize("wire", FORMATS)
@sessions()
@given(told=st.data(), window=WINDOWS)
def test_a_broken_list_is_repaired_or_refused(
    wire: Format, told: st.DataObject, window: int
) -> None:
    messages = told.draw(broken(wire))
    session = session_for(wire, window)
    try:
        context = session.prepare(messages)
    except (clew.InvalidTranscriptError, clew.FloorExceededError):
        return
    assert rules_broken(wire, context.messages) <= rules_broken(wire, messages) & OF_THE_CALLER
    sent_back = session.prepare(context.messages)
    assert sent_back.messages == context.messages


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
@sessions()
@given(told=st.data(), window=WINDOWS, at=st.integers(0, 20))
def test_a_pin_stands_once_in_every_context_and_outlives_a_restart(
    wire: Format, keeps: bool, told: st.DataObject, window: int, at: int
) -> None:
    messages = told.draw(transcripts(wire, 6, 30))
    policy = clew.Policy(budget_of(window))
    store = clew.Session(format=wire).store
    options: dict[str, Any] = {"policy": policy, "format": wire, "counter": "estimate"}
    player = Player(wire=wire, session=clew.Session(store=store, **options), keeps=keeps)
    pinned: list[str] = []

    def judge(given_messages: list[Native], context: clew.Context) -> None:
        judge_valid(wire, given_messages, context)
        judge_fits(context)
        assert all(json.dumps(context.messages).count(text) == 1 for text in pinned)
        if len(player.contexts) == at + 1 and not pinned:
            player.session.pin("Leave billing alone until Friday.")
            pinned.append("Leave billing alone until Friday.")
        elif pinned:
            player.session = clew.Session(store=store, **options)

    player.play(messages, judge)
