"""A word of a rule makes a rule only where somebody asks for something."""

from __future__ import annotations

import pytest

from clew.record.items import Speaker, Status
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


def rules(message: str) -> list[str]:
    found = items(proposed(user("the goal"), user(message)), "invariant")
    assert all((i.said_by, i.status) == (Speaker.USER, Status.ACTIVE) for i in found)
    # Every quote stands in the message as it was typed.
    assert all(e.quote in message for i in found for e in i.evidence)
    return [item.text for item in found]


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("Add a loader. Never touch these:\n- billing/\n- legal/",
         "Never touch these: - billing/ - legal/"),
        ("Fix it.\nDo not ever call any of the following:\n\n1. prod API\n2. mail API\n\nThanks!",
         "Do not ever call any of the following: 1. prod API 2. mail API"),
        ("Add docs. Please always keep these in sync:\n* README.md\n  (the table)\n* docs/api.md",
         "Please always keep these in sync: * README.md (the table) * docs/api.md"),
        ("**Never delete these:**\n- data/\n- keys/",
         "**Never delete these:** - data/ - keys/"),
        ("Never write to these folders:\nbilling/\nlegal/\n\nAnd add a loader.",
         "Never write to these folders: billing/ legal/"),
        ("Always build with this:\n```\nmake all\n```\n\nGo on.",
         "Always build with this: ``` make all ```"),
    ],
)  # fmt: skip
def test_a_rule_that_ends_in_a_colon_is_one_with_its_entries(message: str, rule: str) -> None:
    assert rules(message) == [rule]


def test_entries_too_long_for_one_quote_are_a_rule_each() -> None:
    entries = [f"the {name} service, {'which others depend on, ' * 6}" for name in ("mail", "log")]
    entries = [entry.rstrip(", ") for entry in (*entries, "the third one, " * 10)]
    message = "Never call these:\n" + "\n".join(f"- {entry}" for entry in entries)
    assert rules(message) == [f"Never call these: {entry}" for entry in entries]


def test_entries_that_are_rules_themselves_need_no_heading() -> None:
    message = "You must follow these:\n- Never push to main\n- Always run the tests"
    assert rules(message) == ["Never push to main", "Always run the tests"]


def test_lines_of_a_program_below_a_colon_are_nobodys_rule() -> None:
    message = "You must see this:\n2026-01-02 03:04:05 job started\n2026-01-02 03:04:06 job died"
    assert rules(message) == []


@pytest.mark.parametrize(
    "rule",
    [
        "No new dependencies.",
        "No direct pushes to the release branch!",
        "Only Lea approves releases.",
        "Nobody deploys without Lea's ok.",
        "No one may rotate the keys by hand.",
        "Keine neuen Pakete.",
        "Nur Lea darf freigeben.",
    ],
)
def test_a_sentence_without_an_order_rules_what_may_not_be_and_who_alone_may(rule: str) -> None:
    assert rules(f"Add the tests for it now. {rule} Then rename the loader.") == [rule]


@pytest.mark.parametrize(
    "said",
    [
        "No problem with that.",
        "No tests failed here.",
        "No idea why though.",
        "No errors in the console.",
        "No that's wrong.",
        "No need for it.",
        "No, use the other one.",
        "No changes yet.",
        "No results were found.",
        "Only the second row shows up.",
        "Nobody knows why.",
    ],
)
def test_what_is_not_there_is_no_rule(said: str) -> None:
    assert rules(f"Add the tests for it now. {said} Then rename the loader.") == []
