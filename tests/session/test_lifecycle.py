"""Any sequence of edit, hand off, resume, work directory and delegation keeps goal and items."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clew
from clew.delegate import Assignment, delegate
from clew.store import MemoryStore
from tests.session.test_handoff import GOAL, POLICY, conversation

STEPS = st.lists(
    st.sampled_from(
        ["note", "work", "hand off", "edit", "lose the store", "sync", "edit a file", "delegate"]
    ),
    max_size=7,
)


class Run:
    """A run that goes through hands, and what its record has to hold."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = MemoryStore()
        self.session = clew.Session(policy=POLICY, store=self.store)
        self.session.prepare(conversation(2))
        self.texts: set[str] = set()
        self.spans: set[str] = set()
        self.number = 0

    def fresh(self) -> str:
        self.number += 1
        return f"finding number {self.number};"

    def step(self, name: str) -> None:
        match name:
            case "note":
                text = self.fresh()
                self.session.note("fact", text)
                self.texts.add(text)
            case "work":
                front = self.session.opening or conversation(0)
                self.session.prepare([*front, *conversation(12)[1:]])
                self.session.compact()
            case "hand off":
                self.resume()
            case "lose the store":
                self.store = MemoryStore()
                self.spans = set()
                self.resume()
            case "edit":
                self.resume(add=self.fresh())
            case "sync":
                assert self.session.sync(self.folder / "work").conflicts == ()
            case "edit a file":
                self.edit_file()
            case "delegate":
                self.delegate()
            case _:
                raise ValueError(name)

    def resume(self, add: str = "") -> None:
        path = self.folder / "handoff.md"
        self.session.handoff(path)
        if add:
            text = path.read_text()
            path.write_text(text.replace("## Next\n", f"## Facts\n\n- new: {add}\n\n## Next\n"))
            self.texts.add(add)
        self.session = clew.Session.resume(path, self.store, policy=POLICY)
        assert len(self.session.resume_changes.added) == bool(add)

    def edit_file(self) -> None:
        self.session.sync(self.folder / "work")
        text = self.fresh()
        path = self.folder / "work" / "FINDINGS.md"
        path.write_text(path.read_text() + f"\n## Facts\n\n- new: {text}\n")
        self.texts.add(text)
        assert self.session.sync(self.folder / "work", by="person").conflicts == ()

    def delegate(self) -> None:
        text = self.fresh()

        def agent(assignment: Assignment[clew.Session]) -> object:
            assignment.session.prepare([*assignment.messages, *conversation(1)[1:]])
            row = {"claim": text, "evidence": [{"quote": "value_0 = 0"}]}
            return {"acknowledged": [], "findings": [row]}

        (finding,) = delegate(self.session, "look", agent).findings
        self.texts.add(text)
        self.spans.add(finding.evidence[0].span)


@settings(max_examples=15)
@given(STEPS)
def test_goal_and_items_survive_any_sequence_of_hands(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    run = Run(tmp_path_factory.mktemp("run"))
    for name in steps:
        run.step(name)
        assert run.session.record.goal == GOAL
        live = {item.text for item in run.session.record.items if item.live}
        assert run.texts <= live, name
        assert all(b"value_0 = 0" in run.session.recall(span) for span in run.spans)
    context = run.session.prepare(run.session.opening or conversation(2))
    assert context.messages[0]["content"] == GOAL
    for item in run.session.record.items:
        assert json.loads(run.session.recall(item.id))["text"] == item.text


@pytest.mark.parametrize("begins", ["compact", "prepare"])
def test_a_session_that_begins_with_nothing_gets_its_id_from_its_first_message(
    begins: str,
) -> None:
    messages = [{"role": "user", "content": "count the rows"}]
    expected = clew.Session()
    expected.prepare(messages)
    session = clew.Session()
    if begins == "compact":
        session.compact()
    else:
        session.prepare([])
    assert session.session_id is None
    session.prepare(messages)
    assert session.session_id == expected.session_id
