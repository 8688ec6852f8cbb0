"""A look that gave nothing is a dead end where another form of it, or another place, is tried."""

from __future__ import annotations

import pytest

from clew.record.items import Item, Status
from clew.summarize.extractive.tried_again import REASON
from tests.summarize.extractive.told import Native, bash, call, items, proposed, user


def dead(*story: list[Native]) -> list[Item]:
    found = items(proposed(user("Which change brought the lock in?"), *story), "dead_end")
    return [item for item in found if item.reason == REASON]


def grep(pattern: str, result: str, *, said: str = "") -> list[Native]:
    return call("Grep", {"pattern": pattern}, result, said=said)


FOUND = grep("planSteps", "src/plan.go:12: func planSteps() {")


@pytest.mark.parametrize(
    ("story", "text"),
    [
        (
            [
                bash("git log --oneline 4f1c9ab7^2..4f1c9ab7^2~9", ""),
                bash("git log --oneline 4f1c9ab7^1..4f1c9ab7^2", "4f1c9ab7 Hold the lock"),
            ],
            "git log --oneline 4f1c9ab7^2..4f1c9ab7^2~9",
        ),
        (
            [grep('^func planSteps"', "No matches found"), FOUND],
            'Grep ^func planSteps" \u2192 No matches found',
        ),
        (
            [
                grep("planStepsOfRun", "No matches found"),
                grep("planStepsOf", "No matches found"),
                FOUND,
            ],
            "Grep planStepsOf \u2192 No matches found",
        ),
        (
            [
                call(
                    "list_directory",
                    {"path": "/srv/app/state"},
                    "Directory /srv/app/state is empty.",
                    said="I will list the state to see if it holds a readable session.",
                ),
                call(
                    "list_directory",
                    {"path": "/srv/app/logs"},
                    "today.log",
                    said="I will list the logs to check for any text of the chat.",
                ),
            ],
            "list_directory /srv/app/state \u2192 Directory /srv/app/state is empty.",
        ),
    ],
    ids=["silent", "other pattern", "twice", "other place"],
)
def test_a_look_that_gave_nothing_is_settled_where_another_way_follows(
    story: list[list[Native]], text: str
) -> None:
    found = dead(*story)
    assert [item.text for item in found][:1] == [text]
    assert found[0].status is Status.CLOSED
    assert found[0].field("instead")


@pytest.mark.parametrize(
    "story",
    [
        [grep("oldName", "No matches found"), bash("pytest -q", "9 passed")],
        [
            call("Edit", {"file_path": "a.py", "new_string": "x"}, "The file was updated."),
            grep("oldName", "No matches found"),
            grep("oldName|old_name", "docs/a.md: oldName"),
        ],
        [
            grep("oldNames", "No matches found", said="Let me check for leftover names."),
            grep("oldName", "docs/a.md: oldName"),
        ],
        [grep("planSteps", "No matches found"), grep("planSteps", "No matches found")],
        [grep("planSteps", "No matches found"), grep("planStep", "No matches found")],
        [grep("planSteps", "No matches found"), user("Look in docs."), FOUND],
        [grep("timeout", "No matches found"), grep("retries", "a.py: retries = 3")],
        [bash("cat notes/planSteps.md", "planSteps is left out on purpose"), FOUND],
    ],
    ids=[
        "answered",
        "checks a change",
        "hopes for none",
        "the same look",
        "nothing anywhere",
        "asked anew",
        "something else",
        "shows something",
    ],
)
def test_a_look_whose_nothing_is_an_answer_is_no_dead_end(story: list[list[Native]]) -> None:
    assert dead(*story) == []


def test_looks_of_one_sort_stand_once_with_all_ways() -> None:
    story = []
    for name in ("planSteps", "readPlan", "dropPlan"):
        story.append(grep(f'func {name}"', "No matches found"))
        story.append(bash(f"grep -n {name} src/plan.go", f"12: func {name}() {{"))
    (item,) = dead(*story)
    assert item.text.startswith('Grep func dropPlan"')
    quotes = [each.quote for each in item.evidence]
    assert sum("func" in quote for quote in quotes) == 3
    assert quotes.count("No matches found") == 1


def test_of_calls_that_were_sent_together_nobody_knows_which_result_is_whose() -> None:
    first, second = grep("planStepsNow", "No matches found"), grep("retries", "a.py: 3")
    calls = [*first[0]["tool_calls"], *second[0]["tool_calls"]]
    both = [{"role": "assistant", "content": "", "tool_calls": calls}, first[1], second[1]]
    assert dead(both, FOUND) == []
