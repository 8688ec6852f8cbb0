"""A replay prepares every recorded call once and reports what went out."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from clew.budget import Budget
from clew.importers import ImportedSession
from clew.policy import ModelPrices, Policy
from clew.replay import Replay, replay
from clew.transcript import Format

GOAL = "Find out why the nightly export of the billing service drops rows, and fix it."


def words(count: int, salt: int) -> str:
    return " ".join(f"line{salt}-{n} value {n * salt % 97}" for n in range(count))


def chat(turns: int, size: int = 60, goal: str = GOAL) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": goal}]
    for turn in range(turns):
        function = {"name": "read_file", "arguments": f'{{"path": "src/part_{turn}.py"}}'}
        call = {"id": f"call_{turn}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": f"I read part {turn}.", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"call_{turn}", "content": words(size, turn + 1)},
        ]
    return [*messages, {"role": "assistant", "content": "All parts are read."}]


def anthropic(turns: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": GOAL}]
    for turn in range(turns):
        use = {
            "type": "tool_use",
            "id": f"t{turn}",
            "name": "Read",
            "input": {"file_path": f"{turn}"},
        }
        result = {"type": "tool_result", "tool_use_id": f"t{turn}", "content": words(60, turn + 1)}
        messages += [
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [result]},
        ]
    return messages


def responses(turns: int) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = [{"role": "user", "content": GOAL}]
    for turn in range(turns):
        items += [
            {"type": "reasoning", "id": f"rs_{turn}", "summary": [], "encrypted_content": "x" * 60},
            {"type": "function_call", "call_id": f"c{turn}", "name": "read", "arguments": "{}"},
            {"type": "function_call_output", "call_id": f"c{turn}", "output": words(60, turn + 1)},
        ]
    return items


def gemini(turns: int) -> list[dict[str, Any]]:
    contents: list[dict[str, Any]] = [{"role": "user", "parts": [{"text": GOAL}]}]
    for turn in range(turns):
        call = {"functionCall": {"name": "read", "args": {"part": turn}}}
        answer = {"functionResponse": {"name": "read", "response": {"text": words(60, turn + 1)}}}
        contents += [{"role": "model", "parts": [call]}, {"role": "user", "parts": [answer]}]
    return contents


def session(messages: list[dict[str, Any]], wire: Format = Format.OPENAI_CHAT) -> ImportedSession:
    return ImportedSession(source="test", format=wire, family="plain", messages=tuple(messages))


def played(messages: list[dict[str, Any]], window: int, **options: Any) -> Replay:
    return replay(session(messages), Policy(Budget(window)), **options)


def test_a_session_that_fits_is_sent_as_it_is() -> None:
    messages = chat(5)
    result = played(messages, 200_000)
    assert [call.outcome for call in result.calls] == ["held"] * 6
    assert all(call.raw_tokens == call.prepared_tokens for call in result.calls)
    assert list(result.context) == messages[:-1]
    assert result.cost.prepared == result.cost.raw
    assert result.cost.optimum <= result.cost.raw
    assert result.archive == {"absorbed_messages": 0, "bytes": 0, "all_back": True}


@pytest.mark.parametrize(
    ("messages", "wire", "calls"),
    [
        (chat(30), Format.OPENAI_CHAT, 31),
        (anthropic(30), Format.ANTHROPIC, 30),
        (responses(30), Format.OPENAI_RESPONSES, 30),
        (gemini(30), Format.GEMINI, 30),
    ],
    ids=lambda value: value.value if isinstance(value, Format) else "",
)
def test_a_long_session_is_folded_and_every_law_holds(
    messages: list[dict[str, Any]], wire: Format, calls: int
) -> None:
    result = replay(session(messages, wire), Policy(Budget(8_000)))
    assert len(result.calls) == calls
    assert result.compactions
    assert result.laws_hold
    assert result.goal == GOAL
    budget = result.policy["transcript_budget_tokens"]
    assert all(call.prepared_tokens <= budget for call in result.calls)
    assert result.archive["absorbed_messages"] > 0
    assert result.cost.optimum <= result.cost.prepared < result.cost.raw


def test_the_bill_says_what_was_not_sent_and_what_of_the_cache_was_broken() -> None:
    bill = played(chat(30), 8_000).bill
    spent = bill.spending
    assert spent.calls == 31
    assert spent.saved_tokens == spent.given_tokens - spent.sent_tokens > 0
    assert 0 < spent.rewritten_tokens < spent.fresh_tokens
    assert spent.units < spent.given_units
    assert (bill.model, bill.prices, spent.money) == ("", "", None)
    assert bill.as_json()["saved_money"] is None


def test_the_user_s_prices_go_before_those_of_the_catalogue() -> None:
    """A cached read for nothing makes what is read again and again free in either column."""
    model = "openai:gpt-4o"
    stated = ModelPrices(model=model, input=10.0, output=20.0, cached_read=0.0, cache_write=10.0)
    listed, own = (
        replay(session(chat(30)), Policy(Budget(8_000), model=model, prices=prices)).bill
        for prices in ((), (stated,))
    )
    assert (listed.prices, own.prices) == ("catalogue", "policy")
    assert own.spending.money == pytest.approx(own.spending.fresh_tokens * 10.0 / 1_000_000)
    assert listed.spending.money is not None
    assert listed.spending.money != pytest.approx(own.spending.money)


def test_a_compaction_is_reported_with_what_it_did() -> None:
    result = played(chat(30), 8_000)
    for compaction in result.compactions:
        call = result.calls[compaction.call - 1]
        assert call.outcome == "compacted"
        assert call.prepared_tokens == compaction.tokens_after < compaction.tokens_before
        assert compaction.absorbed_messages > 0
        assert compaction.summarizer == "extractive"
    numbers = [compaction.n for compaction in result.compactions]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_goal_with_a_huge_paste_stays_the_same_once_it_was_shortened() -> None:
    result = played(chat(20, goal=f"{GOAL}\n{words(900, 3)}"), 8_000)
    assert result.goal_intact
    assert GOAL in result.goal


def test_two_replays_give_the_same_document_and_leave_the_input_alone() -> None:
    messages = chat(25)
    before = copy.deepcopy(messages)
    first, second = (played(messages, 8_000, clock=lambda: 0.0) for _ in range(2))
    assert first.as_json() == second.as_json()
    assert messages == before


def test_a_store_that_was_named_keeps_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "clew.db"
    result = played(chat(25), 8_000, store=str(path))
    assert result.archive["all_back"] is True
    assert path.stat().st_size > 0


def test_progress_counts_the_calls() -> None:
    seen: list[tuple[int, int]] = []
    played(chat(3), 200_000, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("messages", [[], [{"role": "user", "content": "hello"}]])
def test_a_session_without_a_call_is_an_empty_replay(messages: list[dict[str, Any]]) -> None:
    result = played(messages, 8_000)
    assert result.calls == ()
    assert result.laws_hold
    assert result.cost.raw == result.cost.prepared == result.cost.optimum == 0


def test_what_the_agent_needs_again_is_found_somewhere() -> None:
    messages = chat(30)
    name = "BILLING_EXPORT_BATCH_ROWS"
    messages[2]["content"] = f"{name} = 4096 in src/export_settings.py\n{words(60, 1)}"
    messages.append({"role": "user", "content": "Raise the batch size."})
    messages.append({"role": "assistant", "content": f"I raise {name} in src/export_settings.py."})
    result = played(messages, 8_000)
    coverage = result.reference_coverage
    found = (coverage.visible, coverage.addressable, coverage.searchable, coverage.lost)
    assert coverage.needed == sum(found) > 0
    assert coverage.lost < coverage.needed
