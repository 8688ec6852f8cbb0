"""Who sets out options states nothing, and what is said before and behind them stands."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.option_lists import options_in, without_options
from clew.summarize.extractive.prose import claims_of_agent
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.reports import reported_in

BEFORE = "It turns out that `tide.py` reads 3 rows twice."
OPTION = "**Only one reader for both** - Keep `tide_of` and drop `lamp_of`, which is only slow."
BEHIND = "The cause is that `lamp.py` returns 2 rows."


def text_under(heading: str) -> str:
    return f"{BEFORE}\n\n{heading}\n\n1. {OPTION}\n2. Only read `tide` once a day.\n\n{BEHIND}"


def facts(text: str) -> list[str]:
    reading = Reading(handle="S-1", position=1, prose=(text,), finished=True)
    made = [*claims_of_agent(reading, built_in_cues()), *reported_in(reading, built_in_cues())]
    return [each.item.text for each in made if each.item.kind == "fact"]


@pytest.mark.parametrize(
    "heading",
    [
        "**Options:**",
        "Alternative approaches:",
        "## Options",
        "Two options here:",
        "Options I see:",
    ],
)
def test_options_are_no_findings(heading: str) -> None:
    said = facts(text_under(heading))
    assert BEFORE in said
    assert BEHIND in said
    assert not [each for each in said if "once a day" in each or "one reader" in each]


@pytest.mark.parametrize("heading", ["**Found:**", "The options are read here:", "Options"])
def test_other_lists_are(heading: str) -> None:
    assert options_in(text_under(heading)) == []
    assert [each for each in facts(text_under("**Found:**")) if "one reader" in each]


def test_a_list_that_ends_the_message_and_a_line_that_leads_to_it_are_of_the_options() -> None:
    text = f"Options:\nI see two.\n- {OPTION}\n  which is quick"
    assert without_options(text) == " " * len(text)
    assert without_options(f"## Options\n## Found\n- {OPTION}").strip().startswith("## Found")
