"""The example policies in sessions: kinds of the domain from the prompt to the next run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.policy import Place
from clew.ports import ModelReply, ModelRequest
from clew.record import Item, Status
from clew.record.markdown import record_from_markdown, record_to_markdown
from clew.record.serde import dump_record, load_record
from clew.session.summarizers import findings_of
from tests.summarize.building import FakeTime, ScriptedClient, reply, summarizer

EXAMPLES = Path(__file__).parents[2] / "examples" / "policies"
Proposal = dict[str, str]


def policy_of(name: str) -> clew.Policy:
    """An example as it stands, but for its models and its window."""
    policy = clew.Policy.load(EXAMPLES / f"{name}.toml")
    budget = clew.Budget(30_000, tail_messages=2, tail_tokens=400, record_tokens=2_000)
    return replace(policy, budget=budget, summarizer="extractive", fallback="")


class Chat:
    """A conversation in the chat format, built turn by turn."""

    def __init__(self, goal: str) -> None:
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": goal}]

    def user(self, text: str) -> Chat:
        self.messages.append({"role": "user", "content": text})
        return self

    def agent(self, text: str) -> Chat:
        self.messages.append({"role": "assistant", "content": text})
        return self

    def call(self, tool: str, result: str, **arguments: str) -> Chat:
        number = len(self.messages)
        function = {"name": tool, "arguments": json.dumps(arguments)}
        call = {"id": f"c{number}", "type": "function", "function": function}
        self.messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": result},
        ]
        return self

    def end(self) -> Chat:
        """Something long, then turns that stay verbatim, so that all before them is folded."""
        rows = "\n".join(f"row {n} was copied without change" for n in range(400))
        return (
            self.call("read_log", rows, part="1")
            .agent("I go on.")
            .user("Go on.")
            .agent("Going on.")
        )


def span_of(prompt: str, words: str) -> str:
    """The handle of the newest span of the history in which these words stand."""
    history = prompt.partition("<clew-record-history>")[2]
    history = history.partition("</clew-record-history>")[0]
    found = [
        block[: block.index("]")]
        for block in re.split(r"(?m)^\[(?=S-\d+\]$)", history)[1:]
        if words in block
    ]
    assert found, f"the prompt does not show {words!r}"
    return found[-1]


def answering(proposals: list[Proposal], *, lines: bool) -> Callable[[ModelRequest], ModelReply]:
    """A model that proposes these items; `quote` is looked up, other members are details."""

    def answer(asked: ModelRequest) -> ModelReply:
        added = [_item(proposal, asked.prompt) for proposal in proposals]
        if not lines:
            return reply(json.dumps({"add": added, "next": ""}))
        said: list[str] = []
        for item in added:
            said.append(f"ADD {item['kind']}: {item['text']}")
            if item["span"]:
                said.append(f"SPAN: {item['span']}")
            if item["quote"]:
                said.append(f"QUOTE: {item['quote']}")
            said += [f"DETAIL {d['name']}: {d['value']}" for d in item["details"]]
        return reply("\n".join([*said, "END"]))

    return answer


def _item(proposal: Proposal, prompt: str) -> dict[str, Any]:
    own = {"kind", "text", "quote", "of"}
    quote = proposal.get("quote", "")
    return {
        "kind": proposal["kind"],
        "text": proposal["text"],
        "span": span_of(prompt, proposal.get("of", quote)) if quote else "",
        "quote": quote,
        "details": [{"name": n, "value": v} for n, v in proposal.items() if n not in own],
    }


def folded(
    policy: clew.Policy, chat: Chat, proposals: list[Proposal], *, lines: bool = False
) -> tuple[clew.Session, clew.Context, ScriptedClient]:
    client = ScriptedClient(answering(proposals, lines=lines))
    asked = summarizer(client, time=FakeTime(), structured=not lines, check=findings_of)
    session = clew.Session(policy=policy, summarizer=asked, counter="chars4", format="openai-chat")
    context = session.prepare(chat.messages)
    if not isinstance(context.outcome, clew.Compacted):
        context = session.compact()
    assert isinstance(context.outcome, clew.Compacted), context.report
    return session, context, client


def of_kind(session: clew.Session, kind: str) -> list[Item]:
    return list(session.record.of_kind(kind))


def shown(context: clew.Context) -> str:
    return "\n".join(str(message["content"]) for message in context.messages)


def review() -> Chat:
    chat = Chat("Review the open change requests and merge what is approved.")
    chat.call("list_changes", "CR-7 rotate keys\nCR-9 widen the firewall\nCR-12 log retention")
    chat.user("I approve CR-7 as long as it runs after 22:00.")
    chat.agent("CR-9 looks approved to me. May I also merge CR-12?")
    chat.user("Yes, go ahead.")
    chat.call("scan_change", "CR-9: control AC-4 fails, port 8443 is open to any", id="CR-9")
    return chat


APPROVAL = {
    "kind": "approval",
    "text": "approved as long as it runs after 22:00",
    "request": "CR-7",
    "quote": "I approve CR-7 as long as it runs after 22:00.",
}
BARE_YES = {"kind": "approval", "text": "go ahead", "quote": "Yes, go ahead.", "request": "CR-12"}
FINDING = {
    "kind": "finding",
    "text": "port 8443 is open to any",
    "control": "AC-4",
    "severity": "fails",
    "quote": "control AC-4 fails, port 8443 is open to any",
}


class TestCompliance:
    @pytest.mark.parametrize("lines", [False, True], ids=["json", "lines"])
    def test_an_approval_is_kept_with_its_one_request(self, lines: bool) -> None:
        policy = policy_of("compliance")
        chat = review().end()
        session, context, client = folded(policy, chat, [APPROVAL, BARE_YES, FINDING], lines=lines)
        approvals = {item.field("request"): item for item in of_kind(session, "approval")}
        assert set(approvals) == {"CR-7", "CR-12"}
        assert all(item.status is Status.OPEN for item in approvals.values())
        assert [item.field("control") for item in of_kind(session, "finding")] == ["AC-4"]
        text = shown(context)
        assert "V-1 [user, only for CR-7, open] approved as long as it runs after 22:00" in text
        assert "V-2 [user, only for CR-12, open] go ahead" in text
        assert "Approvals, each for one request and once" in text
        asked = client.requests[0]
        assert "only with a quote of the user's own words; counts only for the one request" in (
            asked.system
        )
        assert "An approval is what a reviewer wrote about one change request" in asked.prompt
        if not lines:
            assert asked.schema is not None
            kinds = asked.schema["properties"]["add"]["items"]["properties"]["kind"]["enum"]
            assert {"approval", "finding"} <= set(kinds)

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"request": ""}, "an? approval needs the detail 'request'"),
            ({"quote": ""}, "cites nothing"),
            ({"request": "CR-9"}, "the quote has to name 'CR-9'"),
            ({"request": "CR"}, "has to name|just before names"),
            ({"request": "CR-70"}, "the quote has to name 'CR-70'"),
            ({"request": "every change"}, "just before names request 'every change'"),
            ({"text": "approved as long as it runs after 22:00, CR-9 too"}, "speaks of CR-9"),
            ({"quote": "CR-9 looks approved to me.", "request": "CR-9",
              "text": "CR-9 looks approved to me"}, "user's own words|from the user alone"),
            ({"quote": "I approve CR-9.", "of": "CR-9 looks", "request": "CR-9"}, "word for word"),
            ({"quote": "Yes, go ahead.", "request": "CR-9", "text": "go ahead"},
             "CR-9|just before names"),
        ],
    )  # fmt: skip
    def test_an_approval_is_never_widened(self, changed: Proposal, said: str) -> None:
        wrong = {**APPROVAL, **changed}
        chat = review()
        if changed.get("quote") == "Yes, go ahead.":
            # The question named one request alone.
            chat.messages[4]["content"] = "May I also merge CR-12?"
        session, context, client = folded(policy_of("compliance"), chat.end(), [wrong, FINDING])
        assert of_kind(session, "approval") == []
        assert len(of_kind(session, "finding")) == 1, "the good operation is kept"
        assert re.search(said, "\n".join(context.report.warnings)), context.report.warnings
        assert "only for" not in shown(context)
        assert len(client.requests) == 2, "the findings went back once"
        assert re.search(said, client.requests[1].prompt)

    def test_one_yes_does_not_count_twice(self) -> None:
        chat = review()
        chat.messages[4]["content"] = "May I merge CR-12? CR-9 would come after it."
        session, context, _ = folded(
            policy_of("compliance"), chat.end(), [BARE_YES, {**BARE_YES, "request": "CR-9"}]
        )
        assert [item.field("request") for item in of_kind(session, "approval")] == ["CR-12"]
        assert "these words already count for request 'CR-12'" in "\n".join(context.report.warnings)

    def test_an_approval_that_was_used_lapses_with_the_call_as_evidence(self) -> None:
        chat = review()
        chat.call("merge_change", "merged", id="CR-7").call("merge_change", "merged", id="CR-70")
        session, context, _ = folded(policy_of("compliance"), chat.end(), [APPROVAL, BARE_YES])
        used, still = of_kind(session, "approval")
        assert (used.field("request"), used.status) == ("CR-7", Status.CLOSED)
        (call,) = [e.span for e in used.evidence if not e.quote]
        assert used.reason == f"used up in {call}"
        assert '"CR-7' in session.recall(call).decode().replace("\\", "")
        assert still.live
        text = shown(context)
        assert "[user, only for CR-7, closed]" in text
        assert "[user, only for CR-12, open]" in text
        lineage = context.report.lineage
        assert lineage is not None
        assert set(lineage.added) >= {"V-1", "V-2"}

    def test_a_call_that_failed_uses_nothing_up(self) -> None:
        chat = review().call("merge_change", "Error: the branch is locked", id="CR-7")
        session, _, _ = folded(policy_of("compliance"), chat.end(), [APPROVAL])
        assert [item.status for item in of_kind(session, "approval")] == [Status.OPEN]

    @pytest.mark.parametrize(
        "operation",
        [
            {"revise": [{"id": "V-1", "text": "approved, and CR-9 as well"}]},
            {"supersede": [{"ids": ["V-1"], "kind": "approval", "text": "go ahead now",
                            "quote": "Yes, go ahead.", "span": "S-6",
                            "details": [{"name": "request", "value": "CR-12"}]}]},
            {"supersede": [{"ids": ["V-1"], "kind": "fact", "text": "CR-9 widen the firewall",
                            "quote": "CR-9 widen the firewall", "span": "S-2"}]},
            {"close": [{"id": "V-1", "status": "done", "reason": "it is old"}]},
            {"close": [{"id": "V-1", "status": "withdrawn", "span": "S-11", "quote": "I go on."}]},
        ],
    )  # fmt: skip
    def test_an_approval_in_the_record_is_not_moved(self, operation: dict[str, Any]) -> None:
        policy = policy_of("compliance")
        chat = review().end()
        session, _, client = folded(policy, chat, [APPROVAL])
        before = of_kind(session, "approval")
        client._script = [json.dumps({"add": [], "next": "", **operation})]
        chat.call("scan_change", "CR-12: nothing found " * 40, id="CR-12").end().end()
        session.prepare(chat.messages)
        session.compact()
        assert len(client.requests) > 1
        assert "V-1" in client.requests[-1].prompt
        assert "only for CR-7" in client.requests[-1].prompt
        assert [(i.id, i.text, i.fields, i.status) for i in of_kind(session, "approval")] == [
            (i.id, i.text, i.fields, i.status) for i in before
        ]

    def test_an_approval_goes_with_the_record_into_every_form(self, tmp_path: Path) -> None:
        policy = policy_of("compliance")
        session, context, _ = folded(policy, review().end(), [APPROVAL, FINDING])
        record = session.record
        assert load_record(dump_record(record)) == record
        written = record_to_markdown(record, kinds=policy.kinds)
        assert "## Approvals, each for one request and once" in written
        assert "- request: CR-7" in written
        assert record_from_markdown(written, kinds=policy.kinds) == record
        store = tmp_path / "run.md"
        session.handoff(store)
        again = clew.Session.resume(store, policy=policy, counter="chars4")
        (approval,) = again.record.of_kind("approval")
        assert (approval.field("request"), approval.live) == ("CR-7", True)
        opened = "\n".join(str(m["content"]) for m in again.prepare([]).messages)
        assert "[user, only for CR-7, open]" in opened
        assert context.report.checkpoint_id is not None
        checkpoint = session.store.checkpoint(context.report.checkpoint_id)
        assert checkpoint is not None
        assert checkpoint.policy_digest == policy.digest

    def test_a_run_without_the_policy_still_shows_what_an_approval_is_for(
        self, tmp_path: Path
    ) -> None:
        session, _, _ = folded(policy_of("compliance"), review().end(), [APPROVAL])
        path = tmp_path / "run.md"
        session.handoff(path)
        bare = replace(policy_of("compliance"), kinds=clew.Policy().kinds)
        again = clew.Session.resume(path, policy=bare, counter="chars4")
        assert again.record.of_kind("approval") == session.record.of_kind("approval")
        opened = "\n".join(str(m["content"]) for m in again.prepare([]).messages)
        assert "approved as long as it runs after 22:00 — request: CR-7" in opened

    def test_a_caller_notes_an_approval_only_in_the_users_name(self) -> None:
        session = clew.Session(policy=policy_of("compliance"), counter="chars4")
        with pytest.raises(clew.ClewError, match="user's own words"):
            session.note("approval", "CR-7 is fine", request="CR-7")
        with pytest.raises(clew.ClewError, match="needs request"):
            session.note("approval", "fine", said_by="user", request=" ")
        session.prepare(review().messages)
        session.note("approval", "fine by me", said_by="user", request="CR-7")
        session.note("approval", "fine by me", said_by="user", request="CR-9")
        found = [item.field("request") for item in session.record.of_kind("approval")]
        assert found == ["CR-7", "CR-9"], "equal words for two requests are two approvals"


class TestOtherFields:
    def test_a_promise_is_one_customers_and_open_until_it_is_kept(self) -> None:
        chat = Chat("Answer the tickets of today.")
        chat.user("Ticket 81 of Ana Ruiz: the kettle leaks.")
        chat.agent("I promise Ana Ruiz a refund within 5 days.")
        chat.agent("I promise Bo Lind a new lid within 2 days.")
        chat.call("issue_refund", "ok", customer="Ana Ruiz")
        promise = {
            "kind": "promise",
            "text": "a refund within 5 days",
            "customer": "Ana Ruiz",
            "due": "within 5 days",
            "quote": "I promise Ana Ruiz a refund within 5 days.",
        }
        lid = {
            **promise,
            "text": "a new lid within 2 days",
            "customer": "Bo Lind",
            "due": "within 2 days",
            "quote": "I promise Bo Lind a new lid within 2 days.",
        }
        moved = {**lid, "customer": "Ana Ruiz"}
        session, context, _ = folded(policy_of("support"), chat.end(), [promise, lid, moved])
        found = [(i.field("customer"), i.status) for i in of_kind(session, "promise")]
        assert found == [("Ana Ruiz", Status.CLOSED), ("Bo Lind", Status.OPEN)]
        assert "O-2 [agent, only for Bo Lind, open] a new lid within 2 days" in shown(context)
        (probe,) = context.report.probes
        assert (probe.place, probe.passed) == (Place.CONTEXT, True)

    def test_a_difference_needs_a_result_and_both_amounts(self) -> None:
        chat = Chat("Reconcile March.")
        chat.user("Match on customer_id, invoice_no, except for credit notes.")
        chat.agent("Account 4711 differs by 12.00 EUR, I think.")
        chat.call("compare", "account 4711: ledger 80.00 EUR, bank 92.00 EUR", month="3")
        row = "account 4711: ledger 80.00 EUR, bank 92.00 EUR"
        good = {
            "kind": "difference",
            "text": row,
            "account": "4711",
            "left": "80.00 EUR",
            "right": "92.00 EUR",
            "quote": row,
        }
        half = {**good, "right": ""}
        guess = {
            **good,
            "text": "4711 differs by 12.00 EUR",
            "quote": "Account 4711 differs by 12.00 EUR, I think.",
        }
        rule = {
            "kind": "matching_rule",
            "text": "match on both, except for credit notes",
            "key": "customer_id, invoice_no",
            "exceptions": "credit notes",
            "quote": "Match on customer_id, invoice_no, except for credit notes.",
        }
        session, context, _ = folded(
            policy_of("reconciliation"), chat.end(), [good, half, guess, rule]
        )
        (difference,) = of_kind(session, "difference")
        assert difference.field("right") == "92.00 EUR"
        assert "4711: 80.00 EUR against 92.00 EUR, account 4711" in shown(context)
        warnings = "\n".join(context.report.warnings)
        assert "needs the detail 'right'" in warnings
        assert "needs a quote of a tool's result" in warnings
        assert "match on customer_id, invoice_no: " in shown(context)
        assert [p.passed for p in context.report.probes] == [True]

    def test_a_failing_test_is_proven_by_a_run(self) -> None:
        chat = Chat("Make the build green.")
        chat.call(
            "bash",
            "FAILED tests/test_tide.py::test_leap - assert 29 == 28\n1 failed",
            command="pytest -q",
        )
        quote = "FAILED tests/test_tide.py::test_leap - assert 29 == 28"
        failing = {
            "kind": "failing_test",
            "text": "assert 29 == 28",
            "quote": quote,
            "test": "tests/test_tide.py::test_leap",
            "command": "pytest -q",
        }
        session, context, _ = folded(policy_of("coding"), chat.end(), [failing])
        assert len(of_kind(session, "failing_test")) == 1
        line = "tests/test_tide.py::test_leap: assert 29 == 28 (run: pytest -q)"
        assert f"T-1 [tool, open] {line}" in shown(context)
