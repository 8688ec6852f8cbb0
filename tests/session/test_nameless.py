"""What names nothing that an index could list is reachable from the context all the same."""

from __future__ import annotations

import re
from typing import Any

import pytest

import clew

Native = dict[str, Any]


def called(names: list[str], results: list[str]) -> list[Native]:
    calls = [
        {"id": f"{name}-{n}", "type": "function", "function": {"name": name, "arguments": "{}"}}
        for n, name in enumerate(names)
    ]
    said: list[Native] = [{"role": "assistant", "content": "", "tool_calls": calls}]
    return said + [
        {"role": "tool", "tool_call_id": call["id"], "content": result}
        for call, result in zip(calls, results, strict=True)
    ]


@pytest.mark.parametrize("many", [1, 40, 400])
def test_a_message_of_calls_that_only_count_up_has_its_handle_in_the_record(many: int) -> None:
    messages: list[Native] = [{"role": "user", "content": "Do it."}]
    messages += called([f"step_{n}" for n in range(many)], [f"ok {n}" for n in range(many)])
    for n in range(12):
        messages += called(["look"], [f"x_{n} = 1\n" * 300])
    session = clew.Session(policy=clew.Policy(clew.Budget(60_000)))
    session.prepare(messages)
    session.compact()
    context = session.prepare(messages)
    record = context.messages[1]["content"]
    assert "\nS-2 called step_0" in record
    last = re.search(r"n up to (\d+)", record)
    assert last is not None
    for number in range(2, int(last.group(1)) + 1):
        assert session.recall(f"S-{number}")
    assert f'"ok {many - 1}"' in session.recall("S-2").decode()
