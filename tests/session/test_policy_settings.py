"""Each setting of a policy document does what it says, in a session."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import clew
from clew.policy import BoundaryRules, CallLimits, ModelPrices, Place, Probe
from clew.prices import Catalogue
from clew.record.shares import ViewShares
from clew.session.summarizers import model_summarizer
from clew.session.windows import catalogue_of, chosen_budget
from clew.store import open_store

BUDGET = clew.Budget(40_000, prefix_tokens=0, tail_messages=2, tail_tokens=1_500)
KEY = "The rows match on customer_id, invoice_no."


def chat(facts: int = 30) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = [{"role": "user", "content": "Reconcile March."}]
    told.append({"role": "assistant", "content": KEY})
    for number in range(facts):
        call = {"name": "post_entry", "arguments": json.dumps({"batch": number})}
        rows = "\n".join(f"row {number * 50 + n} posted to ledger_{number}" for n in range(60))
        told += [
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": f"c{number}", "type": "function", "function": call}]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": rows},
        ]  # fmt: skip
    return told


def session(policy: clew.Policy) -> clew.Session:
    return clew.Session(policy=policy, counter="chars4", format="openai-chat")


def compacted(policy: clew.Policy, facts: int = 0) -> tuple[clew.Session, clew.Context]:
    made = session(policy)
    made.prepare(chat(1))
    for number in range(facts):
        made.note("fact", f"Branch {number} closes its books on day {number + 3} of the month.")
    context = made.prepare(chat())
    if not isinstance(context.outcome, clew.Compacted):
        context = made.compact()
    assert isinstance(context.outcome, clew.Compacted)
    return made, context


def just_armed(rules: BoundaryRules, eviction: clew.EvictionRules) -> clew.Outcome:
    """What is done with a run that has just passed the trigger."""
    policy = clew.Policy(BUDGET, boundaries=rules, cost_rule=False, eviction=eviction)
    told = chat(60)
    while True:
        context = session(policy).prepare(told)
        if context.report.tokens_before <= 27_000:
            return context.outcome
        told = told[:-2]


def test_a_tool_of_the_policy_is_the_moment_at_which_it_compacts() -> None:
    whole = clew.EvictionRules(enabled=False)
    quiet = just_armed(BoundaryRules(detect=()), whole)
    assert isinstance(quiet, clew.Held)
    tools = (("post_entry", clew.Boundary.SUBTASK_DONE),)
    acted = just_armed(BoundaryRules(detect=(), tools=tools), whole)
    assert isinstance(acted, clew.Compacted)
    assert acted.boundary is clew.Boundary.SUBTASK_DONE


def test_results_of_kept_tools_are_not_evicted() -> None:
    none = BoundaryRules(detect=())
    usual = just_armed(none, clew.EvictionRules())
    assert isinstance(usual, clew.Evicted)
    assert usual.handles
    kept = just_armed(none, clew.EvictionRules(keep_tools=("post_entry",)))
    assert isinstance(kept, clew.Held)


def test_the_view_of_the_policy_splits_the_record() -> None:
    budget = replace(BUDGET, record_tokens=1_000)
    facts = []
    for share in (0.9, 0.05):
        policy = clew.Policy(budget, view=ViewShares(index_share=share))
        _, context = compacted(policy, facts=60)
        text = "\n".join(str(message["content"]) for message in context.messages)
        facts.append(text.count("closes its books"))
    assert facts[1] > facts[0] + 10


@pytest.mark.parametrize(
    ("expect", "where", "place", "passed"),
    [
        ("reconcile  march", Place.CONTEXT, Place.CONTEXT, True),
        ("row 301 posted to ledger_6", Place.CONTEXT, Place.ARCHIVE, False),
        ("row 301 posted to ledger_6", Place.ARCHIVE, Place.ARCHIVE, True),
        ("nobody said this", Place.CONTEXT, Place.UNSAID, True),
    ],
)
def test_probes_are_asked_after_every_fold(
    expect: str, where: Place, place: Place, passed: bool
) -> None:
    asked = Probe(ask="Which?", expect=(expect,), where=where)
    made = session(clew.Policy(BUDGET, probes=(asked,)))
    held = made.prepare(chat(2))
    assert held.report.probes == ()
    made, context = compacted(clew.Policy(BUDGET, probes=(asked,)))
    (result,) = context.report.probes
    assert (result.place, result.passed) == (place, passed)
    assert any("probe 'Which?'" in said for said in context.report.warnings) is not passed
    if result.handle:
        assert expect in json.loads(json.dumps(made.recall(result.handle).decode()))


def test_a_second_model_limits_and_prices_reach_the_summarizer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    policy = clew.Policy(
        summarizer="openai:first", fallback="openai:second", limits=CallLimits(per_hour=3),
        prices=(ModelPrices(model="openai:first", input=2.0, output=8.0, window_tokens=9_000),),
    )  # fmt: skip
    made = model_summarizer("openai:first", open_store(None), policy)
    assert [client.name for client in made._clients] == ["openai:first", "openai:second"]
    assert made._limits.per_hour == 3
    assert made._clients[0].window_tokens == 9_000
    assert made._prices is not None
    rates = made._prices.rates("openai:first")
    assert rates is not None
    assert (rates.input, rates.output, rates.cached_read) == (2.0, 8.0, 2.0)
    alone = model_summarizer("openai:second", open_store(None), policy)
    assert [client.name for client in alone._clients] == ["openai:second"]


def test_a_stated_window_comes_before_the_catalogue() -> None:
    ours = ModelPrices(model="our-model", input=1.0, output=1.0, window_tokens=70_000)
    policy = clew.Policy(prices=(ours,))
    assert Catalogue().window_tokens("our-model") is None
    assert catalogue_of(policy).window_tokens("our-model") == 70_000
    budget, source, warning = chosen_budget(policy, "our-model")
    assert (budget.window_tokens, source, warning) == (70_000, "catalogue", "")


def test_policies_that_differ_in_one_setting_have_other_digests() -> None:
    base = clew.Policy(BUDGET)
    changes: dict[str, Any] = {
        "limits": CallLimits(per_hour=3),
        "view": ViewShares(index_share=0.1),
        "boundaries": BoundaryRules(detect=()),
        "probes": (Probe(ask="a", expect=("b",)),),
        "prices": (ModelPrices(model="m", input=1.0, output=1.0),),
        "eviction": clew.EvictionRules(keep_tools=("t",)),
        "instructions": "x",
    }
    digests = {replace(base, **{name: value}).digest for name, value in changes.items()}
    assert len(digests | {base.digest}) == len(changes) + 1
    made, context = compacted(base)
    assert context.report.checkpoint_id is not None
    checkpoint = made.store.checkpoint(context.report.checkpoint_id)
    assert checkpoint is not None
    assert checkpoint.policy_digest == base.digest
