"""`clew resume`: the first messages of a fresh run, from a handoff document."""

from __future__ import annotations

import json as jsonlib
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.options import JsonOption, PolicyOption, StoreOption
from clew.cli.screen import printable, write_json

if TYPE_CHECKING:
    from clew.document import Changes


def resume(
    file: Annotated[Path, typer.Argument(metavar="F.md", help="A handoff document.")],
    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="openai-chat, openai-responses, anthropic or gemini; else that of the former run.",
        ),
    ] = None,
    store: StoreOption = None,
    policy: PolicyOption = None,
    json: JsonOption = False,
) -> None:
    """Write the first messages of a fresh run: the goal, pinned texts, the record as data.

    With --store the former run's handles work, and the fresh session is found there by its id.
    """
    import clew
    from clew.cli.policies import policy_for

    session = clew.Session.resume(file, store, policy=policy_for(policy, None), format=format)
    messages = session.opening
    changes = session.resume_changes
    if json:
        write_json(
            {
                "session": session.session_id,
                "format": session.wire_format.value,
                "messages": messages,
                "changes": asdict(changes),
            }
        )
    else:
        jsonlib.dump(messages, sys.stdout, ensure_ascii=True, indent=1)
        sys.stdout.write("\n")
        sys.stderr.write(f"clew: session {session.session_id}; {printable(_said(changes))}\n")
    session.close()


def _said(changes: Changes) -> str:
    """What a person changed, in one line."""
    rows = [
        *(f"{item} changed" for item in changes.changed),
        *(f"{item} added" for item in changes.added),
        *(f"{item} taken out" for item in changes.removed),
        *(["the goal amended"] if changes.goal_amended else []),
        *(["the next action changed"] if changes.next_changed else []),
        *(["pinned texts changed"] if changes.pins_changed else []),
        *(f"step added: {step}" for step in changes.steps_added),
    ]
    return "by a person: " + ", ".join(rows) if rows else "nothing was changed by a person"
