"""The offline summarizer quotes; on real runs verification has almost nothing to say to it."""

from __future__ import annotations

import pytest

import clew
from clew.importers import load_session
from clew.record import Delta, Proposer
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.request import SummaryRequest
from clew.verify import verify_delta
from tests.conftest import shared_path


class Remembering:
    """The offline summarizer, with every request and answer kept."""

    name = "remembering"

    def __init__(self) -> None:
        self._offline = ExtractiveSummarizer()
        self.seen: list[tuple[SummaryRequest, Delta]] = []

    def propose(self, request: SummaryRequest) -> Delta:
        delta = self._offline.propose(request)
        self.seen.append((request, delta))
        return delta


@pytest.mark.parametrize(
    ("recording", "window"),
    [
        ("claude_code/cli_0442a060.jsonl", 60_000),
        ("codex_cli/rollout-git-sync_019ddeed-72de-7371-bf67-ac505f4386ba.jsonl", 60_000),
        ("gemini_cli/session-2026-01-01T03-48-e0af73a9.json", 24_000),
    ],
)
def test_extractive_deltas_on_recorded_runs_raise_next_to_no_alarm(
    recording: str, window: int
) -> None:
    recorded = load_session(shared_path("corpora", "dev", *recording.split("/")))
    summarizer = Remembering()
    session = clew.Session(
        policy=clew.Policy(clew.Budget(window)),
        summarizer=summarizer,
        counter="chars4",
        format=recorded.format,
    )
    session.prepare(list(recorded.messages), system=recorded.system)
    assert summarizer.seen
    for request, delta in summarizer.seen:
        assert len(delta.operations) > 20
        assert delta.proposed_by is Proposer.OFFLINE
        verdict = verify_delta(delta, request, request.kinds)
        assert len(verdict.dropped) <= 0.02 * len(delta.operations), verdict.findings
