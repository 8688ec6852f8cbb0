"""Evictions that pay for themselves, played through a session."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import clew
from clew.policy import Why

GOAL = "Find out why ledger rows disagree. Never touch billing/. " * 3


def exchange(number: int, size: int) -> list[dict[str, Any]]:
    call_id = f"call_{number}"
    lines = [f"def step_{number}_{n}(row_{n}): return fetch_{number}_{n}()" for n in range(size)]
    return [
        {
            "role": "assistant",
            "content": f"Looking at part {number}.",
            "tool_calls": [
                {
                    "id": call_id,
                    "type": "function",
                    "function": {
                        "name": "read_file",
                        "arguments": json.dumps({"path": f"src/part_{number}.py"}),
                    },
                }
            ],
        },
        {"role": "tool", "tool_call_id": call_id, "content": "\n".join(lines) or "empty"},
    ]


def run_of(sizes: list[int]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = [{"role": "user", "content": GOAL}]
    for number, size in enumerate(sizes):
        told += exchange(number, size)
    return told


def session(**options: Any) -> clew.Session:
    """Armed early and by the trigger alone: what is evicted would be carried to the backstop."""
    budget = clew.Budget(60_000, prefix_tokens=0, trigger=0.42, backstop=0.9)
    policy = clew.Policy(budget=budget, cost_rule=False)
    return clew.Session(policy=policy, counter="chars4", **options)


def detail_of(context: clew.Context) -> str:
    assert isinstance(context.outcome, clew.Evicted)
    return context.outcome.detail


def played(told: list[dict[str, Any]], running: clew.Session) -> list[tuple[int, clew.Context]]:
    """Prepares every call of a run and gives those in which an eviction paid."""
    evicted = []
    for upto in range(1, len(told) + 1, 2):
        context = running.prepare(told[:upto])
        if isinstance(context.outcome, clew.Evicted) and context.outcome.why is Why.EVICTION_PAYS:
            evicted.append((upto, context))
    return evicted


BULKY = [5, 280, 6, 7, 290, 5, 6, 8, 300, 5, 6, 280, 5, 6, 4, 280, 5, 4, 3, 280, 2, 3, 4] * 2


def test_a_bulky_result_leaves_once_taking_it_out_pays_and_comes_back_byte_for_byte() -> None:
    told, running = run_of(BULKY), session()
    evicted = played(told, running)
    assert evicted
    for upto, context in evicted:
        assert context.report.tokens_after < context.report.trigger
        assert "of the cached prefix are written again" in detail_of(context)
        originals = {m["content"] for m in told[:upto] if m["role"] == "tool"}
        assert isinstance(context.outcome, clew.Evicted)
        for handle in context.outcome.handles:
            assert running.recall(handle).decode() in originals
            assert any(handle in str(m["content"]) for m in context.messages)


def test_goal_newest_exchanges_and_calls_are_the_very_objects_that_came() -> None:
    told = run_of(BULKY)
    for upto, context in played(told, session()):
        assert context.messages[0] is told[0]
        assert all(any(m is kept for m in context.messages) for kept in told[upto - 4 : upto])
        shown = [m for m in context.messages if m["role"] == "assistant"]
        assert all(any(m is given for given in told) for m in shown)


def test_the_bytes_stay_the_same_between_evictions_and_between_workers() -> None:
    told = run_of(BULKY)
    first, second = session(), session()
    upto, context = played(told, first)[0]
    again = [second.prepare(told[:n]) for n in range(1, upto + 1, 2)]
    assert again[-1].messages == context.messages
    later = first.prepare(told[: upto + 2])
    if isinstance(later.outcome, clew.Held):
        assert later.messages[: len(context.messages)] == context.messages


def test_a_pinned_result_stays() -> None:
    told, running = run_of(BULKY), session()
    running.prepare(told[:1])
    running.pin(told[4])
    for _, context in played(told, running):
        assert any(told[4]["content"] in str(m["content"]) for m in context.messages)


@settings(max_examples=6)
@given(st.lists(st.integers(0, 320), min_size=20, max_size=44))
def test_whatever_sizes_come_an_eviction_keeps_the_laws(sizes: list[int]) -> None:
    told, running = run_of(sizes), session()
    for upto, context in played(told, running):
        assert context.messages[0] == told[0]
        assert context.report.tokens_after <= context.report.budget
        assert context.messages[-4:] == told[upto - 4 : upto]
        calls = [c["id"] for m in context.messages for c in m.get("tool_calls", ())]
        results = [m["tool_call_id"] for m in context.messages if m["role"] == "tool"]
        assert calls == results
