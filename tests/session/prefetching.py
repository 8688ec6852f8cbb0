"""A run that grows call by call, and a model whose answers come when a test lets them."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import clew
from clew.ports import ModelReply, ModelRequest
from clew.store import MemoryStore
from clew.summarize.breaker import CallLimits
from clew.summarize.model import ModelSummarizer
from tests.summarize.building import reply

GOAL = "Compare the two ledgers and report every row that differs."
BUDGET = clew.Budget(
    window_tokens=8_000,
    prefix_tokens=0,
    output_reserve_tokens=0,
    trigger=4_000,
    backstop=6_400,
    boundary_floor=2_000,
    tail_messages=4,
    tail_tokens=900,
    record_tokens=500,
)
POLICY = clew.Policy(BUDGET, cost_rule=False, cooldown=0.02, min_reclaim=0.02)


class LateClient:
    """Proposes the sentence of every exchange it is shown; answers while its gate is open."""

    name = "scripted:late"
    window_tokens = 60_000
    structured_output = False

    def __init__(self, *, held: bool = False, failing: Exception | None = None) -> None:
        self.gate = threading.Event()
        if not held:
            self.gate.set()
        self.failing = failing
        self.requests: list[ModelRequest] = []
        self.cancelled = 0

    def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        self.gate.wait(20)
        return self._answer(request)

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        try:
            await self._opened()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return self._answer(request)

    async def _opened(self) -> None:
        # The gate is opened from another thread, which no event of a loop can be.
        for _ in range(20_000):
            if self.gate.is_set():
                return
            await asyncio.sleep(0.001)

    def spans(self, number: int) -> list[str]:
        """The handles a request shows."""
        history = self.requests[number].prompt.partition("<clew-record-history>")[2]
        return re.findall(r"^\[(S-\d+)\]", history, re.MULTILINE)

    def _answer(self, request: ModelRequest) -> ModelReply:
        if self.failing is not None:
            raise self.failing
        history = request.prompt.partition("<clew-record-history>")[2]
        found = re.findall(r"^\[(S-\d+)\]\nagent:\n\| (.+)$", history, re.MULTILINE)
        lines = [f"ADD fact: {text}\nSPAN: {handle}\nQUOTE: {text}" for handle, text in found]
        return reply("\n".join([*lines, "END"]))


def model(client: LateClient, store: Any = None, **limits: Any) -> ModelSummarizer:
    kept = store or MemoryStore()
    return ModelSummarizer(
        client,
        recollect=kept.recollect,
        remember=kept.remember,
        limits=CallLimits(retries=0, repairs=0, **limits),
        run_id="run",
    )


def exchange(number: int, size: int = 260) -> list[dict[str, Any]]:
    """One call with a result of about `size` tokens, and a sentence that is to be remembered."""
    call = {"name": "look", "arguments": json.dumps({"batch": number})}
    filler = " ".join(f"v{number}x{n}" for n in range(size * 2 // 3))
    return [
        {
            "role": "assistant",
            "content": f"Batch {number} holds {number * 7 + 11} rows of the copper ledger.",
            "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}],
        },
        {"role": "tool", "tool_call_id": f"c{number}", "content": filler},
    ]


def conversation(exchanges: int, size: int = 260) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = [{"role": "user", "content": GOAL}]
    for number in range(exchanges):
        told += exchange(number, size)
    return told


def steps(upto: int, size: int = 260) -> Iterator[list[dict[str, Any]]]:
    """The conversation as it stands before each call of the agent."""
    told = conversation(upto, size)
    for end in range(1, len(told) + 1, 2):
        yield told[:end]


def settle(session: clew.Session) -> None:
    """Let what works in the background end."""
    prefetching = session._core.summarizing.prefetching
    assert prefetching is not None
    if prefetching.work is not None:
        prefetching.work.wait()


def workers() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == "clew-prefetch" and t.is_alive()]


def gone(within: float = 5.0) -> bool:
    """Whether no thread of a prefetch is left."""
    until = time.monotonic() + within
    while workers() and time.monotonic() < until:
        time.sleep(0.002)
    return not workers()


def shown(context: clew.Context) -> str:
    return json.dumps(context.messages)


def armed(session: clew.Session, size: int = 260) -> list[dict[str, Any]]:
    """Plays a run up to the first call at which a summary is begun; gives its messages."""
    for messages in steps(40, size):
        context = session.prepare(messages)
        assert isinstance(context.outcome, clew.Held)
        prefetching = session._core.summarizing.prefetching
        if context.outcome.why is clew.Why.NO_BOUNDARY and prefetching is not None:
            assert prefetching.work is not None
            return messages
    raise AssertionError("the run never armed a compaction")


def grown(messages: Sequence[Any], exchanges: int, size: int = 260) -> list[dict[str, Any]]:
    start = len(messages) // 2
    more = [m for n in range(start, start + exchanges) for m in exchange(n, size)]
    return [*messages, *more]
