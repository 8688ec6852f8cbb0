"""Checks of invariants: pass, fail or not run, and nothing runs that was not meant to."""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from clew.record import Item, Status
from clew.workdir import Verdict, run_check


def invariant(check: str) -> Item:
    return Item(id="R-17", kind="invariant", text="totals match", fields=(("check", check),))


def python(code: str) -> str:
    return shlex.join([sys.executable, "-c", code])


@pytest.mark.parametrize(
    ("check", "verdict", "reason"),
    [
        (python("print(1)"), Verdict.PASS, ""),
        (python("raise SystemExit(3)"), Verdict.FAIL, "exit code 3"),
        ("", Verdict.NOT_RUN, "no check"),
        ("no-such-program --all", Verdict.NOT_RUN, "could not be started"),
        ("echo 'open", Verdict.NOT_RUN, "no command line"),
        ("true && false", Verdict.NOT_RUN, "needs a shell"),
        ("echo $(id)", Verdict.NOT_RUN, "needs a shell"),
    ],
)
def test_a_check_passes_fails_or_is_not_run(check: str, verdict: Verdict, reason: str) -> None:
    checked = run_check(invariant(check))
    assert (checked.verdict, checked.item) == (verdict, "R-17")
    assert reason in checked.reason


def test_what_a_check_printed_is_kept_from_its_end() -> None:
    checked = run_check(invariant(python("import sys; sys.stdout.write('x' * 9000 + 'verdict')")))
    assert checked.output.endswith("verdict")
    assert len(checked.output) == 2_000


def test_a_shell_is_used_only_when_asked_for() -> None:
    assert run_check(invariant("true && false"), shell=True).verdict is Verdict.FAIL


def test_a_check_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    child = "import time, pathlib; time.sleep(2); pathlib.Path('late').touch()"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    started = time.monotonic()
    checked = run_check(invariant(python(code)), timeout_seconds=0.3, folder=tmp_path, shell=True)
    assert (checked.verdict, checked.exit_code) == (Verdict.FAIL, None)
    assert "longer than 0.3 seconds" in checked.reason
    assert time.monotonic() - started < 2
    time.sleep(2)
    assert not (tmp_path / "late").exists()


def test_a_settled_invariant_is_not_run() -> None:
    withdrawn = replace(invariant("true"), status=Status.WITHDRAWN)
    assert run_check(withdrawn).reason == "is withdrawn"
