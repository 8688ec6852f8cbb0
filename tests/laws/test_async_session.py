"""The awaited session: what comes in while a summarizer waits, two calls at once, a cancel."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest

import clew
from clew import Delta, SummaryRequest
from clew.transcript import Format
from tests.laws.players import budget_of, judge_nothing_lost, judge_valid
from tests.laws.processes import told
from tests.telling import TELLERS

WIRE = Format.OPENAI_CHAT


class Waiting:
    """A summarizer that answers when it is let go."""

    name = "waiting"

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.release = asyncio.Event()
        self.calls = 0

    def propose(self, request: SummaryRequest) -> Delta:
        """Only the awaited form is used here."""
        raise AssertionError("the awaited form was not used")

    async def apropose(self, request: SummaryRequest) -> Delta:
        """Nothing, late."""
        self.calls += 1
        self.asked.set()
        await self.release.wait()
        return Delta()


def _session(summarizer: Any) -> clew.AsyncSession:
    return clew.AsyncSession(
        policy=clew.Policy(budget_of(1_500)), format=WIRE, counter="estimate", summarizer=summarizer
    )


def _long_run() -> list[dict[str, Any]]:
    messages = told(WIRE, 5, 30)
    teller: Any = TELLERS[WIRE](Random(5), ("A finding about the ledger and its keys.",) * 3)
    for _ in range(12):
        messages.extend(teller.calls())
    return messages


def test_a_message_that_comes_while_the_summarizer_waits_is_in_the_next_context() -> None:
    async def scene() -> None:
        summarizer = Waiting()
        session = _session(summarizer)
        messages = _long_run()
        first = asyncio.create_task(session.prepare(messages))
        await summarizer.asked.wait()
        late = {"role": "user", "content": "Stop: the ledger is closed."}
        messages.append(late)
        summarizer.release.set()
        context = await first
        assert late not in context.messages
        judge_valid(WIRE, messages, context)
        after = await session.prepare(messages)
        assert after.messages[-1] is late
        judge_nothing_lost(session, messages, after)  # type: ignore[arg-type]  # same methods

    asyncio.run(scene())


def test_two_calls_at_once_wait_for_each_other_and_agree() -> None:
    async def scene() -> None:
        summarizer = Waiting()
        session = _session(summarizer)
        messages = _long_run()
        both = [asyncio.create_task(session.prepare(messages)) for _ in range(2)]
        await summarizer.asked.wait()
        summarizer.release.set()
        first, second = await asyncio.gather(*both)
        assert first.messages == second.messages
        assert summarizer.calls == 1
        assert isinstance(second.outcome, clew.Held)

    asyncio.run(scene())


def test_a_cancelled_call_changes_nothing() -> None:
    async def scene() -> None:
        summarizer = Waiting()
        session = _session(summarizer)
        messages = _long_run()
        before = json.dumps(messages)
        task = asyncio.create_task(session.prepare(messages))
        await summarizer.asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert json.dumps(messages) == before
        assert all(row is None or row.kind == "evict" for row in [_latest(session)])
        summarizer.release.set()
        context = await session.prepare(messages)
        assert isinstance(context.outcome, clew.Compacted)
        judge_valid(WIRE, messages, context)
        judge_nothing_lost(session, messages, context)  # type: ignore[arg-type]  # same methods

    asyncio.run(scene())


def _latest(session: clew.AsyncSession) -> Any:
    assert session.session_id is not None
    return session.store.latest(session.session_id)
