"""Running the check of an invariant: only when asked to, with a limit, without a shell."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from clew.record.items import Item

if TYPE_CHECKING:
    import subprocess

TAIL_CHARS = 2_000
"""How much of what a check printed is kept: its end, where the verdict stands."""

_SINGLE_QUOTED = re.compile(r"'[^']*'")
_DOUBLE_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"', re.DOTALL)
_EXPANDED = re.compile(r"[$`]")
_SHELL_ONLY = re.compile(r"[|&;<>()\n]")


class Verdict(StrEnum):
    """What a check said."""

    PASS = "pass"
    FAIL = "fail"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One invariant and what its check said; `reason` tells why it failed or was not run."""

    item: str
    claim: str
    command: str
    verdict: Verdict
    reason: str = ""
    exit_code: int | None = None
    seconds: float = 0.0
    output: str = ""

    @property
    def failed(self) -> bool:
        """Whether the check ran and did not pass."""
        return self.verdict is Verdict.FAIL


def not_run(item: Item, reason: str) -> Checked:
    """The report of a check that was not started."""
    return Checked(
        item=item.id, claim=item.text, command=item.field("check"), verdict=Verdict.NOT_RUN,
        reason=reason,
    )  # fmt: skip


def run_check(
    item: Item, *, timeout_seconds: float = 60.0, shell: bool = False, folder: Path | None = None
) -> Checked:
    """Run the check of an invariant; exit code 0 is a pass.

    The command is text that may come from a model: it is run only because the caller named it, and
    as one program with arguments unless `shell` is asked for.
    """
    command = item.field("check").strip()
    if not command:
        return not_run(item, "has no check that can be run")
    if not item.live:
        return not_run(item, f"is {item.status.value}")
    words: list[str] | str = command
    if not shell:
        try:
            words = shlex.split(command)
        except ValueError as error:
            return not_run(item, f"is no command line ({error})")
        if _needs_shell(command):
            return not_run(item, "needs a shell; allow one if you trust it")
    return _run(item, words, timeout_seconds, folder)


def _needs_shell(command: str) -> bool:
    """Whether a command means something else when no shell reads it."""
    bare = _SINGLE_QUOTED.sub("", command)
    return bool(_EXPANDED.search(bare) or _SHELL_ONLY.search(_DOUBLE_QUOTED.sub("", bare)))


def _run(
    item: Item, words: list[str] | str, timeout_seconds: float, folder: Path | None
) -> Checked:
    import subprocess  # only those who run checks need it

    started = time.monotonic()
    try:
        process = subprocess.Popen(
            words,
            shell=isinstance(words, str),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return not_run(item, f"could not be started ({error})")
    try:
        output, _ = process.communicate(timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        _stop(process)
        output = b""
        with contextlib.suppress(subprocess.TimeoutExpired):  # a daemon of its own holds the pipe
            output, _ = process.communicate(timeout=1.0)
        reason = f"took longer than {timeout_seconds:g} seconds"
        return _checked(item, Verdict.FAIL, reason, None, started, output)
    except BaseException:
        _stop(process)
        raise
    code = process.returncode
    verdict = Verdict.PASS if code == 0 else Verdict.FAIL
    return _checked(item, verdict, "" if code == 0 else f"exit code {code}", code, started, output)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the check and what it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, OSError):
        process.kill()


def _checked(
    item: Item, verdict: Verdict, reason: str, code: int | None, started: float, output: bytes
) -> Checked:
    return Checked(
        item=item.id,
        claim=item.text,
        command=item.field("check"),
        verdict=verdict,
        reason=reason,
        exit_code=code,
        seconds=round(time.monotonic() - started, 3),
        output=output.decode("utf-8", "replace")[-TAIL_CHARS:],
    )
