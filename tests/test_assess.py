"""What waits stays verbatim: an approval until it is settled, a job through one compaction."""

from __future__ import annotations

from typing import Any

import pytest

import clew
from tests.test_residency import exchange

STARTED = "Command running in background with ID: bg-21, port 5173"
NOTICE = """<task-notification>
<task-id>bg-21</task-id>
<status>{}</status>
</task-notification>"""


def waiting(result: str) -> list[dict[str, Any]]:
    """A call whose result is no end."""
    call, told = exchange(900, 1)
    function = {"name": "bash", "arguments": '{"command": "make watch"}'}
    call["tool_calls"][0]["function"] = function
    return [call, {**told, "content": result}]


def kept_after(told: list[dict[str, Any]], compactions: int, result: str) -> list[bool]:
    """Whether a result is still there verbatim behind each compaction of a run."""
    budget = clew.Budget(40_000, prefix_tokens=0, tail_tokens=2_000, tail_messages=4)
    session = clew.Session(policy=clew.Policy(budget=budget), counter="chars4")
    found = []
    for upto in range(1, len(told) + 1):
        if told[upto - 1]["role"] == "assistant":
            continue
        context = session.prepare(told[:upto])
        if isinstance(context.outcome, clew.Compacted):
            found.append(any(m.get("content") == result for m in context.messages))
    assert len(found) >= compactions
    return found[:compactions]


def run(*middle: dict[str, Any]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = [{"role": "user", "content": "Build the harbour model."}, *middle]
    for number in range(60):
        told += exchange(number, 60)
    return told


def test_a_job_stays_through_one_compaction_and_then_by_its_line_in_the_record() -> None:
    told = run(*waiting(STARTED))
    assert kept_after(told, 3, STARTED) == [True, False, False]
    session = clew.Session(
        policy=clew.Policy(clew.Budget(40_000, prefix_tokens=0, tail_tokens=2_000)),
        counter="chars4",
    )
    for upto in range(1, len(told) + 1, 2):
        session.prepare(told[:upto])
    assert [item.field("handle") for item in session.record.items if item.kind == "job"] == [
        "bg-21"
    ]


@pytest.mark.parametrize(("status", "kept"), [("running", True), ("completed", False)])
def test_a_notice_of_its_end_lets_a_job_go_at_once(status: str, kept: bool) -> None:
    said = {"role": "user", "content": NOTICE.format(status)}
    told = run(*waiting(STARTED), {"role": "assistant", "content": "It runs."}, said)
    assert kept_after(told, 1, STARTED) == [kept]


RUNNING = """Command: /bin/zsh -lc 'go mod tidy'
Process running with session ID 21613
Output:
go: downloading golang.org/x/term v0.37.0"""
ENDED = """Command: /bin/zsh -lc 'go mod tidy'
Process exited with code {}
Output:
"""


def session_call(call_id: str, name: str, arguments: str, result: str) -> list[dict[str, Any]]:
    return [
        {"role": "assistant", "content": None, "tool_calls": [{"id": call_id, "type": "function",
         "function": {"name": name, "arguments": arguments}}]},
        {"role": "tool", "tool_call_id": call_id, "content": result},
    ]  # fmt: skip


@pytest.mark.parametrize("code", [0, 1])
def test_a_session_that_was_seen_to_end_neither_stays_nor_becomes_a_live_job(code: int) -> None:
    started = session_call("c1", "exec_command", '{"cmd": "go mod tidy"}', RUNNING)
    looked = session_call("c2", "write_stdin", '{"session_id": 21613}', ENDED.format(code))
    assert kept_after(run(*started), 1, RUNNING) == [True]
    told = run(*started, *looked)
    assert kept_after(told, 1, RUNNING) == [False]
    session = clew.Session(
        policy=clew.Policy(clew.Budget(40_000, prefix_tokens=0, tail_tokens=2_000)),
        counter="chars4",
    )
    for upto in range(1, len(told) + 1, 2):
        session.prepare(told[:upto])
    assert session.record.revision >= 2
    assert [i for i in session.record.items if i.kind == "job" and i.live] == []


def test_what_a_person_has_to_approve_stays_until_it_is_settled() -> None:
    asked = '{"status": "pending", "ticket": "T-9"}'
    assert kept_after(run(*waiting(asked)), 3, asked) == [True, True, True]
