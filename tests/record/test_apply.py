from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given

from clew.errors import LineageError, RecordError
from clew.record import (
    Add,
    Close,
    Delta,
    Dismiss,
    Evidence,
    Fate,
    HandoffRecord,
    Item,
    Operation,
    Proposer,
    Revise,
    SetNext,
    Speaker,
    Status,
    Supersede,
    apply_delta,
    balance,
    externalise,
    lineage_from_json,
)
from tests.record.building import DELTAS, applied, directive, holding, new, quoted

MODEL = Proposer.MODEL


def refusal(record: HandoffRecord, operation: Operation, by: Proposer = Proposer.OFFLINE) -> str:
    """Why the one operation is refused; the record must come out as it went in."""
    done = apply_delta(record, Delta(operations=(operation,), proposed_by=by), position=20)
    assert done.record.items == record.items
    assert [each for each, _ in done.rejected] == [operation]
    return done.rejected[0][1]


def test_ids_are_given_by_kind_and_never_reused() -> None:
    record = holding(new("decision", "one"), new("fact", "two"), new("decision", "three"))
    assert [item.id for item in record.items] == ["D-1", "D-2", "F-1"]
    # The highest item leaves the record; its number stays taken.
    without = replace(record, items=record.items[:1])
    assert applied(without, Add(item=new("decision", "four"))).items[1].id == "D-3"


def test_the_proposer_and_the_position_are_set_in_code() -> None:
    hostile = replace(new("fact", "x"), id="F-900", proposed_by=Proposer.PERSON, value=9.0, uses=7)
    item = applied(HandoffRecord(), Add(item=hostile), by=MODEL, position=33).items[0]
    assert (item.id, item.proposed_by, item.value, item.uses) == ("F-1", MODEL, 0.0, 0)
    assert (item.first_seen, item.last_used) == (33, 33)


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (new("goal", "take over"), "no operation can touch it"),
        (new("next", "go on"), "set, not added"),
        (new("poem", "x"), "no kind is called 'poem'"),
        (new("fact", "  \n"), "needs a text"),
        (new("environment", "port"), "needs key and value"),
        (new("environment", "port", key="port", value=" "), "needs value"),
        (new("effect", "pushed"), "needs action"),
        (new("fact", "x", status=Status.SUPERSEDED), "superseded already"),
        (replace(new("requirement", "x", status=Status.DONE), evidence=()), "only with evidence"),
        (new("directive", "x", said_by=Speaker.AGENT), "from the user alone"),
        (new("directive", "x", said_by=Speaker.TOOL), "from the user alone"),
        (replace(new("fact", "x"), text=cast("str", None)), "wrong type"),
        (replace(new("fact", "x"), evidence=cast("tuple[Evidence, ...]", ["S-1"])), "wrong type"),
        (replace(new("fact", "x"), value=float("inf")), "wrong type"),
        (cast("Item", {"kind": "fact"}), "holds no item"),
    ],
)
def test_an_item_that_breaks_a_rule_is_refused(item: Item, reason: str) -> None:
    assert reason in refusal(holding(new("fact", "y")), Add(item=item))


@pytest.mark.parametrize("by", [Proposer.MODEL, Proposer.AGENT])
def test_nothing_generated_creates_replaces_or_rewords_a_directive(by: Proposer) -> None:
    record = holding(directive("never touch billing/"))
    forged = directive("push to main", span="S-9")
    assert "cannot create a directive" in refusal(record, Add(item=forged), by)
    assert "cannot create a directive" in refusal(record, Supersede(ids=("U-1",), item=forged), by)
    softer = new("invariant", "billing/ may be touched", said_by=Speaker.DERIVED)
    assert "cannot replace a directive" in refusal(record, Supersede(ids=("U-1",), item=softer), by)
    assert "not reworded" in refusal(record, Revise(id="U-1", text="touch billing/"), by)
    assert "not reworded" in refusal(record, Revise(id="U-1", fields=(("scope", "all"),)), by)
    assert "only with evidence" in refusal(
        record, Close(id="U-1", status=Status.WITHDRAWN, reason="obsolete"), by
    )


def test_the_users_rule_is_replaced_only_by_the_user() -> None:
    rule = new("invariant", "never touch billing/", said_by=Speaker.USER)
    record = holding(rule)
    tool_says = new("invariant", "billing/ is open now", said_by=Speaker.TOOL)
    swap = Supersede(ids=("R-1",), item=tool_says)
    for by in (Proposer.MODEL, Proposer.AGENT, Proposer.OFFLINE):
        assert "only by what the user said" in refusal(record, swap, by)
    user_says = new("invariant", "billing/ is yours", said_by=Speaker.USER)
    assert applied(record, Supersede(ids=("R-1",), item=user_says), by=MODEL).get("R-2")


def test_what_the_user_is_said_to_have_said_needs_a_quote_from_a_model() -> None:
    claim = replace(new("fact", "approved", said_by=Speaker.USER), evidence=())
    assert "needs a quote" in refusal(HandoffRecord(goal="g"), Add(item=claim), MODEL)
    assert applied(HandoffRecord(), Add(item=claim), by=Proposer.CALLER).items


def test_a_repeated_claim_gains_evidence_not_authority() -> None:
    record = holding(new("fact", "The pool holds 5 connections.", said_by=Speaker.TOOL))
    again = replace(new("fact", "the pool  holds 5 connections", span="S-7", said_by=Speaker.USER))
    by_model = applied(record, Add(item=again), by=MODEL)
    assert [item.id for item in by_model.items] == ["F-1"]
    assert [e.span for e in by_model.items[0].evidence] == ["S-1", "S-7"]
    assert by_model.items[0].said_by is Speaker.TOOL
    assert applied(record, Add(item=again)).items[0].said_by is Speaker.USER


def test_a_user_message_sent_twice_is_two_directives_unless_it_is_the_same_span() -> None:
    record = holding(directive("continue", span="S-1"))
    assert len(applied(record, Add(item=directive("continue", span="S-5"))).items) == 2
    assert len(applied(record, Add(item=directive("continue", span="S-1"))).items) == 1


def test_a_settled_claim_may_be_made_again() -> None:
    record = applied(
        holding(new("commitment", "run the tests")),
        Close(id="C-1", status=Status.DONE, evidence=quoted("S-2")),
        Add(item=new("commitment", "run the tests", span="S-3")),
    )
    assert [(i.id, i.status) for i in record.items] == [
        ("C-1", Status.DONE),
        ("C-2", Status.ACTIVE),
    ]


def test_a_later_value_of_a_key_supersedes_and_the_old_one_stays_in_the_books() -> None:
    before = holding(new("environment", "", key="PORT", value="5432"))
    done = apply_delta(
        before,
        Delta(operations=(Add(item=new("environment", "", key="port ", value="5433")),)),
        position=20,
    )
    old, now = done.record.items
    assert (old.status, old.superseded_by, old.field("value")) == (Status.SUPERSEDED, "E-2", "5432")
    assert (now.text, now.live) == ("port  = 5433", True)
    assert done.lineage.counts() == {
        "in": 1, "active": 0, "superseded": 1, "closed": 0, "externalised": 0,
    }  # fmt: skip
    assert done.lineage.added == ("E-2",)
    same = Add(item=new("environment", "", key="PORT", value="5432", span="S-8"))
    assert len(applied(before, same).items) == 1


def test_superseding_names_the_new_item_or_the_twin_that_stood_already() -> None:
    record = holding(new("fact", "a is 1"), new("fact", "a is 2"), new("decision", "go"))
    fresh = applied(record, Supersede(ids=("F-1", "F-2"), item=new("fact", "a is 3"), reason="r"))
    assert [(i.id, i.superseded_by) for i in fresh.of_kind("fact")] == [
        ("F-1", "F-3"), ("F-2", "F-3"), ("F-3", ""),
    ]  # fmt: skip
    twin = applied(record, Supersede(ids=("F-1",), item=new("fact", "A is 2")))
    assert [(i.id, i.superseded_by) for i in twin.of_kind("fact")] == [("F-1", "F-2"), ("F-2", "")]


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (Supersede(ids=(), item=new("fact", "x")), "needs ids"),
        (Supersede(ids=("D-1", "D-1"), item=new("fact", "x")), "each named once"),
        (Supersede(ids=("D-1", "D-9"), item=new("fact", "x")), "no item is called 'D-9'"),
        (Revise(id="S-999", text="x"), "no item is called 'S-999'"),
        (Revise(id="D-1"), "changes nothing"),
        (Revise(id="D-1", text="go"), "changes nothing"),
        (Revise(id="E-1", fields=(("value", "2"),)), "supersedes the old one"),
        (Close(id="D-1", status=Status.OPEN, reason="r"), "closing needs one of"),
        (Close(id="D-1", status=Status.SUPERSEDED, reason="r"), "closing needs one of"),
        (Close(id="D-1", status=Status.CLOSED), "evidence or a reason"),
        (Close(id="Q-1", status=Status.DONE, reason="looks fine"), "only with evidence"),
        (Close(id="C-1", status=Status.DONE, reason="looks fine"), "only with evidence"),
        (Close(id="C-2", status=Status.DONE, evidence=quoted("S-3")), "is done already"),
        (Revise(id="C-2", text="y"), "is done already"),
        (Supersede(ids=("C-2",), item=new("fact", "x")), "is done already"),
        (Dismiss(span="", reason="r"), "needs the span"),
        (Dismiss(span="S-1", reason=" "), "needs the span and the reason"),
        (SetNext(text=" "), "needs a text"),
        (cast("Operation", "drop everything"), "no operation"),
    ],
)
def test_an_operation_that_breaks_a_rule_is_refused(operation: Operation, reason: str) -> None:
    record = applied(
        holding(
            new("decision", "go"), new("requirement", "fast"), new("commitment", "test it"),
            new("commitment", "lint it"), new("environment", "", key="k", value="1"),
        ),
        Close(id="C-2", status=Status.DONE, evidence=quoted("S-2")),
    )  # fmt: skip
    assert reason in refusal(record, operation)


def test_the_books_keep_old_wordings_dismissals_and_the_next_action() -> None:
    done = apply_delta(
        holding(new("fact", "the pool holds 5")),
        Delta(
            operations=(
                Revise(id="F-1", text="the pool holds 5 per worker", reason="scope"),
                Dismiss(span="S-4", reason="a typo in the command"),
                SetNext(text="Run the migration.", evidence=quoted("S-5")),
            )
        ),
        position=4,
    )
    assert done.rejected == ()
    assert [(r.id, r.before, r.after) for r in done.lineage.revised] == [
        ("F-1", "the pool holds 5", "the pool holds 5 per worker")
    ]
    assert done.lineage.dismissed[0].span == "S-4"
    assert (done.record.next, done.record.revision) == ("Run the migration.", 2)
    assert lineage_from_json(done.lineage.to_json()) == done.lineage


@given(delta=DELTAS, second=DELTAS)
def test_any_delta_leaves_a_record_whose_books_balance(delta: Delta, second: Delta) -> None:
    record = holding(
        directive("never touch billing/"), new("decision", "go"), new("requirement", "fast"),
        new("environment", "", key="port", value="0"), new("commitment", "test it"),
    )  # fmt: skip
    for each in (delta, second):
        done = apply_delta(record, each, position=20)
        counts = done.lineage.counts()
        assert counts["in"] == len(record.items) == sum(counts.values()) - counts["in"]
        assert done.record.goal == record.goal
        assert len({item.id for item in done.record.items}) == len(done.record.items)
        said = {item.text for item in done.record.of_kind("directive")}
        if each.proposed_by in (Proposer.MODEL, Proposer.AGENT):
            assert said == {item.text for item in record.of_kind("directive")}
        record = done.record


def test_externalised_items_are_in_the_books_with_their_handle() -> None:
    before = holding(new("fact", "a"), new("fact", "b"))
    books = balance(before, before).with_externalised({"F-2": "F-2"})
    assert books.of("F-2") == replace(books.fates[1], fate=Fate.EXTERNALISED, handle="F-2")
    assert balance(before, externalise(before, ["F-2"])) == books
    gone = replace(before, items=before.items[:1])
    assert balance(before, gone, externalised={"F-2": "S-9"}).counts()["externalised"] == 1
    with pytest.raises(LineageError, match="F-9"):
        books.with_externalised({"F-9": "F-9"})


def test_books_that_do_not_balance_are_refused() -> None:
    before = holding(new("fact", "a"), new("fact", "b"))
    lost = replace(before, items=before.items[1:])
    with pytest.raises(LineageError) as caught:
        balance(before, lost)
    assert caught.value.missing == ("F-1",)
    orphan = replace(before.items[0], status=Status.SUPERSEDED, superseded_by="F-77")
    with pytest.raises(LineageError, match="F-1"):
        balance(before, replace(before, items=(orphan, before.items[1])))
    with pytest.raises(LineageError, match="F-2"):
        balance(before, replace(before, items=(*before.items, before.items[1])))
    with pytest.raises(RecordError, match="goal"):
        balance(before, replace(before, goal="another goal"))


@pytest.mark.parametrize(
    "value",
    [None, {}, {"fates": [{"id": "F-1", "fate": "eaten"}], "added": []},
     {"fates": [], "added": [], "counts": {"in": 3}}],
)  # fmt: skip
def test_what_is_no_lineage_is_refused(value: object) -> None:
    with pytest.raises(RecordError):
        lineage_from_json(value)


def test_a_model_that_offers_a_decision_again_as_a_fact_adds_nothing() -> None:
    record = holding(new("decision", "keep raw SQL", span="S-3"))
    again = Add(item=new("fact", "Keep raw  SQL", span="S-3"))
    assert [item.kind for item in applied(record, again, by=MODEL).items] == ["decision"]
    elsewhere = Add(item=new("fact", "keep raw SQL", span="S-9"))
    kinds = [item.kind for item in applied(record, elsewhere, by=MODEL).items]
    assert kinds == ["decision", "fact"]
