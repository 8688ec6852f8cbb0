"""Of a plan that is worked off step by step what was not reached yet is left."""

from __future__ import annotations

import pytest

from clew.record.items import Status
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.stepwise import not_reached, plan_in
from tests.summarize.extractive.told import Native, agent, bash, call, items, proposed, user

PLAN = """Now let me tackle these in order:

1. **Item 4**: Add a map to the index
2. **Item 2**: Add tests for the overlap
3. **Item 1**: Extract the helper to a common file"""
STEPS = """My plan:
1. Write a script that shows the bug
2. Fix the parser in `load.py`
3. Run the tests of the parser
4. Remove the script"""


def promised(*story: list[Native]) -> dict[str, Status]:
    found = items(proposed(user("Address the six points."), *story), "commitment")
    return {item.text: item.status for item in found}


def work(name: str, *, said: str = "") -> list[Native]:
    return call("Write", {"file_path": name, "content": "x"}, "File created.", said=said)


LOOK = bash("ls src", "index.py")


def test_what_stands_behind_the_last_step_that_was_named_is_left() -> None:
    story = [
        call("Read", {"file_path": "a.py"}, "x", said=PLAN),
        work("index.py", said="**Item 4: a map**"),
        work("test_overlap.py", said="Item 4 is in. Now item 2:"),
        work("other.py", said="**Item 2: more tests**"),
    ]
    assert promised(*story)["**Item 1**: Extract the helper to a common file"] is Status.OPEN


def test_steps_are_reached_by_calls_of_their_sort() -> None:
    story = [
        call("Read", {"file_path": "a.py"}, "x", said=STEPS),
        work("show.py"),
        work("load.py"),
    ]
    found = promised(*story)
    assert found["Run the tests of the parser"] is Status.OPEN
    assert found["Remove the script"] is Status.OPEN
    assert "Fix the parser in `load.py`" not in found


@pytest.mark.parametrize(
    "story",
    [
        [call("Read", {"file_path": "a.py"}, "x", said=PLAN), LOOK],
        [call("Read", {"file_path": "a.py"}, "x", said=STEPS), work("s.py"), agent("All done.")],
        [agent(STEPS), user("go on"), work("show.py")],
        [
            call("Read", {"file_path": "a.py"}, "x", said=STEPS.replace("My plan", "Options")),
            work("show.py"),
        ],
    ],
    ids=["not followed", "handed over", "plan of an answer", "options"],
)
def test_a_plan_that_nobody_follows_or_that_is_over_leaves_nothing(
    story: list[list[Native]],
) -> None:
    assert "Remove the script" not in promised(*story)
    assert "**Item 1**: Extract the helper to a common file" not in promised(*story)


def reading(place: int, said: str) -> Reading:
    return Reading(handle=f"S-{place + 1}", position=place, prose=(said,))


def test_a_step_that_was_reached_behind_the_stretch_is_done() -> None:
    readings = [reading(0, PLAN), reading(1, "**Item 2: tests**")]
    later = [reading(2, "**Item 1: the helper**")]
    found = not_reached(readings, later, frozenset(), built_in_cues())
    assert [(c.item.text, c.item.status) for c in found] == [
        ("**Item 1**: Extract the helper to a common file", Status.DONE)
    ]
    open_still = not_reached(readings, [], frozenset(), built_in_cues())
    assert [c.item.status for c in open_still] == [Status.OPEN]


@pytest.mark.parametrize(
    "said",
    [
        "Possible causes:\n1. Add of a row fails\n2. Write is too late\n3. Run of a job hangs",
        "My plan:\n1. Write a script\n2. Run it",
        "Let me think:\n1. The row is locked\n2. The job hangs\n3. The log is full",
        "What I did so far, all done:\n1. Add the map\n2. Add the tests\n3. Run the suite",
    ],
    ids=["causes", "too short", "no steps", "done"],
)
def test_other_lists_are_no_plans(said: str) -> None:
    assert plan_in(reading(0, said), built_in_cues()) == ()
