"""An agent has a search done in a context of its own: only findings with evidence come back.

The parent is a loop with one more tool, `clew_delegate`. The other agent here is a script that
searches a folder of logs, so that the example runs anywhere; it may be any callable. Forty results
pass through its window and none through the parent's.
"""

from __future__ import annotations

import json
from typing import Any

import clew
from clew.delegate import Assignment, call_delegate, definition

GOAL = "Find out why the nightly reconciliation is late. Never touch billing/."
NIGHTS = range(1, 41)


def grep(night: int) -> str:
    """Stands for a search of one night's log."""
    lines = [f"{night:02}:{n:02} posted batch {night * 100 + n}" for n in range(60)]
    if night == 23:
        lines[31] = "23:31 lock wait 5400s on ledger_idx_tenant"
    return "\n".join(lines)


def searcher(assignment: Assignment[clew.Session]) -> dict[str, Any]:
    """The other agent: reads every night in its own window and reports what stood out."""
    messages: list[Any] = list(assignment.messages)
    seen = ""
    for night in NIGHTS:
        context = assignment.session.prepare(messages)
        function = {"name": "grep", "arguments": json.dumps({"night": night})}
        call = {"id": f"night_{night}", "type": "function", "function": function}
        result = grep(night)
        messages = [
            *context.messages,
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": call["id"], "content": result},
        ]
        seen = next((line for line in result.splitlines() if "lock wait" in line), seen)
    assignment.session.prepare(messages)
    return {
        "acknowledged": ["R-1"],
        "findings": [
            {"claim": "night 23 waited 5400s for a lock", "evidence": [{"quote": seen}]},
            {"claim": "the disk was full", "evidence": [{"quote": "no space left on device"}]},
        ],
    }


def main() -> None:
    """One turn of the parent: it delegates, and gets one finding back."""
    session = clew.Session(policy=clew.Policy(clew.Budget(16_000)))
    messages: list[dict[str, Any]] = [{"role": "user", "content": GOAL}]
    tools = [*session.tools(), *definition(session.wire_format)]
    session.prepare(messages, tools=tools)
    session.note(
        "invariant", "billing/ is never written to", evidence=[clew.Evidence(span="", quote=GOAL)]
    )

    arguments = json.dumps({"task": "Search the logs of forty nights for what blocked the run."})
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": "clew_delegate", "arguments": arguments},
    }
    said = call_delegate(session, arguments, searcher)
    print(said)
    messages += [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": said},
    ]
    context = session.prepare(messages, tools=tools)

    assert "night 23 waited 5400s" in said
    assert "1 claims had no evidence" in said, "what cannot be found in the logs is not believed"
    assert "posted batch" not in json.dumps(context.messages), "its transcript stays its own"
    handle = said.split("(")[1].split(")")[0]
    assert b"lock wait 5400s" in session.recall(handle)
    print(f"spent by both: {session.status().tokens_spent:,} tokens")
    session.close()


if __name__ == "__main__":
    main()
