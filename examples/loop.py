"""An agent loop that stays within its window: one call to `prepare` before each model call.

The model here is a small script, so that the example runs anywhere; put your own client in its
place. It reads sixty modules, notes what it finds, and at the end asks the archive for a detail
that left the window long ago.
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
    hit = session.search("posting_3_17", limit=1)[0]
    print(f"found again: {hit.handle} {hit.label}")
    assert b"account 3017" in session.recall(hit.handle)


if __name__ == "__main__":
    main()
