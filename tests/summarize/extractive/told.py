"""Short stories as chat messages, and the spans a summarizer would see of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from clew.budget import Chars4Counter
from clew.codecs import codec_for
from clew.record.apply import Applied, apply_delta
from clew.record.delta import Add, Delta, Supersede
from clew.record.items import Item
from clew.record.record import HandoffRecord
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.request import SpanView, SummaryRequest
from clew.tools_seen import see_exchange
from clew.transcript import ExchangeGrouper, Format, digest_of

Native = dict[str, Any]


def user(text: str) -> list[Native]:
    return [{"role": "user", "content": text}]


def agent(text: str) -> list[Native]:
    return [{"role": "assistant", "content": text}]


def call(name: str, arguments: dict[str, Any], result: str, *, said: str = "") -> list[Native]:
    call_id = f"c-{digest_of([name, arguments, result])[:12]}"
    function = {"name": name, "arguments": json.dumps(arguments)}
    return [
        {
            "role": "assistant",
            "content": said,
            "tool_calls": [{"id": call_id, "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": call_id, "content": result},
    ]


def bash(command: str, result: str, *, said: str = "") -> list[Native]:
    return call("bash", {"command": command}, result, said=said)


def spans_of(
    natives: Sequence[Any], *, wire: Format = Format.OPENAI_CHAT, start: int = 0
) -> tuple[SpanView, ...]:
    """One span per exchange; `start` is the chain position of the first message."""
    codec = codec_for(wire)
    messages = [codec.parse(native, i) for i, native in enumerate(natives)]
    grouper = ExchangeGrouper(adjacent_results=codec.adjacent_results)
    grouper.feed(messages)
    return tuple(
        SpanView(
            handle=f"S-{start + unit.first + 1}",
            position=start + unit.first,
            positions=tuple(start + i for i in unit.indices),
            messages=tuple(messages[i] for i in unit.indices),
            calls=see_exchange([messages[i] for i in unit.indices]),
        )
        for unit in grouper.exchanges()
    )


def request(
    spans: tuple[SpanView, ...],
    *,
    old: HandoffRecord | None = None,
    tail: tuple[SpanView, ...] = (),
    target_tokens: int = 2_000,
    goal: str = "the goal",
) -> SummaryRequest:
    return SummaryRequest(
        goal=goal,
        old=old or HandoffRecord(goal=goal),
        spans=spans,
        tail=tail,
        target_tokens=target_tokens,
        counter=Chars4Counter(),
    )


def proposed(*story: list[Native], old: HandoffRecord | None = None) -> Delta:
    spans = spans_of([message for part in story for message in part])
    return ExtractiveSummarizer().propose(request(spans, old=old))


def items(delta: Delta, kind: str = "") -> list[Item]:
    return [
        op.item
        for op in delta.operations
        if isinstance(op, Add | Supersede) and (not kind or op.item.kind == kind)
    ]


def after(*story: list[Native], old: HandoffRecord | None = None, start: int = 0) -> Applied:
    """The record once a story was folded into an old one, with nothing rejected."""
    spans = spans_of([message for part in story for message in part], start=start)
    delta = ExtractiveSummarizer().propose(request(spans, old=old))
    applied = apply_delta(old or HandoffRecord(goal="the goal"), delta, position=spans[-1].position)
    assert applied.rejected == ()
    return applied
