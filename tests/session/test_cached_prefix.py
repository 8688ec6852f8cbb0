"""Asking the agent's own model behind its own prompt: when it pays, and what it falls to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import clew
from clew.errors import SummarizerError
from clew.ports import ModelReply, ModelRequest, ModelUsage, StopReason
from clew.session.live import LiveView
from clew.store import MemoryStore
from clew.summarize.breaker import CallLimits
from clew.summarize.model import ModelSummarizer
from clew.transcript import Format
from tests.session.prefetching import POLICY, conversation, grown
from tests.summarize.building import IDEAL_TEXT

PLAIN = replace(POLICY, prefetch=False)
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
Answer = Callable[[ModelRequest], ModelReply]


def said(text: str, request: ModelRequest, *, cached: bool = True) -> ModelReply:
    read = request.live.tokens if request.live is not None and cached else 0
    usage = ModelUsage(input_tokens=read + 500, cached_tokens=read, output_tokens=50)
    return ModelReply(text=text, stop=StopReason.END, usage=usage)


def reading_the_map(request: ModelRequest) -> ModelReply:
    """Finds each span by its number in the live prompt, or by its mark in a fresh one."""
    lines = []
    if request.live is not None:
        shown = request.prompt.partition("<clew-record-spans>")[2]
        for handle, first in re.findall(r"^- (S-\d+): messages? (\d+)", shown, re.MULTILINE):
            text = request.live.messages[int(first) - 1]["content"]
            lines.append(f"ADD fact: {text}\nSPAN: {handle}\nQUOTE: {text}")
    else:
        history = request.prompt.partition("<clew-record-history>")[2]
        for handle, text in re.findall(r"^\[(S-\d+)\]\nagent:\n\| (.+)$", history, re.MULTILINE):
            lines.append(f"ADD fact: {text}\nSPAN: {handle}\nQUOTE: {text}")
    return said("\n".join([*lines, "END"]), request)


class SameModel:
    """A client of the agent's own model."""

    name = "openai:agent-model"
    structured_output = False

    def __init__(self, answer: Answer = reading_the_map, window_tokens: int = 60_000) -> None:
        self.answer = answer
        self.window_tokens = window_tokens
        self.live_formats = frozenset({Format.OPENAI_CHAT})
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        return self.answer(request)

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        return self.complete(request)


def session_of(client: SameModel, **options: Any) -> clew.Session:
    store = options.pop("store", None) or MemoryStore()
    summarizer = ModelSummarizer(
        client,
        recollect=store.recollect,
        remember=store.remember,
        limits=CallLimits(retries=0, repairs=0),
    )
    return clew.Session(
        policy=options.pop("policy", PLAIN),
        summarizer=summarizer,
        store=store,
        counter="chars4",
        format="openai-chat",
        model=options.pop("model", "agent-model"),
        **options,
    )


def folded(session: clew.Session, exchanges: int = 13) -> tuple[list[Any], clew.Context]:
    session.prepare(conversation(exchanges - 1), tools=TOOLS)
    messages = grown(conversation(exchanges - 1), 1)
    session.signal("subtask_done")
    context = session.prepare(messages, tools=TOOLS)
    assert isinstance(context.outcome, clew.Compacted), context.report.reason
    return messages, context


def facts(session: clew.Session) -> set[str]:
    return {item.text for item in session.record.items}


def test_the_request_is_the_live_prompt_and_one_message() -> None:
    client = SameModel()
    session = session_of(client)
    messages, context = folded(session)
    (asked,) = client.requests
    assert asked.live is not None
    assert list(asked.live.messages) == messages
    assert all(a is b for a, b in zip(asked.live.messages, messages, strict=True))
    assert asked.live.tools is TOOLS
    assert asked.schema is None, "a schema would change the cached prefix"
    assert asked.system == ""
    assert asked.live.message_of("x") == {"role": "user", "content": "x"}
    assert context.report.facts["cached_prefix"] == "used"
    assert context.report.facts["cached_tokens"] == asked.live.tokens


def test_spans_are_resolved_through_the_map_and_the_delta_is_verified() -> None:
    client = SameModel()
    session = session_of(client)
    messages, context = folded(session)
    assert isinstance(context.outcome, clew.Compacted)
    for place, message in enumerate(messages):
        handle = f"S-{place + 1}"
        if handle in context.outcome.handles:
            assert message["content"] in facts(session)
    spans = {item.evidence[0].span for item in session.record.items if item.kind == "fact"}
    assert spans <= set(context.outcome.handles)


def test_a_second_compaction_counts_behind_record_and_head() -> None:
    client = SameModel()
    session = session_of(client)
    messages, _ = folded(session)
    session.prepare(grown(messages, 8), tools=TOOLS)
    session.signal("subtask_done")
    context = session.prepare(grown(messages, 9), tools=TOOLS)
    assert isinstance(context.outcome, clew.Compacted)
    assert context.report.facts["cached_prefix"] == "used"
    live = client.requests[-1].live
    assert live is not None
    assert "<clew-record>" in json.dumps(live.messages)
    for handle in context.outcome.handles:
        first, _last = live.places[handle]
        assert live.messages[first - 1] == grown(messages, 9)[int(handle[2:]) - 1]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda r: said("I go on with batch 12." if r.live else IDEAL_TEXT, r), "no delta"),
        (
            lambda r: (
                ModelReply(text="", stop=StopReason.TOOL_CALL) if r.live else reading_the_map(r)
            ),
            "no delta",
        ),
    ],
)
def test_a_reply_that_is_no_delta_falls_back_to_a_fresh_prompt(answer: Answer, reason: str) -> None:
    client = SameModel(answer)
    _, context = folded(session_of(client))
    assert [request.live is not None for request in client.requests] == [True, False]
    assert reason in context.report.facts["cached_prefix"]
    assert context.report.facts["calls"] == 2


@pytest.mark.parametrize("permanent", [True, False])
def test_a_refusal_falls_back_and_is_held_against_nobody(permanent: bool) -> None:
    def refused(request: ModelRequest) -> ModelReply:
        if request.live is not None:
            raise SummarizerError(
                "HTTP 400: no", summarizer="openai:agent-model", permanent=permanent
            )
        return reading_the_map(request)

    client = SameModel(refused)
    session = session_of(client)
    _, context = folded(session)
    assert "HTTP 400: no" in context.report.facts["cached_prefix"]
    assert context.report.summarizer == "openai:agent-model"
    assert len(facts(session)) > 5


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"live_formats": frozenset({Format.GEMINI})}, "does not take messages of openai-chat"),
        ({"window_tokens": 6_000}, "do not fit the window"),
    ],
)
def test_what_stands_against_it_is_recorded(changes: dict[str, Any], reason: str) -> None:
    client = SameModel()
    vars(client).update(changes)
    _, context = folded(session_of(client))
    assert all(request.live is None for request in client.requests)
    assert reason in context.report.facts["cached_prefix"]


@pytest.mark.parametrize("changed", ["pin", "unpin", "note"])
def test_a_prompt_that_changed_since_it_went_out_is_in_no_cache(changed: str) -> None:
    client = SameModel()
    session = session_of(client)
    messages, _ = folded(session)
    pin = session.pin("never touch billing/")
    session.prepare(grown(messages, 8), tools=TOOLS)
    match changed:
        case "pin":
            session.pin("keep the raw rows")
        case "unpin":
            session.unpin(pin)
        case _:
            session.note("fact", "the port of the importer is 8081")
    session.signal("subtask_done")
    context = session.prepare(grown(messages, 9), tools=TOOLS)
    assert isinstance(context.outcome, clew.Compacted)
    used = changed == "note"
    assert (context.report.facts["cached_prefix"] == "used") is used
    assert used or "another" in context.report.facts["cached_prefix"]
    assert (client.requests[-1].live is not None) is used


def test_another_model_or_the_policy_leaves_it_alone() -> None:
    for options in (
        {"model": "another-model"},
        {"model": None},
        {"policy": replace(PLAIN, cached_prefix=False)},
    ):
        client = SameModel()
        _, context = folded(session_of(client, **options))
        assert all(request.live is None for request in client.requests)
        assert "cached_prefix" not in context.report.facts


def test_the_cheaper_prompt_is_chosen() -> None:
    """Results that a fresh prompt shows in excerpts make it the cheaper one."""
    client = SameModel()
    session = session_of(client, policy=replace(PLAIN, budget=clew.Budget(60_000, prefix_tokens=0)))
    messages = conversation(4, 6_000)
    session.prepare(messages)
    session.signal("subtask_done")
    context = session.prepare(grown(messages, 1, 40))
    assert isinstance(context.outcome, clew.Compacted)
    assert "a fresh prompt is cheaper" in context.report.facts["cached_prefix"]
    assert client.requests[0].live is None


def test_a_provider_that_read_nothing_from_its_cache_is_not_asked_so_again() -> None:
    client = SameModel(
        lambda r: replace(reading_the_map(r), usage=ModelUsage(input_tokens=5_000, output_tokens=9))
    )
    session = session_of(client)
    messages, context = folded(session)
    assert context.report.facts["cached_prefix"] == "used"
    session.prepare(grown(messages, 8), tools=TOOLS)
    session.signal("subtask_done")
    context = session.prepare(grown(messages, 9), tools=TOOLS)
    assert "was not read the last time" in context.report.facts["cached_prefix"]
    assert client.requests[-1].live is None


def test_a_secret_that_the_agent_sees_does_not_reach_record_or_memory() -> None:
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

    def leaking(request: ModelRequest) -> ModelReply:
        assert request.live is not None
        assert secret in json.dumps(request.live.messages), "the agent's prompt is not changed"
        return said(f"ADD fact: token {secret}\nSPAN: S-2\nQUOTE: {secret}\nEND", request)

    kept: list[str] = []

    class Watched(MemoryStore):
        def remember(self, key: str, value: str) -> None:
            kept.append(value)
            super().remember(key, value)

    client = SameModel(leaking)
    session = session_of(client, store=Watched())
    messages = conversation(12)
    messages[1]["content"] += f" token={secret}"
    session.prepare(messages, tools=TOOLS)
    session.signal("subtask_done")
    context = session.prepare(grown(messages, 1), tools=TOOLS)
    assert isinstance(context.outcome, clew.Compacted)
    assert client.requests
    assert secret not in json.dumps(context.messages[:3])
    assert not any(secret in value for value in kept)
    assert not any(secret in text for text in facts(session))


def test_a_prompt_that_went_out_long_ago_is_in_no_cache() -> None:
    now = [0.0]
    view = LiveView("agent-model", allowed=True, now=lambda: now[0])
    summarizer = ModelSummarizer(SameModel())
    prefix = ("system", TOOLS, (3, 4))
    assert view.of(summarizer, prefix) is None, "nothing went out yet"
    now[0] = 100.0
    found = view.of(summarizer, prefix)
    assert found is not None
    assert found.prefix_tokens == 7
    now[0] = 500.0
    assert view.of(summarizer, prefix) is None
