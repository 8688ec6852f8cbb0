"""A failure that no exit code shows is told in words: of the user, the agent or a program."""

from __future__ import annotations

import pytest

from clew.record.items import Item, Speaker
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.failures_reported import reported_failures
from clew.summarize.extractive.failures_said import admitted_failures, refused_answers
from clew.summarize.extractive.reading import Reading, read_span
from tests.summarize.extractive.told import (
    Native,
    agent,
    bash,
    call,
    items,
    proposed,
    spans_of,
    user,
)

CUES = built_in_cues()


def read(*exchanges: list[Native]) -> list[Reading]:
    return [read_span(s) for s in spans_of([m for exchange in exchanges for m in exchange])]


def told(*exchanges: list[Native]) -> list[Item]:
    return [made.item for made in reported_failures(read(*exchanges), CUES)]


@pytest.mark.parametrize(
    "report",
    [
        "nope, still the same error",
        "that didn't work",
        "nothing changed",
        "when I open it the videos dont show up",
        "it crashes right after the login",
        "it still shows 0 lines for all tooltips",
        "You previous fix resulting in no tooltip",
        "your last change broke the layout",
        "TypeError: menu is undefined",
        "error[E0382]: borrow of moved value",
    ],
)
def test_what_the_user_reports_names_what_was_tried(report: str) -> None:
    (item,) = told(
        user("make the menu open"),
        bash("sed -i s/a/b/ menu.desktop", "done"),
        agent("The launcher has been updated."),
        user(report),
    )
    assert item.kind == "dead_end"
    assert item.said_by is Speaker.USER
    assert item.text == f"sed -i s/a/b/ menu.desktop → {report}"
    assert item.evidence[0].quote == report


@pytest.mark.parametrize(
    "message",
    [
        "great, now add a test",
        "make sure that it never crashes",
        "why does it still show the old name?",
        "the previous version was fine, keep it",
        "your last change is great",
        "TypeError: menu is undefined, do you know why?",
        "error handling: add some to the loader",
        "don't show the raw log, it is too long",
        "The job failed. " + "Here is the whole log of it. " * 30,
    ],
)
def test_a_request_a_rule_a_question_and_a_long_paste_report_nothing(message: str) -> None:
    assert told(bash("make", "ok"), agent("Built it."), user(message)) == []


def test_a_command_to_the_agents_program_leaves_the_answer_before_it() -> None:
    edited = call("edit", {"path": "a.md", "text": "x"}, "done")
    (item,) = told(edited, user("/add data.yml"), user("it still shows 0 lines"))
    assert item.text == "edit a.md \u2192 it still shows 0 lines"
    assert told(edited, user("now the menu"), user("it still shows 0 lines")) == []


def test_a_report_needs_something_that_was_handed_over() -> None:
    assert told(user("the build still fails"), user("it still fails")) == []


def test_a_pasted_command_with_its_error_is_a_failure_of_that_command() -> None:
    (item,) = told(user("> git gc\nfatal: bad tree object 082c2c44\nfatal: failed to run repack"))
    assert item.text == "git gc → fatal: bad tree object 082c2c44"
    assert item.field("error") == "fatal: bad tree object 082c2c44"


def test_a_root_prompt_is_one_and_a_heading_is_none() -> None:
    (item,) = told(user("root@db1:/srv# ./load.sh\nfatal: no such table orders"))
    assert item.text == "./load.sh → fatal: no such table orders"
    assert told(user("# What this repo is\nIt loads.\nfatal: no such table orders")) == []
    assert told(user("$ node check.js\nif (!map) throw new Error('missing map');")) == []


def admitted(*exchanges: list[Native], solved: frozenset[str] = frozenset()) -> list[str]:
    return [m.item.text for m in admitted_failures(read(*exchanges), [], solved, CUES)]


def test_the_agent_takes_in_that_a_command_did_not_do_what_it_should() -> None:
    ran = bash("python demo.py", "finished")
    assert admitted(ran, agent("It still uses the old temp folder. I will set it myself.")) == [
        "python demo.py → It still uses the old temp folder."
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Let me check whether it still fails.",
        "The test was failing because of the cache, now it passes.",
        "The user says that the report is truncated.",
        "All three pass.",
    ],
)
def test_what_is_yet_to_be_seen_or_over_is_no_failure(said: str) -> None:
    assert admitted(bash("pytest -q", "3 passed"), agent(said)) == []


def test_words_about_a_look_and_about_what_worked_later_are_left_out() -> None:
    assert (
        admitted(call("read", {"path": "a.py"}, "x = 1"), agent("It still uses tabs here.")) == []
    )
    ran = bash("make", "done")
    handle = read(ran)[0].handle
    assert admitted(ran, agent("It fails on tabs."), solved=frozenset({handle})) == []
    # A way that still failed was a dead end, whatever worked later.
    assert admitted(ran, agent("It still uses tabs."), solved=frozenset({handle})) == [
        "make → It still uses tabs."
    ]


def test_a_complaint_of_the_agents_program_stands_once() -> None:
    complaint = Reading(handle="S-3", position=2, harness=("Please use exactly one tool call.",))
    again = Reading(handle="S-9", position=8, harness=("Please use exactly one tool call.",))
    note = Reading(handle="S-5", position=4, harness=("<env>3 files open</env>",))
    assert [m.item.text for m in refused_answers([complaint, note, again])] == [
        "an answer that was refused → Please use exactly one tool call."
    ]


def test_who_undoes_a_change_says_first_what_it_did() -> None:
    edited = call("edit", {"path": "a.py", "text": "x"}, "The file was edited")
    said = "The line went into the signature of the function. I'll undo the change first."
    (made,) = admitted(edited, call("read", {"path": "a.py"}, "def f(x"), agent(said))
    assert made.endswith(" → The line went into the signature of the function.")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("It still shows the old a.py menu.", True),
        ("I have removed the failing entry.", False),
        ("Now run the failing check again.", False),
        ("Wait, it failed before.", False),
    ],
)
def test_what_a_look_shows_is_what_the_change_before_it_did(said: str, kept: bool) -> None:
    edited = call("edit", {"path": "a.py", "text": "x"}, "The file was edited")
    looked = call("read", {"path": "a.py"}, "menu")
    assert bool(admitted(edited, looked, agent(said))) is kept


def test_a_verdict_may_stand_behind_what_was_seen() -> None:
    said = 'It shows "NaN% (no lines)". You previous fix resulting in no tooltip'
    (item,) = told(bash("make", "ok"), user(said))
    assert item.evidence[0].quote == "You previous fix resulting in no tooltip"


def test_an_own_mistake_tells_what_was_not_thought_of() -> None:
    ran = bash("sed -i '3d' a.py && sed -i '9d' a.py", "")
    told_of = "I deleted two lines.\n\nBut line numbers shift after each deletion!\n\n"
    assert admitted(ran, agent(told_of + "So I deleted wrong lines.")) == [
        "sed -i '3d' a.py && sed -i '9d' a.py \u2192 But line numbers shift after each deletion!",
        "So I deleted wrong lines.",
    ]
    assert admitted(ran, agent("That was quick. So I deleted wrong lines.")) == [
        "sed -i '3d' a.py && sed -i '9d' a.py \u2192 So I deleted wrong lines."
    ]
    assert admitted(ran, agent("But line numbers are fine. I have deleted both.")) == []


def test_who_checks_again_behind_a_change_tells_of_no_failure() -> None:
    wrote = call("Edit", {"file_path": "a.py", "old_string": "a"}, "The file a.py was updated.")
    again = bash("pytest -q", "3 passed", said="It is a small change, so I'm rerunning the tests.")
    assert admitted_failures(read(wrote, again), [], frozenset(), CUES) == []
    ran = bash("gofmt -w README.md", "")
    said = "`gofmt` got a file of prose, so I'm rerunning it on Go files only."
    (made,) = admitted_failures(read(ran, bash("gofmt -w .", "", said=said)), [], frozenset(), CUES)
    assert made.item.text.endswith(said)


@pytest.mark.parametrize(
    "wish",
    [
        "maybe show a truncated date if it's not the current year",
        "so could we test it with writes, I'm still not sure how",
        "let's not wait when it times out",
    ],
)
def test_a_wish_reports_no_failure(wish: str) -> None:
    assert told(bash("make", "ok"), agent("The list is sorted now."), user(wish)) == []


@pytest.mark.parametrize(
    ("report", "told_of"),
    [
        ("The push could not be executed due to tool restrictions, the rest is done.", True),
        ('{\n "summary": "The search was interrupted by the turn limit.",\n "n": 2\n}', True),
        ("I was unable to install the package without network access.", True),
        ("The function cannot be null and returns a list.", False),
        ("All eight files were renamed and the tests pass.", False),
    ],
)
def test_what_a_helper_could_not_do_is_told_of_it(report: str, told_of: bool) -> None:
    delegated = call("Task", {"prompt": "rename the files and push"}, report)
    found = items(proposed(user("the goal"), delegated), "dead_end")
    assert [item.text.startswith("a helper \u2192 ") for item in found] == [True] * told_of
    assert all(item.said_by is Speaker.TOOL for item in found)


def test_a_search_of_the_agent_itself_is_no_report() -> None:
    shown = call("grep", {"pattern": "push"}, "a.md: The push could not be executed here.")
    assert items(proposed(user("the goal"), shown), "dead_end") == []


def test_what_still_fails_where_a_stretch_begins_is_kept() -> None:
    look = call("Read", {"file_path": "a.c"}, "int a;")
    said = "`set_language` is still rejecting the new parser."
    assert [item.text for item in items(proposed(look, agent(said)), "dead_end")] == [said]
    calm = "`set_language` is still the place to look at."
    assert items(proposed(look, agent(calm)), "dead_end") == []
