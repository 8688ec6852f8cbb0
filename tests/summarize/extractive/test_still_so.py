"""A way that the agent says did not help is a dead end, wherever it says so."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.still_so import still_so_in


def told(text: str) -> list[str]:
    found = still_so_in(Reading(handle="S-3", position=2, prose=(text,)))
    return [made.item.text for made in found]


@pytest.mark.parametrize(
    "said",
    [
        "We dropped the flag, but we're still seeing:",
        "We're seeing parse errors despite our own settings file:",
        "Repeated search attempts did not yield other results, so a new way is needed.",
        "So my logging was failing for some reason (maybe the path).",
        "I moved the cache out of the way and I still get the old page.",
    ],
)
def test_what_did_not_help_is_kept(said: str) -> None:
    assert told(f"# The plan\n\n{said}\n```\nbad token\n```\nThe rest follows.") == [said]


@pytest.mark.parametrize(
    "said",
    [
        "We no longer see the error, but we're still seeing a warning that is expected.",
        "If we dropped the flag, but we still get it, ask me.",
        "We're seeing good numbers despite the small cache.",
        "My tests were passing all the time.",
        "The attempts yielded three results.",
        "Are we still seeing errors even after the fix?",
    ],
)
def test_what_is_over_supposed_or_asked_is_not(said: str) -> None:
    assert told(said) == []


def test_many_blank_lines_cost_no_time() -> None:
    assert told("\n" * 12_000 + "x") == []
