"""Boundaries read off the transcript: events after which a fold costs the least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.errors import PolicyError
from clew.policy.decision import Boundary
from clew.tools_seen.seen import Action, CallSeen, Outcome, TodoItem

DETECTED: tuple[Boundary, ...] = (
    Boundary.SUBTASK_DONE,
    Boundary.SUBTASK_ABANDONED,
    Boundary.TESTS_FINISHED,
    Boundary.COMMITTED,
    Boundary.RESULT_ACTED_ON,
    Boundary.APPROVAL_CLEARED,
    Boundary.USER_MESSAGE,
)
"""Those that can be read off a transcript; the others can only be signalled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryRules:
    """Which detected boundaries count, and which tools of the domain make one.

    `detect` are those that count; one that the caller signals always does. `tools` are pairs of a
    tool's name and the boundary that is reached when a call of it ended well.
    """

    detect: tuple[Boundary, ...] = DETECTED
    tools: tuple[tuple[str, Boundary], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what would never count."""
        if signalled := [b.value for b in self.detect if b not in DETECTED]:
            known = ", ".join(b.value for b in DETECTED)
            raise PolicyError(
                f"detect names {', '.join(signalled)}, which can only be signalled; expected "
                f"some of {known}"
            )
        if any(not tool.strip() for tool, _ in self.tools):
            raise PolicyError("tools names a tool without a name")


EVERY_BOUNDARY = BoundaryRules()


def detect(
    recent: Sequence[Sequence[CallSeen]],
    *,
    user_spoke_last: bool,
    answered_before: bool,
    todo_before: Sequence[TodoItem] = (),
    rules: BoundaryRules = EVERY_BOUNDARY,
) -> Boundary | None:
    """The boundary at the end of a transcript, or None.

    `recent` holds the calls of the latest exchanges, oldest first. `user_spoke_last` says that
    the transcript ends with a person's message, `answered_before` that the assistant had given a
    final answer (no open work) before it. `todo_before` is the agent's list before its latest
    change.
    """
    if user_spoke_last:
        spoke = answered_before and Boundary.USER_MESSAGE in rules.detect
        return Boundary.USER_MESSAGE if spoke else None
    if not recent:
        return None
    last = recent[-1]
    if any(call.outcome is Outcome.PENDING for call in last):
        return None
    own = dict(rules.tools)
    for call in last:
        if call.tool in own and call.outcome in (Outcome.OK, Outcome.UNKNOWN):
            return own[call.tool]
    found = (
        *_subtasks(last, todo_before), *_closures(last),
        _approval_cleared(recent), _acted_on(recent),
    )  # fmt: skip
    return next((b for b in found if b is not None and b in rules.detect), None)


def _subtasks(last: Sequence[CallSeen], before: Sequence[TodoItem]) -> Iterator[Boundary]:
    todo = next((call.todo for call in reversed(last) if call.todo), ())
    was = {item.text: item.state for item in before}
    for item in todo:
        changed = was.get(item.text, "open") != item.state
        if changed and item.state == "done":
            yield Boundary.SUBTASK_DONE
        if changed and item.state == "dropped":
            yield Boundary.SUBTASK_ABANDONED


def _closures(last: Sequence[CallSeen]) -> Iterator[Boundary]:
    for call in last:
        if call.tests is not None:
            yield Boundary.TESTS_FINISHED
        if call.effect.startswith("git commit") and call.outcome is not Outcome.FAILED:
            yield Boundary.COMMITTED


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
