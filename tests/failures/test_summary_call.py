"""K22 to K25: the call of the summarizer, and what is done with a bad one."""

from __future__ import annotations

import json
from typing import Any

import pytest

import clew
from clew.ports import ModelReply, ModelRequest, StopReason
from clew.transcript import Format
from tests.failures.judging import (
    folded,
    missing,
    prepared,
    record_text,
    session_of,
    text_of,
)
from tests.failures.stories import WIRES, Story, dumped, log, story
from tests.summarize.building import (
    COUNTER,
    IDEAL_TEXT,
    FakeTime,
    ScriptedClient,
    permanent,
    reply,
    summarizer,
    transient,
)

GOAL = (
    "Port the tide tables to the new format. Keep 3 decimals. "
    "Never touch the file tides/golden.json."
)


def tables(wire: Format, count: int = 8) -> Story:
    told = story(wire).user(GOAL)
    for number in range(1, count + 1):
        done = f"table {number} converted, 12{number} rows, checksum c30{number:02d}"
        told.round("convert", {"table": number}, f"{done}\n{log(900, number)}")
    return told.said("Eight of eleven tables are done.").user("Go on with table 9.")


def size_of(request: ModelRequest) -> int:
    schema = json.dumps(request.schema) if request.schema else ""
    return COUNTER.count_text(request.system) + COUNTER.count_text(request.prompt + schema)


# ---- K22 ---------------------------------------------------------------------------------------


class Bounded(ScriptedClient):
    """A model that refuses what is larger than its window with the output that is asked for."""

    def complete(self, request: ModelRequest) -> ModelReply:
        if size_of(request) + request.max_output_tokens > self.window_tokens:
            self.requests.append(request)
            raise permanent("the prompt is too long", too_long_tokens=self.window_tokens)
        return super().complete(request)


@pytest.mark.parametrize("wire", WIRES)
def test_k22_every_part_fits_the_window_of_the_summarizer(wire: Format) -> None:
    told = story(wire).user("Read the 200 reports and list the root causes.").rounds(60, 2_000)
    told.user("Go on.")
    client = ScriptedClient(IDEAL_TEXT, window_tokens=4_000)
    session = session_of(
        wire, 34_000, tail_messages=4, tail_tokens=1_500,
        summarizer=summarizer(client, max_output_tokens=500),
    )  # fmt: skip
    folded(session, wire, told.messages)
    assert client.requests
    prompts = [request.prompt for request in client.requests]
    assert len(set(prompts)) == len(prompts)
    assert len(prompts) <= 12
    for request in client.requests:
        assert size_of(request) + request.max_output_tokens <= 4_000


@pytest.mark.parametrize("wire", WIRES)
def test_k22_a_refusal_for_length_is_never_answered_with_the_same_request(wire: Format) -> None:
    told = story(wire).user("Read the reports.").rounds(20, 2_000).user("Go on.")

    def refuse(request: ModelRequest) -> ModelReply:
        raise permanent("prompt is too long", too_long=True)

    client = ScriptedClient(refuse, window_tokens=8_000)
    session = session_of(
        wire, 12_000, tail_messages=4, tail_tokens=800, summarizer=summarizer(client)
    )
    context = folded(session, wire, told.messages)
    prompts = [request.prompt for request in client.requests]
    assert len(set(prompts)) == len(prompts)
    assert len(prompts) <= 12
    assert context.report.summarizer != client.name
    assert any("summarizer" in warning for warning in context.report.warnings)


@pytest.mark.parametrize("wire", WIRES)
def test_k22_a_history_over_the_window_is_still_folded(wire: Format) -> None:
    told = story(wire).user("Read the reports.").rounds(60, 2_000).user("Go on.")
    client = Bounded(IDEAL_TEXT, window_tokens=3_000)
    session = session_of(
        wire, 8_000, tail_messages=4, tail_tokens=800, summarizer=summarizer(client)
    )
    context = prepared(session, wire, told.messages)
    assert isinstance(context.outcome, clew.Compacted)
    assert context.report.tokens_before > 8_000


# ---- K23 ---------------------------------------------------------------------------------------

FAILURES: dict[str, Any] = {
    "connection error": transient("the connection was closed"),
    "time-out": TimeoutError("timed out"),
    "not found": permanent("HTTP 404"),
    "empty": "",
    "blank": " \n ",
    "error text": "Error: the upstream server sent an invalid response.",
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("rounds", [18, 40], ids=["room left", "over the window"])
def test_k23_a_failed_summary_loses_nothing(wire: Format, failure: str, rounds: int) -> None:
    told = (
        story(wire).user("Keep 3 decimals. Read the reports.").rounds(rounds, 2_000).user("Go on.")
    )
    client = ScriptedClient(FAILURES[failure])
    session = session_of(
        wire, 16_000, tail_messages=4, tail_tokens=1_500, summarizer=summarizer(client)
    )
    context = folded(session, wire, told.messages)
    assert missing(session, told.messages, context) == []
    assert "upstream server" not in text_of(context)
    assert "fallback" in context.report.summarizer
    assert any("summarizer" in warning for warning in context.report.warnings)
    assert len(client.requests) <= 5
    if failure == "not found":
        assert len(client.requests) == 1


@pytest.mark.parametrize("wire", WIRES)
def test_k23_a_rate_limit_is_waited_for(wire: Format) -> None:
    told = tables(wire)
    seen = "table 1 converted, 121 rows, checksum c3001"
    fact = {"kind": "fact", "text": seen, "span": "S-2", "quote": seen, "why": ""}
    good = {
        "add": [{**fact, "rejected": [], "details": []}],
        "supersede": [], "revise": [], "close": [], "dismiss": [],
        "next": "convert table 9",
    }  # fmt: skip
    client = ScriptedClient(transient("HTTP 429", retry_after=3.0), json.dumps(good))
    clock = FakeTime()
    session = session_of(
        wire, 3_600, tail_messages=4, tail_tokens=400, summarizer=summarizer(client, time=clock)
    )
    context = folded(session, wire, told.messages)
    assert clock.slept[:1] == [3.0]
    assert 2 <= len(client.requests) <= 3
    assert context.report.summarizer == client.name
    assert seen in {item.text for item in session.record.of_kind("fact")}


# ---- K24 ---------------------------------------------------------------------------------------

BAD_ANSWERS = {
    "tool syntax": reply('<tool_call>{"name": "convert", "arguments": {"table": 9}}</tool_call>'),
    "reasoning only": reply("", StopReason.END),
    "refusal": reply("I can't help with that.", StopReason.REFUSAL),
    "cut at the limit": reply(IDEAL_TEXT[:200], StopReason.LENGTH),
    "cut without saying so": reply('{"add": [{"kind": "fact", "text": "port the ta'),
    "a tool call": reply("", StopReason.TOOL_CALL),
    "the last message again": reply("Eight of eleven tables are done."),
    "no content": reply("The assistant worked on several things and made good progress."),
    "another project": reply(
        json.dumps(
            {
                "add": [
                    {
                        "kind": "decision",
                        "text": "Migrate the shop from PHP 5 to 8.2 in module cart/checkout.php",
                        "span": "S-2",
                        "quote": "we migrate cart/checkout.php to PHP 8.2",
                        "why": "",
                        "rejected": [],
                        "details": [],
                    }
                ],
                "supersede": [], "revise": [], "close": [], "dismiss": [],
                "next": "Migrate cart/checkout.php",
            }
        )
    ),
}  # fmt: skip


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("answer", BAD_ANSWERS)
def test_k24_an_unusable_answer_is_refused_with_its_reason(wire: Format, answer: str) -> None:
    told = tables(wire)
    client = ScriptedClient(BAD_ANSWERS[answer])
    session = session_of(
        wire, 3_600, tail_messages=4, tail_tokens=400, summarizer=summarizer(client)
    )
    context = folded(session, wire, told.messages)
    assert client.requests
    seen = text_of(context)
    for fact in (
        "Keep 3 decimals",
        "Never touch the file tides/golden.json",
        "Go on with table 9.",
    ):
        assert fact in seen
    assert "can't help" not in record_text(context)
    assert "checkout" not in seen
    assert context.report.warnings
    assert context.report.summarizer != client.name


def test_k24_each_bad_answer_has_a_reason_of_its_own() -> None:
    wire = Format.ANTHROPIC
    reasons = set()
    for answer in BAD_ANSWERS.values():
        session = session_of(
            wire, 3_600, tail_messages=4, tail_tokens=400,
            summarizer=summarizer(ScriptedClient(answer)),
        )  # fmt: skip
        reasons.add("\n".join(folded(session, wire, tables(wire).messages).report.warnings))
    assert len(reasons) >= 6


# ---- K25 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k25_the_report_says_what_was_done_and_by_whom(wire: Format) -> None:
    told = tables(wire)
    session = session_of(wire, 3_600, tail_messages=4, tail_tokens=400)
    context = folded(session, wire, told.messages)
    report = context.report
    assert isinstance(context.outcome, clew.Compacted)
    assert report.tokens_after < report.tokens_before
    assert report.summarizer == "extractive"
    assert report.reason.startswith("compacted:")
    counted = session_of(wire, 50_000).prepare(context.messages).report.tokens_before
    assert abs(counted - report.tokens_after) <= 0.02 * counted + 4
    again = session.prepare(told.messages)
    assert isinstance(again.outcome, clew.Held)
    assert again.report.reason.startswith("held:")
    assert again.report.tokens_after == report.tokens_after


@pytest.mark.parametrize("wire", WIRES)
def test_k25_nothing_done_is_not_reported_as_done(wire: Format) -> None:
    told = story(wire).user("hello").said("Hello.").user("How are you?")
    session = session_of(wire, 8_000)
    session.prepare(told.messages)
    context = session.compact()
    assert isinstance(context.outcome, clew.Held)
    assert context.report.summarizer == ""
    assert context.report.tokens_after == context.report.tokens_before
    assert dumped(context.messages) == dumped(told.messages)


def test_k25_settings_are_used_or_refused() -> None:
    with pytest.raises(clew.PolicyError, match="summarizer"):
        clew.Session(summarizer="no such summarizer")
    with pytest.raises(clew.UnknownFormatError, match="morse"):
        clew.Session(format="morse")
    with pytest.raises(clew.BudgetError):
        clew.Budget(8_000, trigger=0.9, backstop=0.8)
    with pytest.raises(clew.PolicyError):
        clew.Session(counter="no such counter")
