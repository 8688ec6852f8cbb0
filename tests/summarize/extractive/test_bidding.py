"""Who tells somebody to do something has said nothing of how anything is."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.bidding import is_order
from tests.summarize.extractive.told import agent, bash, items, proposed, user

ORDERS = [
    "Add tests so that failures of `tide.c` are seen.",
    "Delete requests of 1998 from the log.",
    "Add a lamp behind `tide.c` once the harbour is closed.",
    "Show the table of `tide.c` with two rows.",
    "**1:20-1:45**: Show that the harbour has `lamp.md` now.",
    "Step 3: Identify the moon of `1998` in the table.",
    "**Keeper**: Ensure that the `tide-98` label and its variants are checked.",
    "For each lamp that was found, search for its `year` in the log.",
    "Instead of naming the fee, focus on the `tide` table of the harbour.",
    "Type `try`, and the rows of `tide.c` come within a second.",
    "Run the rows of `tide.c` against the moon of 1998.",
]
STATES = [
    "Delete requests never reach the log because `tide.c` drops them.",
    "Extract jobs fail because `moon` is only unique within a harbour.",
    "Create requests without `moon` are only refused by the gate.",
    "Run times went from 13s to 2s with `tide.c`.",
    "Type of `tide` is a table.",
    "Show is a class of `tide.c`, not a function.",
    "Tests pass since `tide.c` reads the moon first.",
    "Fix 2 holds: the second row says `cached`.",
    "Change to `tide.c` broke the lamp of the harbour.",
    "Added a lamp behind `tide.c`.",
    "`return moon` stands in `tide.c` twice.",
    "Adding the lamp takes it to 13 seconds.",
]


@pytest.mark.parametrize("said", ORDERS)
def test_what_somebody_is_told_to_do_is_an_order(said: str) -> None:
    assert is_order(said)


@pytest.mark.parametrize("said", STATES)
def test_what_says_how_it_is_or_what_was_done_is_none(said: str) -> None:
    assert not is_order(said)


def _facts(answer: str) -> list[str]:
    delta = proposed(user("how would you film the tide?"), bash("ls", "tide.c"), agent(answer))
    return [item.text for item in items(delta, "fact")]


def test_a_list_of_orders_is_no_list_of_findings() -> None:
    told = _facts(
        "The film of `tide.c` has three parts:\n\n"
        "- Show the table of `tide.c` with two rows.\n"
        "- Remove the lamp from `harbour.md` before the second row.\n"
        "- The third part has only `moon.md` in it.\n"
    )
    assert "The third part has only `moon.md` in it." in told
    assert not any("Show the table" in text or "Remove the lamp" in text for text in told)


def test_under_a_heading_that_tells_what_was_done_the_same_words_are_a_report() -> None:
    told = _facts("Summary of changes:\n\n- Remove `__moon__` from `Tide`, `Harbour` and `Lamp`.\n")
    assert "Remove `__moon__` from `Tide`, `Harbour` and `Lamp`." in told
