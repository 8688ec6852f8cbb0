"""Calls that all end in one line stand once, with every way that was tried."""

from __future__ import annotations

import pytest

from clew.record.items import Item
from clew.summarize.extractive.actions import attempts_in
from clew.summarize.extractive.failed_alike import intent
from clew.summarize.extractive.failed_calls import failures_in
from clew.summarize.extractive.reading import Reading, read_span
from tests.summarize.extractive.told import Native, bash, spans_of

REFUSED = "Exit code 1\nerror: command rejected, it could not be parsed safely"


def failures(*exchanges: list[Native]) -> list[Item]:
    readings = [read_span(s) for s in spans_of([m for each in exchanges for m in each])]
    found, _ = failures_in(attempts_in(readings), frozenset(r.handle for r in readings))
    return [made.item for made in found]


def test_all_the_ways_are_named_with_what_they_were_for() -> None:
    (item,) = failures(
        bash("git pull", REFUSED, said="I will pull the latest changes."),
        bash("cd /srv/app && make sync", REFUSED, said="Let me try the make target."),
        bash("npx sync", REFUSED),
    )
    tried, _, error = item.text.partition(" → ")
    assert tried == "git pull; make sync; npx sync"
    assert error == "error: command rejected, it could not be parsed safely"
    quotes = {(e.span, e.quote) for e in item.evidence}
    assert ("S-1", "I will pull the latest changes.") in quotes
    assert ("S-3", "Let me try the make target.") in quotes


def test_the_same_command_again_is_one_way() -> None:
    (item,) = failures(bash("git pull", REFUSED), bash("git pull", REFUSED))
    assert item.text.startswith("git pull → ")


def test_of_many_ways_those_in_the_middle_are_counted() -> None:
    (item,) = failures(
        *(bash(f"run-the-step-{n} --with-a-long-option", REFUSED) for n in range(12))
    )
    tried = item.text.partition(" → ")[0]
    assert tried.startswith("run-the-step-0")
    assert "more; " in tried
    assert "run-the-step-11" in tried
    assert len(tried) < 240


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("I will list the files.", "I will list the files."),
        ("It failed. Let me try the other port.", "Let me try the other port."),
        ("The port is taken by another process.", ""),
        ("", ""),
    ],
)
def test_an_intent_is_what_the_agent_set_out_to_do(said: str, quote: str) -> None:
    found = intent(Reading(handle="S-3", position=2, prose=(said,) if said else ()))
    assert [e.quote for e in found] == ([quote] if quote else [])
