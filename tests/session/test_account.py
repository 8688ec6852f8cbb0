"""What a session costs and saves, in tokens, units and dollars; and a floor that keeps rising."""

from __future__ import annotations

import json
from typing import Any

import pytest

import clew
from clew.outcome import Compacted, Held, Report
from clew.policy import Ratios, Why
from clew.policy.spending import Outgoing, Spending, spent_on
from clew.ports import Rates
from clew.session.rounds import Rounds

RATES = Rates(input=3.0, output=15.0, cached_read=0.3, cache_write=3.75)


def told(count: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Read every part."}]
    for number in range(count):
        arguments = json.dumps({"path": f"part_{number}.py"})
        function = {"name": "read_file", "arguments": arguments}
        call = {"id": f"c{number}", "type": "function", "function": function}
        rows = "\n".join(f"row {number}-{n} of part {number * 100 + n}" for n in range(70))
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": rows},
        ]
    return messages


def test_a_call_reads_what_it_shares_and_writes_the_rest() -> None:
    first = Outgoing(given_tokens=1_000, sent_tokens=1_000)
    second = Outgoing(given_tokens=1_500, sent_tokens=1_500)
    opening = spent_on(first, None, Ratios(), RATES)
    assert (opening.cached_tokens, opening.fresh_tokens) == (0, 1_000)
    assert opening.money == pytest.approx(1_000 * 1.25 * 3 / 1_000_000)
    grown = spent_on(second, first, Ratios(), RATES)
    assert (grown.cached_tokens, grown.fresh_tokens, grown.rewritten_tokens) == (1_000, 500, 0)
    assert grown.units == pytest.approx(1_000 * 0.1 + 500 * 1.25)
    assert grown.saved_units == 0


def test_a_compaction_breaks_the_cache_behind_the_first_change() -> None:
    before = Outgoing(given_tokens=50_000, sent_tokens=50_000)
    after = Outgoing(given_tokens=52_000, sent_tokens=8_000, kept_tokens=3_000)
    spent = spent_on(after, before, Ratios(), None)
    assert spent.saved_tokens == 44_000
    assert (spent.cached_tokens, spent.fresh_tokens, spent.rewritten_tokens) == (
        3_000, 5_000, 5_000,
    )  # fmt: skip
    assert spent.money is None
    assert spent.saved_money is None


def test_sums_know_money_only_where_every_call_does() -> None:
    known = spent_on(Outgoing(given_tokens=10, sent_tokens=10), None, Ratios(), RATES)
    unknown = spent_on(Outgoing(given_tokens=10, sent_tokens=10), None, Ratios(), None)
    assert Spending().plus(known).plus(known).money == pytest.approx(2 * (known.money or 0))
    assert Spending().plus(known).plus(unknown).money is None
    assert Spending().plus(unknown).calls == 1


@pytest.mark.parametrize("gives_back", [False, True])
def test_a_session_counts_what_it_saved_for_both_kinds_of_caller(gives_back: bool) -> None:
    session = clew.Session(policy=clew.Policy(clew.Budget(16_000)), model="claude-sonnet-4-5")
    whole = told(40)
    sent, broken, given, held = 0, 0, whole[:1], list[Any]()
    context = session.prepare(given)
    for number in range(40):
        news = whole[1 + 2 * number : 3 + 2 * number]
        held = [*context.messages, *news] if gives_back else whole[: 3 + 2 * number]
        context = session.prepare(held)
        spent = context.report.spending
        assert spent is not None
        assert spent.sent_tokens == context.report.tokens_after + context.report.prefix_tokens
        assert spent.cached_tokens + spent.fresh_tokens == spent.sent_tokens
        assert (spent.rewritten_tokens > 0) <= (not isinstance(context.outcome, Held))
        sent += spent.sent_tokens
        broken += spent.rewritten_tokens
    total = session.status().spending
    assert total.calls == 41
    assert total.rewritten_tokens == broken > 0
    assert total.sent_tokens == pytest.approx(sent, rel=0.01)
    assert total.saved_tokens > sent
    assert total.saved_money is not None
    assert total.money is not None
    assert 0 < total.money < total.money + total.saved_money


def test_a_model_nobody_knows_is_priced_in_units_alone() -> None:
    session = clew.Session(policy=clew.Policy(clew.Budget(16_000)))
    spent = session.prepare(told(2)).report.spending
    assert spent is not None
    assert spent.units > 0
    assert spent.money is None


def report(after: int, record: int) -> Report:
    return Report(
        tokens_before=20_000,
        tokens_after=after,
        prefix_tokens=0,
        trigger=10_000,
        backstop=12_000,
        budget=14_000,
        reason="",
        record_tokens=record,
    )


COMPACTED = Compacted(
    why=Why.BOUNDARY,
    boundary=None,
    absorbed_messages=9,
    handles=(),
    record_tokens=900,
    summarizer="extractive",
)


@pytest.mark.parametrize(
    ("sizes", "warned"),
    [
        ((4_000, 5_500, 7_000), 1),
        ((4_000, 5_500, 7_000, 8_000, 9_000), 1),
        ((4_000, 7_000, 6_900), 0),
        ((1_000, 2_000, 3_000), 0),
        ((7_000, 8_000), 0),
        ((5_000, 6_000, 7_000, 4_000, 5_500, 6_500), 2),
    ],
)
def test_growth_round_after_round_is_said_once_and_with_numbers(
    sizes: tuple[int, ...], warned: int
) -> None:
    rounds = Rounds()
    said = [s for size in sizes for s in rounds.warned(COMPACTED, report(size, size // 5))]
    assert len(said) == warned
    if said:
        assert f"{sizes[2]:,} tokens" in said[0]
        assert "hand off" in said[0]
        assert "delegate" in said[0]
    assert rounds.warned(Held(why=Why.BELOW_TRIGGER), report(9_999, 1)) == ()
