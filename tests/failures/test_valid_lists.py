"""K01 to K12: the list that goes out is one the provider accepts."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import clew
from clew.ports import StopReason
from clew.repair import NO_RESULT
from clew.transcript import Format
from tests.failures.judging import (
    archived,
    folded,
    judge,
    missing,
    prepared,
    roles_of,
    said,
    session_of,
    text_of,
)
from tests.failures.stories import PNG, SEAL, WIRES, Native, Story, dumped, story, words
from tests.strategies import holds_calls, holds_results
from tests.summarize.building import IDEAL_TEXT, ScriptedClient, reply, summarizer
from tests.wire.check import violations

ITEMS = [
    pytest.param(Format.OPENAI_CHAT, id="openai-chat"),
    pytest.param(Format.OPENAI_RESPONSES, id="openai-responses"),
]

SEALED = [pytest.param(wire, id=wire.value) for wire in Format if wire is not Format.OPENAI_CHAT]
"""Formats in which a provider signs or binds reasoning."""


# ---- K01 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("sizes", [(4_000, 2), (20, 4_000)], ids=["large call", "large result"])
@pytest.mark.parametrize("at_front", [False, True], ids=["later", "first"])
def test_k01_an_oversized_call_and_its_result_go_or_stay_together(
    wire: Format, sizes: tuple[int, int], at_front: bool
) -> None:
    told = story(wire)
    if not at_front:
        told.user("Write the notes to a.txt and go on.").said(words(60))
    told.user("Now write them.") if not at_front else told.user("Write the notes.")
    told.round("write_file", {"path": "a.txt", "content": words(sizes[0])}, words(sizes[1], 1))
    told.said(words(60, seed=2)).user("Which lane was it that stopped?")
    session = session_of(wire, 1_300, trigger=600, backstop=900, tail_messages=2, record_tokens=150)
    context = prepared(session, wire, told.messages)
    assert context.report.tokens_after <= 600
    assert dumped(context.messages)[-1] == dumped(told.messages)[-1]
    assert holds_in(context.messages, holds_calls) == holds_in(context.messages, holds_results)


def holds_in(messages: list[Native], holds: Any) -> int:
    return sum(bool(holds(message)) for message in messages)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("lost", ["the call", "the result"])
def test_k01_a_list_broken_by_someone_else_is_repaired_in_both_directions(
    wire: Format, lost: str
) -> None:
    told = story(wire).user("Check lane 4.").rounds(2, 60).said("Lane 4 is fine.").user("And 5?")
    holds = holds_calls if lost == "the call" else holds_results
    at = next(n for n, message in enumerate(told.messages) if holds(message))
    broken = [*told.messages[:at], *told.messages[at + 1 :]]
    assert violations(wire.value, broken) != []
    session = session_of(wire, 8_000)
    context = session.prepare(broken)
    assert violations(wire.value, context.messages) == []
    assert context.report.warnings
    if lost == "the result":
        assert NO_RESULT in text_of(context)
    again = session.prepare(context.messages)
    assert again.messages == context.messages


# ---- K02 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "sizes", [(6_000, 150), (150, 6_000), (100, 6_000, 100)], ids=["ab", "ba", "abc"]
)
@pytest.mark.parametrize("failed", [False, True], ids=["ok", "refused by the user"])
def test_k02_the_trigger_passes_between_parallel_results(
    wire: Format, sizes: tuple[int, ...], failed: bool
) -> None:
    told = story(wire).user("Compare the two journals, please. Which one is right?")
    names = [f"call_{n}" for n in range(len(sizes))]
    told.calls(*((name, "read_journal", {"path": f"{name}.txt"}) for name in names))
    told.results(
        *((name, words(size, seed=size)) for name, size in zip(names, sizes, strict=True)),
        failed=failed,
    )
    session = session_of(wire, 1_600, trigger=1_200, tail_messages=1, record_tokens=100)
    context = prepared(session, wire, told.messages)
    assert dumped(context.messages)[0] == dumped(told.messages)[0]
    assert any(words(min(sizes), seed=min(sizes)) in text for text in said(context.messages))
    assert isinstance(context.outcome, clew.Evicted)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("keep", [3, 4, 5, 6])
def test_k02_a_batch_is_whole_wherever_the_tail_begins(wire: Format, keep: int) -> None:
    told = story(wire)
    for turn in range(4):
        told.user(f"Look at pair {turn}.")
        told.calls((f"x{turn}", "look", {"n": turn}), (f"y{turn}", "look", {"n": -turn}))
        told.results((f"x{turn}", words(300, turn)), (f"y{turn}", words(300, 9 + turn)))
        told.said(words(40, turn))
    told.user("Sum it up.")
    session = session_of(wire, 1_200, tail_messages=keep, record_tokens=150, tail_tokens=400)
    context = folded(session, wire, told.messages)
    for turn in range(4):
        shown = [f"{side}{turn}" in set(said(context.messages)) for side in "xy"]
        assert shown[0] is shown[1], turn


# ---- K03 ---------------------------------------------------------------------------------------


def far_apart() -> Story:
    told = story(Format.OPENAI_RESPONSES).user("Start the rebuild, then answer my questions.")
    told.calls(("long", "start_rebuild", {"index": "catalogue"}), ("s1", "disk_free", {}))
    told.results(("s1", "free: 412 GiB")).said("Rebuild started.")
    return told.turns(5, 800)


def test_k03_a_call_and_its_late_output_stay_on_one_side() -> None:
    told = far_apart().results(("long", "rebuild finished, build RB-7731")).said("It is done.")
    told.user("Swap the alias to RB-7731.")
    wire = Format.OPENAI_RESPONSES
    session = session_of(wire, 2_200, tail_messages=4, tail_tokens=300, record_tokens=200)
    context = folded(session, wire, told.messages)
    texts = dumped(context.messages)
    both = [any('"long"' in t and kind in t for t in texts) for kind in ("_call", "_output")]
    assert both[0] is both[1]
    order = [dumped(told.messages).index(t) for t in texts if t in dumped(told.messages)]
    assert order == sorted(order)
    assert "RB-7731" in text_of(context)


def test_k03_a_late_result_is_repaired_where_it_has_to_follow_at_once() -> None:
    wire = Format.OPENAI_CHAT
    told = story(wire).user("Start the rebuild.").calls(("long", "start_rebuild", {}))
    told.turns(3, 200).results(("long", "rebuild finished, build RB-7731"))
    late = told.messages[-1]
    told.user("Swap the alias.")
    assert violations(wire.value, told.messages) != []
    session = session_of(wire, 8_000)
    context = session.prepare(told.messages)
    assert violations(wire.value, context.messages) == []
    assert context.report.warnings
    (hit,) = session.search("rebuild finished RB-7731", limit=1)
    assert json.loads(session.recall(hit.handle)) in ([late], late)


@pytest.mark.parametrize("wire", WIRES)
def test_k03_an_interim_result_is_not_the_end(wire: Format) -> None:
    told = story(wire).user("Refund order 88-2041, 640.00, and close the case when finance agrees.")
    pending = json.dumps({"status": "pending", "ticket": "T-9"})
    told.round("request_refund", {"order": "88-2041", "amount": "640.00"}, pending)
    told.said("The refund waits for finance under T-9.")
    for turn in range(8):
        told.user(f"And parcel {turn}?").round(
            "track", {"parcel": turn}, words(700, turn), "On time."
        )
    told.user("Go on, please.")
    session = session_of(wire, 2_600, tail_messages=4, tail_tokens=350, record_tokens=250)
    context = folded(session, wire, told.messages)
    seen = text_of(context)
    assert "T-9" in seen
    assert "88-2041" in seen
    assert "pending" in seen.lower() or "waits" in seen.lower()
    told.said("Going on.").user("T-9 approved.")
    told.round("refund_status", {"ticket": "T-9"}, "ticket T-9: approved, paid 640.00")
    told.turns(6, 700).user("Close the case now.")
    folded(session, wire, told.messages)
    waiting = [item for item in session.record.live() if "T-9" in item.text]
    assert [item for item in waiting if item.kind == "blocker"] == []
    assert any("T-9 approved." in hit.excerpt for hit in session.search("T-9"))
    (settled,) = [item for item in session.record.of_kind("blocker") if "T-9" in item.text]
    assert "approved" in " ".join([settled.reason, *(e.quote for e in settled.evidence)])


# ---- K04 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("there", [0, 2], ids=["none of three", "two of three"])
def test_k04_a_turn_cut_by_a_time_out_is_repaired_once(wire: Format, there: int) -> None:
    told = story(wire).user("Check the three hosts.")
    told.round("read_file", {"path": "hosts.txt"}, words(3_000))
    told.calls(*((f"c{n}", "ping", {"host": n}) for n in (2, 3, 4)))
    if there:
        told.results(*((f"c{n}", f"host {n} answers") for n in (2, 3)))
    session = session_of(wire, 1_200, tail_messages=2, record_tokens=150)
    first = session.prepare(told.messages)
    assert violations(wire.value, first.messages) == []
    told.user("What now?")
    seen = []
    for _ in range(3):
        context = session.prepare(told.messages)
        assert violations(wire.value, context.messages) == []
        seen.append(dumped(context.messages))
        assert seen[-1] == dumped(session.prepare(context.messages).messages)
        assert text_of(context).count(NO_RESULT) == 3 - there
    assert seen[0] == seen[1] == seen[2]


# ---- K05 ---------------------------------------------------------------------------------------


def server_side(call_id: str, kind: str, opaque: str) -> list[Native]:
    call = {"type": "server_tool_use", "id": call_id, "name": "web_search", "input": {"query": "q"}}
    if kind == "web_search_tool_result":
        found = {"type": "web_search_result", "url": "https://example.org", "title": "A"}
        body: Any = [{**found, "encrypted_content": opaque}]
    else:
        body = opaque
    return [call, {"type": kind, "tool_use_id": call_id, "content": body}]


def test_k05_blocks_run_by_the_provider_stay_pairs() -> None:
    wire = Format.ANTHROPIC
    opaque = words(500, seed=5)
    told = story(wire).user("Search for the fault.")
    first = server_side("srvtoolu_1", "web_search_tool_result", opaque)
    text = {"type": "text", "text": "Found."}
    told.messages.append({"role": "assistant", "content": [text, *first, text]})
    told.user("More.")
    second = server_side("srvtoolu_2", "zz_tool_result", opaque)
    told.messages.append({"role": "assistant", "content": [*second, text]})
    told.user("And now?").said(words(3_000)).user("Which one is it?")
    for window in (900, 1_300, 8_000):
        session = session_of(wire, window, tail_messages=3, tail_tokens=200, record_tokens=100)
        context = session.prepare(told.messages)
        judge(session, wire, told.messages, context)
        seen = " ".join(dumped(context.messages))
        for call_id in ("srvtoolu_1", "srvtoolu_2"):
            assert seen.count(call_id) in (0, 2), (window, call_id)
        users = [m for m in context.messages if m["role"] == "user"]
        assert "srvtoolu" not in json.dumps(users)
        for message in context.messages:
            if "srvtoolu" in json.dumps(message):
                assert message in told.messages


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        (
            Format.OPENAI_RESPONSES,
            {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"q": SEAL}},
        ),
        (
            Format.OPENAI_RESPONSES,
            {"type": "zz_unheard_of", "id": "zz_1", "payload": SEAL},
        ),
        (
            Format.GEMINI,
            {
                "role": "model",
                "parts": [
                    {"executableCode": {"language": "PYTHON", "code": "print(1)"}},
                    {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": SEAL}},
                ],
            },
        ),
    ],
    ids=["hosted search", "unheard of", "code execution"],
)
def test_k05_what_the_provider_ran_comes_out_as_it_came_in(wire: Format, message: Native) -> None:
    told = story(wire).user("Find the fault.")
    told.messages.append(copy.deepcopy(message))
    told.said("Found.").turns(4, 700).user("Which one?")
    session = session_of(wire, 1_600, tail_messages=3, tail_tokens=300, record_tokens=150)
    context = folded(session, wire, told.messages)
    assert message in [*context.messages, *archived(session)]


# ---- K06 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", SEALED)
def test_k06_an_open_loop_keeps_its_thinking_as_it_is(wire: Format) -> None:
    told = story(wire, thinks=True)
    for turn in range(3):
        told.user(f"Look at part {turn}.")
        told.round("read_file", {"path": f"p{turn}.py"}, words(2_000, turn), "It is fine.")
    start = len(told.messages)
    told.user("Now add a job id and show me the tests.")
    for n in range(2):
        told.round("edit_file", {"path": "driver.py", "n": n}, "edited 1 place")
    told.round("run_tests", {"target": "printer"}, words(1_000, seed=7))
    session = session_of(wire, 2_400, tail_messages=2, tail_tokens=300, record_tokens=200)
    context = folded(session, wire, told.messages)
    loop = told.messages[start:]
    assert dumped(context.messages[-len(loop) :]) == dumped(loop)
    if wire is Format.ANTHROPIC:
        inputs = dumped(told.messages)
        for message in context.messages:
            if "signature" in json.dumps(message):
                assert dumped([message])[0] in inputs


def test_k06_a_redacted_block_is_as_opaque_as_a_signed_one() -> None:
    wire = Format.ANTHROPIC
    told = story(wire, thinks=True).turns(3, 1_500).user("Repair it.")
    told.round("edit_file", {"path": "a.py"}, "edited")
    redacted = {"type": "redacted_thinking", "data": SEAL}
    use = {"type": "tool_use", "id": "toolu_x", "name": "run_tests", "input": {}}
    told.messages.append({"role": "assistant", "content": [redacted, use]})
    told.results(("toolu_x", words(1_000)))
    session = session_of(wire, 2_000, tail_messages=2, tail_tokens=300, record_tokens=150)
    context = folded(session, wire, told.messages)
    assert dumped(context.messages)[-5:] == dumped(told.messages)[-5:]


# ---- K07 ---------------------------------------------------------------------------------------


def test_k07_a_reasoning_item_and_its_partner_move_together() -> None:
    wire = Format.OPENAI_RESPONSES
    told = story(wire, thinks=True).turns(6, 900).user("Sum it up.")
    for tail in (2, 3, 5, 8, 13):
        session = session_of(wire, 2_600, tail_messages=tail, tail_tokens=700, record_tokens=200)
        context = folded(session, wire, told.messages)
        inputs = dumped(told.messages)
        texts = dumped(context.messages)
        for at, message in enumerate(context.messages):
            if message.get("type") == "reasoning":
                assert message["encrypted_content"] == SEAL
                partner = inputs[inputs.index(texts[at]) + 1]
                assert texts[at + 1] == partner
            elif message.get("id") and message.get("type") in ("message", "function_call"):
                assert context.messages[at - 1].get("type") == "reasoning"


def test_k07_each_compaction_item_that_came_back_is_kept_in_order() -> None:
    wire = Format.OPENAI_RESPONSES
    items = [
        {"type": "compaction", "id": f"cmp_{n}", "encrypted_content": f"{SEAL}{n}"} for n in "ab"
    ]
    told = story(wire).user("Do the audit.").said("Started.")
    told.messages.extend(items)
    told.turns(5, 900).user("Sum it up.")
    session = session_of(wire, 2_400, tail_messages=3, tail_tokens=400, record_tokens=200)
    context = session.prepare(told.messages)
    judge(session, wire, told.messages, context)
    kept = [m for m in context.messages if m.get("type") == "compaction"]
    assert kept in ([], items)
    assert [m for m in [*archived(session), *context.messages] if m in items][:2] == items


# ---- K08 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k08_what_a_provider_demands_back_stays_on_its_message(wire: Format) -> None:
    told = story(wire, thinks=True).turns(5, 800).user("Go on.")
    told.round("read_file", {"path": "last.py"}, "short")
    session = session_of(wire, 2_200, tail_messages=3, tail_tokens=400, record_tokens=200)
    context = folded(session, wire, told.messages)
    inputs = dumped(told.messages)
    own = [m for m in context.messages if roles_of(wire, [m]) == ["assistant"]]
    assert own
    assert all(dumped([message])[0] in inputs for message in own)


def test_k08_a_stub_beside_a_signed_call_leaves_the_signature() -> None:
    wire = Format.GEMINI
    told = story(wire, thinks=True).user("Write the notes.")
    told.round("write_file", {"path": "a.md", "content": words(9_000)}, words(9_000, seed=3))
    context = prepared(session_of(wire, 8_000), wire, told.messages)
    signed = [p for m in context.messages for p in m["parts"] if "functionCall" in p]
    assert [p["thoughtSignature"] for p in signed] == [SEAL]


# ---- K09 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k09_one_long_answer_leaves_a_list_that_can_be_sent(wire: Format) -> None:
    told = story(wire).user("List all lanes.").said(words(8_000)).user("Which one stopped?")
    context = prepared(
        session_of(wire, 1_500, tail_messages=1, record_tokens=100), wire, told.messages
    )
    assert violations(wire.value, context.messages) == []
    assert all(context.messages)


@pytest.mark.parametrize("wire", WIRES)
def test_k09_a_single_message_comes_back_unchanged(wire: Format) -> None:
    told = story(wire).user("hello")
    session = session_of(wire, 1_500)
    context = session.prepare(told.messages, system="You are brief.")
    assert context.messages[0] is told.messages[0]
    assert len(context.messages) == 1
    again = session.compact()
    assert again.messages == told.messages


@pytest.mark.parametrize("wire", ITEMS)
def test_k09_only_a_system_message_comes_back_unchanged(wire: Format) -> None:
    system = {"role": "system", "content": "You are brief."}
    assert session_of(wire, 1_500).prepare([system]).messages == [system]
    assert clew.compact([], budget=1_500, format=wire).messages == []


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("tail", [1, 2, 3, 4])
def test_k09_a_list_that_ends_with_the_assistant_keeps_its_order(wire: Format, tail: int) -> None:
    told = story(wire).user("Lane 4?").said(words(3_000)).user("Lane 5?").said(words(3_000, seed=1))
    session = session_of(wire, 1_400, tail_messages=tail, tail_tokens=300, record_tokens=150)
    context = session.prepare(told.messages)
    judge(session, wire, told.messages, context)
    told.user("And lane 6?")
    sent = session.prepare(told.messages)
    assert violations(wire.value, sent.messages) == []
    assert dumped(sent.messages)[-1] == dumped(told.messages)[-1]


# ---- K10 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k10_one_id_for_the_calls_of_several_turns(wire: Format) -> None:
    told = story(wire)
    for turn in "ABCDE":
        told.user(f"Read {turn}.").calls(("call_0", "read_file", {"path": f"{turn}.txt"}))
        told.results(("call_0", f"{turn} says {words(1_000, seed=ord(turn))}")).said(
            f"{turn} read."
        )
    told.user("Which one is wrong?")
    session = session_of(wire, 1_700, tail_messages=4, tail_tokens=500, record_tokens=200)
    context = folded(session, wire, told.messages)
    pages = {handle: session.recall(handle) for handle, _ in session.spans()}
    assert len(set(pages.values())) == len(pages)
    for turn in "AB":
        holding = [p for h, p in pages.items() if h[0] == "S" and f"{turn} says".encode() in p]
        assert len(holding) == 1
        assert f"{turn}.txt".encode() in holding[0]
    assert missing(session, told.messages, context) == []


@pytest.mark.parametrize("wire", WIRES)
def test_k10_one_id_for_two_calls_of_one_message(wire: Format) -> None:
    told = story(wire).user("Read both.")
    told.calls(("call_0", "read_file", {"path": "c"}), ("call_0", "read_file", {"path": "d"}))
    told.results(("call_0", "C" + words(1_000)), ("call_0", "D" + words(1_000, seed=1)))
    told.said("Read.").turns(3, 800).user("Which one?")
    session = session_of(wire, 1_600, tail_messages=3, tail_tokens=400, record_tokens=200)
    context = folded(session, wire, told.messages)
    assert any("call_0 was used before" in warning for warning in context.report.warnings)
    assert missing(session, told.messages, context) == []


# ---- K11 ---------------------------------------------------------------------------------------

CONTENT = 'He said "no" \\ and {"nested": "json"} \n' + words(900)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("shift", range(10))
def test_k11_arguments_still_parse_wherever_they_are_cut(wire: Format, shift: int) -> None:
    emoji = "\U0001f69a"
    body = f"{CONTENT[: 940 + shift]}{emoji * 6}{words(4_000, seed=shift)}"
    arguments = json.dumps({"path": "notes/stall.md", "content": body})
    given: Any = arguments if wire in (Format.OPENAI_CHAT, Format.OPENAI_RESPONSES) else {
        "path": "notes/stall.md", "content": body,
    }  # fmt: skip
    told = story(wire).user("Write the notes.").calls(("c1", "write_file", given))
    told.results(("c1", "written")).calls(("c2", "list_files", "")).results(("c2", "a.txt"))
    told.user("Which price has the item gate?")
    session = session_of(wire, 2_000, tail_messages=8, record_tokens=150)
    context = prepared(session, wire, told.messages)
    kept = [
        call
        for call in arguments_in(wire, context.messages)
        if "notes/stall.md" in json.dumps(call)
    ]
    for call in kept:
        assert set(call) == {"path", "content"}
    assert {arguments, body} & set(said(archived(session)))
    assert context.report.tokens_after < context.report.tokens_before
    assert all("\ud83d" not in text and "\ude9a" not in text for text in said(context.messages))


def arguments_in(wire: Format, messages: list[Native]) -> list[dict[str, Any]]:
    """The arguments of every call that stands in a list, parsed."""
    found: list[Any] = []
    for message in messages:
        found += [c["function"]["arguments"] for c in message.get("tool_calls") or ()]
        found += [message["arguments"]] if message.get("type") == "function_call" else []
        blocks = message.get("content") if isinstance(message.get("content"), list) else []
        found += [b["input"] for b in blocks or () if b.get("type") == "tool_use"]
        found += [
            p["functionCall"]["args"] for p in message.get("parts", ()) if "functionCall" in p
        ]
    return [json.loads(f or "{}") if isinstance(f, str) else f for f in found]


@pytest.mark.parametrize("wire", ITEMS)
def test_k11_empty_and_broken_arguments_pass_as_they_are(wire: Format) -> None:
    told = story(wire).user("List them.").calls(("c2", "list_files", "")).results(("c2", "a.txt"))
    told.calls(("c3", "list_files", "{bad")).results(("c3", "bad arguments")).user("And?")
    context = prepared(session_of(wire, 4_000), wire, told.messages)
    assert dumped(context.messages) == dumped(told.messages)


# ---- K12 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k12_the_summary_request_is_plain_text_with_nothing_to_refuse(wire: Format) -> None:
    told = story(wire, thinks=True).user("Check the drawing.", image=PNG * 20).turns(6, 800)
    told.user("Go on.")
    client = ScriptedClient(IDEAL_TEXT)
    tools = [{"name": "delete_everything", "description": "never offer this one"}]
    session = session_of(
        wire, 3_000, tail_messages=3, tail_tokens=400, summarizer=summarizer(client)
    )
    session.prepare(told.messages, tools=tools)
    session.compact()
    assert client.requests
    for request in client.requests:
        asked = f"{request.system}\n{request.prompt}"
        assert PNG not in asked
        assert "delete_everything" not in asked
        assert request.max_output_tokens >= 1


@pytest.mark.parametrize("wire", WIRES)
def test_k12_a_tool_call_in_the_answer_is_not_run(wire: Format) -> None:
    told = story(wire).user("Check the lanes.").turns(6, 800).user("Go on.")
    client = ScriptedClient(reply('{"name": "delete_lane", "input": {}}', StopReason.TOOL_CALL))
    session = session_of(
        wire, 3_000, tail_messages=3, tail_tokens=400, summarizer=summarizer(client)
    )
    context = folded(session, wire, told.messages)
    assert "delete_lane" not in text_of(context)
    assert any("tool call" in warning for warning in context.report.warnings)
