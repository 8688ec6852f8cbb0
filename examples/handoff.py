"""A run is handed off, a person edits the document, and a fresh run goes on from it.

The agent here is a script, so that the example runs anywhere. The hand-over is one markdown file:
what the person changes in it is marked as theirs, and the goal is checked byte for byte.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import clew
from clew.delegate import Assignment, delegate

GOAL = "Make the nightly reconciliation finish before 06:00. Never touch billing/."


def step(number: int) -> list[dict[str, Any]]:
    """Stands for an agent's step: it reads one log, the tool answers."""
    function = {"name": "read_log", "arguments": json.dumps({"night": number})}
    call = {"id": f"call_{number}", "type": "function", "function": function}
    lines = "\n".join(f"{number:02}:{n:02} posted batch {number * 100 + n}" for n in range(60))
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": lines},
    ]


def first_run(document: Path, store: str) -> None:
    """Works for a while, notes what it found, and hands off."""
    session = clew.Session(policy=clew.Policy(clew.Budget(16_000)), store=store)
    messages: list[dict[str, Any]] = [{"role": "user", "content": GOAL}]
    for night in range(12):
        messages += step(night)
        session.prepare(messages)
    session.note("requirement", "the run ends before 06:00 on five nights")
    session.note("decision", "post in batches of 500", why="1,000 locks the ledger table")
    session.note("job", "backfill of March", check="curl -s localhost:8080/jobs/7")
    session.handoff(document)
    session.close()


def person_edits(document: Path) -> None:
    """Stands for an editor: one decision is changed, one step added."""
    text = document.read_text()
    text = text.replace("D-1: post in batches of 500", "D-1: post in batches of 250")
    text = text.replace("\n\n## Pinned texts", "\n- [ ] Ask Ana about April\n\n## Pinned texts")
    document.write_text(text)


def other_agent(assignment: Assignment[clew.Session]) -> dict[str, Any]:
    """Stands for an agent with a context of its own: it reads one log and answers."""
    messages = [*assignment.messages, *step(31)]
    assignment.session.prepare(messages)
    quote = {"quote": "31:07 posted batch 3107"}
    return {
        "acknowledged": [],
        "findings": [{"claim": "night 31 posted batch 3107", "evidence": [quote]}],
    }


def main() -> None:
    """Hand off, edit, resume, and delegate one question."""
    with tempfile.TemporaryDirectory() as folder:
        document, store = Path(folder) / "handoff.md", str(Path(folder) / "clew.db")
        first_run(document, store)
        person_edits(document)

        session = clew.Session.resume(document, store)
        print("by a person:", session.resume_changes.changed, session.resume_changes.steps_added)
        context = session.prepare([*session.opening, {"role": "user", "content": "Go on."}])
        assert context.messages[0]["content"] == GOAL
        assert "batches of 250" in context.messages[1]["content"]
        assert b"posted batch 307" in session.recall("S-8"), "the former run's handles still work"

        found = delegate(session, "What was posted on night 31?", other_agent)
        print(found.text)
        assert b"posted batch 3107" in session.recall(found.findings[0].evidence[0].span)
        session.close()


if __name__ == "__main__":
    main()
