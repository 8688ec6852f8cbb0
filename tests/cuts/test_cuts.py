"""The laws of cuts, one by one, and the selection they allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from clew.codecs import codec_for
from clew.cuts import (
    CutView,
    OpenCall,
    SealedLoop,
    Selection,
    TailBounds,
    WholeExchange,
    goal_index,
    head_of,
    select,
)
from clew.transcript import ExchangeGrouper, Format, Message

Native = dict[str, Any]


def user(text: str) -> Native:
    return {"role": "user", "content": text}


def says(text: str) -> Native:
    return {"role": "assistant", "content": text}


def calls(*ids: str) -> Native:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": i, "type": "function", "function": {"name": "run", "arguments": "{}"}}
            for i in ids
        ],
    }


def result(call_id: str) -> Native:
    return {"role": "tool", "tool_call_id": call_id, "content": "ok"}


def view(natives: Sequence[Native], wire: Format = Format.OPENAI_CHAT, **more: Any) -> CutView:
    codec = codec_for(wire)
    body: list[Message] = [codec.parse(native, i) for i, native in enumerate(natives)]
    grouper = ExchangeGrouper(adjacent_results=codec.adjacent_results)
    grouper.feed(body)
    return CutView(
        body=body,
        exchanges=grouper.exchanges(),
        is_person=lambda i: body[i].role == "user" and not body[i].results,
        **more,
    )


BATCH = [user("goal"), calls("a", "b"), result("a"), result("b"), says("done"), user("more")]


def test_no_cut_falls_inside_a_batch() -> None:
    assert WholeExchange().forbidden(view(BATCH)) == {2, 3}


def test_a_late_result_leaves_room_between_its_runs() -> None:
    items: list[Native] = [
        {"role": "user", "content": "start the rebuild"},
        {"type": "function_call", "call_id": "L", "name": "rebuild", "arguments": "{}"},
        {"type": "function_call", "call_id": "S", "name": "disk", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "S", "output": "412 GiB"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "k"}]},
        {"role": "user", "content": "and the disk?"},
        {"type": "function_call_output", "call_id": "L", "output": "RB-7731"},
    ]
    looked_at = view(items, Format.OPENAI_RESPONSES)
    assert WholeExchange().forbidden(looked_at) == {2, 3}
    chosen = select(looked_at, [10] * 7, TailBounds(messages=2, tokens=1_000))
    assert chosen.tail_start == 5
    assert chosen.kept == (1, 2, 3), "the call of a late result stays with it"


def thinking(call_id: str) -> Native:
    return {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            {"type": "tool_use", "id": call_id, "name": "run", "input": {}},
        ],
    }


def answer(call_id: str) -> Native:
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": call_id, "content": "ok"}],
    }


LOOP = [
    user("goal"),
    thinking("a"),
    answer("a"),
    says("first part done"),
    user("go on"),
    thinking("b"),
    answer("b"),
    thinking("c"),
    answer("c"),
]


def test_an_open_loop_with_signed_reasoning_stays_whole() -> None:
    looked_at = view(LOOP, Format.ANTHROPIC)
    assert SealedLoop().forbidden(looked_at) == {5, 6, 7, 8, 9}
    chosen = select(looked_at, [10] * 9, TailBounds(messages=2, tokens=1_000))
    assert chosen.tail_start == 4


def test_the_loop_gives_way_to_batch_borders_when_nothing_else_fits() -> None:
    looked_at = view(LOOP, Format.ANTHROPIC)
    sizes = [10, 50, 50, 10, 10, 400, 400, 400, 400]
    chosen = select(looked_at, sizes, TailBounds(messages=2, tokens=2_000), fits_tokens=1_000)
    assert chosen.tail_start == 7
    assert chosen.yielded == ("open loop with sealed reasoning",)
    assert 4 in chosen.kept, "the message that began the loop stays"


def test_a_finished_loop_binds_nothing() -> None:
    assert SealedLoop().forbidden(view([*LOOP, says("all done")], Format.ANTHROPIC)) == set()


@pytest.mark.parametrize(
    ("natives", "head"),
    [
        (BATCH, 1),
        ([says("hello"), user("goal")], 0),
        ([user("goal")], 1),
        ([], 0),
    ],
)
def test_the_head_ends_with_the_first_message_a_person_typed(
    natives: list[Native], head: int
) -> None:
    assert head_of(view(natives)) == head


def test_harness_text_before_the_goal_belongs_to_the_head() -> None:
    natives = [user("<environment_context>"), user("goal"), says("ok"), user("next")]
    looked_at = view(natives)
    typed = CutView(
        body=looked_at.body, exchanges=looked_at.exchanges, is_person=lambda i: i in (1, 3)
    )
    assert head_of(typed) == 2
    assert goal_index(looked_at.body, lambda m: m.text == "goal") == 1


LONG = [
    user("goal"),
    *[m for n in range(5) for m in (calls(f"c{n}"), result(f"c{n}"))],
    user("next"),
    calls("z"),
    result("z"),
]


def chosen_of(bounds: TailBounds, **more: Any) -> Selection:
    looked_at = view(LONG, **more)
    return select(looked_at, [10] * len(LONG), bounds)


@pytest.mark.parametrize(
    ("messages", "tokens", "tail_start"),
    [(3, 1_000, 11), (4, 1_000, 11), (5, 1_000, 9), (7, 50, 9), (100, 20, 12), (1, 5, 12)],
)
def test_the_tail_is_bounded_by_messages_and_by_tokens(
    messages: int, tokens: int, tail_start: int
) -> None:
    chosen = chosen_of(TailBounds(messages=messages, tokens=tokens))
    assert chosen.tail_start == tail_start


def test_the_newest_user_message_stays_word_for_word() -> None:
    chosen = chosen_of(TailBounds(messages=1, tokens=5))
    assert chosen.kept == (11,)
    assert [e.first for e in chosen.middle] == [1, 3, 5, 7, 9]


def test_pins_and_pending_exchanges_stay_whole() -> None:
    chosen = chosen_of(
        TailBounds(messages=1, tokens=5), pinned=frozenset({4}), pending=frozenset({7})
    )
    assert chosen.kept == (3, 4, 7, 8, 11)


def test_an_open_call_is_never_folded() -> None:
    items: list[Native] = [
        {"role": "user", "content": "refund it"},
        {"type": "function_call", "call_id": "p", "name": "refund", "arguments": "{}"},
        {"role": "user", "content": "meanwhile, the parcel?"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "k"}]},
        {"role": "user", "content": "thanks"},
    ]
    looked_at = view(items, Format.OPENAI_RESPONSES)
    assert OpenCall().keeps(looked_at, looked_at.exchanges[1])
    chosen = select(looked_at, [10] * 5, TailBounds(messages=1, tokens=100))
    assert 1 in chosen.kept


def test_tokens_add_up() -> None:
    chosen = chosen_of(TailBounds(messages=3, tokens=1_000))
    assert chosen.middle_tokens + chosen.floor_tokens == 10 * len(LONG)
    assert chosen.tail_tokens == 30
