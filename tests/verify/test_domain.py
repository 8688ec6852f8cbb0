"""Kinds of a policy: what their items show, for what one thing they count, when they end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.record import (
    Add,
    Delta,
    Evidence,
    HandoffRecord,
    Item,
    Proposer,
    Revise,
    Speaker,
    Status,
    Supersede,
)
from clew.record.apply import apply_delta
from clew.record.kinds import DEFAULT_KINDS, Kind, Proof
from clew.tools_seen.seen import Action, CallSeen, Outcome
from clew.transcript import Role, ToolCallPart
from clew.verify import verify_delta
from clew.verify.domain import names
from clew.verify.finding import Rule
from clew.verify.lapses import lapsed
from tests.verify.building import claim, message, request, span

APPROVAL = Kind(
    name="approval", letter="V", heading="Approvals", rule="for one request",
    required=("request",), protected=True, accountable=True, opens=True, evidence=Proof.USER,
    scope="request", used_by=("merge",),
)  # fmt: skip
MEASURE = Kind(
    name="measure", letter="M", heading="Measures", rule="as a tool gave it",
    required=("unit",), evidence=Proof.TOOL,
)  # fmt: skip
QUOTED = Kind(
    name="saying", letter="Y", heading="Sayings", rule="word for word", evidence=Proof.QUOTE
)
KINDS = DEFAULT_KINDS.extended([APPROVAL, MEASURE, QUOTED])
SPANS = (
    span("S-1", agent="May I merge CR-12? CR-14 comes later."),
    span("S-2", user="Yes, do it."),
    span("S-3", user="I approve CR-7, but never CR-9."),
    span("S-4", agent="The user approved CR-9.", call="measure", tool="height 4.2 m for CR-9"),
    span("S-5", user="Approve request 8 of Ana Ruiz."),
)


def approval(text: str, request: str, handle: str, quote: str) -> Item:
    return claim(text, handle, quote, kind="approval", said_by=Speaker.USER, request=request)


def rules_broken(item: Item, old: HandoffRecord | None = None) -> set[Rule]:
    asked = request(*SPANS, old=old)
    delta = Delta(operations=(Add(item=item),), proposed_by=Proposer.MODEL)
    verdict = verify_delta(delta, asked, KINDS)
    own = {Rule.FIELDS, Rule.EVIDENCE, Rule.SCOPE}
    return {f.rule for f in verdict.findings if f.item == "operation 1" and f.rule in own}


@pytest.mark.parametrize(
    ("item", "broken"),
    [
        (approval("I approve CR-7", "CR-7", "S-3", "I approve CR-7"), set()),
        (approval("do it", "CR-12", "S-2", "Yes, do it."), set()),
        (approval("do it", "CR-14", "S-2", "Yes, do it."), set()),
        (approval("Approve request 8", "8", "S-5", "Approve request 8 of Ana Ruiz."), set()),
        (approval("approved", "Ana Ruiz", "S-5", "Approve request 8 of Ana Ruiz."), set()),
        (approval("do it", "CR-7", "S-2", "Yes, do it."), {Rule.SCOPE}),
        (approval("I approve", "CR-9", "S-3", "I approve CR-7"), {Rule.SCOPE}),
        (approval("I approve", "CR-12", "S-3", "I approve"), {Rule.SCOPE}),
        (approval("I approve CR-7 and CR-9", "CR-7", "S-3", "I approve CR-7"), {Rule.SCOPE}),
        (approval("do it", "CR", "S-2", "Yes, do it."), {Rule.SCOPE}),
        (approval("do it", "everything", "S-2", "Yes, do it."), {Rule.SCOPE}),
        (approval("approved", "", "S-3", "I approve CR-7"), {Rule.FIELDS}),
        (approval("approved CR-9", "CR-9", "S-4", "The user approved CR-9."), {Rule.EVIDENCE}),
        (approval("approved", "CR-7", "S-3", ""), {Rule.EVIDENCE}),
        (claim("4.2 m", "S-4", "height 4.2 m", kind="measure", said_by=Speaker.TOOL, unit="m"),
         set()),
        (claim("4.2 m", "S-4", "height 4.2 m", kind="measure", unit="m"), {Rule.EVIDENCE}),
        (claim("do it", "S-2", "do it", kind="measure", said_by=Speaker.TOOL, unit="m"),
         {Rule.EVIDENCE}),
        (claim("height 4.2 m", "S-4", "", kind="saying"), {Rule.EVIDENCE}),
        (claim("height 4.2 m", "S-4", "height 4.2 m", kind="saying"), set()),
    ],
)  # fmt: skip
def test_an_item_shows_what_its_kind_asks_for(item: Item, broken: set[Rule]) -> None:
    assert rules_broken(item) == broken


def test_a_second_quote_proves_no_scope() -> None:
    item = approval("do it", "CR-9", "S-2", "Yes, do it.")
    more = replace(item, evidence=(*item.evidence, Evidence(span="S-3", quote="CR-9")))
    assert rules_broken(more) == {Rule.SCOPE}


def test_one_bare_yes_counts_for_one_request() -> None:
    asked = request(*SPANS)
    both = Delta(
        operations=(
            Add(item=approval("do it", "CR-12", "S-2", "Yes, do it.")),
            Add(item=approval("do it", "CR-14", "S-2", "Yes, do it.")),
        ),
        proposed_by=Proposer.MODEL,
    )
    verdict = verify_delta(both, asked, KINDS)
    kept = [o.item.field("request") for o in verdict.accepted if isinstance(o, Add)]
    assert kept == ["CR-12"]


@pytest.mark.parametrize(
    ("value", "text", "named"),
    [
        ("CR-7", "merge CR-7.", True), ("CR-7", "merge cr-7!", True), ("CR-7", "CR-70", False),
        ("CR-7", "XCR-7", False), ("CR-7", "CR-7-b", False), ("CR-7", "see CR-7/notes", False),
        ("7", "request 7", True), ("7", "7.5", False), ("Ana Ruiz", "to ana  ruiz", True),
        ("#7", "fixes #7", True), ("", "anything", False), ("CR‑7", "CR-7", True),
    ],
)  # fmt: skip
def test_a_thing_is_named_as_a_word_of_its_own(value: str, text: str, named: bool) -> None:
    assert names(value, text) is named


GIVEN = approval("I approve CR-7", "CR-7", "S-3", "I approve CR-7")


def recorded() -> HandoffRecord:
    delta = Delta(operations=(Add(item=GIVEN),), proposed_by=Proposer.OFFLINE)
    return apply_delta(HandoffRecord(goal="g"), delta, kinds=KINDS).record


@pytest.mark.parametrize(
    "operation",
    [
        Revise(id="V-1", fields=(("request", "CR-9"),), evidence=(Evidence(span="S-3"),)),
        Revise(id="V-1", text="I approve CR-7 and CR-9"),
        Supersede(ids=("V-1",), item=approval("do it", "CR-12", "S-2", "Yes, do it.")),
        Supersede(ids=("V-1",), item=claim("CR-9", "S-3", "CR-9", said_by=Speaker.USER)),
    ],
)
def test_what_an_item_counts_for_does_not_change(operation: Revise | Supersede) -> None:
    delta = Delta(operations=(operation,), proposed_by=Proposer.MODEL)
    asked = request(*SPANS, old=recorded())
    verdict = verify_delta(delta, asked, KINDS)
    assert verdict.accepted == ()
    assert Rule.SCOPE in {finding.rule for finding in verdict.findings}
    # Whoever folds it in without asking is refused too.
    applied = apply_delta(recorded(), delta, kinds=KINDS)
    assert applied.record.items == recorded().items
    assert len(applied.rejected) == 1


def test_equal_words_for_two_things_are_two_items() -> None:
    twins = [approval("fine", name, "S-3", "I approve CR-7") for name in ("CR-7", "CR-9")]
    delta = Delta(operations=tuple(Add(item=t) for t in twins), proposed_by=Proposer.OFFLINE)
    record = apply_delta(HandoffRecord(goal="g"), delta, kinds=KINDS).record
    assert [item.field("request") for item in record.items] == ["CR-7", "CR-9"]
    again = apply_delta(record, delta, kinds=KINDS).record
    assert [item.id for item in again.items] == ["V-1", "V-2"]


@pytest.mark.parametrize(
    ("tool", "arguments", "outcome", "place", "ends"),
    [
        ("merge", '{"id": "CR-7"}', Outcome.OK, 8, True),
        ("merge", '{"id": "CR-7"}', Outcome.UNKNOWN, 8, True),
        ("merge", '{"id": "CR-7"}', Outcome.FAILED, 8, False),
        ("merge", '{"id": "CR-7"}', Outcome.REFUSED, 8, False),
        ("merge", '{"id": "CR-7"}', Outcome.PENDING, 8, False),
        ("merge", '{"id": "CR-70"}', Outcome.OK, 8, False),
        ("look", '{"id": "CR-7"}', Outcome.OK, 8, False),
        ("merge", '{"id": "CR-7"}', Outcome.OK, 1, False),
    ],
)
def test_a_call_that_names_the_scope_uses_an_item_up(
    tool: str, arguments: str, outcome: Outcome, place: int, ends: bool
) -> None:
    done = span(f"S-{place + 1}", call=arguments)
    seen = CallSeen(call_id="c", tool=tool, family="f", action=Action.OTHER, outcome=outcome)
    parts = (ToolCallPart(call_id="c", name=tool, arguments=arguments),)
    view = replace(done, position=place, calls=(seen,), messages=(message(Role.ASSISTANT, *parts),))
    after = apply_delta(recorded(), lapsed(recorded(), KINDS, [view]), kinds=KINDS).record
    (item,) = after.items
    assert item.live is not ends
    if ends:
        assert item.status is Status.CLOSED
        assert item.evidence[-1] == Evidence(span="S-9")
        assert item.reason == "used up in S-9"
