"""Repairs seen in the field, one by one."""

from __future__ import annotations

import json
from typing import Any

import pytest

import clew
from clew.codecs import codec_for
from clew.errors import InvalidTranscriptError
from clew.repair import (
    NO_RESULT,
    NOTHING_BEFORE,
    RESULT_ELSEWHERE,
    RESULT_WITHOUT_CALL,
    Repaired,
    repair,
)
from clew.tools_seen import is_harness_text
from clew.transcript import Format, Role
from tests.conftest import shared_path
from tests.wire.chat import check_openai_chat
from tests.wire.check import violations

Native = dict[str, Any]
U: Native = {"role": "user", "content": "go"}
A: Native = {"role": "assistant", "content": "done"}


def repaired(wire: str, natives: list[Native]) -> Repaired:
    codec = codec_for(wire)
    return repair([codec.parse(n, i) for i, n in enumerate(natives)], codec)


def out(result: Repaired) -> list[Any]:
    return [message.native for message in result.messages]


def kinds(result: Repaired) -> list[str]:
    return [found.kind.value for found in result.repairs]


def calling(*ids: str, arguments: str = "{}") -> Native:
    body = {"name": "f", "arguments": arguments}
    calls = [{"id": i, "type": "function", "function": body} for i in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def told(call_id: str, text: str = "ok") -> Native:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


NEUTRAL = {"role": "tool", "tool_call_id": "b", "content": NO_RESULT}
ELSEWHERE = {"role": "tool", "tool_call_id": "b", "content": RESULT_ELSEWHERE}


@pytest.mark.parametrize(
    ("given", "expected", "named"),
    [
        (
            [U, calling("a", "b"), told("a")],
            [U, calling("a", "b"), told("a"), NEUTRAL],
            ["dangling_call"],
        ),
        ([U, calling("b"), A, U], [U, calling("b"), NEUTRAL, A, U], ["dangling_call"]),
        ([U, calling("b"), U], [U, calling("b"), NEUTRAL, U], ["dangling_call"]),
        ([U, told("z"), A, U], [U, A, U], ["orphaned_result"]),
        (
            [U, calling("a"), told("a", "1"), told("a", "2"), U],
            [U, calling("a"), told("a", "1"), U],
            ["duplicated_result"],
        ),
        (
            [U, calling("b"), U, told("b"), U],
            [U, calling("b"), ELSEWHERE, U, U],
            ["dangling_call", "late_result"],
        ),
        (
            [U, calling("a", "b"), told("a"), told("z"), told("b"), U],
            [U, calling("a", "b"), told("a"), told("b"), U],
            ["orphaned_result"],
        ),
        ([U, {"role": "assistant", "content": ""}, U], [U, U], ["empty_message"]),
        ([U, {"role": "assistant", "content": None}, U], [U, U], ["empty_message"]),
        (
            [U, {"role": "tool", "content": "no id"}, U],
            [U, U],
            ["orphaned_result"],
        ),
    ],
)
def test_chat_is_repaired(given: list[Native], expected: list[Native], named: list[str]) -> None:
    result = repaired("openai-chat", given)
    assert out(result) == expected
    assert kinds(result) == named
    assert check_openai_chat(out(result)) == []
    untouched = [native for native in out(result) if any(native is g for g in given)]
    removed = [message.native for message in result.removed]
    assert len(untouched) + len(removed) == len(given)


def test_a_legacy_function_call_is_answered_by_its_name() -> None:
    asked = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ""}}
    result = repaired("openai-chat", [U, asked])
    assert out(result)[2] == {"role": "function", "name": "f", "content": NO_RESULT}
    again = repaired("openai-chat", out(result))
    assert again.repairs == ()


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_parallel_results_in_any_order_are_whole(order: tuple[str, str]) -> None:
    given = [{"role": "system", "content": "s"}, U, calling("a", "b"), *map(told, order)]
    assert repaired("openai-chat", given).repairs == ()


def test_a_batch_is_not_whole_because_one_of_its_ids_is_found() -> None:
    rounds: list[Native] = []
    for n in range(4):
        rounds += [U, calling(f"x{n}", f"y{n}"), told(f"x{n}"), told(f"y{n}"), A]
    for keep in (3, 4, 5, 6):
        result = repaired("openai-chat", [U, *rounds[-keep:-1]])
        assert {"pairing", "adjacency"}.isdisjoint(
            v.rule for v in violations("openai-chat", out(result))
        )


def test_a_call_far_from_its_result_is_legal_only_where_results_may_wait() -> None:
    case = json.loads(shared_path("cases", "03-nonadjacent-call-and-output.json").read_text())
    assert repaired("openai-responses", case["messages"]).repairs == ()
    chat = [U, calling("L"), U, calling("s"), told("s"), A, told("L"), U]
    result = repaired("openai-chat", chat)
    assert kinds(result) == ["dangling_call", "late_result"]
    assert [m.native for m in result.removed] == [chat[6]]


def test_an_interim_result_closes_nothing_by_itself() -> None:
    pending = told("p", '{"status": "pending", "ticket": "T-9"}')
    assert repaired("openai-chat", [U, calling("p"), pending, U]).repairs == ()


def use(*ids: str) -> Native:
    calls = [{"type": "tool_use", "id": i, "name": "f", "input": {}} for i in ids]
    return {"role": "assistant", "content": [{"type": "text", "text": "t"}, *calls]}


def results(*ids: str, text: str = "ok", extra: tuple[Native, ...] = ()) -> Native:
    blocks = [{"type": "tool_result", "tool_use_id": i, "content": text} for i in ids]
    return {"role": "user", "content": [*blocks, *extra]}


TEXT = {"type": "text", "text": "and"}


def neutral(*ids: str) -> list[Native]:
    return [{"type": "tool_result", "tool_use_id": i, "content": NO_RESULT} for i in ids]


def test_a_turn_cut_by_a_time_out_is_answered_once_for_the_whole_batch() -> None:
    natives = [U, use("1"), results("1", text="x" * 3000), use("2", "3", "4")]
    result = repaired("anthropic", natives)
    assert out(result)[:4] == natives
    assert out(result)[4] == {"role": "user", "content": neutral("2", "3", "4")}
    assert kinds(result) == ["dangling_call"]
    assert "3 calls" in result.repairs[0].sentence
    for _ in range(3):
        follow_up = [*out(result), U]
        result = repaired("anthropic", follow_up)
        assert result.repairs == ()


def test_a_missing_result_joins_the_results_of_its_batch_before_any_text() -> None:
    held = results("2", "3", extra=(TEXT,))
    result = repaired("anthropic", [U, use("2", "3", "4"), held])
    assert out(result)[2]["content"] == [*results("2", "3")["content"], *neutral("4"), TEXT]
    assert held == results("2", "3", extra=(TEXT,))
    assert violations("anthropic", out(result)) == []


def test_only_the_orphan_leaves_a_message_that_holds_more() -> None:
    held = results("1", "z", extra=(TEXT,))
    result = repaired("anthropic", [U, use("1"), held])
    assert out(result)[2] == results("1", extra=(TEXT,))
    assert [m.native for m in result.removed] == [held]
    assert kinds(result) == ["orphaned_result"]


def test_a_batch_may_be_spread_over_messages_of_one_anthropic_turn() -> None:
    natives = [U, use("1"), use("2"), results("2"), results("1"), U]
    assert repaired("anthropic", natives).repairs == ()


def test_server_pairs_are_never_answered_and_unknown_ones_are_let_be() -> None:
    blocks = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
        {"type": "zz_tool_use", "id": "s2", "name": "zz", "input": {}},
        {"type": "zz_tool_result", "tool_use_id": "s2", "content": {"q": 1}},
        TEXT,
    ]
    natives = [U, {"role": "assistant", "content": blocks}, U]
    assert repaired("anthropic", natives).repairs == ()
    orphan = [U, {"role": "assistant", "content": blocks[1:]}, U]
    result = repaired("anthropic", orphan)
    assert kinds(result) == ["orphaned_result"]
    assert out(result)[1]["content"] == blocks[2:]


def test_blank_anthropic_text_goes_and_the_rest_of_the_message_stays() -> None:
    blank = {"type": "text", "text": " \n"}
    natives = [U, {"role": "assistant", "content": [blank, *use("1")["content"]]}, results("1")]
    result = repaired("anthropic", natives)
    assert out(result)[1] == use("1")
    assert kinds(result) == ["empty_message"]


REASONING = {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "gAAA"}


def call(call_id: str, kind: str = "function_call", **fields: Any) -> Native:
    base = {"name": "f", "arguments": "{}"} if kind == "function_call" else {}
    return {"type": kind, "call_id": call_id, **base, **fields}


def output(call_id: str, text: str = "ok") -> Native:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


@pytest.mark.parametrize(
    ("given", "expected", "named"),
    [
        (
            [U, call("a"), call("b"), output("a"), A, U],
            [U, call("a"), call("b"), output("a"), output("b", NO_RESULT), A, U],
            ["dangling_call"],
        ),
        ([U, output("z"), U], [U, U], ["orphaned_result"]),
        (
            [U, call("a"), output("a"), U, output("a")],
            [U, call("a"), output("a"), U],
            ["duplicated_result"],
        ),
        ([U, REASONING, U], [U, U], ["stranded_reasoning"]),
        ([U, A, U, REASONING], [U, A, U], ["stranded_reasoning"]),
        ([U, REASONING, {**REASONING, "id": "rs_2"}, call("a"), output("a")], None, []),
        (
            [U, call("a"), output("a", NO_RESULT), U, output("a", "late but real")],
            [U, call("a"), U, output("a", "late but real")],
            ["duplicated_result"],
        ),
        (
            [U, REASONING, call("c", "computer_call", action={"type": "wait"}), U],
            [U, U],
            ["stranded_reasoning", "unanswerable_call"],
        ),
        (
            [U, call("p", "apply_patch_call", operation={"type": "delete_file", "path": "a"}), U],
            [U, U],
            ["unanswerable_call"],
        ),
        (
            [U, {"type": "mcp_approval_request", "id": "m", "name": "pay", "arguments": "{}"}],
            None,
            [],
        ),
        (
            [
                U,
                {"type": "compaction", "encrypted_content": "x"},
                {"type": "compaction", "encrypted_content": "y"},
                U,
            ],
            None,
            [],
        ),
    ],
)
def test_responses_are_repaired(
    given: list[Native], expected: list[Native] | None, named: list[str]
) -> None:
    result = repaired("openai-responses", given)
    assert out(result) == (given if expected is None else expected)
    assert kinds(result) == named


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("custom_tool_call", {"type": "custom_tool_call_output", "output": NO_RESULT}),
        ("zz_call", {"type": "zz_call_output", "output": NO_RESULT}),
        ("shell_call", {"type": "shell_call_output", "status": "incomplete", "output": []}),
    ],
)
def test_each_kind_of_call_is_answered_in_its_own_kind(kind: str, answer: Native) -> None:
    result = repaired("openai-responses", [U, call("k", kind)])
    assert out(result)[2] == {**answer, "call_id": "k"}


def test_one_id_for_several_calls_is_paired_by_place_and_order() -> None:
    twice = [
        U,
        calling("call_0", arguments="A"),
        told("call_0", "1"),
        U,
        calling("call_0", arguments="B"),
        told("call_0", "2"),
        U,
        calling("call_0", "call_0"),
        told("call_0", "3"),
        told("call_0", "4"),
        U,
    ]
    result = repaired("openai-chat", twice)
    assert kinds(result) == ["repeated_id"], "an id may be used again in a later message"
    assert out(result)[7]["tool_calls"][1]["id"] == out(result)[9]["tool_call_id"] == "call_0_2"
    assert [native["content"] for native in out(result)[8:10]] == ["3", "4"]
    short = repaired("openai-chat", [*twice[:9], U])
    assert kinds(short) == ["repeated_id", "dangling_call"]
    assert out(short)[9] == {"role": "tool", "tool_call_id": "call_0_2", "content": NO_RESULT}


@pytest.mark.parametrize("arguments", ["", "{bad", '{"a": "\\ud83d"}', '{"a": "\ud83d"}'])
def test_arguments_that_do_not_parse_stop_nothing_and_stay(arguments: str) -> None:
    natives = [U, calling("a", arguments=arguments), told("a"), U]
    result = repaired("openai-chat", natives)
    assert result.repairs == ()
    assert result.messages[1].calls[0].arguments == arguments


def test_gemini_calls_without_ids_are_paired_by_name() -> None:
    def part(name: str) -> Native:
        return {"functionCall": {"name": name, "args": {}}}

    def answer(name: str, text: str) -> Native:
        return {"functionResponse": {"name": name, "response": {"output": text}}}

    asked = {"role": "user", "parts": [{"text": "go"}]}
    calls = {"role": "model", "parts": [part("f"), part("g"), part("f")]}
    held = {"role": "user", "parts": [answer("f", "1"), answer("g", "2")]}
    result = repaired("gemini", [asked, calls, held])
    assert out(result)[2]["parts"] == [*held["parts"], answer("f", NO_RESULT)]
    assert violations("gemini", out(result)) == []
    assert held["parts"] == [answer("f", "1"), answer("g", "2")]


@pytest.mark.parametrize(
    "natives", [[U], [{"role": "system", "content": "s"}], [], [{"role": "user", "content": ""}]]
)
def test_short_histories_come_back_as_they_are(natives: list[Native]) -> None:
    assert repaired("openai-chat", natives).repairs == ()


def test_a_history_of_orphans_alone_is_refused_by_name() -> None:
    with pytest.raises(InvalidTranscriptError, match="nothing is left after repair"):
        repaired("openai-chat", [told("z")])


def test_a_repair_takes_linear_time() -> None:
    ids = [f"c{n}" for n in range(20_000)]
    natives = [U, calling(*ids), *map(told, reversed(ids[1:]))]
    result = repaired("openai-chat", natives)
    assert kinds(result) == ["dangling_call"]
    assert len(result.messages) == 20_002


@pytest.mark.parametrize("wire", [Format.OPENAI_CHAT, Format.ANTHROPIC])
def test_sentences_name_ids_and_never_content(wire: Format) -> None:
    secret = "hunter2-in-a-result"
    natives = (
        [U, told("z", secret)] if wire is Format.OPENAI_CHAT else [U, results("z", text=secret)]
    )
    result = repaired(wire, natives)
    assert "z" in result.repairs[0].sentence
    assert secret not in result.repairs[0].sentence


@pytest.mark.parametrize("wire", [Format.ANTHROPIC, Format.GEMINI])
def test_a_list_cut_in_the_middle_of_an_exchange_still_begins_with_the_user(wire: Format) -> None:
    codec = codec_for(wire)
    answers: dict[Format, Native] = {
        Format.ANTHROPIC: {"role": "assistant", "content": "Both tables hold 12 rows."},
        Format.GEMINI: {"role": "model", "parts": [{"text": "Both tables hold 12 rows."}]},
    }
    orphans: dict[Format, Native] = {
        Format.ANTHROPIC: {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "12"}],
        },
        Format.GEMINI: {
            "role": "user",
            "parts": [{"functionResponse": {"name": "count", "response": {"output": "12"}}}],
        },
    }
    answer, orphan = answers[wire], orphans[wire]
    given = tuple(codec.parse(native, at) for at, native in enumerate([orphan, answer]))
    result = repair(given, codec)
    assert [message.role for message in result.messages] == [Role.USER, Role.ASSISTANT]
    assert result.messages[0].text == RESULT_WITHOUT_CALL
    assert result.messages[1].native is answer
    assert [message.native for message in result.removed] == [orphan]
    assert is_harness_text(result.messages[0]), "nobody typed it"
    assert repair(result.messages, codec).messages == result.messages


MODEL: dict[Format, Native] = {
    Format.OPENAI_CHAT: {"role": "assistant", "content": "Welcome."},
    Format.OPENAI_RESPONSES: {"role": "assistant", "content": "Welcome."},
    Format.ANTHROPIC: {"role": "assistant", "content": "Welcome."},
    Format.GEMINI: {"role": "model", "parts": [{"text": "Welcome."}]},
}
PERSON: dict[Format, Native] = {
    wire: {"role": "user", "content": "Count the rows."} for wire in Format
} | {Format.GEMINI: {"role": "user", "parts": [{"text": "Count the rows."}]}}


@pytest.mark.parametrize("wire", list(Format))
def test_a_list_that_begins_with_the_model_gets_a_neutral_first_message(wire: Format) -> None:
    codec = codec_for(wire)
    given = tuple(codec.parse(native, at) for at, native in enumerate([MODEL[wire], PERSON[wire]]))
    result = repair(given, codec)
    if wire not in (Format.ANTHROPIC, Format.GEMINI):
        assert result.messages is given, "there the model may speak first"
        return
    assert [message.role for message in result.messages] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert result.messages[0].text == NOTHING_BEFORE
    assert is_harness_text(result.messages[0]), "nobody typed it"
    assert result.messages[1:] == given
    assert kinds(result) == ["model_first"]
    assert "neutral" in result.repairs[0].sentence
    again = repair(result.messages, codec)
    assert again.messages is result.messages
    assert not again.repairs


@pytest.mark.parametrize("wire", [Format.ANTHROPIC, Format.GEMINI])
@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
def test_the_goal_of_a_list_that_begins_with_the_model_is_what_the_person_said(
    wire: Format, keeps: bool
) -> None:
    session = clew.Session(format=wire)
    held = [MODEL[wire], PERSON[wire]]
    context = session.prepare(held)
    assert len(context.messages) == 3
    assert any("neutral" in said for said in context.report.repairs)
    assert session.record.goal == "Count the rows."
    held = [*(context.messages if keeps else held), MODEL[wire], PERSON[wire]]
    later = session.prepare(held)
    assert later.messages[:3] == context.messages
    assert bool(later.report.repairs) is not keeps
    assert session.record.goal == "Count the rows."


@pytest.mark.parametrize("wire", [Format.ANTHROPIC, Format.GEMINI])
@pytest.mark.parametrize("keeps", [False, True], ids=["whole history", "keeps contexts"])
def test_that_goal_stands_in_every_context_behind_any_number_of_compactions(
    wire: Format, keeps: bool
) -> None:
    policy = clew.Policy(clew.Budget(1_500, output_reserve_tokens=150))
    session = clew.Session(format=wire, counter="estimate", policy=policy)
    held, compactions = [MODEL[wire], PERSON[wire]], 0
    work = json.dumps(MODEL[wire]).replace("Welcome.", "a row of the ledger " * 40)
    for number in range(24):
        context = session.prepare(held)
        assert "Count the rows." in json.dumps(context.messages), number
        compactions += isinstance(context.outcome, clew.Compacted)
        new = json.dumps(PERSON[wire]).replace("Count the rows.", f"go on {number}")
        held = [*(context.messages if keeps else held), json.loads(work), json.loads(new)]
    assert compactions > 1


@pytest.mark.parametrize("wire", list(Format))
def test_a_sentence_quotes_no_more_than_a_line_of_an_id(wire: Format) -> None:
    long = "x" * 5_000
    chat = [U, calling(long, long), told(long), told(long), told(long)]
    anthropic = [U, use(long, long), results(long, long, long)]
    responses = [U, call(long), call(long), output(long), output(long), output(long)]
    gemini: list[Native] = [
        {"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": [{"functionCall": {"id": long, "name": long, "args": {}}}] * 2},
    ]
    given = {
        Format.OPENAI_CHAT: chat,
        Format.ANTHROPIC: anthropic,
        Format.OPENAI_RESPONSES: responses,
        Format.GEMINI: gemini,
    }[wire]
    found = repaired(wire, given).repairs
    assert found
    assert all(len(each.sentence) < 400 for each in found)


def response(name: str) -> Native:
    return {"functionResponse": {"name": name, "response": {"output": f"of {name}"}}}


@pytest.mark.parametrize("missing", [False, True], ids=["all there", "one missing"])
def test_results_of_one_turn_in_several_contents_become_one_and_stay_in_the_archive(
    missing: bool,
) -> None:
    names = ("a", "b", "c", "d") if missing else ("a", "b", "c")
    spread = [{"role": "user", "parts": [response(name)]} for name in "abc"]
    said = [
        {"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": [{"functionCall": {"name": n, "args": {}}} for n in names]},
    ]
    result = repaired("gemini", [*said, *spread])
    assert violations("gemini", out(result)) == []
    *_, joined = out(result)
    assert len(out(result)) == 3
    assert joined["parts"][:3] == [response(name) for name in "abc"]
    assert kinds(result).count("spread_results") == 2
    assert all(each in [message.native for message in result.removed] for each in spread)
    again = repaired("gemini", out(result))
    assert out(again) == out(result)
    assert again.repairs == ()


# ---- a turn of Gemini in pieces, and results under another name ---------------------------------


def gemini_said(text: str) -> Native:
    return {"role": "user", "parts": [{"text": text}]}


def model(*parts: Native) -> Native:
    return {"role": "model", "parts": list(parts)}


def gemini_call(call_id: str, name: str = "bash") -> Native:
    return {"functionCall": {"id": call_id, "name": name, "args": {}}}


def gemini_result(*answers: tuple[str, str], name: str = "bash") -> Native:
    parts = [
        {"functionResponse": {"id": call_id, "name": name, "response": {"output": text}}}
        for call_id, text in answers
    ]
    return {"role": "user", "parts": parts}


GO = gemini_said("go")
HM: Native = {"text": "hm"}
ORPHAN = gemini_result(("nobody", "?"))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            [GO, model(HM), model(gemini_call("a")), gemini_result(("a", "1"))],
            [GO, model(HM, gemini_call("a")), gemini_result(("a", "1"))],
        ),
        (
            [GO, model(gemini_call("a")), model(HM), gemini_result(("a", "1"))],
            [GO, model(gemini_call("a"), HM), gemini_result(("a", "1"))],
        ),
        (
            [
                GO,
                model(gemini_call("a")),
                model(gemini_call("b")),
                gemini_result(("a", "1")),
                gemini_result(("b", "2")),
            ],
            [
                GO,
                model(gemini_call("a"), gemini_call("b")),
                gemini_result(("a", "1"), ("b", "2")),
            ],
        ),
        (
            [GO, model(HM), ORPHAN, model(gemini_call("a")), gemini_result(("a", "1"))],
            [GO, model(HM, gemini_call("a")), gemini_result(("a", "1"))],
        ),
        (
            [GO, model(gemini_call("a")), model(gemini_call("b")), gemini_result(("b", "2"))],
            [
                GO,
                model(gemini_call("a"), gemini_call("b")),
                gemini_result(("b", "2"), ("a", NO_RESULT)),
            ],
        ),
    ],
    ids=["text and call", "call and text", "two calls", "an orphan between", "one is missing"],
)
def test_a_turn_of_gemini_in_pieces_becomes_one(
    given: list[Native], expected: list[Native]
) -> None:
    result = repaired("gemini", given)
    assert out(result) == expected
    assert violations("gemini", expected) == []
    assert "split_turn" in kinds(result)
    pieces = [message for message in given if message["role"] == "model"]
    assert all(piece in [message.native for message in result.removed] for piece in pieces)
    again = repaired("gemini", out(result))
    assert again.repairs == ()


def test_texts_of_gemini_in_a_row_stay_as_they_are() -> None:
    given = [GO, model(HM), model(HM), gemini_said("and?")]
    assert out(repaired("gemini", given)) == given


def test_signed_parts_of_a_turn_in_pieces_keep_their_bytes_and_their_order() -> None:
    signed = {**gemini_call("a"), "thoughtSignature": "c2lnbmVk"}
    given = [GO, model(HM), model(signed), gemini_result(("a", "1"))]
    assert out(repaired("gemini", given))[1] == model(HM, signed)


def test_a_result_that_names_another_tool_goes_out_under_the_name_of_its_call() -> None:
    given = [GO, model(gemini_call("a")), gemini_result(("a", "1"), name="grep")]
    result = repaired("gemini", given)
    assert out(result)[2] == gemini_result(("a", "1"))
    (repair_made,) = result.repairs
    assert "call a names grep" in repair_made.sentence
    assert "under the name bash" in repair_made.sentence
    assert [pair.given.native for pair in result.renamed] == [given[2]]

    named = {**told("a"), "name": "grep"}
    result = repaired("openai-chat", [U, calling("a"), named])
    assert out(result)[2]["name"] == calling("a")["tool_calls"][0]["function"]["name"]
    assert kinds(result) == ["misnamed_result"]


@pytest.mark.parametrize(
    ("call", "answer"),
    [("function_call", "custom_tool_call"), ("custom_tool_call", "function_call")],
)
def test_an_output_of_another_type_goes_out_as_its_call_wants_it(call: str, answer: str) -> None:
    body = {"arguments": "{}"} if call == "function_call" else {"input": "x"}
    given: list[Native] = [
        {"role": "user", "content": "go"},
        {"type": call, "call_id": "a", "name": "f", **body},
        {"type": f"{answer}_output", "call_id": "a", "output": "1"},
    ]
    result = repaired("openai-responses", given)
    assert out(result)[2] == {**given[2], "type": f"{call}_output"}
    assert violations("openai-responses", out(result)) == []
    assert kinds(result) == ["misnamed_result"]


def test_an_output_that_cannot_be_of_the_type_its_call_wants_goes_to_the_archive() -> None:
    action = {"type": "exec", "command": ["ls"]}
    given: list[Native] = [
        {"role": "user", "content": "go"},
        {"type": "local_shell_call", "call_id": "a", "action": action, "status": "completed"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
    ]
    result = repaired("openai-responses", given)
    assert violations("openai-responses", out(result)) == []
    assert [message.native for message in result.removed] == [given[2]]
