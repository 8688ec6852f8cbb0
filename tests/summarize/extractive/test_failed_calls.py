"""What was overcome stays as a settled dead end: its first form, and what worked instead."""

from __future__ import annotations

import pytest

from clew.record.delta import Dismiss
from clew.record.items import Item, Status
from clew.summarize.extractive.actions import attempts_in
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.failed_calls import failures_in, solved_in
from clew.summarize.extractive.reading import read_span
from tests.summarize.extractive.told import Native, bash, call, spans_of


def failures(*exchanges: list[Native]) -> tuple[list[Claim], list[Dismiss]]:
    readings = [read_span(s) for s in spans_of([m for each in exchanges for m in each])]
    return failures_in(attempts_in(readings), frozenset(r.handle for r in readings))


def items(*exchanges: list[Native]) -> list[Item]:
    return [made.item for made in failures(*exchanges)[0]]


BROKEN = bash("pytest -q tests/a.py", "Exit code 1\nE   KeyError: 'row'\n1 failed in 0.1s")
PASSED = bash("pytest -q tests/a.py", "3 passed in 0.1s")
EDITED = call("edit", {"path": "src/a.py", "old": "x", "new": "y"}, "The file has been updated.")


def test_a_failed_run_names_the_change_that_made_it_work() -> None:
    (item,) = items(BROKEN, EDITED, PASSED)
    assert item.status is Status.CLOSED
    assert item.reason == "it worked in S-5"
    assert item.text.startswith("pytest -q tests/a.py → ")
    assert item.field("instead") == "edit src/a.py (S-3)"


def test_a_command_in_its_new_form_is_what_worked() -> None:
    first = bash("go test ./a -run TestOne", "Exit code 1\n--- FAIL: TestOne (0.00s)\nFAIL")
    second = bash("go test ./a -run TestOne -count=1", "ok  \tapp/a\t0.1s")
    (item,) = items(first, second)
    assert item.field("instead") == "go test ./a -run TestOne -count=1 (S-3)"


@pytest.mark.parametrize(
    ("line", "sort"),
    [
        ("String to replace not found in file: 'a'", "String to replace not found in file: 'b'"),
        ("File src/a.py has not been read yet", "File src/b.py has not been read yet"),
    ],
)
def test_misfires_of_one_sort_stand_once_with_the_latest(line: str, sort: str) -> None:
    def edit(path: str, result: str) -> list[Native]:
        return call("edit", {"path": path}, result)

    done = "The file has been updated."
    errors = [f"<tool_use_error>{each}</tool_use_error>" for each in (line, sort)]
    made, dismissed = failures(
        edit("src/a.py", errors[0]), edit("src/a.py", done),
        edit("src/b.py", errors[1]), edit("src/b.py", done),
    )  # fmt: skip
    assert [m.item.evidence[0].quote for m in made] == [sort]
    assert [e.quote for e in made[0].item.evidence[1:]] == [line]
    assert [d.reason for d in dismissed] == ["the same failure again"]


def test_a_look_at_what_is_not_there_is_set_aside() -> None:
    (item,) = items(bash("cat /srv/none.txt", "Exit code 1\ncat: /srv/none.txt: No such file"))
    assert item.status is Status.CLOSED
    assert item.reason.startswith("set aside")


def test_many_that_were_overcome_leave_only_the_latest() -> None:
    story = [
        step
        for name in (
            f"{first}{second}" for first in "ab" for second in "abcdefghijklmnopqrstuvwxyz"
        )
        for step in (
            bash(f"make part{name}", f"Exit code 2\nerror: cannot {name}x it"),
            bash(f"make part{name}", "done"),
        )
    ]
    made, dismissed = failures(*story)
    assert len(made) == 48
    assert len(dismissed) == 4
    assert made[-1].item.text.startswith("make partbz → ")


def test_what_worked_later_is_told_apart_from_what_still_stands() -> None:
    made, dismissed = failures(
        BROKEN, PASSED, bash("npm i x@9", "Exit code 1\nnpm ERR! no version")
    )
    assert solved_in(made, dismissed) == {"S-1"}
    assert [m.item.live for m in made] == [True, False]


def test_a_call_that_was_announced_to_fail_is_no_dead_end() -> None:
    red = bash("pytest -q tests/a.py", "Exit code 1\nE   KeyError: 'row'\n1 failed in 0.1s",
               said="Running the red step first.")  # fmt: skip
    made, dismissed = failures(red, EDITED, PASSED)
    assert made == []
    assert [d.reason for d in dismissed] == ["it was meant to fail"]


NO = "The user doesn't want to proceed with this tool use. The tool use was rejected."


def edit(old: str, new: str, answer: str) -> list[Native]:
    given = {"file_path": "src/a.py", "old_string": old, "new_string": new}
    return call("Edit", given, answer)


def test_a_change_that_was_turned_down_tells_what_it_would_have_brought() -> None:
    (item,) = items(edit("x = one\n", "x = one\n# lint: ignore this line\nx = two\n", NO))
    assert item.text.startswith("Edit src/a.py: # lint: ignore this line → ")
    assert "# lint: ignore this line" in [e.quote for e in item.evidence]


def test_a_change_that_failed_by_itself_or_only_takes_away_names_nothing() -> None:
    failed = edit("x", "y = the new line", "Error: string to replace not found in src/a.py")
    assert [i.text.partition(" → ")[0] for i in items(failed)] == ["Edit src/a.py"]
    taken = edit("x = one of them\ny = two of them", "y = two of them", NO)
    assert [i.text.partition(" → ")[0] for i in items(taken)] == ["Edit src/a.py"]


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (
            (
                'Unknown JSON field: "threads"\nAvailable fields:\n  author\n  body\n'
                "Command exited with code 1"
            ),
            'Unknown JSON field: "threads"',
        ),
        ("all rows\nCommand exited with code 1", "Command exited with code 1"),
    ],
)
def test_a_line_that_only_frames_an_output_says_not_why(output: str, line: str) -> None:
    found = items(bash("gh pr view 5 --json threads", output))
    assert [item.field("error") for item in found] == ([line] if line else [])
