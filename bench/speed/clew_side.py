"""What Clew takes for the same work."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import clew
from bench.speed.histories import Message, of_messages
from bench.speed.timing import Times, Watch

ROOT = Path(__file__).resolve().parents[2]


def holding(history: list[Message]) -> clew.Session:
    """A session whose window is so large that it never does anything."""
    session = clew.Session(policy=clew.Policy(clew.Budget(20_000_000)), format="openai-chat")
    session.prepare(history)
    return session


def preflight(session: clew.Session, history: list[Message], watch: Watch) -> None:
    """One call with nothing to do."""
    context = watch.take(lambda: session.prepare(history))
    assert isinstance(context.outcome, clew.Held)


def preflights_in_a_fresh_process(count: int, rounds: int) -> Times:
    """The same list over and over in an interpreter that has imported Clew and nothing else.

    An unchanged list is compared with last time's copy; beside a large import the two are spread
    over more memory.
    """
    statement = f"from bench.speed.clew_side import told; told({count}, {rounds})"
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", statement],
        env={**os.environ, "PYTHONPATH": paths},
        check=True,
        capture_output=True,
        text=True,
    )
    return Times(**json.loads(done.stdout))


def told(count: int, rounds: int) -> None:
    """Print what the same list takes, for another process to read."""
    history, watch = of_messages(count), Watch()
    session = holding(history)
    for _ in range(rounds):
        preflight(session, history, watch)
    print(json.dumps(asdict(watch.times)))


def compaction(
    history: list[Message], watch: Watch, wire: clew.Format = clew.Format.OPENAI_CHAT
) -> Any:
    """One compaction in a session that has seen the history before, as in an agent's loop."""
    window = max(16_000, int(tokens_of(history, wire) * 1.3))
    budget = clew.Budget(window, trigger=0.97, backstop=0.98)
    policy = clew.Policy(budget, cost_rule=False)  # or the first call would compact already
    gc.collect()  # of the sessions of earlier rounds
    session = clew.Session(policy=policy, format=wire)
    session.prepare(history)
    context = watch.take(session.compact)
    assert isinstance(context.outcome, clew.Compacted), context.outcome
    session.close()
    return context


def at_once(history: list[Message], window: int, watch: Watch) -> Any:
    """Reading, counting and compacting a list never seen before."""
    budget = clew.Budget(window, trigger=0.5, backstop=0.9)
    context = watch.take(lambda: clew.compact(history, budget, format="openai-chat"))
    assert isinstance(context.outcome, clew.Compacted), context.outcome
    return context


def tokens_of(history: list[Message], wire: clew.Format = clew.Format.OPENAI_CHAT) -> int:
    """Exact tokens of a history."""
    session = clew.Session(policy=clew.Policy(clew.Budget(20_000_000)), format=wire)
    return int(session.prepare(history).report.tokens_before)


def beginning(
    history: list[Message], tokens: int, wire: clew.Format = clew.Format.OPENAI_CHAT
) -> list[Message]:
    """The first messages of a history that take at most so many exact tokens."""
    low, high = 1, len(history)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens_of(history[:middle], wire) <= tokens:
            low = middle
        else:
            high = middle - 1
    return history[:low]
