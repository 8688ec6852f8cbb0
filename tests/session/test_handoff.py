"""Hand off and resume: one lineage, the goal byte for byte, nothing lost, any format."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clew
from clew.codecs import codec_for
from clew.document import read_handoff, write_handoff
from clew.record import Proposer, Speaker
from clew.record.serde import load_record
from clew.store import MemoryStore, open_store
from clew.transcript import Format, Role
from tests.strategies import transcripts
from tests.wire.check import violations

GOAL = "Reconcile the ledgers.\nNever touch billing/."
FORMATS = [pytest.param(wire, id=wire.value) for wire in Format]
LEAD = (Role.SYSTEM, Role.DEVELOPER)
POLICY = clew.Policy(clew.Budget(20_000))


def conversation(reads: int, goal: str = GOAL) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = [{"role": "user", "content": goal}]
    for n in range(reads):
        call = {"name": "read_file", "arguments": json.dumps({"path": f"src/f{n}.py"})}
        told.append({
            "role": "assistant", "content": None,
            "tool_calls": [{"id": f"c{n}", "type": "function", "function": call}],
        })  # fmt: skip
        told.append(
            {"role": "tool", "tool_call_id": f"c{n}", "content": f"value_{n} = {n * 37}\n" * 60}
        )
    return told


def handed_off(
    store: clew.ports.Store | str | None, path: Path, reads: int = 10
) -> tuple[clew.Session, list[dict[str, Any]]]:
    session = clew.Session(policy=POLICY, store=store)
    messages = [*conversation(reads), {"role": "assistant", "content": "All files are read."}]
    session.prepare(messages)
    session.note("decision", "keep raw SQL", why="the pool test fails")
    session.note("job", "reindex", check="curl :8080/jobs/1")
    session.pin("write in British English")
    session.handoff(path)
    return session, messages


def text_of(context: clew.Context, wire: Format) -> list[str]:
    codec = codec_for(wire)
    return [codec.parse(message, 0).text for message in context.messages]


def test_a_resumed_run_begins_with_goal_pins_and_record_and_recalls_what_the_old_one_saw(
    tmp_path: Path,
) -> None:
    store = MemoryStore()
    old, messages = handed_off(store, tmp_path / "handoff.md")
    new = clew.Session.resume(tmp_path / "handoff.md", store, policy=POLICY)
    context = new.prepare([{"role": "user", "content": "go on"}])
    first, pin, record, last = text_of(context, Format.OPENAI_CHAT)
    assert (first, pin, last) == (GOAL, "write in British English", "go on")
    assert "keep raw SQL" in record
    assert "Validate job J-1" in record
    assert json.loads(new.recall("S-2")) == messages[1:3]
    assert json.loads(new.recall("S-1")) == messages[:1]
    assert new.search("value_3")[0].handle == "S-8"
    assert new.session_id != old.session_id
    document = read_handoff((tmp_path / "handoff.md").read_text())
    checkpoint = store.checkpoint(context.report.checkpoint_id or "")
    assert checkpoint is not None
    assert checkpoint.parent == document.checkpoint


def test_the_handed_off_run_can_go_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    session, messages = handed_off(None, tmp_path / "handoff.md")
    context = session.prepare(messages)
    assert context.messages[0] is messages[0]
    assert messages[-1] in context.messages
    assert not any(text.startswith("<clew") for text in text_of(context, Format.OPENAI_CHAT))


def test_handles_of_the_new_run_follow_those_of_the_old(tmp_path: Path) -> None:
    store = MemoryStore()
    handed_off(store, tmp_path / "handoff.md")
    new = clew.Session.resume(tmp_path / "handoff.md", store, policy=POLICY)
    old_spans = {handle for handle, _ in new.spans()}
    more = conversation(40)[1:]
    new.prepare([*new.opening, *more])
    handles = [handle for handle, _ in new.spans()]
    assert len(set(handles)) == len(handles)
    assert old_spans < set(handles)
    assert json.loads(new.recall("S-23")) == more[:2]


@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
@pytest.mark.parametrize("begins", ["with the opening", "with the goal", "with its own"])
def test_a_resumed_run_compacts_and_goes_on_whatever_the_caller_sends(
    tmp_path: Path, keeps: bool, begins: str
) -> None:
    store = MemoryStore()
    handed_off(store, tmp_path / "handoff.md")
    new = clew.Session.resume(tmp_path / "handoff.md", store, policy=POLICY)
    front = {"with the opening": new.opening, "with the goal": conversation(0), "with its own": []}
    given_messages: list[Any] = list(front[begins])
    changed = 0
    for n in range(1, 120, 2):
        step = conversation(60)[n : n + 2]
        given_messages = [*given_messages, *step]
        context = new.prepare(given_messages)
        changed += not isinstance(context.outcome, clew.Held)
        assert violations("openai-chat", context.messages) == []
        assert context.messages[0]["content"] == GOAL
        assert sum(GOAL in text for text in text_of(context, Format.OPENAI_CHAT)) == 1
        if keeps:
            given_messages = context.messages
    assert 1 <= changed <= 20
    context = new.compact()
    assert context.messages[0]["content"] == GOAL
    assert isinstance(context.outcome, clew.Compacted)
    assert json.loads(new.recall("S-2"))[0]["tool_calls"][0]["id"] == "c0"
    assert "keep raw SQL" in [item.text for item in new.record.items]


def test_the_opening_stands_behind_the_system_message_and_its_objects_stay(tmp_path: Path) -> None:
    handed_off(None, tmp_path / "handoff.md")
    new = clew.Session.resume(tmp_path / "handoff.md")
    system = {"role": "system", "content": "You are careful."}
    opening = new.opening
    context = new.prepare([system, *opening, {"role": "user", "content": "go on"}])
    assert context.messages[0] is system
    assert all(a is b for a, b in zip(context.messages[1:4], opening, strict=True))


@pytest.mark.parametrize("wire", FORMATS)
def test_a_run_goes_on_in_any_format(tmp_path: Path, wire: Format) -> None:
    store = MemoryStore()
    handed_off(store, tmp_path / "handoff.md")
    new = clew.Session.resume(tmp_path / "handoff.md", store, format=wire)
    context = new.prepare([])
    assert context.messages == new.opening
    assert violations(wire.value, context.messages) == []
    assert text_of(context, wire)[0] == GOAL
    assert json.loads(new.recall("S-2"))[0]["role"] == "assistant"


def test_without_the_store_the_record_alone_is_in_force_and_says_so(tmp_path: Path) -> None:
    handed_off(None, tmp_path / "handoff.md")
    new = clew.Session.resume(tmp_path / "handoff.md")
    record = text_of(new.prepare([]), Format.OPENAI_CHAT)[-1]
    assert "cannot be fetched here" in record
    assert "keep raw SQL" in record
    with pytest.raises(clew.UnknownHandleError):
        new.recall("S-2")
    assert json.loads(new.recall("D-1"))["text"] == "keep raw SQL"
    assert new.search("raw SQL")[0].handle == "D-1"


def test_a_resumed_session_knows_its_record_before_the_first_call(tmp_path: Path) -> None:
    store = MemoryStore()
    handed_off(store, tmp_path / "handoff.md")
    new = clew.Session.resume(tmp_path / "handoff.md", store)
    assert new.record.goal == GOAL
    assert new.record.of_kind("decision")[0].text == "keep raw SQL"
    assert new.recall("S-2").startswith(b"[")


def test_what_a_person_edits_is_theirs_in_the_resumed_record(tmp_path: Path) -> None:
    path, store = tmp_path / "handoff.md", MemoryStore()
    handed_off(store, path)
    text = path.read_text()
    path.write_text(
        text.replace("D-1: keep raw SQL", "D-1: use views")
        .replace("## Live jobs\n", "## Live jobs\n\n- new: backup to tape\n")
        .replace("\n\n## Pinned texts", "\n- [ ] Ask Ana\n\n## Pinned texts")
    )
    new = clew.Session.resume(path, store)
    assert new.resume_changes.changed == ("D-1",)
    assert new.resume_changes.added == ("J-2",)
    changed = new.record.get("D-1")
    assert changed is not None
    assert (changed.text, changed.said_by, changed.proposed_by) == (
        "use views", Speaker.USER, Proposer.PERSON,
    )  # fmt: skip
    assert "- [ ] Ask Ana (added by a person)" in text_of(new.prepare([]), Format.OPENAI_CHAT)[-1]
    assert new.search("views")[0].handle == "D-1"


def test_an_unsigned_goal_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    path, store = tmp_path / "handoff.md", MemoryStore()
    handed_off(store, path)
    before = store.sessions()
    path.write_text(path.read_text().replace("> Never touch", "> Always touch"))
    with pytest.raises(clew.HandoffError, match=r"line \d+: the goal was changed"):
        clew.Session.resume(path, store)
    assert store.sessions() == before
    path.write_text(path.read_text().replace("amended_by:", "amended_by: Ana"))
    new = clew.Session.resume(path, store)
    assert new.prepare([]).messages[0]["content"] == GOAL.replace("Never", "Always")


@pytest.mark.parametrize("content", [b"\xff\xfe", None], ids=["not UTF-8", "not there"])
def test_a_file_that_cannot_be_read_is_a_handoff_error(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "handoff.md").write_bytes(content)
    with pytest.raises(clew.HandoffError):
        clew.Session.resume(tmp_path / "handoff.md")


def test_resuming_twice_is_one_run_and_a_file_store_keeps_it(tmp_path: Path) -> None:
    where = str(tmp_path / "clew.db")
    handed_off(where, tmp_path / "handoff.md")
    one = clew.Session.resume(tmp_path / "handoff.md", where)
    first = one.prepare([]).report.checkpoint_id
    one.close()
    two = clew.Session.resume(tmp_path / "handoff.md", where)
    assert two.prepare([]).report.checkpoint_id == first
    assert two.session_id == one.session_id


def test_a_session_that_saw_nothing_hands_off_its_goal_and_notes(tmp_path: Path) -> None:
    session = clew.Session(goal=GOAL, session_id="fresh")
    session.note("fact", "the month is March")
    session.handoff(tmp_path / "handoff.md")
    new = clew.Session.resume(tmp_path / "handoff.md")
    assert new.record.goal == GOAL
    assert [item.text for item in new.record.items] == ["the month is March"]


def test_an_awaited_session_hands_off_the_same_document(tmp_path: Path) -> None:
    messages = conversation(10)

    async def run() -> str:
        session = clew.AsyncSession(policy=POLICY)
        await session.prepare(messages)
        return write_handoff(await session.handoff())

    session = clew.Session(policy=POLICY)
    session.prepare(messages)
    assert asyncio.run(run()) == write_handoff(session.handoff())

    async def resumed() -> list[Any]:
        new = clew.AsyncSession.resume(session.handoff())
        return (await new.prepare([])).messages

    assert asyncio.run(resumed())[0]["content"] == GOAL


@pytest.mark.parametrize("wire", FORMATS)
@settings(max_examples=20)
@given(told=st.data(), window=st.integers(1_500, 4_000))
def test_any_run_is_handed_off_whole_and_goes_on(
    wire: Format, told: st.DataObject, window: int
) -> None:
    messages = told.draw(transcripts(wire, 4, 24))
    policy = clew.Policy(clew.Budget(window, output_reserve_tokens=window // 10))
    store = open_store(None)
    session = clew.Session(policy=policy, store=store, format=wire, counter="estimate")
    try:
        session.prepare(messages)
    except clew.FloorExceededError:
        return
    goal = session.record.goal
    document = read_handoff(write_handoff(session.handoff()))
    assert document.goal == goal
    kept = store.checkpoint(document.checkpoint)
    assert kept is not None
    assert load_record(kept.record_json) == document.record
    new = clew.Session.resume(document, store, policy=policy, format=wire, counter="estimate")
    assert not new.resume_changes.any
    assert {i.id for i in new.record.items} == {i.id for i in document.record.items}
    codec = codec_for(wire)
    archived = [json.loads(new.recall(handle)) for handle, _ in new.spans()]
    found = [message for span in archived for message in span]
    plain = [codec.parse(m, n).plain for n, m in enumerate(messages)]
    lead = next(n for n, m in enumerate(plain) if codec.parse(m, n).role not in LEAD)
    for message in plain[lead:]:
        assert message in found
    context = new.prepare([])
    assert violations(wire.value, context.messages) == []
    assert not goal or codec.parse(context.messages[0], 0).text == goal
    again = read_handoff(write_handoff(new.handoff()))
    assert again.goal == goal
    live = {i.id for i in document.record.items if i.live}
    assert live <= {i.id for i in again.record.items}
