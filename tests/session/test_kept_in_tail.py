"""A tail that begins among messages which an earlier compaction kept: nothing is folded twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import clew

Native = dict[str, Any]


def call(number: int, tool: str, arguments: Native, result: str) -> list[Native]:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": f"c{number}", "content": result},
    ]


def history() -> list[Native]:
    """A job that runs on, then a request, and a result behind it that fills a tail alone."""
    said: list[Native] = [{"role": "user", "content": "Keep the harbour running."}]
    for n in range(12):
        said += call(n, "read_file", {"path": f"src/quay_{n}.py"}, f"def quay_{n}(): pass\n" * 40)
    job = {"command": "python serve.py", "run_in_background": True}
    said += call(20, "bash", job, "Command running in background with ID: bash_1")
    said += call(21, "read_file", {"path": "src/a.py"}, "x = 1\n" * 400)
    said += [{"role": "assistant", "content": "It runs."}]
    said += [{"role": "user", "content": "Now look at the crane."}]
    said += call(30, "read_file", {"path": "src/b.py"}, "y = 2\n" * 600)
    return said + call(31, "read_file", {"path": "src/big.py"}, "z = 2\n" * 700)


@pytest.mark.parametrize("tail_tokens", [300, 1_500, 3_000])
def test_what_was_kept_can_stand_in_the_tail_of_the_next_compaction(
    tmp_path: Path, tail_tokens: int
) -> None:
    budget = clew.Budget(
        40_000, output_reserve_tokens=500, tail_tokens=tail_tokens, tail_messages=4
    )
    store, given = str(tmp_path / "a.db"), history()
    session = clew.Session(policy=clew.Policy(budget), store=store)
    session.prepare(given)
    first = session.compact()
    assert {"role": "user", "content": "Now look at the crane."} in first.messages
    second = session.compact()
    assert second.messages[0] == given[0]
    spans = [m for handle, _ in session.spans() for m in json.loads(session.recall(handle))]
    assert len(spans) == len({json.dumps(m) for m in spans}), "no message was folded twice"
    in_reach = [*spans, *second.messages]
    results = {m["tool_call_id"] for m in in_reach if m["role"] == "tool"}
    assert results == {m["tool_call_id"] for m in given if m["role"] == "tool"}
    assert all(m in in_reach for m in given if m["role"] != "tool")
    for sent in (given, second.messages):
        again = clew.Session(policy=clew.Policy(budget), store=store).prepare(sent)
        assert again.messages == second.messages
