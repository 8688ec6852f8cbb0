"""Summaries of test runners: the numbers and the line."""

from __future__ import annotations

import pytest

from clew.tools_seen import see_tests

SUMMARIES = [
    ("pytest", "a.py ..F\n=== 1 failed, 2 passed, 3 skipped in 0.12s ===", (2, 1, 3)),
    ("pytest quiet", "..\n2 passed in 0.01s", (2, 0, 0)),
    ("pytest errors", "=== 2 errors in 0.2s ===", (0, 2, 0)),
    ("unittest ok", "....\n-----\nRan 4 tests in 0.002s\n\nOK (skipped=1)", (3, 0, 1)),
    ("unittest bad", "Ran 4 tests in 0.002s\n\nFAILED (failures=1, errors=2)", (1, 3, 0)),
    ("go packages", "ok  \tx/a\t0.1s\nok  \tx/b\t(cached)\nFAIL\tx/c\t0.2s\nFAIL", (2, 1, 0)),
    ("go verbose", "--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\tx/c\t0.2s", (1, 1, 0)),
    ("cargo", "test result: FAILED. 5 passed; 1 failed; 2 ignored; 0 measured;", (5, 1, 2)),
    ("jest", "Tests:       1 failed, 2 skipped, 9 passed, 12 total\nTime: 3 s", (9, 1, 2)),
    ("vitest", " Test Files  1 passed (1)\n      Tests  8 passed (8)", (8, 0, 0)),
    ("mocha", "  5 passing (20ms)\n  1 pending\n  2 failing\n", (5, 2, 1)),
    ("node", "# tests 3\n# pass 2\n# fail 1\n# skipped 0", (2, 1, 0)),
    ("bun", " 6 pass\n 0 fail\nRan 6 tests across 1 files.", (6, 0, 0)),
    ("rspec", "7 examples, 1 failure, 2 pending", (4, 1, 2)),
    ("maven", "[ERROR] Tests run: 9, Failures: 1, Errors: 2, Skipped: 3", (3, 3, 3)),
    ("gradle", "12 tests completed, 2 failed, 1 skipped", (9, 2, 1)),
    ("phpunit ok", "OK (4 tests, 9 assertions)", (4, 0, 0)),
    ("phpunit bad", "Tests: 5, Assertions: 7, Failures: 2, Skipped: 1.", (2, 2, 1)),
    ("dotnet", "Failed!  - Failed:     1, Passed:     4, Skipped:     2, Total:     7", (4, 1, 2)),
    ("ctest", "80% tests passed, 2 tests failed out of 10", (8, 2, 0)),
    ("tap", "1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later", (1, 1, 1)),
    ("sympy", "==\n tests finished: 97 passed, 2 expected to fail, 11 exceptions, in 1.41 s =",
     (97, 11, 2)),
    ("sympy bad", "tests finished: 5 passed, 1 failed, 3 skipped, 1 exceptions, in 2 s", (5, 2, 3)),
    ("bats", "9 tests, 1 failure", (8, 1, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("runner", "text", "numbers"), SUMMARIES, ids=[s[0] for s in SUMMARIES])
def test_every_runners_summary_is_read(
    runner: str, text: str, numbers: tuple[int, int, int]
) -> None:
    run = see_tests(text)
    assert run is not None, runner
    assert (run.passed, run.failed, run.skipped) == numbers
    assert run.line in text


def test_the_line_of_a_failure_is_preferred() -> None:
    run = see_tests("--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\tx/c\t0.2s")
    assert run is not None
    assert run.line == "--- FAIL: TestB (0.00s)"


@pytest.mark.parametrize("text", ["", "3 files changed", "I passed 2 tests yesterday", "ok 1",
                                  "all tests finished: 3 passed by"])  # fmt: skip
def test_other_text_is_no_summary(text: str) -> None:
    assert see_tests(text) is None
