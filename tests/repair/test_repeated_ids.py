"""An id that stands for several calls: each call and its result get an id of their own."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.codecs import codec_for
from clew.repair import NO_RESULT, CallIds, Repaired, RepairKind, repair
from clew.repair.naming import numbered
from clew.transcript import Format, Message
from tests.repeated import repeating
from tests.strategies import transcripts
from tests.telling import Native
from tests.wire.check import violations

every_format = pytest.mark.parametrize("wire", tuple(Format))
REPEATED, LATE = "repeated_id", "late_result"
TWICE, DANGLING, ORPHAN = "duplicated_result", "dangling_call", "orphaned_result"


def parse(wire: Format, natives: list[Native]) -> tuple[Message, ...]:
    codec = codec_for(wire)
    return tuple(codec.parse(native, index) for index, native in enumerate(natives))


def repaired(wire: Format, natives: list[Native]) -> Repaired:
    return repair(parse(wire, natives), codec_for(wire))


# ---- one short way to write calls (`*a:f`) and results (`a=1`) in every format ------------------


def said(wire: Format, text: str = "go") -> Native:
    if wire is Format.GEMINI:
        return {"role": "user", "parts": [{"text": text}]}
    return {"role": "user", "content": text}


def calls(wire: Format, *ids: str) -> list[Native]:
    """One message of calls; `x:g` calls the tool g, else f."""
    pairs = [(i.partition(":")[0], i.partition(":")[2] or "f") for i in ids]
    match wire:
        case Format.OPENAI_CHAT:
            made = [
                {"id": i, "type": "function", "function": {"name": n, "arguments": "{}"}}
                for i, n in pairs
            ]
            return [{"role": "assistant", "content": None, "tool_calls": made}]
        case Format.ANTHROPIC:
            made = [{"type": "tool_use", "id": i, "name": n, "input": {}} for i, n in pairs]
            return [{"role": "assistant", "content": made}]
        case Format.GEMINI:
            parts = [{"functionCall": {"id": i, "name": n, "args": {}}} for i, n in pairs]
            return [{"role": "model", "parts": parts}]
        case Format.OPENAI_RESPONSES:
            return [
                {"type": "function_call", "call_id": i, "name": n, "arguments": "{}"}
                for i, n in pairs
            ]


def results(wire: Format, *told: str) -> list[Native]:
    """The results behind a message of calls; `x:g=1` is one of tool g."""
    read = [(one.partition("=")[0], one.partition("=")[2]) for one in told]
    rows = [(left.partition(":")[0], left.partition(":")[2] or "f", text) for left, text in read]
    match wire:
        case Format.OPENAI_CHAT:
            return [{"role": "tool", "tool_call_id": i, "content": t} for i, _, t in rows]
        case Format.ANTHROPIC:
            blocks = [{"type": "tool_result", "tool_use_id": i, "content": t} for i, _, t in rows]
            return [{"role": "user", "content": blocks}]
        case Format.GEMINI:
            parts = [
                {"functionResponse": {"id": i, "name": n, "response": {"output": t}}}
                for i, n, t in rows
            ]
            return [{"role": "user", "parts": parts}]
        case Format.OPENAI_RESPONSES:
            return [{"type": "function_call_output", "call_id": i, "output": t} for i, _, t in rows]


def written(wire: Format, story: str) -> list[Native]:
    """A story like `u | *a *a | a=1 a=2 | u`: what stands between bars is one message."""
    out: list[Native] = []
    for piece in story.split("|"):
        words = piece.split()
        if words[0] == "u":
            out.append(said(wire))
        elif words[0].startswith("*"):
            out += calls(wire, *(word.removeprefix("*") for word in words))
        else:
            out += results(wire, *words)
    return out


def read(messages: tuple[Message, ...]) -> str:
    """The story that messages tell: ids of calls, and id=text of results."""
    words = []
    for message in messages:
        words += [f"*{call.call_id}" for call in message.calls]
        words += [f"{result.call_id}={result.text}" for result in message.results]
    return " ".join(words)


UNKNOWN = NO_RESULT


@every_format
@pytest.mark.parametrize(
    ("story", "told", "named"),
    [
        ("u | *a *a | a=1 a=2 | u", "*a *a_2 a=1 a_2=2", [REPEATED]),
        ("u | *a *a *a | a=1 a=2 a=3", "*a *a_2 *a_3 a=1 a_2=2 a_3=3", [REPEATED, REPEATED]),
        ("u | *a *a *a_2 | a=1 a=2 a_2=3", "*a *a_2 *a_2_2 a=1 a_2=2 a_2_2=3", [REPEATED] * 2),
        ("u | *a_2 *a *a | a_2=1 a=2 a=3", "*a_2 *a *a_3 a_2=1 a=2 a_3=3", [REPEATED]),
        ("u | *a *b *a | b=1 a=2 a=3 | u", "*a *b *a_2 b=1 a=2 a_2=3", [REPEATED]),
        ("u | *a *a | a=1 | u", f"*a *a_2 a=1 a_2={UNKNOWN}", [REPEATED, DANGLING]),
        ("u | *a *a | a=1 a=2 a=3 | u", "*a *a_2 a=1 a_2=2", [REPEATED, TWICE]),
        ("u | *a | a=1 a=2 | u", "*a a=1", [TWICE]),
        ("u | a=1 | *a | a=2 | u", "*a a=2", [ORPHAN]),
        ("u | *abcdefghi *abcdefghi | abcdefghi=1 abcdefghi=2",
         "*abcdefghi *abcdefg02 abcdefghi=1 abcdefg02=2", [REPEATED]),
    ],
)  # fmt: skip
def test_calls_of_one_message_with_one_id(
    wire: Format, story: str, told: str, named: list[str]
) -> None:
    natives = written(wire, story)
    before = copy.deepcopy(natives)
    result = repaired(wire, natives)
    assert natives == before
    assert read(result.messages) == told
    assert [found.kind for found in result.repairs] == named
    assert violations(wire, [m.native for m in result.messages], sent=False) == []
    assert repair(result.messages, codec_for(wire)).repairs == ()
    there = [m.native for m in (*result.messages, *result.removed)]
    there += [pair.given.native for pair in result.renamed]
    for native in natives:  # an answer may have been put behind other results, in a copy
        blocks = native.get("content") or native.get("parts") or ()
        assert native in there or all(repr(block) in repr(there) for block in blocks)


@pytest.mark.parametrize("wire", [Format.ANTHROPIC, Format.GEMINI, Format.OPENAI_RESPONSES])
def test_an_id_that_is_used_in_a_later_message_again_is_another_one_there(wire: Format) -> None:
    natives = written(wire, "u | *t | t=1 | u | *t | t=2 | *t *t | t=3 t=4 | u")
    result = repaired(wire, natives)
    assert read(result.messages) == "*t t=1 *t_2 t_2=2 *t_3 *t_4 t_3=3 t_4=4"
    assert violations(wire, [m.native for m in result.messages]) == []
    kept = [m.native for m in result.messages[:3]]
    assert all(a is b for a, b in zip(kept, natives, strict=False))


def test_chat_pairs_by_place_so_an_id_of_an_earlier_message_may_be_used_again() -> None:
    natives = written(Format.OPENAI_CHAT, "u | *t | t=1 | u | *t | t=2 | *t | t=3 | u")
    result = repaired(Format.OPENAI_CHAT, natives)
    assert result.repairs == ()
    assert all(a.native is b for a, b in zip(result.messages, natives, strict=True))


@pytest.mark.parametrize("wire", [Format.GEMINI, Format.OPENAI_CHAT])
def test_of_two_calls_with_one_id_a_result_answers_the_one_of_its_name(wire: Format) -> None:
    natives = written(wire, "u | *x:f *x:g | x:g=2 x:f=1 | u")
    if wire is Format.OPENAI_CHAT:
        natives[2]["name"], natives[3]["name"] = "g", "f"
    result = repaired(wire, natives)
    assert read(result.messages) == "*x *x_2 x_2=2 x=1"
    assert violations(wire, [m.native for m in result.messages]) == []


@pytest.mark.parametrize(
    ("natives", "told"),
    [
        # An unanswered call does not take the result of a later one.
        ("u | *t | u | *t | t=2 | u", f"*t t={UNKNOWN} *t_2 t_2=2"),
        # A job that ends late: its output comes behind that of the newer call.
        ("u | *t | u | *t | t=2 | u | t=1", "*t *t_2 t_2=2 t=1"),
        ("u | *t | *t | t=1 | t=2", "*t *t_2 t=1 t_2=2"),
    ],
)
def test_outputs_of_responses_belong_to_the_newest_run_of_calls(natives: str, told: str) -> None:
    result = repaired(Format.OPENAI_RESPONSES, written(Format.OPENAI_RESPONSES, natives))
    assert read(result.messages) == told


def test_an_output_of_responses_answers_a_call_of_its_own_type() -> None:
    custom = {"type": "custom_tool_call", "call_id": "x", "name": "apply", "input": "+"}
    done = {"type": "custom_tool_call_output", "call_id": "x", "output": "Done"}
    natives = [
        said(Format.OPENAI_RESPONSES),
        custom,
        *written(Format.OPENAI_RESPONSES, "*x | x=1"),
        done,
    ]
    result = repaired(Format.OPENAI_RESPONSES, natives)
    assert [m.native.get("call_id") for m in result.messages[1:]] == ["x", "x_2", "x_2", "x"]
    assert violations(Format.OPENAI_RESPONSES, [m.native for m in result.messages]) == []


def test_a_local_shell_output_is_renamed_where_its_id_stands() -> None:
    shell = {"type": "local_shell_call", "call_id": "s", "action": {"command": ["ls"]}}
    ended = {"type": "local_shell_call_output", "id": "s", "output": "a"}
    natives = [said(Format.OPENAI_RESPONSES), shell, ended, dict(shell), dict(ended)]
    result = repaired(Format.OPENAI_RESPONSES, natives)
    assert result.messages[3].native["call_id"] == "s_2"
    assert result.messages[4].native["id"] == "s_2"


def test_an_item_of_responses_whose_own_id_was_used_before_goes_out_without_it() -> None:
    wire = Format.OPENAI_RESPONSES
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
    ask, answer = written(wire, "*a | a=1")
    again, answered = written(wire, "*a | a=2")
    text = {"type": "output_text", "text": "Done."}
    spoken = {"type": "message", "role": "assistant", "id": "msg_1", "content": [text]}
    natives = [
        said(wire),
        thought,
        {**ask, "id": "fc_1"},
        answer,
        dict(thought),
        {**again, "id": "fc_1"},
        answered,
        spoken,
        said(wire),
        dict(spoken),
        said(wire),
    ]
    result = repaired(wire, natives)
    out = [m.native for m in result.messages]
    assert violations(wire, out) == []
    assert [found.kind.value for found in result.repairs] == [
        "repeated_item",
        *[REPEATED] * 3,
    ]
    assert out[4] == {**again, "call_id": "a_2"}
    assert out[5] == {**answered, "call_id": "a_2"}
    assert out[8] == {key: spoken[key] for key in ("type", "role", "content")}
    assert [m.native for m in result.removed] == [thought]
    assert repair(result.messages, codec_for(wire)).repairs == ()
    reference = {"type": "item_reference", "id": "msg_1"}
    assert repaired(wire, [said(wire), spoken, reference]).repairs == ()


def test_what_the_provider_runs_or_a_person_approves_keeps_its_id() -> None:
    asked = {"type": "mcp_approval_request", "id": "m", "name": "pay", "arguments": "{}"}
    natives = [said(Format.OPENAI_RESPONSES), asked, dict(asked)]
    assert repaired(Format.OPENAI_RESPONSES, natives).repairs == ()
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    blocks = [search, found, {"type": "text", "text": "t"}]
    natives = [said(Format.ANTHROPIC), {"role": "assistant", "content": blocks * 2}]
    assert repaired(Format.ANTHROPIC, natives).repairs == ()


@pytest.mark.parametrize(
    ("call_id", "number", "expected"),
    [
        ("call_0", 2, "call_0_2"),
        ("", 2, "_2"),
        ("toolu_01A09q90qw90lq917835lq9", 13, "toolu_01A09q90qw90lq917835lq9_13"),
        ("c" * 40, 2, "c" * 38 + "_2"),
        ("c" * 64, 100, "c" * 60 + "_100"),
        ("D681PevKs", 2, "D681Pev02"),
        ("D681PevKs", 100, "D681Pe100"),
        ("functions.bash:0", 3, "functions.bash:0_3"),
    ],
)
def test_a_new_id_is_one_that_servers_take(call_id: str, number: int, expected: str) -> None:
    assert numbered(call_id, number) == expected


def without_ids(story: str, *, key: str = "") -> list[Native]:
    """A chat whose calls and results have no id (`key` empty), or this instead of one."""
    natives = written(Format.OPENAI_CHAT, story)
    for native in natives:
        for holder in (*(native.get("tool_calls") or ()), native):
            for name in ("id", "tool_call_id"):
                if name in holder and key:
                    holder[name] = {"empty": "", "number": 5, "null": None}[key]
                else:
                    holder.pop(name, None)
    return natives


@pytest.mark.parametrize("key", ["", "empty", "number", "null"])
def test_calls_without_ids_get_some_and_are_answered_in_order(key: str) -> None:
    natives = without_ids("u | *a:f *b:g | a=1 b=2 | u | *c:f | c=3 | u", key=key)
    before = copy.deepcopy(natives)
    result = repaired(Format.OPENAI_CHAT, natives)
    assert natives == before
    assert read(result.messages) == "*call_1 *call_2 call_1=1 call_2=2 *call_3 call_3=3"
    assert [found.kind.value for found in result.repairs] == ["missing_id"] * 3
    assert violations(Format.OPENAI_CHAT, [m.native for m in result.messages]) == []
    assert repair(result.messages, codec_for(Format.OPENAI_CHAT)).repairs == ()


def test_a_result_without_an_id_answers_the_call_of_its_tool() -> None:
    natives = without_ids("u | *a:f *b:g | b=2 a=1 | u")
    natives[2]["tool_name"], natives[3]["tool_name"] = "g", "f"
    result = repaired(Format.OPENAI_CHAT, natives)
    assert read(result.messages) == "*call_1 *call_2 call_2=2 call_1=1"


def test_an_empty_id_of_anthropic_is_replaced_and_never_by_one_that_is_taken() -> None:
    natives = written(Format.ANTHROPIC, "u | *call_1 | call_1=1 | *x | x=2 | u")
    natives[3]["content"][0]["id"] = natives[4]["content"][0]["tool_use_id"] = ""
    result = repaired(Format.ANTHROPIC, natives)
    assert read(result.messages) == "*call_1 call_1=1 *call_2 call_2=2"
    assert violations(Format.ANTHROPIC, [m.native for m in result.messages]) == []


def test_the_sentence_names_both_ids_and_no_content() -> None:
    (found,) = repaired(Format.ANTHROPIC, written(Format.ANTHROPIC, "u | *a *a | a=1 a=2")).repairs
    assert found.kind is RepairKind.REPEATED_ID
    assert found.index == 1
    assert found.sentence == (
        "the call id a was used before; this f call and its result go out as a_2"
    )


def test_everything_else_in_a_renamed_message_stays() -> None:
    natives = written(Format.GEMINI, "u | *a *a | a=1 a=2")
    natives[1]["parts"][1]["thoughtSignature"] = "c2lnbmVk"
    result = repaired(Format.GEMINI, natives)
    expected = copy.deepcopy(natives[1])
    expected["parts"][1]["functionCall"]["id"] = "a_2"
    assert result.messages[1].native == expected
    assert result.messages[1].calls[1].seal == "c2lnbmVk"
    assert [pair.given.native for pair in result.renamed] == [natives[1], natives[2]]
    assert [pair.sent for pair in result.renamed] == list(result.messages[1:3])


def test_many_calls_with_one_id_take_linear_time() -> None:
    natives = [
        *written(Format.ANTHROPIC, "u"),
        *calls(Format.ANTHROPIC, *["a"] * 10_000),
        *results(Format.ANTHROPIC, *["a=1"] * 10_000),
    ]
    result = repaired(Format.ANTHROPIC, natives)
    assert len({call.call_id for call in result.messages[1].calls}) == 10_000
    assert len(result.repairs) == 9_999


# ---- laws --------------------------------------------------------------------------------------


@every_format
@given(told=st.data())
def test_every_call_gets_an_id_of_its_own_and_keeps_its_result(
    wire: Format, told: st.DataObject
) -> None:
    natives = told.draw(repeating(wire))
    messages = parse(wire, natives)
    result = repair(messages, codec_for(wire))
    out = [m.native for m in result.messages]
    assert violations(wire, out) == []
    assert all(found.kind is RepairKind.REPEATED_ID for found in result.repairs)
    assert bool(result.repairs) == (out != natives)
    assert len(out) == len(natives)
    assert [m.text for m in result.messages] == [m.text for m in messages]
    if wire is not Format.OPENAI_RESPONSES:  # a late output may have changed its place there
        assert pairs(result.messages) == pairs(messages)
    untouched = {id(m) for m in result.messages}
    assert [m for m in messages if id(m) not in untouched] == [
        pair.given for pair in result.renamed
    ]
    again = repair(result.messages, codec_for(wire))
    assert again.messages is result.messages


def pairs(messages: tuple[Message, ...]) -> list[tuple[str, list[str]]]:
    """What was called, and the results behind it in their order."""
    return [
        (part.arguments, [r.text for r in messages[index + 1].results])
        for index, message in enumerate(messages)
        for part in message.calls
        if index + 1 < len(messages)
    ]


@every_format
@given(told=st.data())
def test_new_ids_depend_on_what_stands_before_alone(wire: Format, told: st.DataObject) -> None:
    natives = told.draw(repeating(wire))
    messages = parse(wire, natives)
    whole, grown = CallIds(wire), CallIds(wire)
    whole.feed(messages)
    for message in messages:
        grown.feed([message])
    cut = told.draw(st.integers(0, len(messages)))
    prefix = CallIds(wire)
    prefix.feed(messages[:cut])
    for index in range(len(messages)):
        assert grown.renamed(index) == whole.renamed(index)
        assert prefix.renamed(index) == (whole.renamed(index) if index < cut else {})


@every_format
@given(told=st.data())
def test_a_repaired_beginning_need_not_be_read_again(wire: Format, told: st.DataObject) -> None:
    codec = codec_for(wire)
    begun = parse(wire, told.draw(transcripts(wire, 2, 6)))
    natives = [m.native for m in begun]
    more = parse(wire, [*natives, *told.draw(repeating(wire, 2, 6))])[len(begun) :]
    whole = repair((*begun, *more), codec)
    partly = repair((*begun, *more), codec, start=len(begun), before=repair(begun, codec))
    assert [m.digest for m in partly.messages] == [m.digest for m in whole.messages]
    assert partly.repairs == whole.repairs
    renamed = [[pair.given.digest for pair in each.renamed] for each in (partly, whole)]
    assert renamed[0] == renamed[1]
