"""What one call did, as a value: which resource, which action, which version, with what outcome."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    """What a call is for."""

    READ = "read"
    WRITE = "write"
    SEARCH = "search"
    RUN = "run"
    EFFECT = "effect"
    PLAN = "plan"
    ASK = "ask"
    DELEGATE = "delegate"
    OTHER = "other"


class Outcome(StrEnum):
    """What came of a call, as far as the transcript shows. Nothing is claimed that nobody saw."""

    OK = "ok"
    FAILED = "failed"
    REFUSED = "refused"
    PENDING = "pending"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoItem:
    """One entry of the agent's own plan, as the call wrote it.

    `state` is open, active, done or dropped.
    """

    text: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRun:
    """The summary line of a test or build run and its numbers."""

    line: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSeen:
    """One call and its result, understood.

    `resource` is what it touched (a path, a URL, a pattern, a command), `version` the digest of
    what was read or written, empty when unknown. `command` is the shell text of a RUN.
    `effect` names a side effect (`git commit`, `git push`, `delete`, `http post`, `migration`, …),
    the one that reaches furthest when a command has several; `effects` are all of them. The outcome
    is that of the whole call: in a compound command that failed, an effect may have happened.
    `decisive_line` is the line of a failed result that says why. `job` is the handle of a process
    or helper that may still run. `approval` is a ticket that waits for a person.
    """

    call_id: str
    tool: str
    family: str
    action: Action
    resource: str = ""
    resources: tuple[str, ...] = ()
    version: str = ""
    outcome: Outcome = Outcome.UNKNOWN
    exit_code: int | None = None
    command: str = ""
    effect: str = ""
    effects: tuple[str, ...] = ()
    decisive_line: str = ""
    tests: TestRun | None = None
    todo: tuple[TodoItem, ...] = ()
    job: str = ""
    approval: str = ""
    purpose: str = ""
