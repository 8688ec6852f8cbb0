"""Any input: never an unhandled exception, never silence about a dropped line."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.errors import ImportSourceError
from clew.importers import ImportedSession, parse_session
from tests.conftest import SHARED, requires_shared

LINES = [
    "claude_code/cli_0442a060.jsonl",
    "claude_code/claude-code-viewer_1af7fc5e.jsonl",
    "codex_cli/rollout-skills_019ddbbb-019b-7ac3-8157-78cdc22e3352.jsonl",
    "pi_agent/auth-go_019e44d4.jsonl",
    "openhands/sdk_goal_events.jsonl",
]
DOCUMENTS = [
    "mini_swe_agent/django__django-11163.traj.json",
    "swe_agent_traj/humanevalfix-python-0.traj",
    "gemini_cli/session-entire-cli_53780d06b7.json",
    "opencode/session__jolly-eagle__ses_39b5d713cffeRgAoxPIwS3Plus.json",
    "openhands/trajectory_basic.json",
    "atif/harbor_terminus2_timeout.json",
    "tau_bench/tau2_airline_grok-4-fast.json",
    "who_and_when/whowhen_algorithm_12.json",
]
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
junk = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=4,
)


def shortened(value: Any) -> Any:
    """The value with long texts and lists cut, so that a mutation hits structure."""
    if isinstance(value, dict):
        return {k: shortened(v) for k, v in value.items() if k not in ("raw_data", "tools")}
    if isinstance(value, list):
        return [shortened(v) for v in value[:8]]
    return value[:80] if isinstance(value, str) else value


@cache
def lines_of(name: str) -> tuple[str, ...]:
    text = Path(SHARED, "corpora", "dev", name).read_text(encoding="utf-8")
    kept = [line for line in text.split("\n") if line.strip()][:40]
    return tuple(json.dumps(shortened(json.loads(line))) for line in kept)


@cache
def document_of(name: str) -> str:
    return json.dumps(shortened(json.loads(Path(SHARED, "corpora", "dev", name).read_text())))


def places(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [at] if at else []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += places(inner, (*at, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += places(inner, (*at, index))
    return found


def mutated(value: Any, draw: st.DataObject) -> Any:
    """The value with one place deleted or replaced by junk."""
    where = places(value)
    if not where:
        return draw.draw(junk)
    path = draw.draw(st.sampled_from(where))
    target = value
    for step in path[:-1]:
        target = target[step]
    if draw.draw(st.booleans()):
        target[path[-1]] = draw.draw(junk)
    elif isinstance(target, dict):
        del target[path[-1]]
    else:
        target.pop(path[-1])
    return value


def read(text: str) -> ImportedSession | None:
    """The session, or None when it was refused the proper way; anything else is a failure."""
    try:
        return parse_session(text)
    except ImportSourceError:
        return None


@requires_shared
@pytest.mark.parametrize("name", LINES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(draw=st.data())
def test_mutated_lines_never_raise(name: str, draw: st.DataObject) -> None:
    lines = list(lines_of(name))
    for _ in range(draw.draw(st.integers(1, 4))):
        at = draw.draw(st.integers(0, len(lines) - 1))
        lines[at] = json.dumps(mutated(json.loads(lines_of(name)[at]), draw))
    read("\n".join(lines))


@requires_shared
@pytest.mark.parametrize("name", LINES)
@given(draw=st.data())
def test_a_cut_line_is_counted_and_named(name: str, draw: st.DataObject) -> None:
    lines = list(lines_of(name))
    at = draw.draw(st.integers(0, len(lines) - 1))
    lines[at] = lines[at][: draw.draw(st.integers(1, len(lines[at]) - 1))]
    session = read("\n".join(lines))
    if session is not None:
        assert dict(session.left_out)["malformed lines"] == 1
        assert any(f"line {at + 1})" in warning for warning in session.warnings)


@requires_shared
@pytest.mark.parametrize("name", DOCUMENTS)
@settings(max_examples=40)
@given(draw=st.data())
def test_mutated_documents_never_raise(name: str, draw: st.DataObject) -> None:
    value = json.loads(document_of(name))
    for _ in range(draw.draw(st.integers(1, 4))):
        if isinstance(value, dict | list):
            value = mutated(value, draw)
    read(json.dumps(value))


@requires_shared
@pytest.mark.parametrize("name", LINES)
def test_every_record_is_taken_over_or_counted(name: str) -> None:
    lines = lines_of(name)
    strange = json.dumps({"type": "never-seen-before", "uuid": "u-1", "kind": "NeverSeenEvent"})
    before, after = read("\n".join(lines)), read("\n".join((*lines, strange)))
    assert before is not None
    assert after is not None
    assert sum(n for _, n in after.left_out) == sum(n for _, n in before.left_out) + 1
    assert any("ever" in warning for warning in after.warnings)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    read(text)


@given(junk)
def test_any_json_is_read_or_refused(value: Any) -> None:
    read(json.dumps(value))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"messages": ' * 10_000, "1" * 10_000, "[NaN]"])
def test_hostile_json_is_refused(text: str) -> None:
    assert read(text) is None
