"""The same beside an awaited session: a task, cancelled and ended with the session."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import clew
from clew.errors import SummarizerError
from clew.store import MemoryStore
from tests.session.prefetching import POLICY, LateClient, conversation, grown, model, steps
from tests.session.test_prefetch import Plain, row, texts


def session_of(client: LateClient, **options: Any) -> clew.AsyncSession:
    store = MemoryStore()
    return clew.AsyncSession(
        policy=POLICY,
        summarizer=options.pop("summarizer", None) or model(client, store),
        store=store,
        counter="chars4",
        format="openai-chat",
    )


def tasks() -> list[asyncio.Task[Any]]:
    return [t for t in asyncio.all_tasks() if t.get_name() == "clew-prefetch"]


async def settle() -> None:
    if tasks():
        await asyncio.wait(tasks())


async def armed(session: clew.AsyncSession) -> list[dict[str, Any]]:
    for messages in steps(40):
        await session.prepare(messages)
        if tasks():
            return messages
    raise AssertionError("the run never armed a compaction")


def test_the_summary_is_made_in_a_task_and_swapped_in() -> None:
    async def scene() -> None:
        client = LateClient()
        async with session_of(client) as session:
            messages = await armed(session)
            await settle()
            session.signal("subtask_done")
            context = await session.prepare(grown(messages, 1))
            assert isinstance(context.outcome, clew.Compacted)
            assert context.report.facts["prefetched"] == "used"
            assert context.report.waited_seconds < 0.5
            assert len(client.requests) == 1
            assert row(3) in {item.text for item in session.record.items}

    asyncio.run(scene())


def test_a_boundary_that_comes_too_soon_is_remembered_and_the_backstop_waits() -> None:
    async def scene() -> None:
        client = LateClient(held=True)
        async with session_of(client) as session:
            messages = await armed(session)
            session.signal("tests_finished")
            context = await session.prepare(grown(messages, 1))
            assert isinstance(context.outcome, clew.Held)
            assert context.outcome.why is clew.Why.PREPARING
            asyncio.get_running_loop().call_later(0.1, client.gate.set)
            context = await session.prepare(grown(messages, 4, 600))
            assert isinstance(context.outcome, clew.Compacted)
            assert context.report.waited_seconds > 0.05
            first, *others = [client.spans(n) for n in range(len(client.requests))]
            assert not set(first) & {handle for spans in others for handle in spans}

    asyncio.run(scene())


def test_a_cancelled_call_leaves_the_summary_on_its_way() -> None:
    async def scene() -> None:
        client = LateClient(held=True)
        async with session_of(client) as session:
            messages = await armed(session)
            call = asyncio.create_task(session.compact())
            await asyncio.sleep(0.02)
            assert not call.done()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert tasks(), "the cancellation is the caller's alone"
            client.gate.set()
            await settle()
            session.signal("subtask_done")
            context = await session.prepare(grown(messages, 1))
            assert isinstance(context.outcome, clew.Compacted)
            assert len(client.requests) == 1

    asyncio.run(scene())


def test_the_end_of_the_session_ends_the_task() -> None:
    async def scene() -> None:
        client = LateClient(held=True)
        async with session_of(client) as session:
            await armed(session)
            await asyncio.sleep(0.02)
        assert tasks() == []
        assert client.cancelled == len(client.requests) == 1

    asyncio.run(scene())


def test_a_loop_that_ends_takes_the_task_with_it_and_the_next_begins_anew() -> None:
    client = LateClient(held=True)
    session = session_of(client)
    messages = asyncio.run(armed(session))
    client.gate.set()
    asked = len(client.requests)

    async def scene() -> clew.Context:
        await session.prepare(messages)
        await settle()
        session.signal("subtask_done")
        return await session.prepare(grown(messages, 1))

    context = asyncio.run(scene())
    assert isinstance(context.outcome, clew.Compacted)
    assert len(client.requests) == asked + 1
    session.close()


def test_a_failure_is_no_wait_and_nothing_is_left_unheard() -> None:
    async def scene() -> None:
        client = LateClient(failing=SummarizerError("HTTP 500", summarizer="scripted:late"))
        async with session_of(client) as session:
            messages = await armed(session)
            await settle()
            session.signal("subtask_done")
            context = await session.prepare(grown(messages, 1))
            assert context.report.summarizer == "extractive (fallback)"
            assert any("HTTP 500" in warning for warning in context.report.warnings)

    asyncio.run(scene())


def test_a_summarizer_that_cannot_be_awaited_gets_a_thread() -> None:
    async def scene() -> None:
        plain = Plain(background=True)
        async with session_of(LateClient(), summarizer=plain) as session:
            messages = conversation(13)
            await session.prepare(messages)
            await settle()
            session.signal("subtask_done")
            context = await session.prepare(grown(messages, 1))
            assert isinstance(context.outcome, clew.Compacted)
            assert len(plain.threads) == 1
            assert plain.threads != ["MainThread"]
            assert row(0) in texts(session)

    asyncio.run(scene())
