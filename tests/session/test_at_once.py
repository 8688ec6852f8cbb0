"""One session used from several places at once: threads, and what comes while a call is awaited."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.policy import Why
from tests.session.test_restarts import Waiting, rounds

Native = dict[str, Any]
_POLICY = clew.Policy(clew.Budget(4_000, output_reserve_tokens=400))
_OPENING: list[Native] = [{"role": "user", "content": "Reconcile the ledger."}]


def test_what_is_observed_and_signalled_while_a_call_is_awaited_counts_from_the_next_on() -> None:
    async def scene() -> None:
        summarizer = Waiting()
        session = clew.AsyncSession(policy=_POLICY, counter="estimate", summarizer=summarizer)
        messages = [*_OPENING, *rounds(4)]
        await session.prepare(messages)
        messages += rounds(20, 4)
        call = asyncio.create_task(session.prepare(messages))
        await summarizer.asked.wait()
        session.observe({"prompt_tokens": 5_000})
        session.signal("subtask_done")
        summarizer.release.set()
        made = await call
        assert isinstance(made.outcome, clew.Compacted)
        messages += rounds(9, 24)
        signalled = await session.prepare(messages)
        assert isinstance(signalled.outcome, clew.Compacted)
        assert signalled.outcome.why is Why.SIGNALLED

    asyncio.run(scene())


def test_an_awaited_compact_takes_the_messages_of_the_call_before_it() -> None:
    async def scene() -> None:
        session = clew.AsyncSession(policy=_POLICY, counter="estimate")
        first, second = [*_OPENING, *rounds(3)], [*_OPENING, *rounds(9)]
        await session.prepare(first)
        _, context = await asyncio.gather(session.prepare(second), session.compact())
        assert second[-1] in context.messages

    asyncio.run(scene())


@pytest.mark.parametrize("wrong", [None, "text", {"role": "user"}, 7])
def test_what_is_no_list_is_refused_alike_by_both_sessions(wrong: Any) -> None:
    with pytest.raises(clew.InvalidTranscriptError, match="expected a list of messages"):
        clew.Session().prepare(wrong)
    with pytest.raises(clew.InvalidTranscriptError, match="expected a list of messages"):
        asyncio.run(clew.AsyncSession().prepare(wrong))


@pytest.mark.parametrize("session_id", [None, "one"], ids=["derived id", "own id"])
@pytest.mark.parametrize("in_memory", [True, False], ids=["memory", "file"])
def test_threads_share_a_session(tmp_path: Path, in_memory: bool, session_id: str | None) -> None:
    session = clew.Session(
        policy=_POLICY,
        counter="estimate",
        store=None if in_memory else str(tmp_path / "clew.db"),
        session_id=session_id,
    )
    full = [*_OPENING, *rounds(60)]
    session.prepare(_OPENING)

    def prepare(n: int) -> None:
        context = session.prepare(full[: 1 + 2 * (n * 3 % 60)])
        assert context.report.tokens_after <= context.report.budget

    def look(n: int) -> None:
        session.search(f"word{n} line")
        assert session.status().tokens_used >= 0
        assert all(pin.startswith("rule ") for pin in session.pins)
        assert session.record.items is not None

    def say(n: int) -> None:
        session.note("fact", f"row {n} of the ledger is right")
        session.unpin(session.pin(f"rule {n}"))
        session.pin(f"rule to stay {n}")

    def tell(n: int) -> None:
        session.observe({"prompt_tokens": 900 + n})
        session.signal("subtask_done")
        session.hint()

    jobs: list[Callable[[int], None]] = [prepare, look, say, tell, lambda _: void(session.compact)]
    with ThreadPoolExecutor(len(jobs)) as pool:
        for done in [pool.submit(job, n) for n in range(12) for job in jobs]:
            done.result()
    context = session.prepare(full)
    said = [item.text for item in session.record.items if "of the ledger is right" in item.text]
    assert sorted(said) == sorted(f"row {n} of the ledger is right" for n in range(12))
    assert sorted(session.pins) == sorted(f"rule to stay {n}" for n in range(12))
    assert all(pin in json.dumps(context.messages) for pin in session.pins)


def void(call: Callable[[], object]) -> None:
    """Call it for what it does."""
    call()
