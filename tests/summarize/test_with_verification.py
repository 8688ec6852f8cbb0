"""The repair round with the real checks behind it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from clew.propose import combine
from clew.record import Add, Delta, apply_delta
from clew.record.items import Proposer
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.request import SummaryRequest
from clew.verify import Severity, verify_delta
from tests.summarize.building import (
    GOAL,
    IDEAL,
    IDEAL_TEXT,
    ScriptedClient,
    request,
    summarizer,
)


def verified(delta: Delta, asked: SummaryRequest) -> Sequence[str]:
    return [
        f"{finding.item}: {finding.problem}"
        for finding in verify_delta(delta, asked, asked.kinds).findings
        if finding.severity is not Severity.NOTE
    ]


def test_a_clean_answer_takes_no_second_call() -> None:
    client = ScriptedClient(IDEAL_TEXT)
    outcome = summarizer(client, check=verified).propose_with_facts(request())
    assert len(client.requests) == 1
    assert outcome.facts["found_at_first"] == 0


def test_what_the_offline_proposal_accounts_for_is_not_asked_for_again() -> None:
    only_decision = json.dumps({"add": [IDEAL["add"][0]], "next": ""})
    client = ScriptedClient(only_decision)
    summarizer(client, check=verified).propose(request())
    assert len(client.requests) == 1
    assert "ValueError: row 412 has 4 decimals (in the proposal)" in client.requests[0].prompt


def test_an_invented_number_is_found_named_and_repaired() -> None:
    invented = {**IDEAL["add"][0], "text": "stay with the slow parser, which takes 17 minutes"}
    client = ScriptedClient(json.dumps({"add": [invented], "next": ""}), IDEAL_TEXT)
    outcome = summarizer(client, check=verified).propose_with_facts(request())
    assert "17" in client.requests[1].prompt.partition("Findings:")[2]
    assert "17 minutes" not in str(outcome.delta)


def test_what_stays_wrong_is_dropped_and_the_offline_delta_fills_the_gap() -> None:
    invented = {**IDEAL["add"][0], "text": "stay with the slow parser, which takes 17 minutes"}
    answer = json.dumps({"add": [invented, IDEAL["add"][1]], "next": ""})
    asked = request()
    proposed = summarizer(ScriptedClient(answer), check=verified).propose(asked)
    combined = combine(asked, proposed)
    record = asked.old
    for delta in (ExtractiveSummarizer().propose(asked), combined.accepted):
        record = apply_delta(record, delta, kinds=asked.kinds, position=20).record
    texts = [item.text for item in record.items]
    assert record.goal == GOAL
    assert not any("17 minutes" in text for text in texts)
    assert any("row 412 has 4 decimals" in text for text in texts)
    assert any("ask me before you delete anything" in text for text in texts)
    assert combined.findings
    made = {item.proposed_by for item in record.items if "row 412" in item.text}
    assert made <= {Proposer.MODEL, Proposer.OFFLINE}


def test_the_accepted_operations_are_the_models_own() -> None:
    asked = request()
    proposed = summarizer(ScriptedClient(IDEAL_TEXT)).propose(asked)
    verdict = verify_delta(proposed, asked, asked.kinds)
    assert [o.item.kind for o in verdict.accepted if isinstance(o, Add)] == ["decision", "dead_end"]
