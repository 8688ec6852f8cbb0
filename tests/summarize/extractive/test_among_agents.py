"""The latest order and the latest plan of a chat between agents are open at its end."""

from __future__ import annotations

import json

from clew.record.items import Status
from tests.summarize.extractive.told import Native, agent, items, proposed, user

ORDER = "Please write to the land office and ask for the prices of last May."
PLAN = (
    "New plan:\n\nWe look for a price.\n\n1. **Facts**\n   - Prices are public.\n\n### Steps:\n"
    "1. **Surfer: the land office**\n   - Find the address of the land office in town.\n\n"
    "2. **Writer: a summary**\n   - Put all fields of the town into one table.\n\nThis should do."
)


def ledger(order: str) -> list[Native]:
    said = {"instruction_or_question": {"reason": "It is open.", "answer": order}}
    return agent(f"Updated Ledger:\n{json.dumps(said)}")


def test_the_latest_order_and_plan_are_open_and_earlier_orders_are_not() -> None:
    story = (ledger("Please read the first page."), agent(PLAN), ledger(ORDER), agent(ORDER))
    made = items(proposed(user("the goal"), *story), "commitment")
    assert [(each.text, each.status) for each in made] == [
        ("Find the address of the land office in town.", Status.OPEN),
        ("Put all fields of the town into one table.", Status.OPEN),
        (ORDER, Status.OPEN),
    ]


def test_what_an_order_behind_the_plan_asks_for_is_no_longer_only_planned() -> None:
    order = "Please find the address of the land office in the town."
    made = items(proposed(user("the goal"), agent(PLAN), ledger(order)), "commitment")
    assert [each.text for each in made] == ["Put all fields of the town into one table.", order]


def test_what_stands_before_the_agent_that_had_its_turn_was_passed_over() -> None:
    plan = PLAN.replace("Find the", "**Surfer**: Find the")
    story = (agent(plan), agent("Next speaker Surfer"), ledger(ORDER))
    texts = [each.text for each in items(proposed(user("the goal"), *story), "commitment")]
    assert texts == ["Put all fields of the town into one table.", ORDER]


def test_behind_many_orders_about_other_things_a_plan_is_left() -> None:
    others = ["Open the page of the harbour.", "Count every ship since June.", "Print a map."]
    story = (agent(PLAN), *map(ledger, others), ledger(ORDER))
    texts = [each.text for each in items(proposed(user("the goal"), *story), "commitment")]
    assert texts == [ORDER]


def test_without_a_ledger_a_plan_is_no_plan_of_agents() -> None:
    assert items(proposed(user("the goal"), agent(PLAN)), "commitment") == []
