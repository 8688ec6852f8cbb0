"""The estimate stays inside its stated error, never falls as a text grows, and is quick."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.budget import Chars4Counter, estimate_tokens
from clew.budget.estimate import MAX_HIGH, MAX_LOW
from clew.counters import ToktokCounter
from tests.budget.texts import TEXTS
from tests.conftest import shared_path

any_text = st.text(st.characters(codec=None), max_size=300)
"""Any str that Python can hold, halves of surrogate pairs included."""


@pytest.mark.parametrize("kind", TEXTS)
def test_the_estimate_stays_inside_its_stated_error(kind: str) -> None:
    text = TEXTS[kind]
    exact = ToktokCounter().count_text(text)
    error = estimate_tokens(text) / exact - 1
    assert -MAX_LOW <= error <= MAX_HIGH, f"{kind}: {error:+.0%} of {exact:,} tokens"


def test_four_characters_a_token_breaks_that_bound_for_dense_text() -> None:
    for kind in ("JSON, compact", "log lines", "hex digests", "base64", "Chinese", "emoji"):
        exact = ToktokCounter().count_text(TEXTS[kind])
        assert Chars4Counter().count_text(TEXTS[kind]) / exact - 1 < -MAX_LOW


def strings_of(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings_of(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in strings_of(inner)]
    return []


RECORDINGS = (
    "claude_code/claude-code-viewer_fe5e1c67.jsonl",
    "codex_cli/rollout-git-sync_019ddeed-72de-7371-bf67-ac505f4386ba.jsonl",
    "gemini_cli/session-2026-01-01T06-42-b1fc1c13.json",
    "mini_swe_agent/sympy__sympy-13091.traj.json",
    "moatless/scikit-learn-13779_trajectory.json",
)


def read_recording(path: Path) -> list[object]:
    text = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return [json.loads(text)]


@pytest.mark.parametrize("recording", RECORDINGS)
def test_the_estimate_of_a_recorded_session_stays_inside_its_stated_error(recording: str) -> None:
    texts = strings_of(read_recording(shared_path("corpora", "dev", *recording.split("/"))))
    exact = sum(ToktokCounter().count_texts(texts))
    error = sum(map(estimate_tokens, texts)) / exact - 1
    assert -MAX_LOW <= error <= MAX_HIGH, f"{error:+.0%} of {exact:,} tokens"


@given(start=any_text, more=any_text)
def test_the_estimate_never_falls_when_text_is_appended(start: str, more: str) -> None:
    assert estimate_tokens(start) <= estimate_tokens(start + more)


@given(text=any_text)
def test_any_text_costs_something_and_only_the_empty_text_is_free(text: str) -> None:
    assert (estimate_tokens(text) == 0) == (text == "")


def test_no_prefix_of_a_real_text_costs_more_than_a_longer_one() -> None:
    for text in TEXTS.values():
        sizes = [estimate_tokens(text[:end]) for end in range(0, len(text), 61)]
        assert sizes == sorted(sizes)


def test_half_a_surrogate_pair_is_counted_and_not_refused() -> None:
    assert estimate_tokens("ab\ud83d") >= estimate_tokens("ab")


def test_the_estimate_reads_megabytes_a_second() -> None:
    text = "".join(TEXTS.values()) * 40
    started = time.process_time()
    estimate_tokens(text)
    seconds = time.process_time() - started
    megabytes = len(text.encode()) / 1e6
    # Measured at 17 to 46 MB/s; the bound leaves room for a slow and busy machine.
    assert megabytes / seconds > 3
