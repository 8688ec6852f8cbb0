"""A word of a rule makes a rule only where somebody asks for something."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.demands import only_tells
from tests.summarize.extractive.told import items, proposed, user


@pytest.mark.parametrize(
    "sentence",
    [
        "At line 576, identityManager is created but never used.",
        "stagedFilesOverlap now requires at least two matching lines.",
        "`parse` returns at most three rows.",
        "This works only if the host reads the event after the handler.",
        "it starts high and never gets to 0",
        "The skill names the churn but never tells the agent how to collect it.",
        "we don't know how long it's going to take",
        "right now we don't record anything about the branch",
        "Not worth a code change unless you see this in real logs.",
        "Never do this for each commit unit:",
    ],
)
def test_what_something_is_like_is_no_rule(sentence: str) -> None:
    assert only_tells(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "never push to main",
        "You never push to main without asking",
        "No, I did not say commit anything",
        "only use tabs, and keep it short",
        "Commit messages always start with a verb",
        "The API key is never logged",
        "`main` is never pushed to",
        "We never deploy on Fridays",
        "We don't call the operation restore, we call it resume.",
        "I don't want that test.",
        "Refunds are allowed only within 30 days",
        "it never gets to 0, and it must get there",
        "Only the release manager may approve",
    ],
)
def test_what_somebody_asks_for_is(sentence: str) -> None:
    assert not only_tells(sentence)


REVIEW = """Please look at these:

1. The host check is case-sensitive (internal/origin.go:11, also url.go:51). It must never see
   an upper-case name, and callers always pass one, so that the request is rejected though it
   resolves to the loopback address of this machine.

Never rename the public names."""
RATED = """Any suggestions for:

Short files lose the overlap

Medium Severity

Partial commits must always keep content, and the commit is treated as unrelated.

Never push it yourself."""


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        (REVIEW, "Never rename the public names."),
        (RATED, "Never push it yourself."),
        ("In src/a.py:12 never call the parser directly.",
         "In src/a.py:12 never call the parser directly."),
    ],
)  # fmt: skip
def test_a_review_that_a_person_pasted_makes_no_rules_of_theirs(message: str, rule: str) -> None:
    found = items(proposed(user("the goal"), user(message)), "invariant")
    assert [item.text for item in found] == [rule]
