"""What the agent tells at work and does behind it is a promise kept; the last one may be open."""

from __future__ import annotations

import pytest

from clew.record.items import Item, Status
from clew.summarize.extractive.worked_off import in_plain_form
from tests.summarize.extractive.told import Native, agent, bash, call, items, proposed, user


def read(said: str = "") -> list[Native]:
    return call("Read", {"file_path": "src/parse.py"}, "def parse(): ...", said=said)


def edit(said: str = "", *, file: str = "src/parse.py") -> list[Native]:
    arguments = {"file_path": file, "old_string": "a", "new_string": file}
    return call("Edit", arguments, f"The file {file} has been updated.", said=said)


def promised(*story: list[Native]) -> list[tuple[str, Status]]:
    made: list[Item] = items(proposed(user("the goal"), *story), "commitment")
    return [(each.text, each.status) for each in made]


KEPT = [
    (read, "Let me fix `parse_line` so that it keeps blanks."),
    (read, "Now update the callers of `parse_line` in the tests:"),
    (edit, "I\u2019m removing the debug hook and adding a test of blanks."),
    (edit, "I will add the name to `names.py`, and then regenerate the table."),
    (edit, "Let me fix all three:"),
    (read, "Then I\u2019ll continue with one small pass over the manual."),
]


@pytest.mark.parametrize(("beside", "said"), KEPT)
def test_what_is_told_beside_a_first_call_and_done_behind_it_is_kept(
    beside: object, said: str
) -> None:
    first = edit(said) if beside is edit else read(said)
    assert promised(first, edit(file="src/b.py"), read()) == [(said, Status.DONE)]


@pytest.mark.parametrize(
    "said",
    [
        "I need to fix `parse_line` at some point.",
        "Let me fix it, whatever the cause is.",
        "I\u2019m rerunning the parse before updating `names.py` for good.",
        "Now I will apply the changes.",
        "I'm reading `names.py` to see the order.",
        "Let me check `names.py`, then move on:",
        "I'll add the same note and fix the other issues.",
        "Now update the boxes of WP2 and commit:",
        "I will modify `src/parse.py`.",
    ],
)
def test_a_thought_and_what_names_nothing_is_no_promise_kept(said: str) -> None:
    assert (said, Status.DONE) not in promised(read(said), edit(), read())


def test_what_the_call_beside_it_does_whole_is_no_promise() -> None:
    assert promised(edit("Let me fix `parse_line` so that it keeps blanks."), read()) == []


def test_a_command_that_is_set_right_is_no_promise_to_change_a_file() -> None:
    again = bash("ls -a; node x.js", "ok", said="Let me fix the PowerShell syntax:")
    assert promised(again, edit(), read()) == []
    ran = bash("python3 table.py", "ok", said="Now I will regenerate the list with `table.py`.")
    assert promised(ran, edit(), read()) == []


def test_a_folder_made_for_a_file_does_not_write_it() -> None:
    said = "I will create `.ci/build.yml` for the job."
    made = promised(bash("mkdir -p .ci", "", said=said), edit(file=".ci/build.yml"))
    assert made == [(said, Status.DONE)]


def test_a_part_of_the_work_that_was_begun_last_is_open_until_somebody_hands_over() -> None:
    first, last = "Now WP3: the session (save, load).", "Now WP4: the names (list, sort)."
    assert promised(edit(first), edit(last), edit()) == [(last, Status.OPEN)]
    assert promised(edit(first), edit(last), agent("All parts are in.")) == []


def test_verbs_in_ing_are_read_as_they_are_announced() -> None:
    said = "removing the hook, dropping a file and nothing missing"
    assert in_plain_form(said) == "remove the hook, drop a file and nothing missing"
