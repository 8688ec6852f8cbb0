"""The agent reads and decides; nothing tells it which arm it is in."""

from __future__ import annotations

from typing import Any

import pytest

from clew.demo.agent import GLOBAL_KEY, TENANT_KEY, choose_key, decide
from clew.demo.asks import CENTS_RULE, GOAL, LAST_ASK, SYSTEM
from clew.demo.shown import Shown

ACTION = "I loaded the ledger with a transform that keeps the newest row for each case_id."
QUALIFIED = "case_id is unique only within a tenant."
NOTES = "case_id | case_id is the number of the case, as printed on the letter to the customer."


def context(*texts: str, ask: str = f"Request 32: {LAST_ASK}") -> list[dict[str, Any]]:
    return [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": GOAL},
        *({"role": "user", "content": text} for text in texts),
        {"role": "user", "content": ask},
    ]


@pytest.mark.parametrize(
    ("texts", "key", "because"),
    [
        ((), GLOBAL_KEY, None),
        ((ACTION,), GLOBAL_KEY, ACTION),
        ((NOTES,), GLOBAL_KEY, NOTES),
        ((QUALIFIED,), TENANT_KEY, QUALIFIED),
        ((ACTION, QUALIFIED), TENANT_KEY, QUALIFIED),
        ((QUALIFIED, ACTION), TENANT_KEY, QUALIFIED),
        (("the key is (tenant_id, case_id).",), TENANT_KEY, "the key is (tenant_id, case_id)."),
        (("SELECT tenant_id, case_id FROM export_cases",), GLOBAL_KEY, None),
        (("tenant_id | case_id\nharbor | C-40001",), GLOBAL_KEY, None),
    ],
)
def test_the_key_follows_from_the_claims_in_view(
    texts: tuple[str, ...], key: str, because: str | None
) -> None:
    choice = choose_key(Shown(context(*texts)))
    assert choice.key == key
    assert (choice.because.sentence if choice.because else None) == because


def test_the_handle_on_the_line_of_a_claim_is_reported() -> None:
    choice = choose_key(Shown(context(f"- F-2 {QUALIFIED} (S-20)")))
    assert choice.because is not None
    assert choice.because.handle == "F-2"


@pytest.mark.parametrize(
    ("texts", "tool", "start"),
    [
        ((), "sql", "SELECT section, body FROM export_notes"),
        ((ACTION,), "sql", "MERGE INTO ledger USING export_cases ON case_id "),
        ((QUALIFIED,), "sql", "MERGE INTO ledger USING export_cases ON tenant_id AND case_id "),
        ((QUALIFIED, "SQLite has no MERGE"), "sql", "CREATE TABLE ledger AS SELECT"),
        (("S-20: the load by case_id",), "clew_recall", "S-20"),
        ((QUALIFIED, "S-20: the load by case_id"), "sql", "MERGE"),
    ],
)
def test_the_rebuild_begins_with_what_is_missing(
    texts: tuple[str, ...], tool: str, start: str
) -> None:
    move = decide(context(*texts))
    assert move.tool == tool
    assert next(iter((move.arguments or {}).values())).startswith(start)


def test_a_handle_is_followed_once() -> None:
    pointer = "S-20: the load by case_id"
    first = decide(context(pointer))
    again = decide([*context(pointer), {"role": "assistant", "content": first.text}])
    assert (first.tool, again.tool) == ("clew_recall", "sql")


@pytest.mark.parametrize(("rule", "amount"), [("", "1,234.56 EUR"), (CENTS_RULE, "123456 cents")])
def test_an_answer_keeps_the_users_rule_when_it_is_in_view(rule: str, amount: str) -> None:
    messages = [
        *context(rule, ask="Request 7: list the largest disputed claims of harbor since 2025-03."),
        {"role": "assistant", "content": "Request 7, total: I look at how much is in dispute."},
        {"role": "tool", "tool_call_id": "c", "content": "claims | cents\n12 | 123456\n(1 rows)"},
    ]
    move = decide(messages)
    assert (
        move.text
        == f"Request 7 done. harbor has 12 disputed claims since 2025-03, {amount} in all."
    )
    assert move.tool == ""


def test_without_any_request_the_agent_asks() -> None:
    assert decide([{"role": "user", "content": "hello"}]).text.startswith("I can see no request")


def test_text_in_blocks_is_read_like_text_in_one_string() -> None:
    blocks = [{"role": "user", "content": [{"type": "text", "text": QUALIFIED}]}]
    assert choose_key(Shown(blocks)).key == TENANT_KEY
