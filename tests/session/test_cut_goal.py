"""A first message that is too large loses its bulk once, and the report says so once."""

from __future__ import annotations

import clew

GOAL = "Fix the parser in src/a.py so that `frob()` works. " + "context " * 600


def test_the_report_says_that_the_goal_was_cut_and_where_the_rest_is() -> None:
    session = clew.Session(policy=clew.Policy(clew.Budget(2_000)), format="openai-chat")
    history = [{"role": "user", "content": GOAL}, {"role": "assistant", "content": "On it."}]
    first = session.prepare(history)
    told = [w for w in first.report.warnings if "what is left of it is the goal" in w]
    assert isinstance(first.outcome, clew.Evicted)
    (handle,) = first.outcome.handles
    assert len(told) == 1
    assert handle in told[0]
    assert session.recall(handle).decode() == GOAL
    history += [{"role": "user", "content": "and now?"}]
    assert not [w for w in session.prepare(history).report.warnings if "goal" in w]


def test_nothing_is_said_of_a_goal_that_stays_whole() -> None:
    session = clew.Session(policy=clew.Policy(clew.Budget(200_000)), format="openai-chat")
    assert not session.prepare([{"role": "user", "content": GOAL}]).report.warnings
