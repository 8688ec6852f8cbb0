from __future__ import annotations

from typing import Any

import pytest

from clew.budget import Chars4Counter
from clew.budget.measure import Meter
from clew.codecs import codec_for
from clew.replay.judge import Judge
from clew.transcript import Format

USER = {"role": "user", "content": "go on"}
DONE = {"role": "assistant", "content": "done"}


def call(*ids: str) -> dict[str, Any]:
    function = {"name": "f", "arguments": "{}"}
    calls = [{"id": i, "type": "function", "function": function} for i in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(name: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": name, "content": "out"}


def judge() -> Judge:
    return Judge(codec_for(Format.OPENAI_CHAT), Meter(Chars4Counter(), Format.OPENAI_CHAT))


@pytest.mark.parametrize(
    ("messages", "valid"),
    [
        ([USER], True),
        ([USER, call("a"), result("a")], True),
        ([USER, call("a", "b"), result("b"), result("a"), USER], True),
        ([USER, call("a", "b"), result("a")], False),
        ([USER, call("a")], False),
        ([USER, result("a")], False),
        ([USER, call("a"), USER, result("a")], False),
        ([USER, call("a"), result("b")], False),
    ],
)
def test_a_context_is_valid_when_every_call_has_its_results(
    messages: list[dict[str, Any]], valid: bool
) -> None:
    assert judge().judge(messages).valid is valid


def test_what_two_contexts_share_is_what_is_equal_at_their_front() -> None:
    one = judge()
    first = one.judge([USER, DONE, USER])
    assert first.shared_tokens == 0
    grown = one.judge([USER, DONE, USER, DONE])
    assert grown.shared_tokens == first.tokens
    folded = one.judge([dict(USER), DONE, DONE])
    assert 0 < folded.shared_tokens < folded.tokens
    again = one.judge([dict(USER), DONE, DONE])
    assert again.shared_tokens == again.tokens


def test_a_context_is_judged_afresh_after_a_compaction() -> None:
    one = judge()
    assert one.judge([USER, call("a"), result("a"), DONE]).valid
    assert not one.judge([USER, result("a"), DONE]).valid
    assert one.judge([USER, DONE]).valid
