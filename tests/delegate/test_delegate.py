"""Delegation: a context of its own, findings that resolve, nothing of the transcript comes over."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import clew
from clew.codecs import codec_for
from clew.delegate import (
    DELEGATE_TOOL,
    Answer,
    Assignment,
    Delegated,
    adelegate,
    call_delegate,
    definition,
    delegate,
)
from clew.errors import RecordError
from clew.record import Speaker
from clew.transcript import Format
from tests.session.test_handoff import GOAL, POLICY, conversation

TASK = "Which test covers the pool adapter?"
RESULT = "tests/test_pool.py::test_reuse PASSED\nSECRET-CHATTER of the child\n"
FOUND = {
    "kind": "fact",
    "claim": "test_reuse covers the adapter",
    "evidence": [{"quote": "tests/test_pool.py::test_reuse PASSED"}],
}


@pytest.fixture
def parent() -> clew.Session:
    session = clew.Session(policy=POLICY)
    session.prepare(conversation(3))
    session.note("invariant", "never touch billing/")
    session.note("decision", "keep raw SQL")
    session.note("decision", "unrelated choice")
    session.pin("write in British English")
    return session


def agent(*findings: dict[str, Any], acknowledged: tuple[str, ...] = ("R-1",), calls: int = 1,
          tokens: int = 0) -> Any:  # fmt: skip
    """An agent that reads one tool result and answers with these findings."""

    def run(assignment: Assignment[clew.Session]) -> Any:
        messages = [*assignment.messages]
        for _ in range(calls):
            messages = read_once(messages)
            assignment.session.prepare(messages)
        said = {"acknowledged": list(acknowledged), "findings": list(findings), "tokens": tokens}
        return "Here it is:\n" + json.dumps(said)

    return run


def read_once(messages: list[Any]) -> list[Any]:
    call = {"name": "run_tests", "arguments": "{}"}
    return [
        *messages,
        {"role": "assistant", "content": "I think the adapter is fine.",
         "tool_calls": [{"id": "c1", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": "c1", "content": RESULT},
    ]  # fmt: skip


def test_a_finding_enters_the_parent_with_evidence_that_it_can_fetch(
    parent: clew.Session,
) -> None:
    done = delegate(parent, TASK, agent(FOUND))
    (finding,) = done.findings
    (evidence,) = finding.evidence
    noted = parent.record.of_kind("fact")[0]
    assert noted.text == "test_reuse covers the adapter"
    assert noted.said_by is Speaker.AGENT
    assert noted.evidence == (evidence,)
    assert evidence.span.startswith(f"{done.session_id}:S-")
    assert b"test_reuse PASSED" in parent.recall(evidence.span)
    assert finding.claim in done.text


def test_the_child_is_told_its_task_what_holds_and_the_named_items_only(
    parent: clew.Session,
) -> None:
    seen: list[str] = []

    def look(assignment: Assignment[clew.Session]) -> Any:
        codec = codec_for(Format.OPENAI_CHAT)
        context = assignment.session.prepare(list(assignment.messages))
        seen.extend(codec.parse(message, 0).text for message in context.messages)
        return {"acknowledged": ["R-1"], "findings": []}

    delegate(parent, TASK, look, items=("D-1",))
    told = "\n".join(seen)
    assert seen[0] == TASK
    assert seen[1] == "write in British English"
    assert "R-1 [agent] never touch billing/" in told
    assert "keep raw SQL" in told
    assert GOAL in seen[-1]
    assert "unrelated choice" not in told
    assert "value_1" not in told


def test_nothing_of_the_childs_transcript_enters_the_parent(parent: clew.Session) -> None:
    before = parent.record
    messages = conversation(3)
    delegate(parent, TASK, agent(FOUND, calls=3))
    context = parent.prepare(messages)
    parent.compact()
    everything = json.dumps(context.messages) + repr(parent.record) + repr(parent.spans())
    assert "SECRET-CHATTER" not in everything
    assert "I think the adapter" not in everything
    assert len(parent.record.items) == len(before.items) + 1
    assert parent.search("SECRET-CHATTER") == []


@pytest.mark.parametrize(
    "evidence",
    [
        [],
        [{"quote": ""}],
        [{"quote": "tests/test_pool.py::test_reuse FAILED"}],
        [{"quote": "I think the adapter is fine."}],
        [{"quote": TASK}],
        [{"span": "S-2"}],
        [{"quote": "x" * 400}],
        [{"quote": "tests/test_pool.py::test_reuse PASSED"}, {"quote": "made up"}],
    ],
    ids=["none", "empty", "invented", "its own words", "its task", "a bare span", "too long",
         "one of two"],
)  # fmt: skip
def test_a_claim_whose_evidence_is_not_in_the_childs_results_stays_out(
    parent: clew.Session, evidence: list[dict[str, str]]
) -> None:
    done = delegate(parent, TASK, agent({"claim": "all is well", "evidence": evidence}))
    assert done.unresolved == ("all is well",)
    assert done.findings == ()
    assert parent.record.of_kind("fact") == ()


def test_a_receiver_that_does_not_acknowledge_an_invariant_brings_nothing_back(
    parent: clew.Session,
) -> None:
    done = delegate(parent, TASK, agent(FOUND, acknowledged=()))
    assert done.unacknowledged == ("R-1",)
    assert done.findings == ()
    assert "R-1" in done.text
    assert parent.record.of_kind("fact") == ()


def test_findings_stop_at_the_cap_whole(parent: clew.Session) -> None:
    rows = [{**FOUND, "claim": f"claim {n} " + "word " * 30} for n in range(9)]
    done = delegate(parent, TASK, agent(*rows), token_cap=160)
    assert 1 <= len(done.findings) < 9
    assert len(done.findings) + len(done.over_cap) == 9
    sizes = [
        parent.counter.count_text("\n".join([f.claim, *(e.quote for e in f.evidence)]))
        for f in done.findings
    ]
    assert sum(sizes) <= 160


def test_the_childs_tokens_count_in_the_parents_total(parent: clew.Session) -> None:
    before = parent.status().tokens_spent
    counted = delegate(parent, TASK, agent(FOUND, calls=2))
    assert counted.tokens > 0
    assert parent.status().tokens_spent == before + counted.tokens
    reported = delegate(parent, TASK, agent(FOUND, tokens=50_000))
    assert reported.tokens == 50_000
    assert parent.status().tokens_spent == before + counted.tokens + 50_000
    assert reported.session_id != counted.session_id


def test_an_agent_that_fails_is_passed_on_and_paid_for(parent: clew.Session) -> None:
    def fail(assignment: Assignment[clew.Session]) -> Any:
        assignment.session.prepare(list(assignment.messages))
        raise TimeoutError("the model did not answer")

    before = parent.status().tokens_spent
    with pytest.raises(TimeoutError):
        delegate(parent, TASK, fail)
    assert parent.status().tokens_spent > before


@pytest.mark.parametrize(
    "said",
    [
        None, "", "no JSON", "{broken", 7, [1], {"findings": "x"},
        {"findings": [1, {}, {"claim": 3}], "acknowledged": "R-1"},
    ],
)  # fmt: skip
def test_any_answer_is_read(parent: clew.Session, said: Any) -> None:
    done = delegate(parent, TASK, lambda assignment: said, constraints=())
    assert isinstance(done, Delegated)
    assert done.findings == ()


def test_an_agent_that_never_prepares_may_bring_its_transcript(parent: clew.Session) -> None:
    def run(assignment: Assignment[clew.Session]) -> Any:
        messages = read_once([*assignment.messages])
        return {"acknowledged": ["R-1"], "findings": [FOUND], "messages": messages}

    assert len(delegate(parent, TASK, run).findings) == 1


def test_what_is_delegated_is_of_what_an_agent_may_say(parent: clew.Session) -> None:
    done = delegate(parent, TASK, agent({**FOUND, "kind": "directive", "said_by": "user"}))
    assert done.findings[0].kind == "fact"
    assert parent.record.of_kind("directive") == ()


def test_an_item_that_does_not_exist_is_an_error(parent: clew.Session) -> None:
    with pytest.raises(RecordError, match="D-99"):
        delegate(parent, TASK, agent(FOUND), items=("D-99",))
    with pytest.raises(RecordError):
        delegate(parent, "  ", agent(FOUND))


@pytest.mark.parametrize("handle", ["x:S-1", ":S-1", "{id}:S-999", "{id}:D-1", "other:S-4"])
def test_only_the_spans_of_its_own_sub_tasks_are_fetched(parent: clew.Session, handle: str) -> None:
    done = delegate(parent, TASK, agent(FOUND))
    with pytest.raises(clew.UnknownHandleError):
        parent.recall(handle.format(id=done.session_id))


@pytest.mark.parametrize("wire", list(Format))
def test_the_tool_has_a_definition_in_every_format(wire: Format) -> None:
    assert DELEGATE_TOOL in json.dumps(definition(wire))


@pytest.mark.parametrize(
    "arguments", ["", "[]", "{}", '{"task": 3}', '{"task": "t", "items": [1]}']
)
def test_the_tool_answers_wrong_arguments_with_a_sentence(
    parent: clew.Session, arguments: str
) -> None:
    assert call_delegate(parent, arguments, agent(FOUND)).startswith("Error: ")


def test_the_tool_gives_findings_as_text(parent: clew.Session) -> None:
    said = call_delegate(parent, {"task": TASK, "items": ["D-1"]}, agent(FOUND))
    assert said.startswith("- test_reuse covers the adapter (")
    assert call_delegate(parent, {"task": TASK, "items": ["D-9"]}, agent()).startswith("Error: D-9")


@pytest.mark.parametrize("awaits", [True, False])
def test_an_awaited_agent_and_a_plain_one_do_the_same(parent: clew.Session, awaits: bool) -> None:
    async def run(assignment: Assignment[clew.AsyncSession]) -> Any:
        messages = read_once([*assignment.messages])
        await assignment.session.prepare(messages)
        return {"acknowledged": ["R-1"], "findings": [FOUND]}

    def plain(assignment: Assignment[clew.AsyncSession]) -> Any:
        messages = read_once([*assignment.messages])
        return {"acknowledged": ["R-1"], "findings": [FOUND], "messages": messages}

    done = asyncio.run(adelegate(parent, TASK, run if awaits else plain))
    assert len(done.findings) == 1
    assert b"test_reuse" in parent.recall(done.findings[0].evidence[0].span)


def test_a_long_sub_task_is_compacted_and_its_evidence_still_resolves(
    parent: clew.Session,
) -> None:
    def run(assignment: Assignment[clew.Session]) -> Any:
        messages = [*assignment.messages, *conversation(60, "Read on.")]
        assignment.session.prepare(messages)
        quote = {"quote": "value_2 = 74"}
        return Answer(
            findings=(clew_finding("value_2 is 74", quote["quote"]),), acknowledged=("R-1",)
        )

    done = delegate(parent, TASK, run)
    assert [finding.claim for finding in done.findings] == ["value_2 is 74"]


def clew_finding(claim: str, quote: str) -> Any:
    from clew.delegate import Finding

    return Finding(claim=claim, evidence=(clew.Evidence(span="", quote=quote),))
