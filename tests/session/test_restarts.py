"""What callers said beside the messages, after the process has ended and another one goes on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import clew

Native = dict[str, Any]
_RULES = tuple(f"pinned rule {n} holds" for n in range(3))


def rounds(count: int, start: int = 0) -> list[Native]:
    """Calls and their results, some of them long."""
    said: list[Native] = []
    for n in range(start, start + count):
        call = {"name": "read", "arguments": json.dumps({"path": f"f{n}.py"})}
        said += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{n}", "type": "function", "function": call}],
            },
            {"role": "tool", "tool_call_id": f"c{n}", "content": f"line {n} " + f"word{n} " * 60},
        ]
    return said


class Caller:
    """One agent whose process ends now and then; the store is all that is left of it."""

    def __init__(self, store: Path, *, keeps: bool) -> None:
        self.store = store
        self.keeps = keeps
        self.given: list[Native] = [{"role": "user", "content": "Reconcile the ledger."}]
        self.full = list(self.given)
        self.sent: list[list[Native]] = []
        self.pins: dict[str, str] = {}
        self.gone: set[str] = set()
        self.restart()

    def restart(self) -> None:
        """A new process on the same store."""
        self.session = self.another()

    def another(self) -> clew.Session:
        """A session in yet another process."""
        return clew.Session(
            policy=clew.Policy(clew.Budget(4_000, output_reserve_tokens=400)),
            store=str(self.store),
            counter="estimate",
        )

    def work(self, count: int) -> None:
        """Say something, and call the model."""
        said = rounds(count, len(self.full))
        self.full += said
        self.given += said
        self.sent.append(list(self.given))
        context = self.session.prepare(self.given)
        self.sent.append(context.messages)
        if self.keeps:
            self.given = list(context.messages)

    def pin(self, rule: str) -> None:
        """Pin a rule."""
        self.pins[rule] = self.session.pin(rule)
        self.gone.discard(rule)

    def let_go(self, rule: str) -> None:
        """Let a pinned rule go."""
        self.session.unpin(self.pins.pop(rule))
        self.gone.add(rule)


def play(caller: Caller, random: Random) -> None:
    """Some work, with pins made and let go, and restarts in between."""
    caller.work(1)
    for _ in range(random.randint(3, 12)):
        match random.choice(["work", "work", "pin", "let go", "restart"]):
            case "work":
                caller.work(random.randint(1, 8))
            case "pin":
                caller.pin(random.choice(_RULES))
            case "let go" if caller.pins:
                caller.let_go(random.choice(sorted(caller.pins)))
            case "restart":
                caller.restart()
                caller.work(1)
            case _:
                continue


@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
@pytest.mark.parametrize("seed", range(12))
def test_a_pin_that_was_let_go_stays_so_whatever_is_sent_after_a_restart(
    tmp_path: Path, seed: int, keeps: bool
) -> None:
    caller = Caller(tmp_path / "clew.db", keeps=keeps)
    play(caller, Random(seed))
    for given in (caller.given, caller.full, *caller.sent):
        session = caller.another()
        session.prepare(given)
        assert not caller.gone & set(session.pins)
    session = caller.another()
    session.prepare(caller.given)
    assert set(session.pins) == set(caller.pins)


def test_a_pin_let_go_can_be_made_again_and_holds_after_a_restart(tmp_path: Path) -> None:
    caller = Caller(tmp_path / "clew.db", keeps=False)
    caller.work(1)
    caller.pin(_RULES[0])
    caller.let_go(_RULES[0])
    caller.pin(_RULES[0])
    caller.restart()
    caller.work(1)
    assert caller.session.pins == (_RULES[0],)


def test_one_run_that_lets_a_pin_go_takes_it_from_no_other_that_opens_alike(tmp_path: Path) -> None:
    first = Caller(tmp_path / "clew.db", keeps=False)
    second = Caller(tmp_path / "clew.db", keeps=False)
    first.work(1)
    second.given.append({"role": "user", "content": "Begin with the ledger of last year."})
    second.work(2)
    for each in (first, second):
        each.pin(_RULES[0])
    first.let_go(_RULES[0])
    second.restart()
    second.session.prepare(second.given)
    assert first.session.session_id == second.session.session_id
    assert second.session.pins == (_RULES[0],)


def test_notes_of_two_sessions_with_one_id_all_reach_the_record(tmp_path: Path) -> None:
    def session() -> clew.Session:
        return clew.Session(
            policy=clew.Policy(clew.Budget(4_000, output_reserve_tokens=400)),
            store=str(tmp_path / "clew.db"),
            counter="estimate",
            session_id="one",
        )

    messages: list[Native] = [{"role": "user", "content": "Reconcile the ledger."}, *rounds(4)]
    one, other = session(), session()
    one.prepare(messages)
    other.prepare(messages)
    other.note("fact", "the ledger of acme has 47 rows")
    one.note("fact", "the port of the importer is 8081")
    messages += rounds(20, 4)
    assert isinstance(one.prepare(messages).outcome, clew.Compacted)
    for each in (one, session()):
        each.prepare(messages)
        said = [item.text for item in each.record.items]
        assert said.count("the ledger of acme has 47 rows") == 1
        assert said.count("the port of the importer is 8081") == 1


class Waiting:
    """A summarizer that proposes nothing when it is let go."""

    name = "waiting"

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.release = asyncio.Event()

    def propose(self, request: clew.SummaryRequest) -> clew.Delta:
        """Only the awaited form is used here."""
        raise AssertionError("the awaited form was not used")

    async def apropose(self, request: clew.SummaryRequest) -> clew.Delta:
        """Nothing, late."""
        self.asked.set()
        await self.release.wait()
        return clew.Delta()


@pytest.mark.parametrize("session_id", [None, "one"], ids=["derived id", "own id"])
@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
def test_a_note_made_while_a_compaction_is_awaited_outlives_the_process_once(
    tmp_path: Path, keeps: bool, session_id: str | None
) -> None:
    fact, rule = "the ledger of acme has 47 rows", "never touch billing/"

    def session(summarizer: Any) -> clew.AsyncSession:
        return clew.AsyncSession(
            policy=clew.Policy(clew.Budget(4_000, output_reserve_tokens=400)),
            store=str(tmp_path / "clew.db"),
            counter="estimate",
            summarizer=summarizer,
            session_id=session_id,
        )

    async def scene() -> None:
        summarizer = Waiting()
        first = session(summarizer)
        messages: list[Native] = [{"role": "user", "content": "Reconcile it."}, *rounds(24)]
        call = asyncio.create_task(first.prepare(messages))
        await summarizer.asked.wait()
        first.note("fact", fact)
        first.pin(rule)
        summarizer.release.set()
        context = await call
        assert isinstance(context.outcome, clew.Compacted)
        given = [*(context.messages if keeps else messages), *rounds(1, 24)]
        for count in (0, 24, 30):
            again = session("extractive")
            given = [*given, *rounds(count, 30 + count)]
            context = await again.prepare(given)
            assert [item.text for item in again.record.items].count(fact) == 1
            assert again.pins == (rule,)
            assert rule in json.dumps(context.messages)
            given = list(context.messages) if keeps else given

    asyncio.run(scene())


def test_what_is_said_while_a_result_is_missing_outlives_the_process_and_the_result(
    tmp_path: Path,
) -> None:
    def session() -> clew.Session:
        return clew.Session(store=str(tmp_path / "clew.db"))

    def called(call_id: str) -> Native:
        return {"type": "function_call", "call_id": call_id, "name": "read", "arguments": "{}"}

    def answered(call_id: str) -> Native:
        return {"type": "function_call_output", "call_id": call_id, "output": f"of {call_id}"}

    messages: list[Native] = [
        {"role": "user", "content": "Reconcile the ledger."},
        called("late"),
        called("soon"),
        answered("soon"),
    ]
    first = session()
    first.prepare(messages)
    first.pin("never touch billing/")
    messages += [answered("late"), {"role": "user", "content": "go on"}]
    again = session()
    assert "never touch billing/" in json.dumps(again.prepare(messages).messages)
