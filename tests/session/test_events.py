"""What a session tells a logger, and that a logger that breaks breaks nothing."""

from __future__ import annotations

import json
from typing import Any

import clew
from clew.events import (
    CompactionArmed,
    CompactionMade,
    CompactionVetoed,
    ContextPrepared,
    EvictionMade,
    HookFailed,
    SummaryBegun,
    SummaryEnded,
    TriggerNear,
    WarningGiven,
)
from tests.session.prefetching import (
    BUDGET,
    POLICY,
    LateClient,
    armed,
    conversation,
    grown,
    model,
    settle,
    steps,
)


def session_of(take: Any, **options: Any) -> clew.Session:
    return clew.Session(
        policy=options.pop("policy", POLICY),
        events=take,
        counter="chars4",
        format="openai-chat",
        **options,
    )


def test_nearness_and_arming_are_told_once_on_each_way_up() -> None:
    told: list[clew.Event] = []
    session = session_of(told.append)
    for messages in steps(36):
        if len(messages) in (29, 61):
            session.signal("subtask_done")
        session.prepare(messages)
    marks = [e for e in told if isinstance(e, TriggerNear | CompactionArmed | CompactionMade)]
    assert [type(e) for e in marks] == [TriggerNear, CompactionArmed, CompactionMade] * 2
    near = marks[0]
    assert isinstance(near, TriggerNear)
    assert 0.9 * near.trigger <= near.tokens < near.trigger
    assert near.trigger == BUDGET.trigger
    assert near.turns_left is not None
    assert near.turns_left > 0
    assert sum(isinstance(e, ContextPrepared) for e in told) == 37


def test_every_event_has_a_json_form_with_its_name_and_session() -> None:
    told: list[clew.Event] = []
    client = LateClient()
    hooks = clew.Hooks(before=lambda about: 1 / 0, after=lambda about: None)
    session = session_of(told.append, summarizer=model(client), hooks=hooks)
    messages = armed(session)
    settle(session)
    session.signal("subtask_done")
    session.prepare(grown(messages, 1))
    kinds = {type(e) for e in told}
    assert kinds >= {
        ContextPrepared, TriggerNear, CompactionArmed, SummaryBegun, SummaryEnded,
        CompactionMade, HookFailed, WarningGiven,
    }  # fmt: skip
    for event in told:
        value = json.loads(json.dumps(event.to_json()))
        assert value["event"] == event.name
        assert value["session_id"] == session.session_id
    made = next(e for e in told if isinstance(e, CompactionMade)).to_json()
    assert made["why"] == "the caller signalled a boundary"
    assert made["boundary"] == "subtask_done"
    assert made["facts"]["prefetched"] == "used"
    assert made["summarizer"] == "scripted:late"


def test_vetoes_and_evictions_are_told() -> None:
    told: list[clew.Event] = []
    session = session_of(told.append, hooks=clew.Hooks(before=lambda about: clew.Veto("busy")))
    session.signal("subtask_done")
    session.prepare(conversation(13))
    assert [e.reason for e in told if isinstance(e, CompactionVetoed)] == ["busy"]
    session = session_of(told.append)
    session.prepare([*conversation(2), *grown(conversation(2), 1, 9_000)[-2:]])
    evicted = [e for e in told if isinstance(e, EvictionMade)]
    assert len(evicted) == 1
    assert evicted[0].handles


def test_a_logger_that_raises_breaks_nothing_and_is_named_once_a_call() -> None:
    def broken(event: clew.Event) -> None:
        raise OSError("disk full")

    session = session_of(broken)
    quiet = session_of(None)
    for messages in steps(14):
        context = session.prepare(messages)
        assert context.messages == quiet.prepare(messages).messages
        said = [w for w in context.report.warnings if "logger of events" in w]
        assert said
        assert len(said) == len(set(said))
        assert "OSError" in said[0]
