from __future__ import annotations

import pytest

from clew.codecs import codec_for
from clew.transcript import Format
from clew.transcript.calls import recorded_calls

CHAT = {
    "u": {"role": "user", "content": "do it"},
    "a": {"role": "assistant", "content": "done"},
    "s": {"role": "system", "content": "be brief"},
    "c": {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        ],
    },
    "t": {"role": "tool", "tool_call_id": "1", "content": "out"},
}
ITEMS = {
    "u": {"role": "user", "content": "do it"},
    "a": {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "x"}],
    },
    "r": {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "x"},
    "c": {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
    "t": {"type": "function_call_output", "call_id": "1", "output": "out"},
}


@pytest.mark.parametrize(
    ("wire", "plan", "calls"),
    [
        (Format.OPENAI_CHAT, "suctcta", [(2, 3), (4, 5), (6, 7)]),
        (Format.OPENAI_CHAT, "uaua", [(1, 2), (3, 4)]),
        (Format.OPENAI_CHAT, "uaa", [(1, 2), (2, 3)]),
        (Format.OPENAI_CHAT, "au", []),
        (Format.OPENAI_CHAT, "", []),
        (Format.OPENAI_RESPONSES, "uracctt", [(1, 5)]),
        (Format.OPENAI_RESPONSES, "urctrcta", [(1, 3), (4, 6), (7, 8)]),
        (Format.OPENAI_RESPONSES, "rau", []),
    ],
)
def test_a_call_is_the_history_just_before_an_answer(
    wire: Format, plan: str, calls: list[tuple[int, int]]
) -> None:
    codec = codec_for(wire)
    natives = CHAT if wire is Format.OPENAI_CHAT else ITEMS
    messages = [codec.parse(natives[letter], index) for index, letter in enumerate(plan)]
    found = recorded_calls(messages, adjacent_results=codec.adjacent_results)
    assert [(call.shown, call.end) for call in found] == calls
    assert [call.n for call in found] == list(range(1, len(calls) + 1))
