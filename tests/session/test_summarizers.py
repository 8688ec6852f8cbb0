"""From a word to a summarizer: names, models, objects, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import clew
from clew import Add, Delta, Evidence, Item, SummaryRequest
from clew.record.items import Proposer, Speaker
from clew.summarize.extractive import ExtractiveSummarizer, compile_cues


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("prose", "use 'extractive' or 'provider:model'"),
        ("cloud:large", "is no 'provider:model'"),
        ("openai:", "is no 'provider:model'"),
    ],
)
def test_a_name_that_is_none_is_refused_at_the_start(name: str, said: str) -> None:
    with pytest.raises(clew.PolicyError, match=said):
        clew.Session(summarizer=name)


def test_an_object_without_propose_is_refused_at_the_start() -> None:
    with pytest.raises(clew.PolicyError, match="has no `name` and `propose`"):
        clew.Session(summarizer=object())


def history(rounds: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Audit the ledger modules."}]
    for n in range(rounds):
        function = {"name": "read_file", "arguments": json.dumps({"path": f"src/ledger_{n}.py"})}
        call = {"id": f"c{n}", "type": "function", "function": function}
        text = f"retention_days = {30 + n}  # only for tenant {n}\n" * 20
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{n}", "content": text},
        ]
    return messages


class OneFact:
    """Proposes a true fact and an invented one."""

    name = "one-fact"

    def propose(self, request: SummaryRequest) -> Delta:
        """Both cite the first span; only one of them stands there."""
        handle = request.spans[0].handle
        facts = ["retention_days = 30  # only for tenant 0", "retention_days = 999 for tenant 0"]
        return Delta(
            operations=tuple(
                Add(
                    item=Item(
                        id="",
                        kind="fact",
                        text=fact,
                        said_by=Speaker.TOOL,
                        evidence=(Evidence(span=handle, quote=""),),
                    )
                )
                for fact in facts
            ),
            proposed_by=Proposer.MODEL,
            summarizer=self.name,
        )


def test_what_a_summarizer_proposes_is_checked_against_the_text_it_cites() -> None:
    policy = clew.Policy(clew.Budget(4_000, output_reserve_tokens=400))
    session = clew.Session(policy=policy, summarizer=OneFact())
    context = session.prepare(history(14))
    assert isinstance(context.outcome, clew.Compacted)
    assert context.report.summarizer == "one-fact"
    texts = [item.text for item in session.record.items]
    assert "retention_days = 30  # only for tenant 0" in texts
    assert not any("999" in text for text in texts)
    assert any("999" in warning for warning in context.report.warnings)


def test_a_policy_names_the_summarizer_too() -> None:
    with pytest.raises(clew.PolicyError, match="is no 'provider:model'"):
        clew.Session(policy=clew.Policy(summarizer="cloud:large"))


class Counting(OneFact):
    """Counts how often it was asked."""

    def __init__(self) -> None:
        self.calls = 0

    def propose(self, request: SummaryRequest) -> Delta:
        """What OneFact proposes."""
        self.calls += 1
        return super().propose(request)


def test_a_summary_that_freed_too_little_is_not_asked_for_again_at_once() -> None:
    summarizer = Counting()
    budget = clew.Budget(4_000, output_reserve_tokens=400, trigger=0.3, record_tokens=60)
    policy = clew.Policy(budget, cooldown=0.2, min_reclaim=0.1)
    session = clew.Session(policy=policy, summarizer=summarizer)
    messages = history(5)
    for number in range(80):
        rule = f"rule {number}: table_{number} keeps {number + 300} rows " + "and nothing else " * 6
        session.note("invariant", rule)
    reasons = []
    for _ in range(4):
        messages = [*messages, {"role": "assistant", "content": "ok"}]
        messages = [*messages, {"role": "user", "content": "go on"}]
        reasons.append(session.prepare(messages).outcome.why)
    assert reasons == [clew.Why.NOT_SMALLER, *[clew.Why.COOLDOWN] * 3]
    assert summarizer.calls == 1


def test_a_worker_that_saw_no_attempt_fail_decides_as_the_one_that_did(tmp_path: Path) -> None:
    budget = clew.Budget(4_000, output_reserve_tokens=400, trigger=0.3, record_tokens=60)
    policy = clew.Policy(budget, cooldown=0.2, min_reclaim=0.1)

    def worker() -> clew.Session:
        return clew.Session(policy=policy, store=str(tmp_path / "clew.db"), session_id="s")

    session, messages = worker(), history(5)
    for number in range(80):
        rule = f"rule {number}: table_{number} keeps {number + 300} rows " + "and nothing else " * 6
        session.note("invariant", rule)
    for _ in range(4):
        messages = [*messages, {"role": "assistant", "content": "ok"}]
        messages = [*messages, {"role": "user", "content": "go on"}]
        outcome = session.prepare(messages).outcome
        assert outcome.why is clew.Why.NOT_SMALLER
        assert worker().prepare(messages).outcome == outcome


def ruled(summarizer: clew.Summarizer) -> clew.Session:
    """A session that has folded a rule in words that no cue of the package knows."""
    said = "Neniam movu la planon de la haveno sen permeso."
    messages = [*history(2), {"role": "assistant", "content": "Komprenite."}]
    messages += [{"role": "user", "content": said}, *history(12)[1:]]
    messages += [{"role": "assistant", "content": "Preta."}]
    messages += [{"role": "user", "content": "Daŭrigu."}, *history(12)[1:]]
    session = clew.Session(
        policy=clew.Policy(clew.Budget(6_000, output_reserve_tokens=500)), summarizer=summarizer
    )
    session.prepare(messages)
    session.compact()
    return session


def test_cues_of_ones_own_are_those_that_are_heard() -> None:
    esperanto = compile_cues({"rule": ["neniam"]})
    rules = [
        i for i in ruled(ExtractiveSummarizer(cues=esperanto)).record.items if "Neniam" in i.text
    ]
    assert "invariant" in {item.kind for item in rules}
    rules = [i for i in ruled(ExtractiveSummarizer()).record.items if "Neniam" in i.text]
    assert "invariant" not in {item.kind for item in rules}


class Derived(ExtractiveSummarizer):
    """Goes wrong where the one behind it would not."""

    def propose(self, request: SummaryRequest) -> Delta:
        raise RuntimeError(request.goal)


def test_a_summarizer_derived_from_the_offline_one_is_asked_and_may_fail() -> None:
    session = ruled(Derived())
    assert session.status().compactions
    assert session.record.goal == "Audit the ledger modules."
