"""Results that are no end: tickets for a person, jobs and helpers, and the states of a plan."""

from __future__ import annotations

import json

import pytest

from clew.tools_seen.outcome import judge
from clew.tools_seen.seen import Action, Outcome
from clew.tools_seen.todo import state_of


@pytest.mark.parametrize(
    ("text", "approval", "job"),
    [
        (json.dumps({"status": "pending", "ticket": "T-9"}), "T-9", ""),
        (json.dumps({"status": "waiting", "approval_id": 311}), "311", ""),
        (json.dumps({"state": "queued", "note": "waits for a person", "id": "q-1"}), "q-1", ""),
        (json.dumps({"status": "running", "job_id": "j-4"}), "", "j-4"),
        (json.dumps({"status": "pending"}), "", "pending"),
        ("started, handle ag-7f, runs in the background", "", "ag-7f"),
        ("started, handle bg-21, port 5173", "", "bg-21"),
        ("Command running in background with ID: bg-21, port 5173", "", "bg-21"),
    ],
)
def test_what_still_waits_is_seen_with_its_name(text: str, approval: str, job: str) -> None:
    judged = judge(text, action=Action.RUN, is_error=None)
    assert (judged.outcome, judged.approval, judged.job) == (Outcome.PENDING, approval, job)


def test_a_log_that_speaks_of_started_jobs_starts_none() -> None:
    line = "started worker pid 4711\n"
    judged = judge(line + "10:01 INFO request served\n" * 40, action=Action.READ, is_error=None)
    assert (judged.outcome, judged.job) == (Outcome.OK, "")


@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("done", "done"),
        ("done by Ana", "done"),
        ("done, except for the tests", "active"),
        ("done 3 of 5", "active"),
        ("dropped by the user", "dropped"),
        ("blocked: waits for agent ag-7f", "open"),
        ("in_progress", "active"),
        ("in progress", "active"),
        ("who knows", "open"),
        ("not done", "open"),
    ],
)
def test_of_a_phrase_for_a_state_the_first_word_counts(word: str, state: str) -> None:
    assert state_of(word) == state
