"""What later calls say about a result."""

from __future__ import annotations

from typing import Any

import pytest

from clew.evict import Cause, staleness
from clew.tools_seen import CallSeen, see_call


def seen(number: int, name: str, arguments: dict[str, Any], text: str = "fine\n") -> CallSeen:
    return see_call(name=name, arguments=arguments, call_id=f"c{number}", text=text)


READ_A = ("Read", {"file_path": "/app/a.py"})
READ_B = ("Read", {"file_path": "/app/b.py"})
EDIT_A = ("Edit", {"file_path": "/app/a.py", "old_string": "x", "new_string": "y"})
TESTS = ("Bash", {"command": "pytest tests/test_a.py"})
GREP = ("Grep", {"pattern": "ledger", "path": "/app"})
LIST = ("Glob", {"pattern": "**/*.py", "path": "/app"})
FAILED = "Exit code 1\nFAILED tests/test_a.py::test_one - AssertionError\n1 failed in 0.1s\n"
PASSED = "1 passed in 0.1s\n"


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([READ_A, READ_B], {}),
        ([READ_A, READ_A], {"c0": Cause.SUPERSEDED}),
        ([READ_A, EDIT_A], {"c0": Cause.SUPERSEDED}),
        ([EDIT_A, READ_A], {}),
        ([READ_A, READ_B, EDIT_A], {"c0": Cause.SUPERSEDED}),
        ([("Bash", {"command": "ls"}), ("Bash", {"command": "ls"})], {"c0": Cause.REPEATED}),
        ([("Bash", {"command": "ls"}), ("Bash", {"command": "ls /app"})], {}),
        ([GREP, GREP], {"c0": Cause.REPEATED}),
        ([GREP, READ_A], {"c0": Cause.NARROWED}),
    ],
)  # fmt: skip
def test_a_result_goes_stale_by_what_came_after(
    calls: list[tuple[str, dict[str, Any]]], expected: dict[str, Cause]
) -> None:
    done = [(n, seen(n, name, arguments)) for n, (name, arguments) in enumerate(calls)]
    assert {call_id: cause for (_, call_id), cause in staleness(done).items()} == expected


def test_an_error_is_stale_once_the_same_program_passes() -> None:
    name, arguments = TESTS
    failed = (0, seen(0, name, arguments, FAILED))
    quiet = (1, seen(1, name, {"command": "pytest tests/test_a.py -q"}, PASSED))
    other = (1, seen(1, name, {"command": "pytest tests/test_b.py"}, PASSED))
    assert staleness([failed, quiet]) == {(0, "c0"): Cause.FIXED}
    assert staleness([failed, other]) == {}


def test_a_failed_read_makes_nothing_stale() -> None:
    name, arguments = READ_A
    missing = "Error: ENOENT: no such file or directory"
    assert staleness([(0, seen(0, name, arguments)), (1, seen(1, name, arguments, missing))]) == {}


def test_an_id_that_is_used_anew_does_not_make_the_newer_result_stale() -> None:
    name, arguments = READ_A
    reads = [(n, seen(0, name, arguments)) for n in range(3)]
    assert staleness(reads) == {(0, "c0"): Cause.SUPERSEDED, (1, "c0"): Cause.SUPERSEDED}


def test_a_call_without_an_id_is_never_stale() -> None:
    call = see_call(name="Read", arguments={"file_path": "/a.py"}, text="x\n")
    assert staleness([(0, call), (1, call)]) == {}
