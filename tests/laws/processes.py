"""What other processes do with sessions in the tests of crashes and of concurrency."""

from __future__ import annotations

import json
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import clew
from clew.transcript import Format
from tests.laws.players import budget_of, call_points
from tests.telling import TELLERS, Native

_WINDOW = 1_700


def session_on(path: Path, wire: Format, session_id: str | None = None) -> clew.Session:
    """A session on a file that several processes use."""
    return clew.Session(
        policy=clew.Policy(budget_of(_WINDOW)),
        format=wire,
        counter="estimate",
        store=str(path),
        session_id=session_id,
    )


def told(wire: Format, seed: int, steps: int) -> list[Native]:
    """A run with one goal and many calls; the same seed gives the same run."""
    teller: Any = TELLERS[wire](Random(seed), (f"Run {seed} compares ledger {seed}.", "x", "Done."))
    messages = [*teller.user()]
    for _ in range(steps):
        messages.extend(teller.calls())
    return [*messages, *teller.closing()]


def contexts(path: Path, wire: Format, seed: int, steps: int) -> list[str]:
    """Plays a run on the file; gives each context as text."""
    messages = told(wire, seed, steps)
    points = call_points(wire, messages)
    with session_on(path, wire) as session:
        return [json.dumps(session.prepare(messages[:length]).messages) for length in points]


def contend(path: Path, wire: Format, own: int, shared: int, steps: int) -> dict[str, Any]:
    """Plays a shared run and one of its own; gives all contexts, and what search finds at last."""
    first = contexts(path, wire, shared, steps)
    second = contexts(path, wire, own, steps)
    messages = told(wire, own, steps)
    with session_on(path, wire) as session:
        session.prepare(messages)
        hits = [hit.excerpt for hit in session.search("Run compares ledger", limit=20)]
    return {"shared": first, "own": second, "hits": hits}


def play_until_killed(path: Path, wire: Format, seed: int, acknowledge: Connection) -> None:
    """Plays one run over and over, each round under a fresh id; tells each context it got."""
    messages = told(wire, seed, 40)
    points = list(call_points(wire, messages))
    acknowledge.send_bytes(b"ready")
    number = 0
    while True:
        session = session_on(path, wire, session_id=f"round {number}")
        for length in points:
            context = session.prepare(messages[:length])
            said = {"round": number, "length": length, "messages": context.messages}
            acknowledge.send_bytes(json.dumps(said).encode())
        session.close()
        number += 1
