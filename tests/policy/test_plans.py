"""How much of a run is still to come, by the agent's own list."""

from __future__ import annotations

import pytest

from clew.policy import Plan, plan_finished
from clew.tools_seen import TodoItem


def todo(*states: str) -> tuple[TodoItem, ...]:
    return tuple(TodoItem(text=f"step {n}", state=state) for n, state in enumerate(states))


def halfway(done: int, still: int) -> tuple[TodoItem, ...]:
    return todo(*["done"] * done, *["open"] * still)


@pytest.mark.parametrize(
    ("items", "finished"),
    [((), False), (todo("done", "dropped"), True), (todo("done", "open"), False)],
)
def test_a_plan_is_finished_when_nothing_is_left(
    items: tuple[TodoItem, ...], finished: bool
) -> None:
    assert plan_finished(items) is finished
    assert Plan(now=items).finished is finished


@pytest.mark.parametrize(
    ("items", "expected"),
    [((), 40), (halfway(0, 5), 40), (halfway(4, 2), 20), (halfway(4, 0), 0)],
)
def test_what_is_left_follows_the_list_else_the_run_so_far(
    items: tuple[TodoItem, ...], expected: float
) -> None:
    assert Plan(now=items, calls_so_far=40).remaining_calls == expected


@pytest.mark.parametrize("items", [(), todo("done"), todo("open"), halfway(0, 5)])
def test_a_list_without_pace_does_not_tell(items: tuple[TodoItem, ...]) -> None:
    assert Plan(now=items, calls_so_far=40).planned_calls is None


@pytest.mark.parametrize(
    ("since", "left"), [(0, 20.0), (6, 14.0), (20, 0.0), (29, 0.0), (30, 0.0), (31, None)]
)
def test_a_list_that_stands_still_for_longer_than_it_gave_itself_does_not_tell(
    since: int, left: float | None
) -> None:
    """Ten calls an entry, two left: after thirty without a change it is not kept any longer."""
    plan = Plan(now=halfway(4, 2), calls_so_far=40 + since, calls_since=since)
    assert plan.planned_calls == left
