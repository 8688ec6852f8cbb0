"""What carrying costs arms compaction, however empty the window is."""

from __future__ import annotations

from math import inf

import clew
from clew.carrying import Carried
from clew.policy import ArmedBy, Why
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


def test_patience_lasts_until_carrying_has_cost_a_second_compaction() -> None:
    assert Carried(prices=1.5, call_prices=0.25).patient_calls == 2.0
    assert Carried(prices=2.5, call_prices=0.25).patient_calls == 0.0
    assert Carried().patient_calls == inf
