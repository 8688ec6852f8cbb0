"""JSON that nests as deep as anyone likes, wherever it stands, stops no call."""

from __future__ import annotations

import pytest

import clew

DEPTHS = (40, 160, 230, 310, 330, 470, 490, 640, 800, 900, 960, 990, 3_000)
"""Around a third, a half and the whole of how deep the interpreter reads and writes."""


def nested(shape: str, depth: int) -> str:
    match shape:
        case "lists":
            inside = "[" * depth + "]" * depth
        case "objects":
            inside = '{"a":' * depth + "1" + "}" * depth
        case _:
            inside = '[{"old_string": "a", "new_string": "b", "edits":' * depth + "1" + "}]" * depth
    return f'{{"file_path": "AGENTS.md", "content": {inside}, "edits": {inside}}}'


@pytest.mark.parametrize("tool", ["write_file", "edit", "TodoWrite", "bash", "update_plan"])
@pytest.mark.parametrize("shape", ["lists", "objects", "edits"])
def test_no_depth_of_arguments_results_or_answers_stops_a_call(tool: str, shape: str) -> None:
    history: list[dict[str, object]] = [{"role": "user", "content": "go"}]
    for number, depth in enumerate(DEPTHS):
        text = nested(shape, depth)
        function = {"name": tool, "arguments": text}
        call = {"id": f"c{number}", "type": "function", "function": function}
        history += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": text},
            {"role": "assistant", "content": text},
            {"role": "user", "content": "go on"},
        ]
    policy = clew.Policy(clew.Budget(4_000_000), cost_rule=False)
    session = clew.Session(policy=policy, format="openai-chat", counter="estimate")
    for upto in range(1, len(history) + 1, 4):
        session.prepare(history[:upto])
    assert isinstance(session.compact().outcome, clew.Compacted)
    for handle, _ in session.spans():
        assert session.recall(handle)
