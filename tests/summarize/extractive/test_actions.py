"""What calls leave behind where the result stands apart from the call, or a helper reports it."""

from __future__ import annotations

import pytest

from clew.record.items import Status
from clew.summarize.extractive.actions import attempts_in
from clew.summarize.extractive.effects import effects_in
from clew.summarize.extractive.failed_calls import failures_in
from clew.summarize.extractive.reading import Reading
from clew.tools_seen import see_call
from clew.tools_seen.seen import Action, CallSeen, Outcome
from clew.tools_seen.text_protocols import PRINTED_BY_AIDER


def call(**fields: object) -> CallSeen:
    given = {"call_id": "c", "tool": "t", "family": "x", "action": Action.RUN, **fields}
    return CallSeen(**given)  # type: ignore[arg-type]  # the table of cases names the fields


def reading(place: int, *calls: CallSeen, **fields: object) -> Reading:
    given = {"handle": f"S-{place + 1}", "position": place, "calls": calls, **fields}
    return Reading(**given)  # type: ignore[arg-type]  # the table of cases names the fields


def test_a_poll_that_fails_is_a_failure_of_the_command_that_started() -> None:
    start = call(command="go test ./...", job="19301", outcome=Outcome.PENDING)
    poll = call(resource="19301", outcome=Outcome.FAILED, decisive_line="--- FAIL: TestPlan")
    failing = [reading(1, start), reading(3, poll, results=("--- FAIL: TestPlan",))]
    (dead,), _ = failures_in(attempts_in(failing), frozenset({"S-2", "S-4"}))
    assert dead.item.text == "go test ./... → --- FAIL: TestPlan"
    passed = reading(5, call(command="go test ./...", outcome=Outcome.OK), results=("ok",))
    (over,), _ = failures_in(attempts_in([*failing, passed]), frozenset({"S-2", "S-4"}))
    assert (over.item.status, over.item.reason) == (Status.CLOSED, "it worked in S-6")


def test_a_failure_whose_result_is_the_next_message_is_a_dead_end() -> None:
    error = "mkdir : An item with the name a already exists."
    made = call(command="mkdir a", action=Action.WRITE, outcome=Outcome.FAILED, decisive_line=error)
    readings = [reading(1, made, prose=("mkdir a",)), reading(2, results=(error,))]
    (dead,), _ = failures_in(attempts_in(readings), frozenset({"S-2", "S-3"}))
    assert [(e.span, e.quote) for e in dead.item.evidence] == [("S-2", "mkdir a"), ("S-3", error)]


@pytest.mark.parametrize(("times", "kept"), [(2, False), (3, True)])
def test_a_way_that_failed_three_times_is_a_dead_end_even_when_the_file_was_written_later(
    times: int, kept: bool
) -> None:
    error = "No replacement was performed, old_str did not appear"
    failed = call(action=Action.WRITE, resource="m.c", outcome=Outcome.FAILED, decisive_line=error)
    worked = call(action=Action.WRITE, resource="m.c", outcome=Outcome.OK)
    readings = [reading(2 * i, failed, results=(error,)) for i in range(times)]
    readings.append(reading(20, worked, results=("edited",)))
    dead, _ = failures_in(attempts_in(readings), frozenset(r.handle for r in readings))
    assert [made.item.live for made in dead] == [kept]


def test_commits_that_a_helper_reports_are_effects_of_unknown_outcome() -> None:
    report = (
        "Done.\n- `fcf4d8f` `Document the fork`\n- Files: `AGENTS.md`\n- deadbeef: only a word\n"
    )
    helper = call(action=Action.DELEGATE, outcome=Outcome.OK)
    made = effects_in(attempts_in([reading(1, helper, results=(report,))]))
    assert [m.item.field("target") for m in made] == ["fcf4d8f Document the fork"]


def test_an_effect_that_runs_on_is_settled_by_the_look_that_shows_its_end() -> None:
    start = call(
        command='cd repo && git commit --amend -m "Add demo"',
        action=Action.EFFECT,
        effect="git commit",
        job="39635",
        outcome=Outcome.PENDING,
    )
    poll = call(resource="39635", outcome=Outcome.OK, exit_code=0)
    begun = reading(1, start, arguments=('git commit --amend -m "Add demo"',))
    (unknown,) = effects_in(attempts_in([begun]))
    assert unknown.item.status is Status.UNKNOWN
    shown = reading(3, poll, results=("[topic 5d3185a] Add demo\n 1 file changed",))
    (done,) = effects_in(attempts_in([begun, shown]))
    assert (done.item.status, done.item.text) == (Status.ACTIVE, "git commit: 5d3185a Add demo")
    assert done.item.evidence[-1].span == "S-4"
    failed = reading(3, call(resource="39635", outcome=Outcome.FAILED, exit_code=1))
    assert effects_in(attempts_in([begun, failed])) == []


@pytest.mark.parametrize(
    ("command", "target"),
    [
        ("cd repo && git push --force-with-lease", "git push --force-with-lease"),
        ("git push " + "x" * 200, "origin"),
    ],
)
def test_a_short_command_keeps_its_options(command: str, target: str) -> None:
    pushed = call(
        command=command,
        action=Action.EFFECT,
        effect="git push",
        resource="origin",
        outcome=Outcome.OK,
    )
    (made,) = effects_in(attempts_in([reading(1, pushed, arguments=(command, "origin"))]))
    assert made.item.field("target") == target


def test_what_a_command_created_is_known_by_its_address() -> None:
    opened = call(
        command="gh pr create --title x",
        action=Action.EFFECT,
        effect="pull request created",
        outcome=Outcome.OK,
    )
    answer = "https://example.org/x/y/pull/31"
    (made,) = effects_in(
        attempts_in([reading(1, opened, arguments=("gh pr create --title x",), results=(answer,))])
    )
    assert made.item.text.endswith(f"→ {answer}")


@pytest.mark.parametrize(
    ("line", "kept"),
    [("File path must be within the workspace", True), ("No such file or directory: a", False)],
)
def test_a_look_that_was_barred_is_a_dead_end_and_one_at_nothing_is_not(
    line: str, kept: bool
) -> None:
    barred = call(action=Action.READ, resource="/etc/x", outcome=Outcome.FAILED, decisive_line=line)
    other = call(tool="shell", action=Action.READ, resource="/etc/x", outcome=Outcome.OK)
    looks = [reading(1, barred, results=(line,)), reading(3, other, results=("x",))]
    dead, _ = failures_in(attempts_in(looks), frozenset({"S-2"}))
    assert [made.item.live for made in dead] == [kept]


def test_what_was_made_is_known_by_the_name_the_result_gives() -> None:
    booked = call(action=Action.EFFECT, effect="book reservation", resource="book")
    answer = '{"reservation_id": "HATHAT", "user_id": "sophia"}'
    made = effects_in(
        attempts_in([reading(1, booked, arguments=('{"user_id": "sophia"}',), results=(answer,))])
    )
    assert made[0].item.text.endswith('"reservation_id": "HATHAT')


@pytest.mark.parametrize(
    ("command", "text", "outcome"),
    [
        ("timeout 8 x\nls",
         "Process exited with code 0\nOutput:\nzsh:1: command not found: x",
         Outcome.FAILED),
        ("x; echo ok", "Process exited with code 0\nOutput:\nzsh:1: command not found: x\nok",
         Outcome.OK),
        ("bun add a", "Resolving\nerror: An internal error occurred (Loop)", Outcome.FAILED),
        ("cat log.txt", "Resolving\nerror: An internal error occurred (Loop)", Outcome.OK),
    ],
)  # fmt: skip
def test_a_shell_that_only_complains_has_failed(command: str, text: str, outcome: Outcome) -> None:
    seen = see_call(name="bash", arguments={"command": command}, text=text, is_error=False)
    assert seen.outcome is outcome


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("cat: a.txt: No such file or directory", False),
        ("Error taking screenshot: Protocol error: Session closed.", True),
        ("Request failed with status code 403", True),
        ("unrecognized option: line-buffered", True),
    ],
)
def test_a_look_that_broke_is_a_dead_end_and_one_at_nothing_is_not(line: str, kept: bool) -> None:
    look = call(action=Action.READ, resource="a", outcome=Outcome.FAILED, decisive_line=line)
    dead, _ = failures_in(attempts_in([reading(1, look, results=(line,))]), frozenset({"S-2"}))
    assert [made.item.live for made in dead] == [kept]


def test_another_way_to_the_same_file_does_not_undo_a_failed_command() -> None:
    line = "syntax error: unexpected end of file"
    failed = call(
        command="cat >> c <<EOF", action=Action.WRITE, resource="c", outcome=Outcome.FAILED,
        decisive_line=line,
    )  # fmt: skip
    other = call(action=Action.WRITE, resource="c", outcome=Outcome.OK)
    story = [reading(1, failed, results=(line,)), reading(3, other, results=("written",))]
    (dead,), _ = failures_in(attempts_in(story), frozenset({"S-2"}))
    assert dead.item.field("error") == line


@pytest.mark.parametrize(
    ("command", "effects"),
    [
        ("mise trust -y mise.toml && mise run lint", ["trust: mise trust -y mise.toml"]),
        ("rm -f a.log; go test ./...", ["delete: rm -f a.log"]),
        ("go test ./... && git push", []),
        ("git push origin main", []),
        ("cd app && npm run lint", []),
    ],
)
def test_what_stands_before_the_part_that_failed_may_have_happened(
    command: str, effects: list[str]
) -> None:
    failed = call(command=command, outcome=Outcome.FAILED, decisive_line="error: no")
    made = effects_in(attempts_in([reading(1, failed, arguments=(command,))]))
    assert [m.item.text for m in made] == effects
    assert {m.item.status for m in made} <= {Status.UNKNOWN}


def test_a_command_that_was_refused_had_no_effect() -> None:
    refused = call(command="rm -f a.log; go test ./...", outcome=Outcome.REFUSED)
    assert effects_in(attempts_in([reading(1, refused, arguments=("rm -f a.log",))])) == []


def test_a_commit_that_a_program_made_of_an_edit_is_an_effect() -> None:
    edit = call(action=Action.WRITE, resource="a.py", outcome=Outcome.OK)
    line = "Commit 1a2b3c4 fix: keep the class of the list"
    shown = (f"{PRINTED_BY_AIDER}\nApplied edit to a.py\n{line}",)
    (made,) = effects_in(attempts_in([reading(1, edit, results=shown)]))
    assert (made.item.text, made.item.evidence[0].quote) == (
        "git commit: 1a2b3c4 fix: keep the class of the list",
        line,
    )
    quoted = reading(1, edit, results=(f"The log says\n{line}",))
    assert effects_in(attempts_in([quoted])) == []
