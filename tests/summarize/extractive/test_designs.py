"""How a thing is to be, told where a change makes it so, is a choice; ideas and looks are not."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.designs import designs_in
from clew.summarize.extractive.reading import read_span
from tests.summarize.extractive.told import Native, agent, bash, call, items, proposed, spans_of


def edit(said: str, new: str = "b") -> list[Native]:
    sent = {"path": "tide.py", "old": "a", "new": new}
    return call("edit", sent, "edited tide.py", said=said)


def decided(*story: list[Native]) -> list[str]:
    return [item.text for item in items(proposed(*story), "decision")]


@pytest.mark.parametrize(
    "said",
    [
        "A fair fix: if a table has very few rows (e.g., two), treat any match as equal.",
        "The exception should only apply where a table has fewer than two rows.",
        "Simplest and most honest: just remove the forecast.",
        "The cleanest approach is to list all the moons that count.",
        "In `Tide.rows`, create one reader for each of the `moons`.",
        "Now update the call sites in tide.py to pass `True` (they need all the rows):",
    ],
)
def test_a_design_beside_the_change_is_a_choice(said: str) -> None:
    assert said in decided(edit(f"The rows are wrong. {said}"))


@pytest.mark.parametrize(
    "said",
    [
        "I should also check the other tables of this harbour.",
        "The tests of this table should not fail any more now.",
        "If you want, use the other table of this harbour.",
        "The simplest way might be to remove the forecast of tides.",
        "When the moon is new, the table of the harbour is short.",
        "Now update the imports of the table in this file.",
    ],
)
def test_looks_offers_hopes_and_narrated_steps_are_none(said: str) -> None:
    assert said not in decided(edit(f"The rows are wrong. {said}"))


def test_a_design_needs_the_change() -> None:
    said = "The exception should only apply where a table has fewer than two rows."
    assert said not in decided(bash("cat tide.py", "rows", said=said), agent("Two rows it has."))


def test_who_thinks_better_of_a_design_has_not_chosen_it() -> None:
    said = "The exception should only apply where a table has fewer than two rows."
    assert said not in decided(edit(f"{said} Wait, no, all tables have that."))


def test_what_is_quoted_is_no_design_of_ones_own() -> None:
    said = "The warning `rows should not be used as tides in this table` is gone for good."
    (span,) = spans_of(edit(said))
    assert designs_in(read_span(span)) == ()


CAN = "So for the moon, I can change `read_rows` to `self.harbour_rows` in the reader."


def test_what_the_agent_can_do_is_a_choice_once_a_change_names_the_same() -> None:
    looked = bash("cat tide.py", "def read_rows", said=CAN)
    assert CAN in decided(looked, edit("", new="self.harbour_rows(read_rows)"))
    assert CAN not in decided(looked, edit("", new="moon_of(harbour)"))
    assert CAN not in decided(looked, agent("Shall I?"))
