"""K48 to K54: pages and pointers, the cost of a rewrite, giant items, and when a run starts."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

import clew
from clew.codecs import codec_for
from clew.policy import Boundary
from clew.session.agent_tools import RECALL_TOOL
from clew.session.toolbox import MOST_CHARS
from clew.transcript import Format
from tests.failures.judging import (
    archived,
    folded,
    judge,
    prepared,
    said,
    session_of,
    text_of,
)
from tests.failures.stories import WIRES, Native, Story, dumped, log, story, words

MARK = "[clew:"


# ---- K48 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k48_a_pointer_names_the_tool_only_where_the_agent_has_it(wire: Format) -> None:
    told = story(wire).user("Read the log.").round("read_log", {}, log(40_000)).said("Long.")
    told.user("And?")
    without = prepared(session_of(wire, 16_000), wire, told.messages)
    assert MARK in text_of(without)
    assert RECALL_TOOL not in text_of(without)
    session = session_of(wire, 16_000)
    tools = session.tools(wire)
    given = session.prepare(told.messages, tools=tools)
    assert RECALL_TOOL in text_of(given)
    assert "error" not in text_of(given).lower()


@pytest.mark.parametrize("wire", WIRES)
def test_k48_what_was_read_back_comes_in_pages_and_is_not_pointed_at_again(wire: Format) -> None:
    whole = log(40_000)
    told = story(wire).user("Read the log.").round("read_log", {}, whole).said("Long.").user("And?")
    session = session_of(wire, 16_000)
    tools = session.tools(wire)
    context = session.prepare(told.messages, tools=tools)
    handle = next(
        word.strip("'()") for text in said(context.messages) if MARK in text
        for word in text.split("handle=")[1:2] for word in word.split("'")[1:2]
    )  # fmt: skip
    page = session.call_tool(RECALL_TOOL, {"handle": handle})
    assert page.startswith(whole[:1_000])
    assert len(page) <= MOST_CHARS + 300
    part = session.call_tool(RECALL_TOOL, {"handle": handle, "first_line": 3, "last_line": 40})
    assert part == "\n".join(whole.split("\n")[2:40])
    told.round(RECALL_TOOL, {"handle": handle, "first_line": 3, "last_line": 40}, part)
    again = session.prepare(told.messages, tools=tools)
    assert part in list(said(again.messages))
    assert session.recall(handle).decode() == whole


@pytest.mark.parametrize("wire", WIRES)
def test_k48_a_page_that_is_not_there_is_an_error_with_its_name(wire: Format) -> None:
    told = story(wire).user("Do the audit.").turns(8, 700).user("Go on.")
    session = session_of(wire, 3_000, tail_messages=3, tail_tokens=400, record_tokens=300)
    folded(session, wire, told.messages)
    for handle in ("S-4711", "S-2.99", "R-99", "", "../../etc/passwd"):
        with pytest.raises(clew.UnknownHandleError) as caught:
            session.recall(handle)
        assert handle in str(caught.value)
    assert "S-4711" in session.call_tool(RECALL_TOOL, {"handle": "S-4711"})
    pages = b"".join(session.recall(handle) for handle, _ in session.spans())
    assert MARK.encode() not in pages


# ---- K49 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k49_a_shortened_result_shows_whole_lines_in_their_order(wire: Format) -> None:
    rows = [f"{n:04d} | {-n * 7 % 991:+d} kg | lane {n % 9}" for n in range(2_000)]
    told = story(wire).user("Read the table.").round("read_table", {}, "\n".join(rows)).user("And?")
    session = session_of(wire, 16_000)
    context = prepared(session, wire, told.messages)
    (shown,) = [text for text in said(context.messages) if MARK in text]
    lines = [line for line in shown.split("\n") if MARK not in line]
    places = [rows.index(line) for line in lines]
    assert len(places) >= 4
    assert places == sorted(places)
    assert places[0] == 0
    assert places[-1] == len(rows) - 1
    assert "\n".join(rows) in set(said(archived(session)))


# ---- K50 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k50_the_prefix_changes_once_a_run_and_not_once_a_turn(wire: Format) -> None:
    told = story(wire).user("Walk through all parts.")
    session = session_of(
        wire, 6_000, tail_messages=4, tail_tokens=600, record_tokens=400, trigger=0.7
    )
    before: list[str] = []
    changes = runs = 0
    for number in range(26):
        told.rounds(1, 900, first=number)
        context = prepared(session, wire, told.messages)
        now = dumped(context.messages)
        if now[: len(before)] != before:
            changes += 1
            assert not isinstance(context.outcome, clew.Held)
        runs += not isinstance(context.outcome, clew.Held)
        before = now
    assert 1 <= changes <= 8
    assert runs <= 8


@pytest.mark.parametrize("wire", WIRES)
def test_k50_a_run_leaves_a_gap_to_the_trigger(wire: Format) -> None:
    told = story(wire).user("Walk through all parts.")
    session = session_of(wire, 6_000, tail_messages=4, tail_tokens=600, record_tokens=400)
    for number in range(26):
        told.rounds(1, 900, first=number)
        context = prepared(session, wire, told.messages)
        if isinstance(context.outcome, clew.Compacted):
            assert context.report.tokens_after <= 0.6 * context.report.trigger


# ---- K51 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k51_fields_that_nobody_knows_come_out_as_they_came_in(wire: Format) -> None:
    told = story(wire).user("Do the audit.").turns(8, 700).user("Go on.")
    for number, message in enumerate(told.messages):
        message["x_gateway"] = {"trace": number}
    session = session_of(wire, 3_000, tail_messages=3, tail_tokens=400, record_tokens=300)
    context = folded(session, wire, told.messages)
    marked = [m["x_gateway"]["trace"] for m in context.messages if "x_gateway" in m]
    assert len(marked) == len(context.messages) - 1
    assert marked == sorted(marked)
    kept = {m["x_gateway"]["trace"] for m in archived(session)} | set(marked)
    assert kept == set(range(len(told.messages)))


@pytest.mark.parametrize("wire", WIRES)
def test_k51_a_short_list_is_not_taken_for_a_trimmed_one(wire: Format) -> None:
    told = story(wire).user("Do the audit.").turns(8, 700).user("Go on.")
    session = session_of(wire, 3_000, tail_messages=3, tail_tokens=400, record_tokens=300)
    folded(session, wire, told.messages)
    fresh = story(wire).user("Translate this sentence.").messages
    assert session.prepare(fresh).messages == fresh
    assert session.spans() == []


# ---- K52 ---------------------------------------------------------------------------------------

JSON_DOCUMENT = json.dumps({"rows": [{"n": n, "what": words(60, n)} for n in range(1_200)]})


def giants(wire: Format, kind: str) -> Story:
    told = story(wire)
    match kind:
        case "one result":
            return told.user("Which lane stopped?").round("read_log", {}, log(100_000))
        case "four results":
            told.user("Which lane stopped?")
            told.calls(*((f"c{n}", "read_log", {"n": n}) for n in range(4)))
            return told.results(*((f"c{n}", log(25_000, seed=n)) for n in range(4)))
        case "one JSON document":
            return told.user("Which lane stopped?").round("read_rows", {}, JSON_DOCUMENT)
        case _:
            return told.user(f"Which lane stopped?\n{log(100_000)}\nAnswer with its number.")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "kind", ["one result", "four results", "one JSON document", "the request itself"]
)
def test_k52_a_giant_in_the_newest_cycle_is_put_behind_a_handle(wire: Format, kind: str) -> None:
    told = giants(wire, kind)
    session = session_of(wire, 16_000, tail_tokens=4_000)
    context = prepared(session, wire, told.messages)
    assert context.report.tokens_after < 16_000 * 0.7
    seen = text_of(context)
    assert "Which lane stopped?" in seen
    assert MARK in seen
    assert isinstance(context.outcome, clew.Evicted)
    whole = set(said(told.messages))
    handles = context.outcome.handles
    assert handles
    for handle in handles:
        text = session.recall(handle).decode()
        assert text in whole
        assert text[:40] in seen
        assert text[-12:] in seen
    page = session.call_tool(RECALL_TOOL, {"handle": handles[0], "first_line": 1, "last_line": 5})
    assert page
    if kind == "the request itself":
        assert "Answer with its number." in seen


@pytest.mark.parametrize("wire", WIRES)
def test_k52_the_goal_is_shortened_once_and_never_again(wire: Format) -> None:
    told = giants(wire, "the request itself")
    session = session_of(wire, 16_000, tail_messages=3, tail_tokens=2_000)
    goal = dumped(prepared(session, wire, told.messages).messages)[0]
    for number in range(3):
        told.rounds(8, 3_000, first=10 * number)
        assert dumped(folded(session, wire, told.messages).messages)[0] == goal


# ---- K53 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("thinks", [False, True], ids=["plain", "thinking"])
def test_k53_one_request_and_hundreds_of_calls_are_folded_at_batch_borders(
    wire: Format, thinks: bool
) -> None:
    told = story(wire, thinks=thinks).user("Walk through all parts.")
    session = session_of(wire, 8_000, tail_messages=6, tail_tokens=900, record_tokens=500)
    runs = 0
    for number in range(0, 60, 3):
        told.rounds(3, 800, first=number)
        context = prepared(session, wire, told.messages)
        runs += isinstance(context.outcome, clew.Compacted)
        assert dumped(context.messages)[0] == dumped(told.messages)[0]
    assert runs >= 2


@pytest.mark.parametrize("wire", WIRES)
def test_k53_a_pending_result_counts_before_the_call_that_would_overflow(wire: Format) -> None:
    told = story(wire).user("Walk through all parts.").rounds(4, 2_000)
    session = session_of(wire, 8_000, tail_messages=4, tail_tokens=900, record_tokens=500)
    assert session.prepare(told.messages).report.tokens_after < 4_000
    told.rounds(3, 7_000, first=20)
    context = prepared(session, wire, told.messages)
    assert not isinstance(context.outcome, clew.Held)


@pytest.mark.parametrize("wire", WIRES)
def test_k53_the_agent_itself_may_ask_at_the_end_of_a_phase(wire: Format) -> None:
    told = story(wire).user("Walk through all parts.").rounds(10, 1_000)
    session = session_of(wire, 6_000, tail_messages=4, tail_tokens=600, record_tokens=400)
    assert isinstance(session.prepare(told.messages).outcome, clew.Held)
    session.signal(Boundary.PHASE_CHANGED)
    assert isinstance(session.prepare(told.messages).outcome, clew.Compacted)


# ---- K54 ---------------------------------------------------------------------------------------

ODD: dict[str, Any] = {
    "no list": [],
    "text": ["hello"],
    "none": [None],
    "a number": [7],
    "an empty object": [{}],
    "no content": [{"role": "user"}],
    "an unknown role": [{"role": "oracle", "content": "hello"}],
    "an unknown part": [{"role": "user", "content": [{"type": "zz", "zz": 1}]}],
    "a list of lists": [[{"role": "user", "content": "hello"}]],
    "content of numbers": [{"role": "user", "content": 12}],
    "half a call": [{"role": "assistant", "tool_calls": [None]}],
    "bytes": [{"role": "user", "content": b"hello"}],
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("odd", ODD)
def test_k54_odd_input_ends_in_time_with_a_result_or_a_named_error(wire: Format, odd: str) -> None:
    started = time.process_time()
    refused = ""
    messages: Any = []
    try:
        messages = session_of(wire, 2_000).prepare(ODD[odd]).messages
    except clew.ClewError as error:
        refused = str(error)
    assert isinstance(messages, list)
    assert not refused or len(refused) > 10
    assert time.process_time() - started < 5


@pytest.mark.parametrize("wire", WIRES)
def test_k54_an_unshrinkable_list_ends_in_a_named_error_and_changes_nothing(wire: Format) -> None:
    told = story(wire).user(words(4_000))
    before = dumped(told.messages)
    session = session_of(wire, 500, tail_tokens=100, record_tokens=50)
    session.pin(told.messages[0])
    with pytest.raises(clew.FloorExceededError) as caught:
        session.prepare(told.messages)
    assert caught.value.parts
    assert dumped(told.messages) == before
    assert session.store.sessions() == ()


@pytest.mark.parametrize("wire", WIRES)
def test_k54_a_long_list_ends_in_bounded_time(wire: Format) -> None:
    told = story(wire).user("Walk through all parts.").rounds(320, 240)
    session = session_of(wire, 16_000, tail_messages=6, tail_tokens=1_500)
    started = time.process_time()
    context = session.prepare(told.messages)
    assert time.process_time() - started < 30
    assert isinstance(context.outcome, clew.Compacted)
    parsed: list[Native] = context.messages
    assert all(codec_for(wire).parse(message, 0) for message in parsed)
    judge(session, wire, told.messages, context)
