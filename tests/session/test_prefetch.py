"""A summary that is made while compaction waits, armed, and swapped in at the boundary."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.errors import SummarizerError
from clew.record.delta import Delta
from clew.store import MemoryStore, SqliteStore
from clew.summarize.request import SummaryRequest
from tests.session.prefetching import (
    BUDGET,
    GOAL,
    POLICY,
    LateClient,
    armed,
    conversation,
    gone,
    grown,
    model,
    settle,
    shown,
    steps,
)


def session_of(client: LateClient, store: Any = None, **options: Any) -> clew.Session:
    kept = store if store is not None else MemoryStore()
    policy = options.pop("policy", POLICY)
    return clew.Session(
        policy=policy,
        summarizer=model(client, kept, **options),
        store=kept,
        counter="chars4",
        format="openai-chat",
    )


def texts(session: clew.Session | clew.AsyncSession) -> set[str]:
    return {item.text for item in session.record.items}


def row(number: int) -> str:
    return f"Batch {number} holds {number * 7 + 11} rows of the copper ledger."


def test_the_summary_is_made_while_compaction_waits_and_swapped_in_at_the_boundary() -> None:
    client = LateClient()
    session = session_of(client)
    messages = armed(session)
    before = session.prepare(messages)
    assert before.messages == messages, "the context is not touched while a summary is made"
    settle(session)
    assert len(client.requests) == 1
    more = grown(messages, 1)
    session.signal(clew.Boundary.SUBTASK_DONE)
    context = session.prepare(more)
    assert isinstance(context.outcome, clew.Compacted)
    assert context.report.waited_seconds < 0.5
    assert context.report.facts["prefetched"] == "used"
    assert context.report.facts["calls"] == 1
    assert len(client.requests) == 1
    absorbed = client.spans(0)
    assert list(context.outcome.handles) == absorbed, "the cut is the one it was made for"
    assert {row(n) for n in range(len(absorbed))} <= texts(session)
    assert context.messages[-6:] == more[-6:], "what came meanwhile stays verbatim"
    assert context.messages[0] is more[0]


def test_without_prefetch_the_agent_waits_and_the_record_says_the_same_of_the_same_spans() -> None:
    kinds: dict[bool, Any] = {}
    for prefetch in (True, False):
        client = LateClient()
        session = session_of(client, policy=replace(POLICY, prefetch=prefetch))
        messages: list[Any] = []
        for messages in steps(14):
            session.prepare(messages)
        if prefetch:
            settle(session)
        session.signal("subtask_done")
        context = session.prepare(messages)
        assert isinstance(context.outcome, clew.Compacted)
        assert len(client.requests) == 1
        waited = context.report.waited_seconds
        assert (waited < 0.5) if prefetch else (waited > 0)
        assert ("prefetched" in context.report.facts) is prefetch
        kinds[prefetch] = {t for t in texts(session) if int(t.split()[1]) < 9}
    assert kinds[True] == kinds[False] != set()


def test_a_boundary_that_comes_too_soon_is_remembered() -> None:
    client = LateClient(held=True)
    session = session_of(client)
    messages = armed(session)
    session.signal(clew.Boundary.TESTS_FINISHED)
    for extra in range(1, 3):
        context = session.prepare(grown(messages, extra))
        assert isinstance(context.outcome, clew.Held)
        assert context.outcome.why is clew.Why.PREPARING
        assert context.outcome.boundary is clew.Boundary.TESTS_FINISHED
        assert context.report.waited_seconds == 0.0
        assert context.messages == grown(messages, extra)
    client.gate.set()
    settle(session)
    context = session.prepare(grown(messages, 2))
    assert isinstance(context.outcome, clew.Compacted)
    assert context.outcome.boundary is clew.Boundary.TESTS_FINISHED
    assert context.report.waited_seconds < 0.5


def test_a_summary_that_was_outgrown_is_extended_before_it_is_used() -> None:
    client = LateClient(held=True)
    session = session_of(client)
    messages = armed(session)
    session.signal("subtask_done")
    session.prepare(grown(messages, 3))
    client.gate.set()
    settle(session)
    context = session.prepare(grown(messages, 4))
    assert isinstance(context.outcome, clew.Held)
    settle(session)
    context = session.prepare(grown(messages, 5))
    assert context.report.waited_seconds < 0.5
    assert isinstance(context.outcome, clew.Compacted)
    assert list(context.outcome.handles) == [*client.spans(0), *client.spans(1)]


def test_arming_and_boundary_in_one_call_wait_for_no_model() -> None:
    client = LateClient()
    session = session_of(client)
    session.signal("subtask_done")
    context = session.prepare(conversation(13))
    assert isinstance(context.outcome, clew.Held)
    assert context.outcome.why is clew.Why.PREPARING
    settle(session)
    context = session.prepare(grown(conversation(13), 1))
    assert isinstance(context.outcome, clew.Compacted)
    assert len(client.requests) == 1


def test_the_backstop_waits_for_what_is_on_its_way_instead_of_asking_again() -> None:
    client = LateClient(held=True)
    session = session_of(client)
    messages = armed(session)
    threading.Timer(0.1, client.gate.set).start()
    context = session.prepare(grown(messages, 4, 600))
    assert isinstance(context.outcome, clew.Compacted)
    assert context.outcome.hard
    assert context.report.waited_seconds > 0.05
    first, *others = [client.spans(n) for n in range(len(client.requests))]
    assert not set(first) & {handle for spans in others for handle in spans}
    assert set(context.outcome.handles) == set(first).union(*others)


def test_a_stale_summary_is_extended_in_the_background_and_not_thrown_away() -> None:
    client = LateClient()
    session = session_of(client)
    messages = armed(session)
    settle(session)
    for extra in range(1, 4):
        context = session.prepare(grown(messages, extra))
        assert isinstance(context.outcome, clew.Held)
        settle(session)
    assert len(client.requests) == 2
    assert not set(client.spans(0)) & set(client.spans(1)), "only what is new is asked for"
    session.signal("subtask_done")
    context = session.prepare(grown(messages, 4))
    assert isinstance(context.outcome, clew.Compacted)
    assert list(context.outcome.handles) == [*client.spans(0), *client.spans(1)]
    assert context.report.waited_seconds < 0.5
    assert context.report.facts["calls"] == 2
    assert {row(n) for n in range(len(context.outcome.handles))} <= texts(session)


def test_turns_in_which_little_happens_ask_nobody() -> None:
    client = LateClient()
    session = session_of(client, policy=replace(POLICY, eviction=clew.EvictionRules(enabled=False)))
    messages = armed(session)
    settle(session)
    for turn in range(6):
        messages = [*messages, {"role": "assistant", "content": f"Still at it, {turn}."}]
        assert isinstance(session.prepare(messages).outcome, clew.Held)
        settle(session)
    assert len(client.requests) == 1


def came(it: Callable[[], bool], within: float = 20.0) -> bool:
    """Whether something came true in time."""
    until = time.monotonic() + within
    while not it() and time.monotonic() < until:
        time.sleep(0.001)
    return it()


@pytest.mark.parametrize("finished", [True, False])
def test_a_rewind_behind_the_prefix_drops_it(finished: bool) -> None:
    client = LateClient(held=not finished)
    session = session_of(client)
    messages = armed(session)
    if finished:
        settle(session)
    else:
        assert came(lambda: bool(client.requests))
    edited = json.loads(json.dumps(messages))
    edited[5]["content"] = "Batch 2 is a forgery; it holds 404 rows of the copper ledger."
    context = session.prepare(edited)
    assert isinstance(context.outcome, clew.Held)
    # The one that was dropped ends in a thread of its own.
    assert finished or came(lambda: client.cancelled == 1)
    client.gate.set()
    settle(session)
    session.signal("subtask_done")
    context = session.prepare(grown(edited, 1))
    assert isinstance(context.outcome, clew.Compacted)
    assert "Batch 2 is a forgery; it holds 404 rows of the copper ledger." in texts(session)
    assert row(2) not in texts(session)
    assert len(client.requests) - client.cancelled == (2 if finished else 1)
    assert gone()


def test_an_edit_behind_the_prefix_leaves_it_in_force() -> None:
    client = LateClient()
    session = session_of(client)
    messages = armed(session)
    settle(session)
    edited = [*messages[:-1], {**messages[-1], "content": "another result"}]
    session.signal("subtask_done")
    context = session.prepare(grown(edited, 1))
    assert isinstance(context.outcome, clew.Compacted)
    assert context.report.facts["prefetched"] == "used"
    assert len(client.requests) == 1


def test_what_was_pinned_meanwhile_is_not_folded_by_what_was_made_before() -> None:
    client = LateClient()
    session = session_of(client)
    messages = armed(session)
    settle(session)
    session.pin(messages[7])
    session.signal("subtask_done")
    context = session.prepare(grown(messages, 1))
    assert isinstance(context.outcome, clew.Held), "another summary is needed"
    settle(session)
    context = session.prepare(grown(messages, 1))
    assert isinstance(context.outcome, clew.Compacted)
    assert messages[7] in context.messages
    assert "S-8" in client.spans(0)
    assert "S-8" not in [*client.spans(1), *context.outcome.handles]


def test_a_wish_of_the_caller_is_followed_at_once_and_with_its_focus() -> None:
    client = LateClient()
    session = session_of(client)
    armed(session)
    settle(session)
    context = session.compact(focus="the third batch")
    assert isinstance(context.outcome, clew.Compacted)
    assert len(client.requests) == 2
    assert "the third batch" in client.requests[1].prompt


def test_a_crash_between_summary_and_boundary_costs_nothing() -> None:
    client, store = LateClient(), MemoryStore()
    messages = armed(first := session_of(client, store))
    settle(first)
    again = session_of(client, store)
    again.signal("subtask_done")
    context = again.prepare(grown(messages, 1))
    assert isinstance(context.outcome, clew.Compacted)
    assert context.report.facts["prefetched"] == "used"
    assert len(client.requests) == 1
    assert row(3) in texts(again)


class Diary(MemoryStore):
    """Writes down what it is told to remember."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[str, str]] = []

    def remember(self, key: str, value: str) -> None:
        self.told.append((key, value))
        super().remember(key, value)


def test_a_kill_after_any_write_asks_at_most_what_was_not_answered_and_ends_alike() -> None:
    client, store = LateClient(), Diary()
    messages = armed(first := session_of(client, store))
    settle(first)
    answered = next(n for n, (key, _) in enumerate(store.told) if key.startswith("summarizer-ans"))
    outcomes = set()
    for killed_after in range(len(store.told) + 1):
        left, asked = MemoryStore(), LateClient()
        for key, value in store.told[:killed_after]:
            left.remember(key, value)
        session = session_of(asked, left)
        session.prepare(messages)
        settle(session)
        session.signal("subtask_done")
        context = session.prepare(grown(messages, 1))
        assert isinstance(context.outcome, clew.Compacted)
        assert len(asked.requests) == (killed_after <= answered), killed_after
        outcomes.add(shown(context))
    assert len(outcomes) == 1


def test_a_model_that_fails_in_the_background_delays_nobody() -> None:
    client = LateClient(failing=SummarizerError("HTTP 500", summarizer="scripted:late"))
    session = session_of(client)
    messages = armed(session)
    settle(session)
    session.signal("subtask_done")
    context = session.prepare(grown(messages, 1))
    assert isinstance(context.outcome, clew.Compacted)
    assert context.report.waited_seconds < 0.5
    assert context.report.summarizer == "extractive (fallback)"
    assert any("HTTP 500" in warning for warning in context.report.warnings)
    assert len(client.requests) == 1


def test_the_limit_of_a_compaction_counts_what_was_asked_ahead() -> None:
    client = LateClient()
    session = session_of(client, per_compaction=1, spare=0)
    messages = armed(session)
    settle(session)
    for extra in range(1, 5):
        session.prepare(grown(messages, extra))
        settle(session)
    assert len(client.requests) == 1, "the extension would be the second call"
    session.signal("subtask_done")
    context = session.prepare(grown(messages, 5))
    assert isinstance(context.outcome, clew.Compacted)
    assert row(0) in texts(session), "what was made before still serves"
    assert len(client.requests) == 1


@pytest.mark.parametrize("limits", [{"per_hour": 1}, {"per_run": 1}])
def test_the_limits_of_hour_and_run_count_it_too(limits: dict[str, int]) -> None:
    client = LateClient()
    session = session_of(client, **limits)
    armed(session)
    settle(session)
    context = session.compact(focus="anything else")
    assert isinstance(context.outcome, clew.Compacted)
    assert len(client.requests) == 1
    assert context.report.summarizer == "extractive (fallback)"


def test_closing_stops_the_work_and_leaves_no_thread() -> None:
    client = LateClient(held=True)
    with session_of(client) as session:
        armed(session)
    assert gone(0)
    assert client.cancelled == len(client.requests)


@pytest.mark.parametrize("in_memory", [True, False], ids=["memory", "file"])
def test_a_close_amid_calls_of_other_threads_asks_nobody_and_leaves_no_thread(
    tmp_path: Path, in_memory: bool
) -> None:
    client = LateClient()
    store = MemoryStore() if in_memory else SqliteStore(tmp_path / "clew.db")
    session = session_of(client, store)
    messages = armed(session)
    under_way = threading.Barrier(3)

    def work() -> str:
        more = messages
        for number in range(200):
            more = grown(more, 1)
            try:
                session.signal(clew.Boundary.SUBTASK_DONE)
                session.prepare(more)
            except clew.StoreError as error:
                return str(error)
            if number == 0:
                under_way.wait()
        raise AssertionError("it was never closed")

    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(work) for _ in range(2)]
        under_way.wait()
        session.close()
        assert all("closed" in each.result() for each in running)
    assert gone()
    asked = len(client.requests)
    with pytest.raises(clew.StoreError, match="closed"):
        session.prepare(grown(messages, 9))
    assert gone(0)
    assert len(client.requests) == asked


def test_the_offline_summarizer_needs_none_and_gives_the_same_bytes_with_and_without() -> None:
    made = []
    for prefetch in (True, False):
        session = clew.Session(
            policy=replace(POLICY, prefetch=prefetch), counter="chars4", format="openai-chat"
        )
        assert session._core.summarizing.prefetching is None
        out = []
        for messages in steps(30):
            if len(messages) % 14 == 1:
                session.signal("subtask_done")
            context = session.prepare(messages)
            assert context.report.waited_seconds == 0.0
            out.append(shown(context))
        made.append(out)
    assert made[0] == made[1]


class Plain:
    """A summarizer of somebody's own; it says whether it may be asked beside the caller."""

    name = "plain"

    def __init__(self, *, background: bool) -> None:
        self.background = background
        self.threads: list[str] = []

    def propose(self, request: SummaryRequest) -> Delta:
        self.threads.append(threading.current_thread().name)
        text = request.spans[0].messages[0].text
        evidence = (clew.Evidence(span=request.spans[0].handle, quote=text),)
        item = clew.Item(id="", kind="fact", text=text, evidence=evidence)
        return Delta(operations=(clew.Add(item=item),))


@pytest.mark.parametrize("background", [True, False])
def test_a_summarizer_of_ones_own_is_asked_beside_only_where_it_says_so(background: bool) -> None:
    plain = Plain(background=background)
    session = clew.Session(policy=POLICY, summarizer=plain, counter="chars4", format="openai-chat")
    for messages in steps(14):
        session.prepare(messages)
    if background:
        settle(session)
    session.signal("subtask_done")
    context = session.prepare(messages)
    assert isinstance(context.outcome, clew.Compacted)
    assert (plain.threads == ["clew-prefetch"]) is background
    assert row(0) in texts(session)


def test_the_goal_and_the_budget_hold_through_many_prefetched_compactions() -> None:
    client = LateClient()
    session = session_of(client)
    compactions = 0
    context = session.prepare(messages := conversation(0))
    for number, messages in enumerate(steps(60)):
        if number % 9 == 0:
            session.signal("subtask_done")
        context = session.prepare(messages)
        settle(session)
        compactions += isinstance(context.outcome, clew.Compacted)
        assert context.messages[0]["content"] == GOAL
        assert context.report.tokens_after <= BUDGET.window_tokens
    there = [id(message) for message in context.messages]
    for place in range(1, len(messages), 2):
        if id(messages[place]) not in there:
            assert json.loads(session.recall(f"S-{place + 1}"))[0] == messages[place]
    assert compactions >= 4
    session.close()
    assert gone(0)
