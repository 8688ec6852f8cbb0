"""An agent loop that stays within its window: one call to `prepare` before each model call.

The model here is a small script, so that the example runs anywhere; put your own client in its
place. It reads sixty modules, and at the end it asks, with the tools that Clew gave it, for a
detail that left the window long ago.
"""

from __future__ import annotations

import json
from typing import Any

import clew

GOAL = "Find every module that writes to the ledger. Never touch billing/."


def model(messages: list[dict[str, Any]], step: int) -> dict[str, Any]:
    """Stands for a model: reads one module after the other."""
    arguments = json.dumps({"path": f"src/ledger/module_{step:02}.py"})
    function = {"name": "read_file", "arguments": arguments}
    return {
        "role": "assistant",
        "content": f"Reading module {step}.",
        "tool_calls": [{"id": f"call_{step}", "type": "function", "function": function}],
    }


def asks_archive(step: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Stands for a model that uses one of Clew's own tools."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{step}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def answer(session: clew.Session, reply: dict[str, Any]) -> dict[str, Any]:
    """The result of a call: Clew's tools are answered by the session, errors included."""
    call = reply["tool_calls"][0]
    said = session.call_tool(call["function"]["name"], call["function"]["arguments"])
    return {"role": "tool", "tool_call_id": call["id"], "content": said}


def read_file(step: int) -> str:
    """Stands for a tool: a module of some eighty lines."""
    lines = [f"def posting_{step}_{n}(row):  # account {step * 1_000 + n}" for n in range(80)]
    return "\n".join(lines)


def main() -> None:
    """Run the loop and show what happened to the context."""
    session = clew.Session(policy=clew.Policy(clew.Budget(16_000)))
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You read code and answer briefly."},
        {"role": "user", "content": GOAL},
    ]
    for step in range(60):
        context = session.prepare(messages, tools=session.tools())
        if not isinstance(context.outcome, clew.Held):
            report = context.report
            print(f"call {step}: {report.tokens_before:,} -> {report.tokens_after:,} tokens")
        reply = model(context.messages, step)
        call = reply["tool_calls"][0]
        result = {"role": "tool", "tool_call_id": call["id"], "content": read_file(step)}
        messages += [reply, result]
    context = session.prepare(messages, tools=session.tools())

    assert context.messages[1] is messages[1], "the goal is the very message that came in"

    search = asks_archive(60, "clew_search", {"query": "posting_3_17", "limit": 1})
    found = answer(session, search)
    handle = found["content"].split()[0]
    print(f"found again: {found['content'].splitlines()[0]}")
    recall = asks_archive(61, "clew_recall", {"handle": handle})
    recalled = answer(session, recall)
    assert "account 3017" in recalled["content"]
    messages += [search, found, recall, recalled]
    session.prepare(messages, tools=session.tools())


if __name__ == "__main__":
    main()
