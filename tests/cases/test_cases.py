"""The recorded cases, judged line by line: what must hold of each, and what must not be."""

from __future__ import annotations

import json
from typing import Any

import pytest

import clew
from clew.ports import ModelReply, ModelRequest, StopReason
from clew.record.items import Speaker
from clew.transcript import Format
from tests.cases.recorded import Case, case
from tests.conftest import shared_path
from tests.failures.judging import archived, record_text, records_in, said, text_of
from tests.failures.stories import Native, dumped
from tests.summarize.building import COUNTER, ScriptedClient, permanent, reply, summarizer
from tests.wire.anthropic import check_anthropic


def last_of(case: Case) -> str:
    return dumped(case.messages)[-1]


# ---- 01 ----------------------------------------------------------------------------------------


def test_case_01_orphaned_tool_result() -> None:
    recorded = case("01")
    session = recorded.session()
    context = session.prepare(recorded.messages)
    recorded.judge(session, context)
    texts = dumped(context.messages)
    inputs = dumped(recorded.messages)
    # The oversized call and its result are on one side, and nothing is made up for the result.
    calls = [m for m in context.messages if "call_a1" in json.dumps(m.get("tool_calls", ""))]
    results = [m for m in context.messages if m.get("tool_call_id") == "call_a1"]
    assert len(calls) == len(results)
    assert all(message["content"] == "ok" for message in results)
    # call_a2 and its result, the system message and the last request stand word for word.
    assert inputs[6] in texts
    assert inputs[7] in texts
    assert texts[0] == inputs[0]
    assert inputs[5] in texts
    assert context.report.tokens_after + context.report.prefix_tokens <= 600


# ---- 03 ----------------------------------------------------------------------------------------


def test_case_03_nonadjacent_call_and_output() -> None:
    recorded = case("03")
    session = recorded.session()
    context = recorded.folded(session)
    both = [
        any(m.get("call_id") == "call_rebuild" and m["type"] == kind for m in context.messages)
        for kind in ("function_call", "function_call_output")
    ]
    assert both[0] is both[1]
    seen = text_of(context)
    assert "RB-7731" in seen
    assert last_of(recorded) == dumped(context.messages)[-1]
    assert "35 days" in seen or any("35 days" in h.excerpt for h in session.search("35 days"))
    order = [
        dumped(recorded.messages).index(t)
        for t in dumped(context.messages)
        if t in dumped(recorded.messages)
    ]
    assert order == sorted(order)


# ---- 04 ----------------------------------------------------------------------------------------


def test_case_04_pending_approval_folded() -> None:
    recorded = case("04")
    session = recorded.session()
    context = recorded.folded(session)
    seen = text_of(context)
    for fact in ("88-2041", "640.00", "APR-311"):
        assert fact in seen
    assert "pending" in seen or "waits" in seen
    for outcome in ("approved", "refused", "was paid", "has been paid"):
        assert outcome not in seen
    # Reasoning that is kept stands before the item it stood before.
    inputs, texts = dumped(recorded.messages), dumped(context.messages)
    for at, message in enumerate(context.messages):
        if message["type"] == "reasoning":
            assert texts[at + 1] == inputs[inputs.index(texts[at]) + 1]
    # The call stands there, or the record says that it was made: it is not made again.
    made = sum('"request_refund"' in text for text in texts)
    assert made == 1 or "request_refund" in record_text(context)
    news = {"type": "input_text", "text": "Ticket APR-311 was approved by finance."}
    recorded.messages.append({"type": "message", "role": "user", "content": [news]})
    later = session.prepare(recorded.messages, system=recorded.system)
    recorded.judge(session, later)
    assert "APR-311" in text_of(later)
    assert last_of(recorded) == dumped(later.messages)[-1]


# ---- 07 ----------------------------------------------------------------------------------------


def test_case_07_thinking_block_in_open_tool_loop() -> None:
    recorded = case("07")
    session = recorded.session()
    context = recorded.folded(session)
    assert check_anthropic(recorded.system, context.messages, thinking=True) == []
    start = next(
        n for n, text in enumerate(dumped(recorded.messages)) if "Yes, add a job id" in text
    )
    loop = dumped(recorded.messages)[start:]
    assert dumped(context.messages)[-len(loop) :] == loop
    inputs = dumped(recorded.messages)
    thoughts = []
    for message in recorded.messages:
        thoughts += [b["thinking"] for b in message["content"] if b["type"] == "thinking"]
    for message, text in zip(context.messages, dumped(context.messages), strict=True):
        if message["role"] == "assistant":
            assert text in inputs
    assert "test_retry_keeps_id" in text_of(context)
    assert not any(thought in text for text in records_in(context) for thought in thoughts)


# ---- 09 ----------------------------------------------------------------------------------------


def test_case_09_floor_above_trigger() -> None:
    recorded = case("09")
    client = ScriptedClient("never to be asked")
    session = recorded.session(summarizer=summarizer(client), record_tokens=100, tail_tokens=200)
    warned: list[str] = []
    attempts = 0
    front = dumped(recorded.messages)[:2]
    for turn in range(20):
        context = session.prepare(recorded.messages, tools=recorded.tools)
        attempts += not isinstance(context.outcome, clew.Held)
        warned += context.report.warnings
        assert dumped(context.messages)[:2] == front
        if turn == 0:
            assert dumped(context.messages) == dumped(recorded.messages)
            assert context.report.reason
            assert warned
        answer = {"role": "assistant", "content": f"Hi {turn}."}
        recorded.messages.extend([answer, {"role": "user", "content": f"hi {turn}"}])
    assert attempts <= 2
    assert len(client.requests) <= 2
    assert len(warned) == len(set(warned))


# ---- 10 ----------------------------------------------------------------------------------------


def asked_tokens(request: ModelRequest) -> int:
    schema = json.dumps(request.schema) if request.schema else ""
    return COUNTER.count_text(request.system) + COUNTER.count_text(request.prompt + schema)


class Small(ScriptedClient):
    """A summarizer that takes requests up to its window with their output, and no token more."""

    def __init__(self, answer: str, window_tokens: int) -> None:
        super().__init__(answer, window_tokens=window_tokens)
        self.refused = 0

    def complete(self, request: ModelRequest) -> ModelReply:
        if asked_tokens(request) + request.max_output_tokens > self.window_tokens:
            self.refused += 1
            raise permanent("the prompt is too long", too_long=True)
        return super().complete(request)


@pytest.mark.parametrize("refuses", [False, True], ids=["answers", "refuses all"])
def test_case_10_summariser_request_overflows(refuses: bool) -> None:
    recorded = case("10")
    numbers = recorded.numbers
    window = numbers["summariser_window_tokens"]
    client = Small("", window) if not refuses else Refusing(window)
    made = summarizer(
        client, window_tokens=window, max_output_tokens=numbers["summariser_output_tokens"]
    )
    session = recorded.session(summarizer=made)
    context = recorded.folded(session)
    assert client.requests or client.refused == 0
    prompts = [request.prompt for request in client.requests]
    assert len(prompts) == len(set(prompts))
    assert len(prompts) <= 12
    for request in client.requests:
        assert asked_tokens(request) + request.max_output_tokens <= window
    assert context.report.tokens_after <= numbers["window_tokens"]
    pages = "\n".join(session.recall(handle).decode() for handle, _ in session.spans())
    seen = pages + text_of(context)
    for report in range(1, 25):
        assert f"REPORT {report} root cause:" in seen
    assert "fallback" in context.report.summarizer
    assert any("offline" in warning for warning in context.report.warnings)
    assert "one at a time, keep a list of root causes, and give me the five most common" in (
        text_of(context)
    )


class Refusing(Small):
    """A summarizer that finds everything too long."""

    def __init__(self, window_tokens: int) -> None:
        super().__init__("", window_tokens)

    def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        raise permanent("the prompt is too long", too_long=True)


# ---- 12 ----------------------------------------------------------------------------------------

STOPS = {
    "max_tokens": StopReason.LENGTH,
    "refusal": StopReason.REFUSAL,
    "tool_use": StopReason.TOOL_CALL,
    "end_turn": StopReason.END,
}


@pytest.mark.parametrize("entry", range(7))
def test_case_12_bad_summary_accepted(entry: int) -> None:
    recorded = case("12")
    row = recorded.script[entry]
    client = ScriptedClient(reply(row.get("returns", ""), STOPS[row["stop_reason"]]))
    session = recorded.session(summarizer=summarizer(client))
    context = recorded.folded(session)
    assert client.requests
    seen = text_of(context)
    for fact in (
        "Keep 3 decimals",
        "Never touch the file tides/golden.json",
        "Go on with table 9.",
    ):
        assert fact in seen
    assert "Eight of eleven tables are done." in seen
    text = record_text(context)
    assert text.rstrip().endswith("</clew-record>")
    assert not row.get("returns") or row["returns"] not in text
    assert context.report.warnings
    if entry < 6:
        assert "fallback" in context.report.summarizer
    assert sum("toolu_t9" in text for text in dumped(context.messages)) == 0


# ---- 14 ----------------------------------------------------------------------------------------


def test_case_14_negative_budget() -> None:
    recorded = case("14")
    numbers = recorded.numbers
    with pytest.raises(clew.BudgetError) as caught:
        clew.Budget(
            numbers["window_tokens"],
            output_reserve_tokens=numbers["reserve_output_tokens"],
            tail_tokens=numbers["keep_tail_tokens"],
            trigger=numbers["trigger_fraction"],
        )
    assert "8,192" in str(caught.value)
    assert "16,384" in str(caught.value)
    budget = clew.Budget(numbers["window_tokens"], trigger=numbers["trigger_fraction"])
    resolved = budget.resolve(prefix_tokens=0)
    assert 0 < resolved.tail_tokens < resolved.trigger_tokens < resolved.backstop_tokens
    assert 1 <= resolved.output_reserve_tokens < numbers["window_tokens"]
    policy = clew.Policy(budget)
    session = clew.Session(policy=policy, format=recorded.wire, counter="chars4")
    first = session.prepare(recorded.messages)
    second = session.prepare(recorded.messages)
    assert dumped(first.messages) == dumped(second.messages)
    assert first.report.tokens_after + resolved.output_reserve_tokens <= numbers["window_tokens"]
    assert dumped(first.messages)[-1] == last_of(recorded)


# ---- 16 ----------------------------------------------------------------------------------------


def test_case_16_image_counting_and_loss() -> None:
    recorded = case("16")
    client = ScriptedClient("")
    session = recorded.session(summarizer=summarizer(client))
    before = session.prepare(recorded.messages, system=recorded.system).report
    assert before.tokens_before <= 2_500
    context = recorded.folded(session)
    assert dumped(context.messages)[-1] == last_of(recorded)
    images = [
        part["image_url"]
        for message in recorded.messages
        for part in message.get("content", ())
        if part.get("type") == "input_image"
    ]
    assert len(images) == 3
    bodies = [image.partition("base64,")[2] for image in images]
    for text in [*records_in(context), *(r.prompt for r in client.requests)]:
        assert not any(body[:200] in text for body in bodies)
    assert all(message.get("content", "-") for message in context.messages)
    # The drawing that the open question speaks of stands there, or a handle brings it back.
    hits = session.search("drawing of bracket A", limit=3)
    in_view = any(images[0] in text for text in said(context.messages))
    assert in_view or any(
        images[0].encode() in session.recall(hit.handle) for hit in hits if hit.kind == "span"
    )
    seen = text_of(context)
    for fact in ("three holes, 6 mm each, 40 mm apart", "two holes, 8 mm each"):
        found = fact in seen or any(fact in hit.excerpt for hit in session.search(fact))
        assert found, fact
    assert in_view or "drawing of bracket A" in seen


# ---- 19 ----------------------------------------------------------------------------------------


def test_case_19_todo_list_and_running_helpers() -> None:
    recorded = case("19")
    session = recorded.session()
    context = recorded.folded(session)
    seen = text_of(context)
    plan = next(
        block["input"]["items"]
        for message in recorded.messages
        for block in message["content"]
        if block.get("name") == "todo_write"
    )
    assert len(plan) == 9
    items = [item for item in session.record.items if item.text.startswith("migrate screen")]
    by_text = {item.text: item for item in items}
    assert set(by_text) == {row["text"] for row in plan}
    for row in plan:
        over = row["state"].startswith(("done", "dropped"))
        assert by_text[row["text"]].live is not over, row
        assert over or row["text"] in seen, row
    assert by_text["migrate screen terms"].field("state") == "dropped"
    for fact in ("ag-7f", "bg-21", "5173", "orders research", "build --watch"):
        assert fact in seen, fact
    text = record_text(context)
    assert "in progress] migrate screen basket" in text
    assert "finished" not in text
    assert dumped(context.messages)[-4:] == dumped(recorded.messages)[-4:]


# ---- 21 ----------------------------------------------------------------------------------------


def test_case_21_arguments_and_surrogates_cut() -> None:
    recorded = case("21")
    session = recorded.session()
    context = session.prepare(recorded.messages)
    recorded.judge(session, context)
    assert context.report.tokens_after < context.report.tokens_before
    written = argument_texts(recorded.messages)[0]
    kept = argument_texts(context.messages)
    for arguments in kept:
        if arguments:
            assert isinstance(json.loads(arguments), dict)
        if "notes/stall.md" in arguments:
            assert set(json.loads(arguments)) == {"path", "content"}
            assert arguments == written or "[clew:" in arguments
    everything = json.dumps(context.messages, ensure_ascii=False)
    assert everything.encode("utf-8").decode("utf-8") == everything
    for text in [*said(context.messages), *(t for a in kept if a for t in said(json.loads(a)))]:
        assert not any(0xD800 <= ord(char) <= 0xDFFF for char in text)
        assert "\ufffd" not in text
    reachable = argument_texts([*archived(session), *context.messages])
    assert written in reachable
    assert "notes/stall.md" in text_of(context)
    assert dumped(context.messages)[-1] == last_of(recorded)


def argument_texts(messages: list[Native]) -> list[str]:
    return [
        call["function"]["arguments"]
        for message in messages
        for call in message.get("tool_calls") or ()
    ]


# ---- 22 ----------------------------------------------------------------------------------------


def test_case_22_secret_and_injected_text_in_handoff() -> None:
    recorded = case("22")
    client = ScriptedClient("")
    session = recorded.session(summarizer=summarizer(client))
    context = recorded.folded(session)
    secrets = (
        "Zq7-winter-Lamp",
        "tok_live_4f9Qm2Xc81LrTz07PpWd",
        "MHcCAQEEIEXAMPLEONLYnotarealkey",
    )
    text = record_text(context)
    places = [
        text,
        *(request.system + request.prompt for request in client.requests),
        repr(context.report),
        repr(session.record),
        *(f"{handle} {label}" for handle, label in session.spans()),
        *(
            f"{hit.label}{hit.excerpt}"
            for hit in session.search("DB_URL API_TOKEN deploy.pem", limit=9)
        ),
    ]
    for secret in secrets:
        assert not any(secret in place for place in places)
    reachable = " ".join([*places, text_of(context)])
    for neighbour in ("db.example.internal", "stock", "2291"):
        assert neighbour in reachable
    for item in session.record.items:
        if "drop@collect" in item.text or "no longer" in item.text:
            assert item.said_by is not Speaker.USER
            assert item.kind not in ("directive", "invariant", "decision", "commitment")
    assert "drop@collect" not in session.record.next
    assert text.count("</clew-record>") == 1
    assert "</handoff>" not in text
    assert context.system == recorded.system
    assert all(m.get("role") not in ("system", "developer") for m in context.messages)
    seen = text_of(context)
    assert "Do not write any credential into your notes." in seen
    assert dumped(context.messages)[-1] == last_of(recorded)
    assert context.report.tokens_after < context.report.tokens_before


def test_every_recorded_case_has_a_test() -> None:
    names = {path.name[:2] for path in shared_path("cases").glob("*.json")}
    tested = {name[10:12] for name in globals() if name.startswith("test_case_")}
    assert names == tested
    wires: set[Any] = {case(name).wire for name in names}
    assert wires <= set(Format)
