"""Boundaries read off the transcript: events after which a fold costs the least."""

from __future__ import annotations

from collections.abc import Sequence

from clew.policy.decision import Boundary
from clew.tools_seen.seen import Action, CallSeen, Outcome, TodoItem


def detect(
    recent: Sequence[Sequence[CallSeen]],
    *,
    user_spoke_last: bool,
    answered_before: bool,
    todo_before: Sequence[TodoItem] = (),
) -> Boundary | None:
    """The boundary at the end of a transcript, or None.

    `recent` holds the calls of the latest exchanges, oldest first. `user_spoke_last` says that
    the transcript ends with a person's message, `answered_before` that the assistant had given a
    final answer (no open work) before it. `todo_before` is the agent's list before its latest
    change.
    """
    if user_spoke_last:
        return Boundary.USER_MESSAGE if answered_before else None
    if not recent:
        return None
    last = recent[-1]
    if any(call.outcome is Outcome.PENDING for call in last):
        return None
    for found in (
        _subtask_done(last, todo_before),
        _closure(last),
        _approval_cleared(recent),
        _acted_on(recent),
    ):
        if found is not None:
            return found
    return None


def _subtask_done(last: Sequence[CallSeen], before: Sequence[TodoItem]) -> Boundary | None:
    todo = next((call.todo for call in reversed(last) if call.todo), ())
    if not todo:
        return None
    was = {item.text: item.state for item in before}
    for item in todo:
        changed = was.get(item.text, "open") != item.state
        if changed and item.state == "done":
            return Boundary.SUBTASK_DONE
        if changed and item.state == "dropped":
            return Boundary.SUBTASK_ABANDONED
    return None


def _closure(last: Sequence[CallSeen]) -> Boundary | None:
    for call in last:
        if call.tests is not None:
            return Boundary.TESTS_FINISHED
        if call.effect.startswith("git commit") and call.outcome is not Outcome.FAILED:
            return Boundary.COMMITTED
    return None


def _approval_cleared(recent: Sequence[Sequence[CallSeen]]) -> Boundary | None:
    waited = {call.approval for calls in recent[:-1] for call in calls if call.approval}
    cleared = any(
        call.approval in waited and call.outcome in (Outcome.OK, Outcome.REFUSED)
        for call in recent[-1]
    )
    return Boundary.APPROVAL_CLEARED if cleared else None


def _acted_on(recent: Sequence[Sequence[CallSeen]]) -> Boundary | None:
    read = {
        call.resource
        for calls in recent[:-1]
        for call in calls
        if call.action in (Action.READ, Action.SEARCH) and call.resource
    }
    acted = any(
        call.action is Action.WRITE and call.outcome is Outcome.OK and call.resource in read
        for call in recent[-1]
    )
    return Boundary.RESULT_ACTED_ON if acted else None


def plan_finished(todo: Sequence[TodoItem]) -> bool:
    """Whether a to-do list has nothing left to do; False for no list at all."""
    return bool(todo) and all(item.state in ("done", "dropped") for item in todo)
