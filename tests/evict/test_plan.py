"""The plan of an eviction: what leaves, what stays, what the stubs show."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from clew.budget import Chars4Counter
from clew.evict import Cause, PlanRules, Resident, Window, odds_of, plan_evictions
from clew.evict.stubs import Leaf
from clew.summarize.extractive.identifiers import identifiers_in
from clew.tools_seen import see_call

COUNTER = Chars4Counter()


def resident(number: int, exchange: int, text: str, path: str = "") -> Resident:
    call = see_call(
        name="Read", arguments={"file_path": path or f"/f{number}"}, call_id=f"c{number}", text=text
    )
    names = identifiers_in(text)
    tokens = COUNTER.count_text(text)
    return Resident(
        index=number,
        exchange=exchange,
        leaf=Leaf(number=1, path=("content",), text=text, what="result"),
        handle=f"S-{number + 1}.1",
        tokens=tokens,
        full_tokens=tokens,
        names=names,
        odds=odds_of(names, text, call.action, call.outcome),
        seen=call,
        last_use=exchange,
    )


def source(name: str, lines: int = 60) -> str:
    return "".join(f"def {name}_step_{n}(row):\n    return row.{name}_{n}\n" for n in range(lines))


def window(*residents: Resident, said: frozenset[str] = frozenset()) -> Window:
    calls = tuple((r.exchange, r.seen) for r in residents if r.seen is not None)
    last = max((r.exchange for r in residents), default=0)
    return Window(residents=residents, exchanges=last + 1, said=said, calls=calls)


def test_nothing_leaves_while_the_window_is_small_enough() -> None:
    held = window(resident(0, 0, source("ledger")), resident(1, 5, source("report")))
    total = sum(r.tokens for r in held.residents)
    assert plan_evictions(held, total, COUNTER).stubs == ()
    assert plan_evictions(held, total - 1, COUNTER).stubs != ()


def test_what_a_later_edit_superseded_goes_before_what_is_fresh() -> None:
    stale = resident(0, 1, source("stale"), path="/app/a.py")
    fresh = resident(1, 1, source("fresh"), path="/app/b.py")
    held = window(stale, fresh, resident(2, 9, "ok"))
    edit = see_call(name="Write", arguments={"file_path": "/app/a.py", "content": "x"},
                    call_id="w", text="File written")  # fmt: skip
    held = replace(held, calls=(*held.calls, (8, edit)))
    plan = plan_evictions(held, int(1.6 * fresh.tokens), COUNTER, PlanRules(whole_share=0.9))
    assert [(s.index, s.cause) for s in plan.stubs] == [(0, Cause.SUPERSEDED)]
    assert plan.by_cause == {Cause.SUPERSEDED: plan.freed_tokens}


def test_a_stub_shows_names_from_its_result_that_stand_nowhere_else() -> None:
    old = resident(0, 0, source("ledger"))
    said = frozenset({"ledger_step_0", "ledger_step_1"})
    plan = plan_evictions(window(old, resident(1, 9, "ok"), said=said), 10, COUNTER)
    (stub,) = plan.stubs
    assert "S-1.1" in stub.text
    assert f"{old.tokens:,} tokens" in stub.text
    assert stub.shown
    assert stub.shown <= set(old.names)
    assert stub.shown.isdisjoint(said)
    assert all(name in stub.text for name in stub.shown)


def test_a_name_that_two_results_hold_is_shown_once() -> None:
    text = source("ledger", 20)
    plan = plan_evictions(
        window(resident(0, 0, text), resident(1, 1, text), resident(2, 9, "ok")), 10, COUNTER
    )
    first, second = (stub.shown for stub in plan.stubs)
    assert first | second
    assert not first & second


def test_old_stubs_stay_byte_for_byte_until_they_show_too_much() -> None:
    old, young = resident(0, 0, source("ledger")), resident(1, 3, source("report"))
    first = plan_evictions(window(old, resident(1, 9, "ok")), 10, COUNTER).stubs[0]
    stubbed = replace(
        old, stub=first.text, shown=first.shown, tokens=COUNTER.count_text(first.text)
    )
    held = window(stubbed, young, resident(2, 9, "ok"))
    roomy = plan_evictions(held, 10, COUNTER, PlanRules(names_floor_tokens=5_000))
    assert [s.index for s in roomy.stubs] == [1]
    tight = plan_evictions(held, 10, COUNTER, PlanRules(names_floor_tokens=100))
    assert [s.index for s in tight.stubs] == [0, 1]


WORDS = st.sampled_from(["ledger", "report", "account", "row", "parse", "src/app", "Table"])
TEXTS = st.lists(
    st.tuples(WORDS, WORDS, st.integers(0, 40)).map(lambda t: f"def {t[0]}_{t[1]}{t[2]}(): ..."),
    max_size=80,
).map("\n".join)


@st.composite
def windows(draw: st.DrawFn) -> Window:
    texts = draw(st.lists(TEXTS, min_size=1, max_size=8))
    steps = draw(st.lists(st.integers(0, 2), min_size=len(texts), max_size=len(texts)))
    exchange, residents = 0, []
    for number, (text, step) in enumerate(zip(texts, steps, strict=True)):
        exchange += step
        residents.append(resident(number, exchange, text, path=draw(WORDS)))
    said = frozenset(draw(st.lists(st.sampled_from(sorted(residents[0].names) or ["x_y"]))))
    return window(*residents, said=said)


@given(windows(), st.integers(0, 3_000), st.integers(0, 3), st.integers(0, 2_000))
def test_a_plan_is_deterministic_keeps_the_newest_and_frees_what_it_says(
    held: Window, target: int, keep: int, floor: int
) -> None:
    rules = PlanRules(keep_exchanges=keep, names_floor_tokens=floor)
    plan = plan_evictions(held, target, COUNTER, rules)
    assert plan == plan_evictions(held, target, COUNTER, rules)
    assert all(s.resident.exchange < held.exchanges - keep for s in plan.stubs)
    assert all(s.freed_tokens == s.resident.tokens - COUNTER.count_text(s.text) for s in plan.stubs)
    assert plan.freed_tokens > 0 or not plan.stubs
    assert sum(plan.by_cause.values()) == plan.freed_tokens
    assert len({s.resident.handle for s in plan.stubs}) == len(plan.stubs)
    assert all(s.resident.handle in s.text for s in plan.stubs)
