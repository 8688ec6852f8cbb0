"""What carrying costs arms compaction, however empty the window is."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import clew
from clew import assess
from clew.carrying import Carried, carried_of, may_have_paid, record_growth_tokens
from clew.cuts import Selection
from clew.history import History
from clew.policy import ArmedBy, Why, carrying_cost, setup_cost
from clew.summarize.extractive import ExtractiveSummarizer
from clew.transcript import Role
from clew.turn import Turn
from tests.test_residency import run_of


def outcomes(*, cost_rule: bool = True) -> list[tuple[clew.Outcome, int]]:
    """Prepares every call of a run of even reads in a large window, without a boundary."""
    policy = clew.Policy(clew.Budget(100_000, prefix_tokens=0), cost_rule=cost_rule)
    session, told = clew.Session(policy=policy, counter="chars4"), run_of([60] * 45)
    contexts = [session.prepare(told[:upto]) for upto in range(1, len(told) + 1, 2)]
    return [(context.outcome, context.report.tokens_before) for context in contexts]


def test_a_mostly_empty_window_is_folded_once_carrying_has_paid_for_it_twice() -> None:
    played = outcomes()
    first = next(n for n, (done, _) in enumerate(played) if isinstance(done, clew.Compacted))
    compacted, tokens = played[first]
    assert isinstance(compacted, clew.Compacted)
    assert compacted.why is Why.WAITED
    assert tokens < 0.4 * 92_000
    waited = [done for done, _ in played[:first] if isinstance(done, clew.Held)]
    assert waited[-1].why is Why.NO_BOUNDARY
    assert waited[-1].armed_by is ArmedBy.COST
    assert waited[0].why is Why.BELOW_TRIGGER


def test_without_the_cost_rule_it_is_left_alone() -> None:
    assert all(isinstance(done, clew.Held) for done, _ in outcomes(cost_rule=False))


class Billed:
    """A summarizer that counts as a model: reading what is folded is billed."""

    name = "billed"

    def propose(self, request: clew.SummaryRequest) -> clew.Delta:
        return ExtractiveSummarizer().propose(request)


def planning(number: int, states: str) -> list[dict[str, Any]]:
    """A call that writes the agent's list: a letter an entry, `d`one or `o`pen."""
    call_id, names = f"plan_{number}", {"d": "completed", "o": "pending"}
    entries = [{"step": f"part {n}", "status": names[state]} for n, state in enumerate(states)]
    call = {"name": "update_plan", "arguments": json.dumps({"plan": entries})}
    return [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": call_id, "type": "function", "function": call}],
        },
        {"role": "tool", "tool_call_id": call_id, "content": "Plan updated"},
    ]


def first_fold(states: str) -> int | None:
    """At which call a run is folded first that writes its list before the last calls."""
    policy = clew.Policy(clew.Budget(200_000, prefix_tokens=0), prefetch=False)
    session = clew.Session(policy=policy, counter="chars4", summarizer=Billed())
    told = run_of([60] * 60)
    told = [*told[:75], *(planning(1, states) if states else []), *told[75:]]
    for upto in range(1, len(told) + 1, 2):
        if isinstance(session.prepare(told[:upto]).outcome, clew.Compacted):
            return upto // 2
    return None


def test_near_the_end_of_the_plan_what_folding_costs_counts_too() -> None:
    """A finished entry is a boundary, which is taken unless the list is nearly done."""
    without, begun, nearly = first_fold(""), first_fold("dooooooooo"), first_fold("dddddddddo")
    assert without is not None
    assert begun is not None
    assert begun < without
    assert nearly is None or nearly > without


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(sizes=[0, 0, 0, 0, 48, 56, 80, 0, 2, 0, 0, 0, 0, 0, 0])
@given(sizes=st.lists(st.integers(0, 120), min_size=15, max_size=30))
def test_what_is_cheap_never_misses_what_has_paid(
    sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both against a plain sum over every call, at every call of a run."""
    seen = []

    def looked(
        turn: Turn, history: History, inserted: int, selection: Selection, planned: float | None
    ) -> Carried:
        carried = carried_of(turn, history, inserted, selection, planned)
        assert carried.prices == pytest.approx(_plainly(turn, history, inserted, selection))
        foldable = turn.scaled(selection.middle_tokens) - record_growth_tokens(turn, history)
        # Where too little would be folded nothing is, whatever it cost to carry.
        least = turn.budget.transcript_budget_tokens * turn.policy.min_reclaim
        assert carried.prices < 1.0 or foldable < least or may_have_paid(turn, history, inserted)
        seen.append(carried.prices)
        return carried

    monkeypatch.setattr(assess, "carried_of", looked)
    monkeypatch.setattr(assess, "may_have_paid", lambda *_: True)
    session = clew.Session(policy=clew.Policy(clew.Budget(100_000)), counter="chars4")
    told = run_of(sizes)
    for upto in range(1, len(told) + 1, 2):
        session.prepare(told[:upto])
    assert seen


def _plainly(turn: Turn, history: History, inserted: int, selection: Selection) -> float:
    ratios = replace(turn.policy.ratios, summarizer_reads=turn.summarizer_reads)
    floor = selection.floor_tokens + inserted + record_growth_tokens(turn, history)
    answers = [i for i, m in enumerate(history.body) if m.role is Role.ASSISTANT]
    left = history.checkpoint.tokens_after if history.checkpoint is not None else 0
    sent = [inserted + sum(history.sizes[:i]) for i in answers]
    beyond = sum(max(0, tokens - floor) for tokens in sent if tokens >= left)
    unsent = sum(history.sizes[answers[-1] :] if answers else history.sizes)
    head = sum(history.sizes[: selection.head_count])
    rewritten = max(0, floor - head - min(unsent, selection.tail_tokens))
    setup = setup_cost(ratios, record_tokens=turn.budget.record_tokens, rewritten_tokens=rewritten)
    carried = carrying_cost(ratios, token_calls=beyond)
    return carried / setup if setup else (inf if carried else 0.0)


def test_patience_lasts_until_carrying_has_cost_a_second_compaction() -> None:
    assert Carried(prices=1.5, call_prices=0.25).patient_calls == 2.0
    assert Carried(prices=2.5, call_prices=0.25).patient_calls == 0.0
    assert Carried().patient_calls == inf
