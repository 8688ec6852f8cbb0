"""What Clew takes for the same work."""

from __future__ import annotations

import gc
from typing import Any

import clew
from bench.speed.histories import Message
from bench.speed.timing import Watch


def holding(history: list[Message]) -> clew.Session:
    """A session whose window is so large that it never does anything."""
    session = clew.Session(policy=clew.Policy(clew.Budget(20_000_000)), format="openai-chat")
    session.prepare(history)
    return session


def preflight(session: clew.Session, history: list[Message], watch: Watch) -> None:
    """One call with nothing to do."""
    context = watch.take(lambda: session.prepare(history))
    assert isinstance(context.outcome, clew.Held)


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
