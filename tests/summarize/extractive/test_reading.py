"""What an agent names: what it says and sends, not what its tools call their parameters."""

from __future__ import annotations

import json

import pytest

from clew.summarize.extractive.reading import read_span, without_keys
from tests.summarize.extractive.told import spans_of


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        ('{"file_path": "src/a.py", "replace_all": true}', ("src/a.py",)),
        ('{"old_string":"page_size = 5","new_string":"page_size = 9"}', ("page_size",)),
        # What stands inside a value was written by the agent, a key of its own included.
        ('{"content": "{\\"case_id\\": 7}"}', ("case_id",)),
        ('{"filter": {"tenant_id": 4711}}', ("tenant_id", "4711")),
        # What is no JSON object is left as it is.
        ('["read_me", 1]', ("read_me",)),
        ("cat src/a.py", ("src/a.py",)),
        ('{"old_string": "cut', ("old_string",)),
    ],
)
def test_parameters_are_named_by_the_tool(arguments: str, left: tuple[str, ...]) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "do", "arguments": arguments}}
    asked = {"role": "assistant", "content": "", "tool_calls": [call]}
    (span,) = spans_of([asked, {"role": "tool", "tool_call_id": "c", "content": "ok"}])
    assert set(read_span(span).agent_names) == set(left)


def test_arguments_that_nest_too_deep_are_left_as_they_are() -> None:
    deep = '{"a_key": ' * 100_000
    assert without_keys(deep) == deep
    whole = json.dumps({"a_key": "b_value"})
    assert "a_key" not in without_keys(whole)


def test_a_name_that_stands_as_a_value_stays() -> None:
    said = json.dumps({"path": "path", "note": 'say "path": twice', "rows": [{"row_id": "row_id"}]})
    left = without_keys(said)
    assert left.count("path") == 2
    assert left.count("row_id") == 1


def test_the_names_in_a_list_of_edits_are_the_tools_and_those_of_a_thing_are_not() -> None:
    edits = '{"path": "a.py", "edits": [{"oldText": "tide_row", "newText": "moon_row"}]}'
    assert "oldText" not in without_keys(edits)
    assert "newText" not in without_keys(edits)
    assert "tide_row" in without_keys(edits)
    settings = '{"env": {"TIDE_TABLE": "moon.csv"}, "rows": ["tide_row"]}'
    assert "TIDE_TABLE" in without_keys(settings)
    assert "tide_row" in without_keys(settings)
