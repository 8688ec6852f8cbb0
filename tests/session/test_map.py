"""A session with a map of its code base: one more tool, and a text that follows the work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.transcript import Format

SAMPLES = Path(__file__).parents[1] / "repomap" / "samples"
MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "Make the basket cheaper."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {
                    "name": "read_file",
                    "arguments": json.dumps({"path": str(SAMPLES / "go" / "shop.go")}),
                },
            }
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "package shop"},
]


def test_without_a_map_there_is_no_tool_for_it() -> None:
    session = clew.Session()
    assert "clew_map" not in json.dumps(session.tools())
    assert session.map_text() == ""
    assert session.call_tool("clew_map", {"what": "x"}) == "There is no map here."


@pytest.mark.parametrize("format", list(Format))
def test_with_a_map_the_agent_can_ask_it_in_every_format(format: Format) -> None:
    session = clew.Session(format=format)
    session.use_map(clew.RepositoryMap(SAMPLES))
    assert "clew_map" in json.dumps(session.tools())
    assert session.call_tool("clew_map", {"what": "go"}) == "go/shop.go  6 symbols"
    assert "return till.Close(b)" in session.call_tool("clew_map", {"what": "Checkout"})


def test_the_text_is_ranked_by_what_the_session_read_and_fits() -> None:
    session = clew.Session()
    session.use_map(clew.RepositoryMap(SAMPLES))
    session.prepare(MESSAGES)
    text = session.map_text(120)
    assert text.startswith("go/shop.go\n")
    assert session.counter.count_text(text) <= 120
