"""How a recording grew, and what that means for a budget."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.analysis import Growth, horizon
from clew.analysis.horizon import growth_of
from clew.budget import Budget, Chars4Counter
from clew.importers import load_session
from tests.conftest import requires_shared, shared_path


def session_file(tmp_path: Path, results: list[str]) -> Path:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "read them all"}]
    for number, text in enumerate(results):
        function = {"name": "read_file", "arguments": json.dumps({"path": f"src/{number % 3}.py"})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})
    messages.append({"role": "assistant", "content": "done"})
    path = tmp_path / "session.json"
    path.write_text(json.dumps(messages), encoding="utf-8")
    return path


def test_growth_and_crossings_are_counted_by_call(tmp_path: Path) -> None:
    path = session_file(tmp_path, ["x" * 400] * 10)
    budget = Budget(1_000, output_reserve_tokens=100).resolve()
    found = horizon(load_session(path), budget, Chars4Counter())
    assert found.turns == 11
    assert found.tool_calls == 10
    assert found.growth.p50 == found.growth.max == found.growth.mean
    step = found.growth.p50
    assert 100 < step < 150
    first = found.trigger_at
    assert first is not None
    assert step * (first - 2) < budget.trigger_tokens <= step * (first - 1) + 20
    assert found.backstop_at is not None
    assert found.backstop_at > first


def test_the_same_file_read_again_without_a_change_is_an_unexplained_repeat(
    tmp_path: Path,
) -> None:
    path = session_file(tmp_path, ["a", "b", "c", "a"])
    found = horizon(load_session(path), Budget(8_000).resolve(), Chars4Counter())
    assert (found.repeats.raw, found.repeats.same_version, found.repeats.unexplained) == (1, 1, 1)
    assert any("asked again for what had not changed" in said for said in found.advice)


def test_a_result_that_fills_a_quarter_of_the_budget_is_pointed_out(tmp_path: Path) -> None:
    path = session_file(tmp_path, ["small", "y" * 8_000])
    found = horizon(load_session(path), Budget(4_000).resolve(), Chars4Counter())
    assert found.largest[0].tool == "read_file"
    assert found.largest[0].tokens >= 2_000
    assert any("more than a quarter of the budget" in said for said in found.advice)


@pytest.mark.parametrize(
    ("steps", "growth"),
    [
        ([], Growth()),
        ([7], Growth(mean=7, p50=7, p95=7, p99=7, max=7)),
        (list(range(1, 101)), Growth(mean=50, p50=50, p95=95, p99=99, max=100)),
    ],
)
def test_percentiles_are_nearest_ranks(steps: list[int], growth: Growth) -> None:
    assert growth_of(steps) == growth


@requires_shared
def test_a_recorded_session_shows_its_shape() -> None:
    path = shared_path("corpora", "dev", "claude_code", "cli_d563fb6b.jsonl")
    found = horizon(load_session(path), Budget(200_000).resolve(), Chars4Counter())
    document = found.as_json()
    assert document["tool_calls"] == 15
    assert document["crossings"] == {"trigger": None, "backstop": None}
    assert set(document) >= {"growth", "repeats", "largest", "advice", "compactions_seen"}
