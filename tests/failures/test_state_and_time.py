"""K42 to K47: what comes meanwhile, crashes, resumes, and several sessions."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.ports import Checkpoint
from clew.record.delta import Delta
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.request import SummaryRequest
from clew.transcript import Format
from tests.failures.judging import (
    folded,
    judge,
    prepared,
    records_in,
    session_of,
    text_of,
)
from tests.failures.stories import WIRES, Story, dumped, story, words


def long_story(wire: Format, turns: int = 12) -> Story:
    return story(wire).user("Reconcile the ledgers.").turns(turns, 600).user("Go on.")


class Waiting:
    """A summarizer that waits for a sign before it answers."""

    name = "waiting"

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()
        self.calls = 0

    def propose(self, request: SummaryRequest) -> Delta:
        return ExtractiveSummarizer().propose(request)

    async def apropose(self, request: SummaryRequest) -> Delta:
        self.calls += 1
        self.asked.set()
        await self.go_on.wait()
        return self.propose(request)


def waiting_session(wire: Format, waiting: Waiting) -> clew.AsyncSession:
    budget = clew.Budget(3_400, output_reserve_tokens=340, tail_messages=3, tail_tokens=400)
    return clew.AsyncSession(
        policy=clew.Policy(budget), format=wire, counter="chars4", summarizer=waiting
    )


# ---- K42 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k42_what_arrives_meanwhile_is_there_once_and_in_order(wire: Format) -> None:
    async def run() -> None:
        told = long_story(wire)
        waiting = Waiting()
        session = waiting_session(wire, waiting)
        first = asyncio.create_task(session.prepare(told.messages))
        await asyncio.wait_for(waiting.asked.wait(), 10)
        told.said("Wait.").user("Stop, use the other branch.")
        told.round("switch", {"branch": "other"}, "switched")
        second = asyncio.create_task(session.prepare(told.messages))
        await asyncio.sleep(0)
        assert not second.done()
        waiting.go_on.set()
        assert isinstance((await first).outcome, clew.Compacted)
        texts = dumped((await second).messages)
        late = dumped(told.messages)[-4:]
        assert texts[-len(late) :] == late
        assert all(texts.count(text) == 1 for text in late)

    asyncio.run(run())


@pytest.mark.parametrize("wire", WIRES)
def test_k42_a_cancelled_run_leaves_the_list_as_it_was(wire: Format) -> None:
    async def run() -> None:
        told = long_story(wire)
        before = dumped(told.messages)
        waiting = Waiting()
        session = waiting_session(wire, waiting)
        task = asyncio.create_task(session.prepare(told.messages))
        await asyncio.wait_for(waiting.asked.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert dumped(told.messages) == before
        assert session.store.sessions() == ()
        waiting.go_on.set()
        told.said("Wait.").user("Stop, use the other branch.")
        context = await session.prepare(told.messages)
        assert dumped(context.messages)[-1] == dumped(told.messages)[-1]

    asyncio.run(run())


@pytest.mark.parametrize("wire", WIRES)
def test_k42_two_threads_on_one_session_take_turns(wire: Format) -> None:
    told = long_story(wire)
    session = session_of(wire, 3_400, tail_messages=3, tail_tokens=400)
    found: list[list[str]] = []

    def work() -> None:
        found.append(dumped(session.prepare(told.messages).messages))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(texts == found[0] for texts in found)
    assert len(session.store.ancestry(latest(session).checkpoint_id)) <= 2


def latest(session: clew.Session) -> Checkpoint:
    checkpoint = session.store.latest(session.session_id or "")
    assert checkpoint is not None
    return checkpoint


# ---- K43 ---------------------------------------------------------------------------------------


class FailingStore:
    """A store whose commit fails once, before or after it was carried out."""

    def __init__(self, inner: Any, *, after: bool) -> None:
        self._inner = inner
        self._after = after
        self.armed = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def commit(self, checkpoint: Checkpoint, messages: Any) -> Checkpoint:
        if not self.armed:
            done: Checkpoint = self._inner.commit(checkpoint, messages)
            return done
        self.armed = False
        if self._after:
            self._inner.commit(checkpoint, messages)
        raise clew.StoreError("disk", "the process was stopped here")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("after", [False, True], ids=["before the commit", "behind the commit"])
def test_k43_a_crash_leaves_the_state_before_or_the_state_after(
    wire: Format, after: bool, tmp_path: Path
) -> None:
    told = long_story(wire)
    expected = folded(session_of(wire, 3_400, tail_tokens=400), wire, told.messages)
    inner = session_of(wire, 3_400, store=str(tmp_path / "clew.db")).store
    store = FailingStore(inner, after=after)
    broken = session_of(wire, 3_400, tail_tokens=400, store=store)
    with pytest.raises(clew.StoreError):
        broken.prepare(told.messages)
    inner.close()
    fresh = session_of(wire, 3_400, tail_tokens=400, store=str(tmp_path / "clew.db"))
    context = prepared(fresh, wire, told.messages)
    assert dumped(context.messages) == dumped(expected.messages)
    fresh.close()


# ---- K44 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k44_a_restart_goes_on_with_record_pins_and_pages(wire: Format, tmp_path: Path) -> None:
    told = long_story(wire)
    place = str(tmp_path / "clew.db")
    one = session_of(wire, 3_400, tail_messages=3, tail_tokens=400, store=place)
    one.prepare(told.messages[:1])
    one.pin("Never touch billing/.")
    one.note("decision", "keep raw SQL for reports", why="the adapter fails its pool test")
    before = folded(one, wire, told.messages)
    spans, items = one.spans(), one.record.items
    one.close()
    two = session_of(wire, 3_400, tail_messages=3, tail_tokens=400, store=place)
    after = prepared(two, wire, told.messages)
    assert dumped(after.messages) == dumped(before.messages)
    assert (two.spans(), two.record.items) == (spans, items)
    assert "Never touch billing/." in text_of(after)
    assert "keep raw SQL for reports" in text_of(after)
    two.close()


@pytest.mark.parametrize("wire", WIRES)
def test_k44_undo_and_fork_give_each_branch_its_own_state(wire: Format) -> None:
    told = long_story(wire)
    session = session_of(wire, 3_400, tail_messages=3, tail_tokens=400)
    early = told.messages[:9]
    before = dumped(session.prepare(early).messages)
    folded(session, wire, told.messages)
    assert dumped(session.prepare(early).messages) == before
    assert session.spans() == []
    fork = story(wire)
    fork.messages = list(early)
    fork.user("Do it another way.").turns(10, 600, first=70).user("Go on.")
    branch = folded(session, wire, fork.messages)
    pages = b"".join(session.recall(handle) for handle, _ in session.spans())
    assert b"src/part70.py" in pages
    assert b"src/part9.py" not in pages
    assert "Do it another way." in {item.text for item in session.record.of_kind("directive")}
    assert len(records_in(branch)) == 1
    judge(session, wire, told.messages, session.prepare(told.messages))


# ---- K45 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k45_a_sub_agent_has_its_own_list_budget_and_pages(wire: Format) -> None:
    store = clew.Session(format=wire).store
    parent = session_of(wire, 3_400, tail_messages=3, tail_tokens=400, store=store)
    told = long_story(wire)
    mine = folded(parent, wire, told.messages)
    child = session_of(wire, 2_000, tail_messages=3, tail_tokens=300, store=store)
    task = story(wire).user("Find all callers of the orders API.").rounds(8, 700, first=50)
    task.said("Found.").user("Go on.")
    fresh = child.prepare(task.messages[:1])
    assert records_in(fresh) == []
    folded(child, wire, task.messages)
    assert child.session_id != parent.session_id
    assert dumped(parent.prepare(told.messages).messages) == dumped(mine.messages)
    assert child.search("reconcile ledgers part 3") == [] or all(
        b"part3.py" not in child.recall(hit.handle) for hit in child.search("part3")
    )


# ---- K46 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k46_nothing_of_one_session_is_seen_in_another(wire: Format) -> None:
    store = clew.Session(format=wire).store

    def told(name: str) -> Story:
        start = story(wire).user("Hello, help me please.")
        start.round("load", {"user": name}, f"the code word of {name} is {name}-violet-lamp")
        return start.turns(8, 700).user("What is my code word?")

    sessions = {}
    for name in ("ana", "ben"):
        policy = clew.Policy(
            clew.Budget(3_000, output_reserve_tokens=300, tail_messages=3, tail_tokens=400)
        )
        sessions[name] = clew.Session(
            policy=policy, format=wire, counter="chars4", store=store, session_id=name
        )
        folded(sessions[name], wire, told(name).messages)
    for name, other in (("ana", "ben"), ("ben", "ana")):
        session = sessions[name]
        hits = session.search("code word violet lamp", limit=20)
        assert hits
        seen = " ".join(hit.excerpt for hit in hits)
        assert f"{name}-violet-lamp" in seen
        assert f"{other}-violet-lamp" not in seen
        pages = b"".join(session.recall(handle) for handle, _ in session.spans())
        assert f"{other}-violet-lamp".encode() not in pages
        assert f"{other}-violet" not in text_of(session.prepare(told(name).messages))


@pytest.mark.parametrize("wire", WIRES)
def test_k46_two_users_who_open_alike_never_share_a_record(wire: Format) -> None:
    store = clew.Session(format=wire).store
    for name, other in (("ana", "ben"), ("ben", "ana")):
        told = story(wire).user("Hello, help me please.")
        told.round("load", {"user": name}, f"the code word is {name}-violet-lamp")
        told.turns(8, 700).user("What is my code word?")
        session = session_of(wire, 3_000, tail_messages=3, tail_tokens=400, store=store)
        context = folded(session, wire, told.messages)
        assert f"{other}-violet" not in text_of(context)
        hits = session.search("code word violet lamp", limit=20)
        assert all(f"{other}-violet" not in hit.excerpt for hit in hits)


@pytest.mark.parametrize("wire", WIRES)
def test_k46_what_is_noted_before_the_first_call_is_nobody_elses(wire: Format) -> None:
    store = clew.Session(format=wire).store
    ana = session_of(wire, 3_000, store=store)
    ana.pin("The code word is violet lamp.")
    ana.note("fact", "The customer is called Ana.")
    assert [item.text for item in ana.record.items] == ["The customer is called Ana."]
    ben = session_of(wire, 3_000, store=store)
    other = story(wire).user("Hello, I am Ben.")
    assert "violet" not in text_of(ben.prepare(other.messages))
    assert ben.record.items == ()
    mine = story(wire).user("Hello, I am Ana.")
    assert "The code word is violet lamp." in text_of(ana.prepare(mine.messages))
    again = session_of(wire, 3_000, store=store)
    again.pin("The code word is violet lamp.")
    assert text_of(again.prepare(mine.messages)).count("violet lamp") == 1
    assert [item.text for item in again.record.items] == ["The customer is called Ana."]


def test_k46_an_empty_id_is_an_error() -> None:
    with pytest.raises(clew.PolicyError, match="session_id"):
        clew.Session(session_id="")


# ---- K47 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k47_no_run_makes_a_double_and_a_real_repetition_stays(wire: Format) -> None:
    told = story(wire).user("Poll the gate.")
    for turn in range(9):
        told.said(f"Poll {turn} done.").user("Again.")
        told.round("poll", {"gate": 4}, "closed " + words(500))
    session = session_of(wire, 2_400, tail_messages=4, tail_tokens=500, record_tokens=300)
    context = folded(session, wire, told.messages)
    for _ in range(2):
        assert dumped(session.prepare(told.messages).messages) == dumped(context.messages)
    in_pages = sum(session.recall(h).count(b"Again.") for h, _ in session.spans())
    in_view = sum(
        text.count("Again.") for text in dumped(context.messages) if "clew-record" not in text
    )
    assert in_pages + in_view == 9
    assert len({handle for handle, _ in session.spans()}) == len(session.spans())
