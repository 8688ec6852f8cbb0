"""What the calls of a summarizer's model took: on the report, on the session, over a restart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.ports import Rates
from clew.store import SqliteStore
from clew.summarize.breaker import CallLimits
from clew.summarize.calls import REMEMBERED, CallTotals, ModelCall
from clew.summarize.model import ModelSummarizer
from tests.summarize.building import FakeTime, ScriptedClient, Step, reply, transient

FACT = "ADD fact: retention_days = 30\nSPAN: S-3\nQUOTE: retention_days = 30\nEND"


class Priced:
    """A dollar for a million tokens read, half of that from the cache, four for written ones."""

    def rates(self, model: str) -> Rates | None:
        return Rates(input=1.0, cached_read=0.5, cache_write=1.0, output=4.0)

    def window_tokens(self, model: str) -> int | None:
        return None

    def output_tokens(self, model: str) -> int | None:
        return None


def history(rounds: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Audit the ledger modules."}]
    for n in range(rounds):
        function = {"name": "read_file", "arguments": json.dumps({"path": f"src/ledger_{n}.py"})}
        call = {"id": f"c{n}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {
                "role": "tool",
                "tool_call_id": f"c{n}",
                "content": f"retention_days = {30 + n}\n" * 60,
            },
        ]
    return messages


def session_on(
    path: Path, *script: Step, clock: FakeTime, limits: CallLimits | None = None,
    prices: Priced | None = None,
) -> tuple[clew.Session, ScriptedClient]:  # fmt: skip
    """A session with a model whose state is in the store at a path."""
    store = SqliteStore(path)
    client = ScriptedClient(*script)
    model = ModelSummarizer(
        client, limits=limits, prices=prices, recollect=store.recollect, remember=store.remember,
        now=clock.now, sleep=clock.sleep, asleep=clock.asleep,
    )  # fmt: skip
    policy = clew.Policy(clew.Budget(4_000, output_reserve_tokens=400, record_tokens=300))
    session = clew.Session(
        policy=policy, summarizer=model, store=store, session_id="audit", counter="chars4"
    )
    return session, client


def compacted(session: clew.Session, rounds: int) -> clew.Report:
    """Grow the history until a compaction was made with the model."""
    for length in range(4, rounds):
        context = session.prepare(history(length))
        if isinstance(context.outcome, clew.Compacted):
            return context.report
    raise AssertionError("nothing was compacted")


def test_each_call_is_on_the_report_with_its_tokens_time_cost_and_outcome(tmp_path: Path) -> None:
    clock = FakeTime()

    def slowly(_: Any) -> Any:
        clock.at += 2.5
        return reply(FACT, output_tokens=20)

    session, _ = session_on(
        tmp_path / "a.db", transient("HTTP 500"), slowly, clock=clock, prices=Priced()
    )
    report = compacted(session, 40)
    failed, answered = report.calls
    assert failed == ModelCall(model="scripted:small", outcome="HTTP 500", seconds=0.0)
    assert answered == ModelCall(
        model="scripted:small", outcome="answered", seconds=2.5, input_tokens=100,
        cached_tokens=40, output_tokens=20, cost=(60 * 1.0 + 40 * 0.5 + 20 * 4.0) / 1e6,
    )  # fmt: skip
    assert "made" not in report.facts


def test_the_session_adds_them_up(tmp_path: Path) -> None:
    session, client = session_on(tmp_path / "a.db", FACT, clock=FakeTime(), prices=Priced())
    assert session.status().summarizer == CallTotals()
    made: list[ModelCall] = []
    for length in range(8, 40, 4):
        made += session.prepare(history(length)).report.calls
    totals = session.status().summarizer
    assert len(client.requests) == len(made) == totals.calls >= 2
    assert totals == CallTotals().plus(made)
    assert totals.input_tokens == 100 * totals.calls
    assert totals.cost == pytest.approx(totals.calls * 80 / 1e6)


def test_where_no_price_is_known_there_is_no_cost(tmp_path: Path) -> None:
    session, _ = session_on(tmp_path / "a.db", FACT, clock=FakeTime())
    assert compacted(session, 40).calls[0].cost is None
    assert session.status().summarizer.cost is None


def test_the_offline_summarizer_makes_no_calls() -> None:
    policy = clew.Policy(clew.Budget(4_000, output_reserve_tokens=400, record_tokens=300))
    session = clew.Session(policy=policy, counter="chars4")
    assert compacted(session, 40).calls == ()
    assert session.status().summarizer == CallTotals()


def test_a_remembered_answer_is_named_and_counts_for_nothing() -> None:
    totals = CallTotals().plus([ModelCall(model="a:b", outcome=REMEMBERED)])
    assert totals == CallTotals()


LIMITED = {
    "a run": (CallLimits(per_run=2), 1, "2 calls in this run were made already"),
    "an hour": (CallLimits(per_hour=2), 0, "called 2 times within an hour already"),
}


@pytest.mark.parametrize("bound", LIMITED)
def test_a_limit_holds_over_restarts(tmp_path: Path, bound: str) -> None:
    limits, hours, said = LIMITED[bound]
    clock, asked = FakeTime(), 0
    last: tuple[str, ...] = ()
    for length in range(8, 40, 4):
        # Every call comes from a new process: nothing but the store is left of the one before.
        session, client = session_on(tmp_path / "a.db", FACT, clock=clock, limits=limits)
        context = session.prepare(history(length))
        session.close()
        asked += len(client.requests)
        clock.at += 3_600.0 * hours
        if isinstance(context.outcome, clew.Compacted):
            last = context.report.warnings
    assert asked == 2
    assert any(said in warning for warning in last)


def test_a_limit_on_a_compaction_bounds_its_calls(tmp_path: Path) -> None:
    limits = CallLimits(per_compaction=2, spare=1, retries=5)
    session, client = session_on(
        tmp_path / "a.db", transient("HTTP 500"), clock=FakeTime(), limits=limits
    )
    report = compacted(session, 40)
    assert len(client.requests) == len(report.calls) == 2
    assert "fallback" in report.summarizer


def test_another_session_in_the_same_store_has_a_count_of_its_own(tmp_path: Path) -> None:
    limits = CallLimits(per_run=1)
    first, client = session_on(tmp_path / "a.db", FACT, clock=FakeTime(), limits=limits)
    compacted(first, 40)
    first.close()
    assert len(client.requests) == 1
    store = SqliteStore(tmp_path / "a.db")
    other = ScriptedClient(FACT)
    model = ModelSummarizer(
        other, limits=limits, recollect=store.recollect, remember=store.remember
    )
    policy = clew.Policy(clew.Budget(4_000, output_reserve_tokens=400, record_tokens=300))
    session = clew.Session(
        policy=policy, summarizer=model, store=store, session_id="another", counter="chars4",
        goal="Audit them again.",
    )  # fmt: skip
    compacted(session, 40)
    assert len(other.requests) == 1
