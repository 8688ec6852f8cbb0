"""Any size of middle: exact arithmetic, parts at exchange borders, nothing skipped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import SummarizerError
from clew.ports import ModelReply, ModelRequest
from clew.record import Add, HandoffRecord
from clew.summarize.breaker import CallLimits
from clew.summarize.chunks import EXCERPT_CHARS, plan_parts
from clew.summarize.prompt import (
    Asking,
    ReplyStyle,
    Room,
    model_request,
    prompt_file,
    request_tokens,
)
from clew.summarize.request import SpanView
from tests.summarize.building import COUNTER, ScriptedClient, reply, request, span, summarizer

EMPTY = HandoffRecord(goal="g")
OUTPUT = 500


def rounds(count: int, result_chars: int) -> tuple[SpanView, ...]:
    """Exchanges whose results hold a number of their own at the start."""
    return tuple(
        span(
            n,
            agent=f"Report {n}.",
            tool="read_report",
            arguments=json.dumps({"number": n}),
            result=f"REPORT {n} cause {7000 + n}\n" + "x y z filler\n" * (result_chars // 13),
        )
        for n in range(1, count + 1)
    )


def asking(spans: tuple[SpanView, ...], window: int, output: int = OUTPUT) -> Asking:
    return Asking(
        request=request(spans, old=EMPTY),
        room=Room(input_tokens=window - output),
        max_output_tokens=output,
    )


def fact_for_each_span(asked: ModelRequest) -> ModelReply:
    history = asked.prompt.partition("<clew-record-history>")[2]
    handles = re.findall(r"^\[(S-\d+)\]$", history, re.MULTILINE)
    lines = [f"ADD fact: seen {handle}\nSPAN: {handle}\nQUOTE: Report" for handle in handles]
    return reply("\n".join([*lines, "END"]))


class Strict:
    """A model that refuses one token over its window and remembers the size of each request."""

    def __init__(self, real_window: int, answer: Callable[[ModelRequest], ModelReply]) -> None:
        self.real_window = real_window
        self.answer = answer
        self.sizes: list[int] = []

    def __call__(self, asked: ModelRequest) -> ModelReply:
        size = request_tokens(asked, COUNTER)
        self.sizes.append(size)
        if size > self.real_window:
            raise SummarizerError("prompt is too long", permanent=True, too_long=True)
        return self.answer(asked)


def seen_spans(operations: tuple[object, ...]) -> list[str]:
    return [o.item.text.removeprefix("seen ") for o in operations if isinstance(o, Add)]


def test_a_middle_far_over_the_window_is_folded_in_parts_and_none_is_skipped() -> None:
    spans = rounds(200, 2_000)
    strict = Strict(4_000, fact_for_each_span)
    client = ScriptedClient(strict, window_tokens=4_000)
    limits = CallLimits(per_compaction=80, per_hour=80)
    outcome = summarizer(client, limits=limits, max_output_tokens=OUTPUT).propose_with_facts(
        request(spans, old=EMPTY)
    )
    assert seen_spans(outcome.delta.operations) == [s.handle for s in spans]
    assert max(strict.sizes) <= 4_000
    assert outcome.facts["planned_calls"] == outcome.facts["calls"] == len(client.requests)
    assert len({r.prompt for r in client.requests}) == len(client.requests)


def test_a_request_of_exactly_the_window_is_allowed_and_one_token_more_is_not() -> None:
    spans = rounds(12, 800)
    prepared = replace(asking(spans, 8_000), plain=True)
    whole = plan_parts(prepared, spans, window_tokens=8_000, max_parts=9)
    exact = request_tokens(model_request(prepared, whole.parts[0], style=ReplyStyle.LINES), COUNTER)
    assert plan_parts(prepared, spans, window_tokens=exact, max_parts=9).calls == 1
    assert plan_parts(prepared, spans, window_tokens=exact - 1, max_parts=9).calls > 1


def test_after_a_refusal_for_length_the_next_request_is_smaller_and_never_the_same() -> None:
    strict = Strict(6_000, fact_for_each_span)
    client = ScriptedClient(strict, window_tokens=20_000)
    spans = rounds(24, 2_000)
    model = summarizer(client, max_output_tokens=OUTPUT)
    outcome = model.propose_with_facts(request(spans, old=EMPTY))
    refused = [size for size in strict.sizes if size > 6_000]
    assert refused
    assert refused == sorted(set(refused), reverse=True)
    assert max(strict.sizes[len(refused) :]) <= 6_000
    assert seen_spans(outcome.delta.operations) == [s.handle for s in spans]
    before = len(strict.sizes)
    model.propose(request(rounds(30, 2_000), old=EMPTY))
    assert max(strict.sizes[before:]) <= 6_000, "the smaller window is remembered"


def test_a_model_that_refuses_every_length_is_asked_a_bounded_number_of_times() -> None:
    strict = Strict(0, fact_for_each_span)
    client = ScriptedClient(strict, window_tokens=20_000)
    with pytest.raises(SummarizerError, match=r"too long|no room"):
        summarizer(client, max_output_tokens=OUTPUT).propose(request(rounds(24, 2_000)))
    assert 1 < len(strict.sizes) <= 5
    assert strict.sizes == sorted(set(strict.sizes), reverse=True)


def test_parts_are_cut_between_exchanges_and_know_what_came_just_before() -> None:
    spans = (span(1, user="Only touch report 5 with my approval."), *rounds(20, 1_500)[1:])
    plan = plan_parts(asking(spans, 6_000), spans, window_tokens=6_000, max_parts=40)
    assert [s.handle for part in plan.parts for s in part.spans] == [s.handle for s in spans]
    assert plan.calls > 1
    for earlier, later in zip(plan.parts, plan.parts[1:], strict=False):
        shown = "\n".join(later.before)
        assert f"[{earlier.spans[-1].handle}]" in shown
        assert "Only touch report 5 with my approval." in shown


def test_fewer_calls_than_parts_shorten_the_excerpts_and_skip_no_exchange() -> None:
    spans = rounds(40, 6_000)
    many = plan_parts(asking(spans, 8_000), spans, window_tokens=8_000, max_parts=40)
    few = plan_parts(asking(spans, 8_000), spans, window_tokens=8_000, max_parts=3)
    assert few.calls <= 3 < many.calls
    assert EXCERPT_CHARS[0] == many.excerpt_chars > few.excerpt_chars
    shown = "\n".join(text for part in few.parts for text in part.texts)
    for s in spans:
        assert f"[{s.handle}]" in shown
        assert f"REPORT {s.handle[2:]} cause" in shown


def test_one_exchange_larger_than_the_window_keeps_its_ends_and_its_error() -> None:
    log = [f"step {n} fine" for n in range(60_000)]
    log[31_000] = "FATAL: checksum 0xDEAD differs in batch 7"
    giant = span(1, agent="Run it.", arguments='{"command": "make"}', result="\n".join(log))
    plan = plan_parts(asking((giant,), 4_000), (giant,), window_tokens=4_000, max_parts=2)
    (text,) = plan.parts[0].texts
    assert "| step 0 fine" in text
    assert "| step 59999 fine" in text
    assert "left out" in text
    asked = model_request(asking((giant,), 4_000), plan.parts[0], style=ReplyStyle.JSON)
    assert "Long texts are excerpts" in asked.prompt
    assert request_tokens(asked, COUNTER) <= 4_000


def test_an_error_in_the_middle_of_a_long_result_is_shown() -> None:
    log = [f"step {n} fine" for n in range(900)]
    log[450] = "FATAL: checksum 0xDEAD differs in batch 7"
    one = span(1, agent="Run it.", arguments='{"command": "make"}', result="\n".join(log))
    plan = plan_parts(asking((one,), 20_000), (one,), window_tokens=20_000, max_parts=2)
    assert "| FATAL: checksum 0xDEAD differs in batch 7" in plan.parts[0].texts[0]


def test_a_user_message_larger_than_the_window_is_folded_too() -> None:
    pasted = "\n".join(f"log line {n}" for n in range(50_000))
    giant = span(1, user=f"Why does this fail?\n{pasted}\nAnswer in one word.")
    plan = plan_parts(asking((giant,), 4_000), (giant,), window_tokens=4_000, max_parts=1)
    assert "| Why does this fail?" in plan.parts[0].texts[0]
    assert "| Answer in one word." in plan.parts[0].texts[0]


def test_a_window_without_room_is_refused_before_any_call() -> None:
    client = ScriptedClient("never", window_tokens=900)
    with pytest.raises(SummarizerError, match="leaves no room for history") as raised:
        summarizer(client).propose(request(rounds(3, 100)))
    assert raised.value.permanent
    assert client.requests == []


def test_a_small_window_is_asked_in_the_plain_form_without_a_schema() -> None:
    client = ScriptedClient(fact_for_each_span, window_tokens=3_000)
    summarizer(client, max_output_tokens=OUTPUT).propose(request(rounds(2, 100), old=EMPTY))
    assert client.requests[0].schema is None
    assert prompt_file("reply_lines") in client.requests[0].system


@given(
    sizes=st.lists(st.integers(0, 9_000), min_size=1, max_size=12),
    window=st.integers(2_600, 9_000),
    most=st.integers(1, 12),
)
def test_no_request_is_ever_over_the_window(sizes: list[int], window: int, most: int) -> None:
    spans = tuple(
        span(n, agent=f"Report {n}.", arguments="{}", result="7 words of filler text\n" * (s // 23))
        for n, s in enumerate(sizes, 1)
    )
    prepared = asking(spans, window)
    try:
        plan = plan_parts(prepared, spans, window_tokens=window, max_parts=most)
    except SummarizerError:
        return
    assert plan.calls <= most
    assert [s for part in plan.parts for s in part.spans] == list(spans)
    for part in plan.parts:
        asked = model_request(prepared, part, style=ReplyStyle.JSON)
        assert request_tokens(asked, COUNTER) <= window
