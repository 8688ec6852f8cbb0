"""Recorded failures of other compactors, replayed against the model summarizer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clew.budget import Chars4Counter
from clew.codecs import codec_for
from clew.errors import SummarizerError
from clew.ports import ModelReply, ModelRequest, StopReason
from clew.record import HandoffRecord
from clew.summarize.prompt import request_tokens
from clew.summarize.request import SpanView, SummaryRequest
from clew.tools_seen import see_exchange
from clew.transcript import ExchangeGrouper, Format
from tests.conftest import shared_path
from tests.summarize.building import ScriptedClient, reply, summarizer
from tests.summarize.test_chunks import Strict, fact_for_each_span, seen_spans

COUNTER = Chars4Counter()
STOPS = {
    "end_turn": StopReason.END,
    "max_tokens": StopReason.LENGTH,
    "refusal": StopReason.REFUSAL,
    "tool_use": StopReason.TOOL_CALL,
}


def case(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(shared_path("cases", f"{name}.json").read_text("utf-8"))
    return read


def middle_of(read: dict[str, Any]) -> SummaryRequest:
    """The case's messages but the goal and the tail, as a request to fold."""
    codec = codec_for(Format(read["format"]))
    messages = [codec.parse(native, place) for place, native in enumerate(read["messages"])]
    grouper = ExchangeGrouper(adjacent_results=codec.adjacent_results)
    grouper.feed(messages)
    keep = len(messages) - read["budget"]["keep_tail_messages"]
    spans = []
    for exchange in grouper.exchanges():
        if exchange.first > 0 and exchange.last < keep:
            inside = tuple(messages[i] for i in exchange.indices)
            spans.append(
                SpanView(
                    handle=f"S-{exchange.first + 1}",
                    position=exchange.first,
                    positions=exchange.indices,
                    messages=inside,
                    calls=see_exchange(inside),
                )
            )
    return SummaryRequest(
        goal=messages[0].text,
        old=HandoffRecord(goal=messages[0].text),
        spans=tuple(spans),
        tail=(),
        target_tokens=300,
        counter=COUNTER,
    )


def test_a_middle_over_the_summarizers_window_is_folded_in_parts_that_fit() -> None:
    read = case("10-summariser-request-overflows")
    window = read["budget"]["summariser_window_tokens"]
    output = read["budget"]["summariser_output_tokens"]
    strict = Strict(window, fact_for_each_span)
    client = ScriptedClient(strict, window_tokens=window)
    asked = middle_of(read)
    outcome = summarizer(client, max_output_tokens=output).propose_with_facts(asked)
    assert seen_spans(outcome.delta.operations) == [s.handle for s in asked.spans]
    assert max(strict.sizes) <= window
    assert all(request_tokens(r, COUNTER) - output > 0 for r in client.requests)
    assert len(client.requests) == outcome.facts["planned_calls"] <= 9
    shown = "\n".join(r.prompt for r in client.requests)
    for number in range(1, 23):
        assert f"REPORT {number} root cause" in shown


def test_a_model_that_refuses_all_of_it_ends_by_rules_after_ever_smaller_requests() -> None:
    read = case("10-summariser-request-overflows")
    strict = Strict(0, fact_for_each_span)
    client = ScriptedClient(strict, window_tokens=6_000)
    with pytest.raises(SummarizerError):
        summarizer(client, max_output_tokens=400).propose(middle_of(read))
    assert strict.sizes == sorted(set(strict.sizes), reverse=True)
    assert len(strict.sizes) <= 5


@pytest.mark.parametrize("entry", range(7))
def test_a_bad_summary_with_any_stop_is_refused_for_its_own_reason(entry: int) -> None:
    read = case("12-bad-summary-accepted")
    said = read["summariser_script"][entry]
    usage_tokens = 40 if "reasoning" in said else 0

    def answer(_: ModelRequest) -> ModelReply:
        return reply(
            said.get("returns", ""), STOPS[said["stop_reason"]], output_tokens=usage_tokens
        )

    with pytest.raises(SummarizerError) as raised:
        summarizer(ScriptedClient(answer)).propose(middle_of(read))
    expected = (
        "cut off", "refused", "tool call", "reasoning", "prose", "breaks off", "prose",
    )[entry]  # fmt: skip
    assert expected in str(raised.value)
