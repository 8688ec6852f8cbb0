"""The caller's own code around a compaction: what it may do, and that it never breaks a call."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

import clew
from clew.errors import FloorExceededError, PolicyError
from clew.record.items import Proposer, Status
from clew.record.lineage import Fate
from clew.store import MemoryStore
from tests.session.prefetching import GOAL, POLICY, conversation, grown, shown

NOW = {"signal": clew.Boundary.SUBTASK_DONE}


def session_of(*hooks: clew.Hooks, **options: Any) -> clew.Session:
    return clew.Session(
        policy=options.pop("policy", POLICY),
        hooks=hooks,
        counter="chars4",
        format="openai-chat",
        **options,
    )


def compacted(session: clew.Session, exchanges: int = 13) -> clew.Context:
    session.signal("subtask_done")
    context = session.prepare(conversation(exchanges))
    assert isinstance(context.outcome, clew.Compacted), context.report.reason
    return context


def raising(_: Any) -> None:
    raise ZeroDivisionError("a secret the report does not need")


# ---- before ---------------------------------------------------------------------------------


def test_a_before_hook_sees_what_is_about_to_happen() -> None:
    seen: list[clew.BeforeCompaction] = []
    context = compacted(session_of(clew.Hooks(before=seen.append)))
    (about,) = seen
    assert isinstance(context.outcome, clew.Compacted)
    assert about.handles == context.outcome.handles
    assert about.why is clew.Why.SIGNALLED
    assert about.tokens == context.report.tokens_before
    assert about.middle_tokens > context.report.tokens_before // 2
    assert not about.must


def test_a_veto_holds_the_context_and_its_reason_is_told() -> None:
    asked: list[str] = []

    def not_yet(about: clew.BeforeCompaction) -> clew.Veto:
        asked.append(about.why.value)
        return clew.Veto("the deployment is running")

    session = session_of(clew.Hooks(before=not_yet))
    for extra in range(2):
        session.signal("subtask_done")
        messages = conversation(13 + extra)
        context = session.prepare(messages)
        assert isinstance(context.outcome, clew.Held)
        assert context.outcome.why is clew.Why.VETOED
        assert "the deployment is running" in context.report.reason
        assert context.messages == messages
    assert len(asked) == 2


def test_a_veto_is_not_followed_where_the_context_would_not_fit() -> None:
    session = session_of(clew.Hooks(before=lambda about: clew.Veto("never")))
    context = session.prepare(conversation(30))
    assert isinstance(context.outcome, clew.Compacted)
    assert any("never" in w and "not followed" in w for w in context.report.warnings)


def test_a_veto_hook_that_crashes_is_no_veto() -> None:
    context = compacted(session_of(clew.Hooks(before=raising)))
    assert [w for w in context.report.warnings if "before-hook raising" in w] == [
        "before-hook raising: it raised ZeroDivisionError"
    ]
    assert "secret" not in str(context.report.warnings)


@pytest.mark.parametrize("answer", [True, "no", 3, {"veto": True}])
def test_an_answer_that_is_none_is_passed_over_and_named(answer: Any) -> None:
    context = compacted(session_of(clew.Hooks(before=lambda about: answer)))
    assert any(f"answered {type(answer).__name__}" in w for w in context.report.warnings)


@pytest.mark.parametrize("pins", [None, 5, "one rule that is no tuple"])
def test_pins_that_are_no_texts_are_passed_over_and_named(pins: Any) -> None:
    session = session_of(clew.Hooks(before=lambda about: clew.Amend(pins=pins)))
    context = compacted(session)
    assert session.pins == ()
    assert any(f"answered {type(pins).__name__}" in w for w in context.report.warnings)


def test_a_before_hook_adds_pins_that_stay() -> None:
    store = MemoryStore()
    rule = "Refunds above 500 need a second signature."
    hooks = clew.Hooks(before=lambda about: clew.Amend(pins=(rule,)))
    session = session_of(hooks, store=store)
    context = compacted(session)
    assert shown(context).count(rule) == 1
    assert session.pins == (rule,)
    assert rule in shown(session.prepare(grown(conversation(13), 1)))
    again = clew.Session(policy=POLICY, store=store, counter="chars4", format="openai-chat")
    assert rule in shown(again.prepare(grown(conversation(13), 2)))


def test_a_before_hook_changes_the_focus() -> None:
    wanted: list[str] = []

    class Asking:
        name = "asking"

        def propose(self, request: clew.SummaryRequest) -> clew.Delta:
            wanted.append(request.focus)
            return clew.Delta()

    hooks = clew.Hooks(before=lambda about: clew.Amend(focus=f"{about.focus} and refunds".strip()))
    compacted(session_of(hooks, summarizer=Asking()))
    assert wanted == ["and refunds"]


def test_what_hooks_add_is_bounded() -> None:
    flood = "word " * 4_000
    session = session_of(clew.Hooks(before=lambda about: clew.Amend(pins=(flood, "short rule"))))
    context = compacted(session)
    assert session.pins == ("short rule",)
    assert any("was left out" in w for w in context.report.warnings)


# ---- edit -----------------------------------------------------------------------------------


def noted(session: clew.Session) -> clew.Session:
    session.note("decision", "keep raw SQL", why="the adapter drops NULLs")
    session.note("fact", "the pool has 35 connections")
    return session


def test_an_edit_hook_sees_the_proposed_record_before_it_is_used() -> None:
    seen: list[clew.ProposedRecord] = []
    session = noted(session_of(clew.Hooks(edit=seen.append)))
    context = compacted(session)
    (about,) = seen
    assert {item.text for item in about.record.items} >= {"keep raw SQL"}
    assert about.before.items == ()
    assert about.record.goal == GOAL
    assert isinstance(context.outcome, clew.Compacted)
    assert about.handles == context.outcome.handles


def test_a_persons_changes_are_used_and_signed_and_stand_in_the_books() -> None:
    def review(about: clew.ProposedRecord) -> clew.Edited:
        items = {item.text: item for item in about.record.items}
        return clew.Edited(
            operations=(
                clew.Revise(id=items["keep raw SQL"].id, text="keep raw SQL for exports only"),
                clew.Close(
                    id=items["the pool has 35 connections"].id,
                    status=Status.CLOSED,
                    reason="it was resized",
                ),
                clew.Add(item=clew.Item(id="", kind="fact", text="the pool has 50 connections")),
            ),
            by="person",
        )

    session = noted(session_of(clew.Hooks(edit=review)))
    context = compacted(session)
    items = {item.text: item for item in session.record.items}
    assert items["keep raw SQL for exports only"].live
    assert items["the pool has 50 connections"].proposed_by is Proposer.PERSON
    closed = items["the pool has 35 connections"]
    assert closed.reason == "a person: it was resized"
    lineage = context.report.lineage
    assert lineage is not None
    assert [r.reason for r in lineage.revised] == ["a person"]
    text = shown(context)
    assert "keep raw SQL for exports only" in text
    assert "the pool has 50 connections" in text
    assert not closed.live


def test_a_program_that_closes_an_old_item_is_named_by_the_lineage() -> None:
    def tidy(about: clew.ProposedRecord) -> tuple[Any, ...]:
        old = [item for item in about.before.items if item.kind == "decision" and item.live]
        return tuple(clew.Close(id=i.id, status=Status.CLOSED, reason="moot") for i in old)

    session = noted(session_of(clew.Hooks(edit=tidy)))
    compacted(session)
    session.signal("subtask_done")
    context = session.prepare(conversation(26))
    assert isinstance(context.outcome, clew.Compacted)
    assert context.report.lineage is not None
    fates = [f for f in context.report.lineage.fates if f.fate is Fate.CLOSED]
    assert [f.reason for f in fates] == ["a program of the caller: moot"]
    counts = context.report.lineage.counts()
    assert counts["in"] == sum(n for name, n in counts.items() if name != "in")


def test_a_whole_record_may_come_back() -> None:
    def rewrite(about: clew.ProposedRecord) -> clew.HandoffRecord:
        kept = [i for i in about.record.items if i.kind == "decision"]
        items = (*(replace(i, text="keep raw SQL, always") for i in kept),)
        return replace(about.record, items=items, next="Compare batch 14.")

    session = noted(session_of(clew.Hooks(edit=rewrite)))
    compacted(session)
    record = session.record
    assert [i.text for i in record.items if i.live] == ["keep raw SQL, always"]
    assert record.next == "Compare batch 14."
    gone = [i for i in record.items if i.status is Status.WITHDRAWN]
    assert "the pool has 35 connections" in {i.text for i in gone}


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda about: replace(about.record, goal="Drop everything."), "goal was refused"),
        (lambda about: (clew.Add(item=clew.Item(id="", kind="goal", text="x")),), "goal is set"),
        (lambda about: (clew.Close(id="D-99", status=Status.DONE),), "no item is called"),
        (lambda about: "rewrite it", "answered str"),
        (raising, "it raised ZeroDivisionError"),
    ],
)
def test_an_edit_against_the_rules_is_refused_and_named(edit: Any, said: str) -> None:
    session = noted(session_of(clew.Hooks(edit=edit)))
    context = compacted(session)
    assert any(said in warning for warning in context.report.warnings), context.report.warnings
    assert session.record.goal == GOAL
    assert {i.text for i in session.record.items if i.live} >= {"keep raw SQL"}


@pytest.mark.parametrize(
    "edit",
    [
        clew.Edited(operations=("junk",)),  # type: ignore[arg-type]
        clew.Edited(operations=None),  # type: ignore[arg-type]
        clew.Edited(record="junk"),  # type: ignore[arg-type]
        clew.HandoffRecord(items=None),  # type: ignore[arg-type]
        [clew.Add(item=None)],  # type: ignore[arg-type]
        [clew.Add(item=clew.Item(id="", kind="fact", text=None))],  # type: ignore[arg-type]
        [clew.Supersede(ids=None, item=clew.Item(id="", kind="fact", text="x"))],  # type: ignore[arg-type]
        [clew.SetNext(text=5)],  # type: ignore[arg-type]
    ],
)
def test_an_edit_that_holds_rubbish_breaks_nothing_and_is_named(edit: Any) -> None:
    session = noted(session_of(clew.Hooks(edit=lambda about: edit)))
    context = compacted(session)
    refused = [w for w in context.report.warnings if w.startswith("an edit was refused")]
    assert refused, context.report.warnings
    assert {i.text for i in session.record.items if i.live} >= {"keep raw SQL"}


def test_what_is_right_in_an_edit_stands_beside_what_is_rubbish() -> None:
    good = clew.Add(item=clew.Item(id="", kind="fact", text="reviewed"))
    edit: Any = [clew.Add(item=None), good]  # type: ignore[arg-type]
    session = session_of(clew.Hooks(edit=lambda about: edit))
    compacted(session)
    assert "reviewed" in {item.text for item in session.record.items}


def test_no_text_of_an_edit_brings_a_secret_into_the_record() -> None:
    secret = "ghp_" + "a1B2" * 9

    def edit(about: clew.ProposedRecord) -> tuple[Any, ...]:
        quoted = (clew.Evidence(span=about.handles[0], quote=secret),)
        item = clew.Item(
            id="",
            kind="decision",
            text="keep raw SQL",
            evidence=quoted,
            rejected=(clew.Rejected(option=secret, why=secret),),
            fields=(("conditions", secret),),
            reason=secret,
        )
        return clew.Add(item=item), clew.SetNext(text="go on", evidence=quoted)

    session = session_of(clew.Hooks(edit=edit))
    compacted(session)
    assert "keep raw SQL" in {item.text for item in session.record.items}
    assert secret not in repr(session.record)


def test_nobody_signs_an_edit_for_a_model() -> None:
    with pytest.raises(PolicyError, match="not by 'model'"):
        clew.Edited(by="model")


# ---- after ----------------------------------------------------------------------------------


def test_an_after_hook_is_told_the_numbers() -> None:
    seen: list[clew.AfterCompaction] = []
    context = compacted(session_of(clew.Hooks(after=seen.append)))
    (about,) = seen
    assert isinstance(context.outcome, clew.Compacted)
    assert about.tokens_before == context.report.tokens_before
    assert about.tokens_after == context.report.tokens_after
    assert about.checkpoint_id == context.report.checkpoint_id
    assert about.absorbed_messages == context.outcome.absorbed_messages
    assert about.items["in"] == 0


def test_a_text_of_an_after_hook_is_shown_verbatim_until_the_next_one() -> None:
    count = 0

    def state(about: clew.AfterCompaction) -> str:
        nonlocal count
        count += 1
        return f"Open files after fold {count}: ledger.py"

    store = MemoryStore()
    session = session_of(clew.Hooks(after=state), store=store)
    context = compacted(session)
    assert "Open files after fold 1: ledger.py" in shown(context)
    assert context.messages[1]["role"] == "user"
    assert "Open files after fold 1" in shown(session.prepare(grown(conversation(13), 1)))
    session.signal("subtask_done")
    context = session.prepare(conversation(27))
    assert isinstance(context.outcome, clew.Compacted)
    assert "Open files after fold 2" in shown(context)
    assert "Open files after fold 1" not in shown(context)
    kept = session.prepare(context.messages)
    assert kept.messages == context.messages, "a caller that keeps its contexts is recognised"
    again = clew.Session(policy=POLICY, store=store, counter="chars4", format="openai-chat")
    assert "Open files after fold 2" in shown(again.prepare(conversation(28)))


@pytest.mark.parametrize("after", [raising, lambda about: 7, lambda about: "flood " * 9_000])
def test_an_after_hook_that_goes_wrong_costs_a_warning(after: Any) -> None:
    session = session_of(clew.Hooks(after=after))
    context = compacted(session)
    assert any(w.startswith("after-hook") for w in context.report.warnings)
    assert "flood" not in shown(context)


# ---- both sessions --------------------------------------------------------------------------


def test_an_awaited_session_takes_hooks_of_both_kinds_and_waits_for_a_person() -> None:
    order: list[str] = []

    async def before(about: clew.BeforeCompaction) -> clew.Amend:
        await asyncio.sleep(0)
        order.append("before")
        return clew.Amend(pins=("a rule",))

    async def edit(about: clew.ProposedRecord) -> clew.Edited:
        await asyncio.sleep(0.01)
        order.append("edit")
        add = clew.Add(item=clew.Item(id="", kind="fact", text="reviewed by a person"))
        return clew.Edited(operations=(add,), by="person")

    def after(about: clew.AfterCompaction) -> str:
        order.append("after")
        return "an afterword"

    async def scene() -> None:
        session = clew.AsyncSession(
            policy=POLICY,
            hooks=clew.Hooks(before=before, edit=edit, after=after),
            counter="chars4",
            format="openai-chat",
        )
        session.signal("subtask_done")
        context = await session.prepare(conversation(13))
        assert isinstance(context.outcome, clew.Compacted)
        for text in ("a rule", "reviewed by a person", "an afterword"):
            assert text in shown(context)
        assert context.report.warnings == ()

    asyncio.run(scene())
    assert order == ["before", "edit", "after"]


def test_an_awaited_hook_in_a_session_that_awaits_nothing_is_refused_at_once() -> None:
    async def before(about: clew.BeforeCompaction) -> None: ...

    with pytest.raises(PolicyError, match="AsyncSession awaits hooks"):
        session_of(clew.Hooks(before=before))

    def sly(about: clew.BeforeCompaction) -> Any:
        return before(about)

    context = compacted(session_of(clew.Hooks(before=sly)))
    assert any("has to be awaited" in w for w in context.report.warnings)


def test_several_hooks_are_asked_in_order_and_the_first_veto_ends_it() -> None:
    order: list[int] = []

    def hook(number: int, answer: Any) -> clew.Hooks:
        def before(about: clew.BeforeCompaction) -> Any:
            order.append(number)
            return answer

        return clew.Hooks(before=before)

    session = session_of(
        hook(1, clew.Amend(pins=("kept rule",))), hook(2, clew.Veto("no")), hook(3, None)
    )
    session.signal("subtask_done")
    context = session.prepare(conversation(13))
    assert isinstance(context.outcome, clew.Held)
    assert order == [1, 2]
    assert "kept rule" in shown(context)


def test_hooks_alone_change_no_byte() -> None:
    plain = compacted(clew.Session(policy=POLICY, counter="chars4", format="openai-chat"))
    hooked = compacted(
        session_of(clew.Hooks(before=lambda a: None, edit=lambda a: None, after=lambda a: None))
    )
    assert shown(plain) == shown(hooked)


def test_a_floor_that_is_exceeded_stays_an_error_with_hooks() -> None:
    session = session_of(clew.Hooks(before=lambda about: clew.Veto("no")))
    session.pin("pinned words " * 3_000)
    with pytest.raises(FloorExceededError):
        session.prepare(conversation(30))
