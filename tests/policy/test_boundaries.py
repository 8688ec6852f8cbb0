"""Boundaries read off what the latest calls did."""

from __future__ import annotations

from typing import Any

import pytest

from clew.policy import Boundary, BoundaryRules, detect
from clew.tools_seen import Action, CallSeen, Outcome, TodoItem
from clew.tools_seen import TestRun as Run


def call(action: Action = Action.READ, **facts: Any) -> CallSeen:
    given = {"outcome": Outcome.OK, **facts}
    return CallSeen(call_id="c", tool="t", family="f", action=action, **given)


READ = call(resource="src/a.py")
WAITING = call(Action.EFFECT, outcome=Outcome.PENDING, approval="T-9")


def found(*recent: list[CallSeen], **more: Any) -> Boundary | None:
    given = {"user_spoke_last": False, "answered_before": False, **more}
    return detect(recent, **given)


@pytest.mark.parametrize(
    ("recent", "boundary"),
    [
        ([[READ]], None),
        ([[READ], [READ]], None),
        ([[call(Action.RUN, tests=Run(line="3 passed", passed=3))]], Boundary.TESTS_FINISHED),
        (
            [[call(Action.RUN, tests=Run(line="1 failed", failed=1), outcome=Outcome.FAILED)]],
            Boundary.TESTS_FINISHED,
        ),
        ([[call(Action.EFFECT, effect="git commit")]], Boundary.COMMITTED),
        ([[call(Action.EFFECT, effect="git commit", outcome=Outcome.FAILED)]], None),
        ([[READ], [call(Action.WRITE, resource="src/a.py")]], Boundary.RESULT_ACTED_ON),
        ([[READ], [call(Action.WRITE, resource="src/b.py")]], None),
        ([[READ], [call(Action.WRITE, resource="src/a.py", outcome=Outcome.FAILED)]], None),
        ([[WAITING], [call(Action.OTHER, approval="T-9")]], Boundary.APPROVAL_CLEARED),
        ([[WAITING], [call(Action.OTHER, approval="T-8")]], None),
        ([[call(Action.RUN, tests=Run(line="ok")), WAITING]], None),
    ],
)
def test_what_the_latest_calls_did_decides(
    recent: list[list[CallSeen]], boundary: Boundary | None
) -> None:
    assert found(*recent) is boundary


def todo(*states: str) -> tuple[TodoItem, ...]:
    return tuple(TodoItem(text=f"step {n}", state=state) for n, state in enumerate(states))


@pytest.mark.parametrize(
    ("before", "now", "boundary"),
    [
        (todo("active", "open"), todo("done", "active"), Boundary.SUBTASK_DONE),
        (todo("done", "active"), todo("done", "active"), None),
        (todo("active", "open"), todo("active", "dropped"), Boundary.SUBTASK_ABANDONED),
        ((), todo("open", "open"), None),
        ((), todo("done"), Boundary.SUBTASK_DONE),
    ],
)
def test_a_to_do_item_that_was_finished_is_a_boundary(
    before: tuple[TodoItem, ...], now: tuple[TodoItem, ...], boundary: Boundary | None
) -> None:
    assert found([call(Action.PLAN, todo=now)], todo_before=before) is boundary


def test_a_new_message_after_an_answer_is_a_boundary_and_one_in_the_midst_is_none() -> None:
    assert found([READ], user_spoke_last=True, answered_before=True) is Boundary.USER_MESSAGE
    assert found([READ], user_spoke_last=True, answered_before=False) is None


TESTED = call(Action.RUN, tests=Run(line="3 passed", passed=3))
OWN = BoundaryRules(detect=(), tools=(("post_entry", Boundary.SUBTASK_DONE),))


def test_a_policy_chooses_which_boundaries_count() -> None:
    only = BoundaryRules(detect=(Boundary.RESULT_ACTED_ON,))
    assert found([TESTED], rules=only) is None
    acted = [TESTED, call(Action.WRITE, resource="src/a.py")]
    assert found([READ], acted) is Boundary.TESTS_FINISHED
    assert found([READ], acted, rules=only) is Boundary.RESULT_ACTED_ON
    spoke = {"user_spoke_last": True, "answered_before": True}
    assert found([READ], **spoke) is Boundary.USER_MESSAGE
    assert found([READ], **spoke, rules=only) is None


@pytest.mark.parametrize(
    ("outcome", "boundary"),
    [
        (Outcome.OK, Boundary.SUBTASK_DONE),
        (Outcome.UNKNOWN, Boundary.SUBTASK_DONE),
        (Outcome.FAILED, None),
        (Outcome.REFUSED, None),
        (Outcome.PENDING, None),
    ],
)
def test_a_tool_of_the_domain_makes_a_boundary(outcome: Outcome, boundary: Boundary | None) -> None:
    posted = CallSeen(
        call_id="c", tool="post_entry", family="f", action=Action.OTHER, outcome=outcome
    )
    assert found([READ], [posted], rules=OWN) is boundary
    assert found([READ], [READ], rules=OWN) is None
