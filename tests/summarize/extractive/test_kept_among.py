"""What stays word for word among the absorbed exchanges answers them, and is not recorded."""

from __future__ import annotations

import pytest

from clew.record.apply import apply_delta
from clew.record.delta import Add, SetNext
from clew.record.items import Item, Speaker, Status
from clew.record.record import HandoffRecord
from clew.summarize.extractive import ExtractiveSummarizer
from tests.summarize.extractive.told import (
    Native,
    agent,
    bash,
    items,
    proposed,
    request,
    spans_of,
    user,
)

QUESTION = "StageFiles() has no callers. Should I clean this up by removing it?"


def folded(*story: list[Native], kept: int) -> HandoffRecord:
    """The record of a story whose exchange at place `kept` is not absorbed."""
    spans = spans_of([message for part in story for message in part])
    asked = request((*spans[:kept], *spans[kept + 1 :]), tail=(spans[kept],))
    delta = ExtractiveSummarizer().propose(asked)
    own = spans[kept].handle
    assert not [i for i in items(delta) if i.evidence[:1] and i.evidence[0].span == own]
    applied = apply_delta(HandoffRecord(goal="the goal"), delta)
    assert applied.rejected == ()
    return applied.record


def of_kind(record: HandoffRecord, kind: str) -> list[Item]:
    return [item for item in record.items if item.kind == kind]


def test_the_users_newest_message_answers_the_question_before_it() -> None:
    story = (agent(QUESTION), user("yes"), bash("sed -i /StageFiles/d common.go", ""))
    (question,) = of_kind(folded(*story, kept=1), "blocker")
    assert (question.status, question.evidence[-1].span) == (Status.ANSWERED, "S-2")


def test_a_question_behind_it_still_waits() -> None:
    story = (user("look into it"), agent(QUESTION), bash("ls", "common.go"))
    (question,) = of_kind(folded(*story, kept=0), "blocker")
    assert question.status is Status.OPEN


def test_a_plan_that_it_overtook_is_not_next() -> None:
    story = (
        agent("Next I will rewrite the parser."),
        user("no, first fix the failing test in test_cut.py"),
        bash("cat test_cut.py", "def test_cut(): ..."),
    )
    spans = spans_of([message for part in story for message in part])
    asked = request((spans[0], spans[2]), tail=(spans[1],))
    delta = ExtractiveSummarizer().propose(asked)
    (following,) = [op for op in delta.operations if isinstance(op, SetNext)]
    assert following.text == "no, first fix the failing test in test_cut.py"
    assert not [op for op in delta.operations if isinstance(op, Add) and "fix the" in op.item.text]


SAID = "The safety mechanism: never store one prompt twice; always keep the full transcript."


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        (f"Can you clarify this:\n\n  {SAID}", 0),
        ("Never store one prompt twice.", 1),
        ("Always keep the full transcript, and ask me before you delete one of the old ones.", 1),
    ],
)
def test_a_passage_of_the_agent_that_the_user_pastes_is_not_their_rule(
    said: str, rules: int
) -> None:
    delta = proposed(agent(f"How it works.\n\n{SAID}"), user(said), bash("ls", "a.py"))
    assert len([i for i in items(delta, "invariant") if i.said_by is Speaker.USER]) == rules


REQUEST = "now write the changelog for 2.1"


@pytest.mark.parametrize(
    ("behind", "following"),
    [
        (user(REQUEST), ""),
        (user("ok"), "Next I will rewrite the parser."),
        (bash("ls", "a.py"), "Next I will rewrite the parser."),
    ],
)
def test_a_request_in_the_tail_leaves_nothing_older_next(
    behind: list[Native], following: str
) -> None:
    story = (user("the goal"), agent("Next I will rewrite the parser."), behind)
    spans = spans_of([message for part in story for message in part])
    asked = request(spans[:2], tail=spans[2:])
    summarizer = ExtractiveSummarizer()
    applied = apply_delta(HandoffRecord(goal="the goal"), summarizer.propose(asked))
    assert summarizer.revalue(asked, applied.record).next == following
