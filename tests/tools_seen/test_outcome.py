"""Outcomes: success is only said when the format or the text shows it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.tools_seen import Action, CallSeen, Outcome, see_call
from clew.tools_seen.decisive import decisive_line, line_beside


def bash(text: str | None, command: str = "./tool", *, is_error: bool | None = None) -> CallSeen:
    return see_call(name="shell", arguments={"command": command}, text=text, is_error=is_error)


EXIT_CODES = [
    ("Exit code: 1\nWall time: 0 seconds\nOutput:\nboom", 1),
    ("Exit code 2\nboom", 2),
    ("Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 3\nOutput:\nx", 3),
    ("<returncode>4</returncode>\n<output>\nx\n</output>", 4),
    ("boom\n[Command finished with exit code 5]", 5),
    ("boom\n[The command completed with exit code 6.]", 6),
    ("boom\nCommand exited with code 7", 7),
    ("Command: x\nOutput: y\nError: (none)\nExit Code: 8\nSignal: 0", 8),
    ('{"output": "boom", "metadata": {"exit_code": 9, "duration_seconds": 0.1}}', 9),
]


@pytest.mark.parametrize(("text", "code"), EXIT_CODES)
def test_exit_codes_are_found_in_every_familys_text(text: str, code: int) -> None:
    seen = bash(text)
    assert (seen.exit_code, seen.outcome) == (code, Outcome.FAILED)


@pytest.mark.parametrize(("text", "code"), EXIT_CODES)
def test_a_zero_exit_code_is_success(text: str, code: int) -> None:
    seen = bash(text.replace(str(code), "0", 1) if code != 3 else text.replace("code 3", "code 0"))
    assert seen.outcome is Outcome.OK


UNKNOWN = ["", "building…", "listening on port 80", "42"]


@pytest.mark.parametrize("text", UNKNOWN)
def test_a_run_that_shows_nothing_stays_unknown(text: str) -> None:
    assert bash(text).outcome is Outcome.UNKNOWN


def test_a_call_without_a_result_is_unknown() -> None:
    assert bash(None).outcome is Outcome.UNKNOWN
    assert see_call(name="write_file", arguments={"path": "a"}).outcome is Outcome.UNKNOWN


REFUSED = [
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    "The user denied this operation.",
    "exec command rejected by user",
    "[Operation Cancelled] Reason: User cancelled the operation.",
    "Claude requested permissions to write to /a, but you haven't granted it yet.",
    '{"status": "rejected", "reason": "outside the change window"}',
]


@pytest.mark.parametrize("text", REFUSED)
def test_a_refusal_is_not_a_failure(text: str) -> None:
    assert bash(text).outcome is Outcome.REFUSED


PENDING = [
    ("Command running in background with ID: b12x. Output is being written to: /t", "b12x", ""),
    ("Chunk ID: a\nWall time: 1 seconds\nProcess running with session ID 58090\nOutput:\n",
     "58090", ""),
    ("Async agent launched successfully.\nagentId: a7470ed (internal ID)", "a7470ed", ""),
    ('{"status": "running", "job_id": "job-7"}', "job-7", ""),
    ('{"status": "pending_approval", "ticket": "CHG-101"}', "", "CHG-101"),
    ("Request submitted; waiting for approval by the release manager (ticket OPS-44).", "",
     "OPS-44"),
    ("Command is still running in the user's terminal.", "running", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "job", "approval"), PENDING)
def test_what_still_runs_or_waits_is_pending(text: str, job: str, approval: str) -> None:
    seen = bash(text)
    assert (seen.outcome, seen.job, seen.approval) == (Outcome.PENDING, job, approval)


def test_a_helper_that_came_back_is_not_pending() -> None:
    seen = see_call(
        name="Task",
        arguments={"description": "d", "prompt": "p"},
        text="All packages build.\nagentId: ab50 (for resuming)",
    )
    assert (seen.outcome, seen.job) == (Outcome.OK, "")


def test_a_command_that_was_stopped_midway_may_have_worked() -> None:
    seen = see_call(name="exec_command", arguments={"cmd": "rm x"}, text="aborted by user after 9s")
    assert (seen.outcome, seen.effect) == (Outcome.UNKNOWN, "delete")


TRACEBACK = """Traceback (most recent call last):
  File "a.py", line 1, in <module>
    f()
ValueError: bad key: 7
"""
PYTEST = """E   assert 1 == 2
=== short test summary info ===
FAILED tests/a.py::test_b - assert 1 == 2
1 failed in 0.1s"""
GPG = """warning: unable to access '/h/.gitignore_global': Permission denied
error: gpg failed to sign the data:
gpg: Note: waiting for lock (held by 33) ...
[GNUPG:] FAILURE sign 134250628
gpg: signing failed: Connection timed out

fatal: failed to write commit object"""
KEYS = """git@example.org: Permission denied (publickey).
fatal: Could not read from remote repository.

Please make sure you have the rights"""
PROTECTED = """ ! [remote rejected] main -> main (protected branch hook declined)
error: failed to push some refs to 'example.org:a/b.git'"""
HOOK = """warning: unable to access '/h/.gitignore_global': Permission denied
\u274c  SECURITY ALERT: Blocked string found in staged files!
    Matched Pattern: sk-live
    -> Found in: a.py

Commit aborted. Remove the string and try again."""
DECISIVE = [
    (TRACEBACK, "ValueError: bad key: 7"),
    (
        "Compiling\nerror[E0308]: mismatched types\n --> src/main.rs:4\nerror: could not compile",
        "error[E0308]: mismatched types",
    ),
    (PYTEST, "FAILED tests/a.py::test_b - assert 1 == 2"),
    ("=== RUN TestX\n--- FAIL: TestX (0.00s)\n    x.go:3: bad\nFAIL", "--- FAIL: TestX (0.00s)"),
    ("hint\nfatal: not a git repository", "fatal: not a git repository"),
    ("goroutine 1\npanic: nil map\n\nmain.go", "panic: nil map"),
    ("src/a.ts(3,4): error TS2339: no property", "src/a.ts(3,4): error TS2339: no property"),
    ("bash: line 1: ed: command not found", "bash: line 1: ed: command not found"),
    ("make: *** [all] Error 2", "make: *** [all] Error 2"),
    (GPG, "gpg: signing failed: Connection timed out"),
    (KEYS, "git@example.org: Permission denied (publickey)."),
    (PROTECTED, "! [remote rejected] main -> main (protected branch hook declined)"),
    (HOOK, "Matched Pattern: sk-live"),
    ("warning: 2 files\nPush rejected by policy\n", "Push rejected by policy"),
    ("warning: LF becomes CRLF: file not found", "warning: LF becomes CRLF: file not found"),
    (
        "Note: not found in the cache\nhint: cannot reuse it\nld: symbol(s) not found for x86",
        "ld: symbol(s) not found for x86",
    ),
    (
        "fatal: unable to access 'https://a.example/b/': Could not resolve host: a.example",
        "fatal: unable to access 'https://a.example/b/': Could not resolve host: a.example",
    ),
    ("a: ok\nfatal: failed to write commit object", "fatal: failed to write commit object"),
    ("cc: fatal error: no input files\nmake: *** [all] Error 1", "cc: fatal error: no input files"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line"), DECISIVE)
def test_the_decisive_line_says_why(text: str, line: str) -> None:
    seen = bash(f"Exit code: 1\n{text}")
    assert (seen.outcome, seen.decisive_line) == (Outcome.FAILED, line)


def test_the_decisive_line_is_found_behind_a_long_log() -> None:
    text = "line\n" * 50_000 + "fatal: the end\n[Command finished with exit code 128]"
    assert bash(text).decisive_line == "fatal: the end"


def test_a_tools_own_message_says_first_what_is_wrong() -> None:
    seen = see_call(
        name="Edit",
        arguments={"file_path": "a", "old_string": "x", "new_string": "y"},
        text="<tool_use_error>String to replace not found in file.\nString: err != nil { failed }",
        is_error=True,
    )
    assert seen.decisive_line == "String to replace not found in file."
    viewed = see_call(name="view", arguments={"path": "a"}, text="ERROR:\nInvalid `view_range`")
    assert (viewed.outcome, viewed.decisive_line) == (Outcome.FAILED, "Invalid `view_range`")


def test_failed_tests_fail_even_when_the_pipe_ends_well() -> None:
    seen = bash(
        "--- FAIL: TestA (0.01s)\nFAIL\nFAIL\tgithub.com/x/y\t0.2s\n"
        "[Command finished with exit code 0]",
        "go test ./... | tail -5",
    )
    assert seen.outcome is Outcome.FAILED
    assert seen.tests is not None
    assert seen.tests.failed == 1


def test_finding_nothing_is_an_answer() -> None:
    nothing = "<returncode>1</returncode>\n<output>\n</output>"
    assert bash(nothing, "grep -r foo src").outcome is Outcome.OK
    assert bash(nothing, "cat a.py | grep foo").outcome is Outcome.OK
    assert bash(nothing, "python a.py").outcome is Outcome.FAILED


JSON_RESULTS = [
    ('{"ok": true}', Outcome.OK),
    ('{"success": false, "error": "quota"}', Outcome.FAILED),
    ('{"status": "completed"}', Outcome.OK),
    ('{"status": "failed", "message": "no such order"}', Outcome.FAILED),
    ('{"status_code": 404}', Outcome.FAILED),
    ('{"status": 201}', Outcome.OK),
    ('{"error": {"message": "bad key"}}', Outcome.FAILED),
]


@pytest.mark.parametrize(("text", "outcome"), JSON_RESULTS)
def test_json_results_speak_for_themselves(text: str, outcome: Outcome) -> None:
    assert see_call(name="create_order", arguments={}, text=text).outcome is outcome


def test_a_cancelled_order_is_what_cancelling_wants() -> None:
    text = '{"order_id": 7, "status": "Cancelled"}'
    assert see_call(name="cancel_order", arguments={}, text=text).outcome is Outcome.OK
    assert see_call(name="place_order", arguments={}, text=text).outcome is Outcome.REFUSED


def test_the_word_error_in_a_file_is_no_failure() -> None:
    text = "Error handling\n\nfatal: errors are logged.\nTraceback (most recent call last) is shown"
    read = see_call(name="read", arguments={"path": "a.md"}, text=text, is_error=False)
    assert (read.action, read.outcome) == (Action.READ, Outcome.OK)


@given(
    st.text(max_size=300),
    st.sampled_from(["shell", "Read", "create_order", "apply_patch", "update_plan", ""]),
    st.sampled_from([None, True, False]),
)
def test_nothing_a_tool_says_raises_and_errors_never_become_success(
    text: str, name: str, is_error: bool | None
) -> None:
    seen = see_call(name=name, arguments=text, text=text, is_error=is_error)
    assert not (is_error and seen.outcome is Outcome.OK)


@pytest.mark.parametrize(
    "piece", ["waiting for a ", "ticket ", "(", "1 passed ", "\n", " ", "user denied ", "a.b:1:"]
)
def test_long_hostile_results_are_read_in_linear_time(piece: str) -> None:
    start = time.process_time()
    bash(piece * 100_000)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("output", "error", "code", "outcome"),
    [
        ("(empty)", "(none)", "0", Outcome.OK),
        ("(empty)", "fatal: no remote", "(none)", Outcome.FAILED),
        ("(empty)", "spawn bash ENOENT\nat x", "(none)", Outcome.FAILED),
        ("fatal: no remote", "(none)", "128", Outcome.FAILED),
        # What the output says of another command is not what the frame says of this one.
        ("Process exited with code 1", "(none)", "0", Outcome.OK),
        ("Exit Code: 1", "(none)", "0", Outcome.OK),
        ("exit_code: 0", "(none)", "1", Outcome.FAILED),
        ("(empty)", "(none)", "(none)", Outcome.UNKNOWN),
    ],
)
def test_the_frame_of_gemini_cli_says_how_a_command_ended(
    output: str, error: str, code: str, outcome: Outcome
) -> None:
    told = (
        f"Command: git push\nDirectory: (root)\nOutput: {output}\nError: {error}\n"
        f"Exit Code: {code}\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 970"
    )
    seen = see_call(name="run_shell_command", arguments={"command": "git push"}, text=told)
    assert seen.outcome is outcome


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (
            "-- NOT found: Z (missing)\nCMake Error at C.txt:28 (f):\n  Found no G here\n",
            "Found no G here",
        ),
        (
            "--- FAIL: TestPrefix (3.33s)\npanic: SQL logic error: no such column: s.id\n",
            "panic: SQL logic error: no such column: s.id",
        ),
        ("--- FAIL: TestA (0.1s)\n    a_test.go:3: got 1\n", "--- FAIL: TestA (0.1s)"),
        ("error: usage:\n  sync [flags] <source> <target>\n", "error: usage:"),
    ],
)
def test_what_stands_under_a_heading_says_why(output: str, line: str) -> None:
    assert decisive_line(output) == line


ALERT = "ALERT: a blocked string was found in staged files!"


def test_a_title_of_an_error_is_told_by_what_stands_below_it() -> None:
    said = "links.follow is incompatible with the watcher"
    assert decisive_line(f"> jest\n\nValidation Error:\n\n{said}\n\nEither is fine") == said
    assert decisive_line("> jest\n\nValidation Error:\n\ndone") == "Validation Error:"


def test_beside_the_decisive_line_stands_the_alert_or_what_a_test_logged() -> None:
    gate = f"{ALERT}\n    Matched Pattern: abc\n    -> Found in: a.py"
    assert line_beside(gate, "Matched Pattern: abc") == ALERT
    test = (
        "=== RUN   TestParse\n    parse_test.go:22: status = bad\n--- FAIL: TestParse (0.00s)\nFAIL"
    )
    assert line_beside(test, "--- FAIL: TestParse (0.00s)") == "parse_test.go:22: status = bad"
    assert line_beside("error: no such file\nFAIL", "error: no such file") == ""
