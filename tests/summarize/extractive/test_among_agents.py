"""The latest order and the latest plan of a chat between agents are open at its end."""

from __future__ import annotations

import json

from clew.record.items import Status
from tests.summarize.extractive.told import Native, agent, items, proposed, user

ORDER = "Please write to the land office and ask for the prices of last May."
PLAN = (
    "New plan:\n\nWe look for a price.\n\n1. **Facts**\n   - Prices are public.\n\n### Steps:\n"
    "1. **Surfer: the land office**\n   - Find the address of the land office in town.\n\n"
    "2. **Writer: a summary**\n   - Write down the lowest price of last May.\n\nThis should do."
)


def ledger(order: str) -> list[Native]:
    said = {"instruction_or_question": {"reason": "It is open.", "answer": order}}
    return agent(f"Updated Ledger:\n{json.dumps(said)}")


def test_the_latest_order_and_plan_are_open_and_earlier_orders_are_not() -> None:
    story = (ledger("Please read the first page."), agent(PLAN), ledger(ORDER), agent(ORDER))
    made = items(proposed(user("the goal"), *story), "commitment")
    assert [(each.text, each.status) for each in made] == [
        ("Find the address of the land office in town.", Status.OPEN),
        ("Write down the lowest price of last May.", Status.OPEN),
        (ORDER, Status.OPEN),
    ]


def test_without_a_ledger_a_plan_is_no_plan_of_agents() -> None:
    assert items(proposed(user("the goal"), agent(PLAN)), "commitment") == []
