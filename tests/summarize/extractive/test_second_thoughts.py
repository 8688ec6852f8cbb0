"""A plan that the next sentence drops for another one was turned down."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.second_thoughts import dropped_in


def told(text: str) -> list[str]:
    found = dropped_in(Reading(handle="S-3", position=2, prose=(text,)))
    return [made.item.evidence[0].quote for made in found]


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        (
            (
                "It is internal. Let me make the test call `Run` directly, not the plan. "
                "Actually, let me just export a `Plan` for it:"
            ),
            "Let me make the test call `Run` directly, not the plan.",
        ),
        (
            (
                "I could parse the header by hand in the loader. On second thought, I'll use the "
                "library that is there."
            ),
            "I could parse the header by hand in the loader.",
        ),
        (
            (
                "THOUGHT: I'll patch the generated file in place. Wait, no, let me change the "
                "template that makes it."
            ),
            "I'll patch the generated file in place.",
        ),
    ],
)
def test_a_plan_that_another_one_takes_the_place_of_was_turned_down(text: str, plan: str) -> None:
    assert told(text) == [plan]


@pytest.mark.parametrize(
    "text",
    [
        "I'll patch the generated file in place. Actually, let me check the template first.",
        "The loader reads it twice. Actually, let me change the template that makes it.",
        "Let me look at the loader first. Actually, let me run the whole suite now.",
        "I'll patch the file in place. Then I'll run the whole suite again.",
        "I could patch the file in place here. Alternatively, I could change the template.",
        "I'll patch the generated file in place. Actually it is read twice.",
    ],
    ids=["looks first", "a fact", "a look", "goes on", "both stand", "a finding"],
)
def test_what_is_put_off_or_stands_beside_another_way_is_not_dropped(text: str) -> None:
    assert told(text) == []
