"""K13 to K21: what is counted, which window holds, and when a run makes sense."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import clew
from clew.budget import Calibration, EstimateCounter
from clew.counters import resolve_counter
from clew.ports import StopReason
from clew.prices import Catalogue, WindowSource, resolve_window
from clew.record.delta import Add, Delta
from clew.record.items import Evidence, Item, Proposer
from clew.summarize.request import SummaryRequest
from clew.transcript import Format
from tests.failures.judging import (
    folded,
    judge,
    prepared,
    records_in,
    session_of,
    text_of,
)
from tests.failures.stories import PNG, WIRES, Native, dumped, picture, story, words
from tests.summarize.building import IDEAL_TEXT, ScriptedClient, reply, summarizer


def ran(context: clew.Context) -> bool:
    return isinstance(context.outcome, clew.Compacted)


# ---- K13 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k13_a_floor_above_the_trigger_starts_nothing(wire: Format) -> None:
    system, tools = words(12_000), [{"name": "t", "description": words(24_000)}]
    client = ScriptedClient(IDEAL_TEXT)
    budget = clew.Budget(16_000, output_reserve_tokens=8_000)
    session = clew.Session(
        policy=clew.Policy(budget), format=wire, counter="chars4", summarizer=summarizer(client)
    )
    told = story(wire).user("hello")
    first = session.prepare(told.messages, system=system, tools=tools)
    assert first.messages == told.messages
    assert client.requests == []
    assert first.report.reason
    assert any("16,000" in warning for warning in first.report.warnings)
    runs, warned = 0, list(first.report.warnings)
    for turn in range(20):
        told.said(f"Answer {turn}.").user(f"Short question {turn}?")
        context = session.prepare(told.messages, system=system, tools=tools)
        runs += ran(context)
        warned += context.report.warnings
    assert runs <= 2
    assert len(client.requests) <= 2
    assert len(warned) == len(set(warned))


@pytest.mark.parametrize("wire", WIRES)
def test_k13_a_floor_just_under_the_trigger_does_not_thrash(wire: Format) -> None:
    told = story(wire).user(f"Keep to these rules. {words(12_000)}")
    session = session_of(
        wire, 6_000, trigger=4_000, tail_messages=4, tail_tokens=600, record_tokens=300
    )
    session.pin(words(2_400, seed=8))
    runs = 0
    for turn in range(40):
        told.said(words(600, seed=turn)).user(words(600, seed=100 + turn))
        context = prepared(session, wire, told.messages)
        runs += ran(context)
    assert runs <= 8


@pytest.mark.parametrize("wire", WIRES)
def test_k13_a_pinned_message_above_the_trigger_is_named_and_not_folded(wire: Format) -> None:
    told = story(wire).user(words(20_000))
    session = session_of(
        wire, 7_000, trigger=4_000, tail_messages=2, tail_tokens=300, record_tokens=200
    )
    session.pin(told.messages[0])
    runs = 0
    warned: list[str] = []
    for turn in range(10):
        told.said(f"Answer {turn}.").user(f"Short question {turn}?")
        context = prepared(session, wire, told.messages)
        assert dumped(context.messages)[0] == dumped(told.messages)[0]
        runs += ran(context)
        warned += context.report.warnings
    assert runs <= 2
    assert len(warned) == len(set(warned)) >= 1


# ---- K14 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k14_a_result_that_is_not_smaller_is_not_taken(wire: Format) -> None:
    told = story(wire)
    for turn in range(12):
        told.user(f"Question {turn}: {words(120, turn)}").said(words(150, seed=turn))
    told.user("Go on.")
    client = ScriptedClient(reply(words(8_000), StopReason.END))
    session = session_of(
        wire,
        2_000,
        tail_messages=2,
        tail_tokens=100,
        record_tokens=400,
        summarizer=summarizer(client),
    )
    context = prepared(session, wire, told.messages)
    again = session.compact()
    for seen in (context, again):
        assert seen.report.tokens_after <= seen.report.tokens_before
        assert words(8_000)[:200] not in text_of(seen)


@pytest.mark.parametrize("wire", WIRES)
def test_k14_the_record_does_not_grow_with_each_round(wire: Format) -> None:
    bound = 800
    told = story(wire).user("Go through the tree and note what each file does.")
    session = session_of(wire, 9_000, tail_messages=4, tail_tokens=600, record_tokens=bound)
    for turn in range(6):
        names = "\n".join(f"src/area{turn}/file{n}.py: {words(150, n)}" for n in range(40))
        told.round("list_files", {"path": f"src/area{turn}"}, names, f"Area {turn} is listed.")
        told.user(f"Go on with area {turn + 1}.")
        context = folded(session, wire, told.messages)
        assert context.report.record_tokens <= bound * 1.1, turn
        assert len(records_in(context)) == 1


class Growing:
    """A summarizer that says everything again at each round, and forty things more."""

    name = "growing"

    def __init__(self) -> None:
        self.said: list[str] = []

    def propose(self, request: SummaryRequest) -> Delta:
        span = request.spans[-1]
        names = [f"src/area/file{len(self.said) + n}.py" for n in range(40)]
        self.said += [f"{name}: {words(200, seed=n)}" for n, name in enumerate(names)]
        evidence = (Evidence(span=span.handle),)
        return Delta(
            operations=tuple(
                Add(item=Item(id="", kind=kind, text=text, evidence=evidence))
                for number, text in enumerate(self.said)
                for kind in (("fact", "decision", "invariant")[number % 3],)
            ),
            proposed_by=Proposer.MODEL,
            summarizer=self.name,
        )


@pytest.mark.parametrize("wire", WIRES)
def test_k14_a_summarizer_that_repeats_itself_cannot_grow_the_record(wire: Format) -> None:
    bound = 800
    told = story(wire).user("Go through the tree.")
    growing = Growing()
    session = session_of(
        wire, 9_000, tail_messages=4, tail_tokens=600, record_tokens=bound, summarizer=growing
    )
    for turn in range(3):
        told.rounds(4, 2_000, first=10 * turn).said("Read.").user(f"Go on, part {turn}.")
        context = folded(session, wire, told.messages)
        assert context.report.record_tokens <= bound * 1.1, turn
    assert growing.said


# ---- K15 ---------------------------------------------------------------------------------------

WINDOWS = (1, 512, 8_192, 32_768, 1_000_000)
RESERVES = ("0", "1", "window - 1", "window", "4 * window")
TAILS = ("0", "1", "20000", "window", "1000000000")


@pytest.mark.parametrize("window", WINDOWS)
def test_k15_settings_work_out_or_are_refused_with_their_numbers(window: int) -> None:
    told = story(Format.OPENAI_CHAT).turns(30, 100).user("And?")
    sizes = {"window": window, "window - 1": window - 1, "4 * window": 4 * window}
    refused: list[str] = []
    for reserve_as, tail_as in itertools.product(RESERVES, TAILS):
        reserve = sizes[reserve_as] if reserve_as in sizes else int(reserve_as)
        tail = sizes[tail_as] if tail_as in sizes else int(tail_as)
        try:
            budget = clew.Budget(window, output_reserve_tokens=reserve, tail_tokens=tail)
        except clew.BudgetError as error:
            refused.append(str(error))
            continue
        resolved = budget.resolve(prefix_tokens=0)
        numbers = (resolved.trigger_tokens, resolved.backstop_tokens, resolved.tail_tokens)
        assert all(0 < number <= window for number in numbers)
        assert 0 < resolved.record_tokens < window
        session = clew.Session(policy=clew.Policy(budget), format="openai-chat", counter="chars4")
        try:
            context = session.prepare(told.messages)
        except clew.FloorExceededError:
            continue
        assert context.report.tokens_after + reserve <= window
        assert dumped(context.messages)[-1] == dumped(told.messages)[-1]
    assert all(any(char.isdigit() for char in problem) for problem in refused)


def test_k15_no_request_to_a_summarizer_asks_for_less_than_one_token() -> None:
    wire = Format.OPENAI_CHAT
    told = story(wire).user("Check the lanes.").turns(8, 900).user("Go on.")
    for window in (600, 1_200, 4_000):
        client = ScriptedClient(IDEAL_TEXT, window_tokens=window)
        session = session_of(wire, 3_000, tail_tokens=400, summarizer=summarizer(client))
        context = session.prepare(told.messages)
        judge(session, wire, told.messages, context)
        for request in client.requests:
            assert 1 <= request.max_output_tokens < window


# ---- K16 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k16_everything_that_is_sent_is_counted_once(wire: Format) -> None:
    plain = story(wire).user("Go.").round("write_file", {"path": "a"}, "ok").user("And?")
    grown = story(wire).user("Go.")
    grown.round("write_file", {"path": "a", "content": words(4_000)}, "ok").user("And?")
    told = story(wire).user("Go.").round("write_file", {"path": "a"}, words(4_000)).user("And?")

    def sizes(messages: list[Native], **more: Any) -> tuple[int, int]:
        session = session_of(wire, 50_000)
        report = session.prepare(messages, **more).report
        return report.tokens_before, report.prefix_tokens

    base, prefix = sizes(plain.messages)
    assert prefix == 0
    for larger in (grown, told):
        assert 900 <= sizes(larger.messages)[0] - base <= 1_100
    with_system = sizes(plain.messages, system=words(4_000))
    with_tools = sizes(plain.messages, tools=[{"name": "t", "description": words(4_000)}])
    assert with_system[0] == with_tools[0] == base
    assert 900 <= with_system[1] <= 1_100
    assert 900 <= with_tools[1] <= 1_150


@pytest.mark.parametrize("wire", WIRES)
def test_k16_the_count_never_falls_when_something_is_added(wire: Format) -> None:
    told = story(wire, thinks=True).turns(6, 300).user("And?", image=PNG)
    session = session_of(wire, 100_000)
    before = 0
    for length in range(1, len(told.messages) + 1):
        counted = session.prepare(told.messages[:length]).report.tokens_before
        assert counted >= before
        before = counted


# ---- K17 ---------------------------------------------------------------------------------------

DENSE = {
    "korean": "배송 경로를 확인하고 세 번째 창고의 재고를 다시 계산해 주세요. " * 60,
    "arabic": "تحقق من مسار الشحن وأعد حساب المخزون في المستودع الثالث. " * 40,
    "script": "!function(e,t){for(var n=0;n<e.length;n++)t[n]^=e[n]<<3|7&~n}(a,b);" * 30,
    "uuids": "3f2b8c1e-9d47-4a6b-b0e5-7c1d2f3a4b5c\n" * 55,
    "emoji": "🚚📦✅" * 700,
}


@pytest.mark.parametrize("name", DENSE)
def test_k17_dense_text_is_not_four_characters_a_token(name: str) -> None:
    text = DENSE[name][:2_000]
    exact = resolve_counter("o200k_base").count_text(text)
    estimate = EstimateCounter().count_text(text)
    assert exact * 0.8 <= estimate <= exact * 2.5, (name, exact, estimate)


@pytest.mark.parametrize("wire", WIRES)
def test_k17_the_next_decision_uses_what_the_provider_reported(wire: Format) -> None:
    told = story(wire).user("Go on.").rounds(6, 3_000)
    session = session_of(wire, 20_000, trigger=12_000)
    first = session.prepare(told.messages)
    assert first.report.tokens_after < 6_000
    session.observe({"input_tokens": 2 * first.report.tokens_after})
    second = session.prepare(told.messages)
    assert second.report.tokens_before >= 1.9 * first.report.tokens_before


def test_k17_a_report_never_lowers_the_count() -> None:
    lowered = Calibration().observe(estimated_tokens=10_000, reported_tokens=5_000)
    assert lowered.corrected(1_000) == 1_000


# ---- K18 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k18_an_image_has_its_price_and_base64_in_text_is_text(wire: Format) -> None:
    image = picture(800, 600, base64_chars=40_000)
    bare = session_of(wire, 90_000).prepare(story(wire).user("Look.").messages).report.tokens_before
    seen = story(wire).user("Look.", image=image)
    pictured = session_of(wire, 90_000).prepare(seen.messages).report.tokens_before
    assert 50 <= pictured - bare <= 3_000
    typed = story(wire).user(f"Look. {image}")
    as_text = session_of(wire, 90_000).prepare(typed.messages).report.tokens_before
    assert as_text - bare >= 9_000


# ---- K19 ---------------------------------------------------------------------------------------


class Listed:
    """A catalogue that says a million for every name."""

    def window_tokens(self, model: str) -> int | None:
        return 1_000_000

    def output_tokens(self, model: str) -> int | None:
        return 384_000

    def rates(self, model: str) -> None:
        return None


def test_k19_a_declared_window_is_never_raised_by_a_name() -> None:
    refusal = "This model's maximum context length is 49152 tokens."
    name = "gpt-5"
    declared = resolve_window(declared=32_768, refusal=refusal, model=name, catalogue=Listed())
    assert (declared.tokens, declared.source) == (32_768, WindowSource.DECLARED)
    refused = resolve_window(refusal=refusal, model=name, catalogue=Listed())
    assert (refused.tokens, refused.source) == (49_152, WindowSource.REFUSAL)
    listed = resolve_window(model=name, catalogue=Listed())
    assert (listed.tokens, listed.source) == (1_000_000, WindowSource.CATALOGUE)
    unknown = resolve_window(model="zz-nobody-knows", catalogue=Catalogue())
    assert unknown.source is WindowSource.DEFAULT
    assert unknown.warning


def test_k19_the_report_names_the_window_and_its_source() -> None:
    told = story(Format.OPENAI_CHAT).user("hello")
    unknown = clew.Session(model="zz-nobody-knows", counter="chars4", format="openai-chat")
    first = unknown.prepare(told.messages)
    assert first.report.window_source == "safe default"
    assert any("zz-nobody-knows" in warning for warning in first.report.warnings)
    policy = clew.Policy(clew.Budget(32_768, output_reserve_tokens=4_096))
    declared = clew.Session(model="gpt-5", policy=policy, counter="chars4", format="openai-chat")
    report = declared.prepare(told.messages).report
    assert report.window_source == "declared"
    assert report.budget == 32_768 - 4_096


# ---- K20 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k20_a_smaller_model_gets_a_context_that_fits_at_once(wire: Format) -> None:
    told = story(wire, thinks=True).turns(60, 3_600).user("Go on.")
    store = clew.Session(format=wire).store
    patient = clew.Policy(clew.Budget(200_000), cost_rule=False)
    large = clew.Session(policy=patient, format=wire, counter="chars4", store=store)
    assert not ran(large.prepare(told.messages))
    small = session_of(wire, 32_000, store=store, tail_tokens=4_000)
    context = prepared(small, wire, told.messages)
    assert ran(context)
    assert context.report.tokens_after < 32_000 * 0.7


# ---- K21 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wire", WIRES)
def test_k21_a_running_total_starts_nothing(wire: Format) -> None:
    told = story(wire).user("Walk through all parts.")
    session = session_of(
        wire, 16_000, trigger=10_000, tail_messages=6, tail_tokens=1_500, record_tokens=500
    )
    total = 0
    for number in range(30):
        told.rounds(1, 600, first=number)
        context = prepared(session, wire, told.messages)
        total += context.report.tokens_after
        session.observe({"input_tokens": total})
        if context.report.tokens_before < 5_000:
            assert not ran(context), number
            assert session.status().tokens_used < 10_000
    runs = 0
    for number in range(30, 75):
        told.rounds(1, 600, first=number)
        context = prepared(session, wire, told.messages)
        runs += not isinstance(context.outcome, clew.Held)
        assert context.report.tokens_after < context.report.backstop
    assert runs >= 1
    assert dumped(session.prepare(told.messages).messages)[0] == dumped(told.messages)[0]


@pytest.mark.parametrize("wire", WIRES)
def test_k21_usage_from_before_a_run_is_void_after_it(wire: Format) -> None:
    told = story(wire).user("Walk through all parts.").rounds(10, 2_000).user("Go on.")
    session = session_of(wire, 9_000, tail_messages=4, tail_tokens=800, record_tokens=400)
    before = session.prepare(told.messages[:9]).report.tokens_after
    session.observe({"input_tokens": before})
    context = folded(session, wire, told.messages)
    session.observe({"input_tokens": 3 * context.report.tokens_after})
    told.said("Done.").user("Next.")
    after = session.prepare(told.messages)
    assert after.report.tokens_after <= context.report.tokens_after + 200
