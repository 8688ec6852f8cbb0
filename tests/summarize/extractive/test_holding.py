"""A guess at a cause holds until a later step settles it, a verdict until the next one."""

from __future__ import annotations

import pytest

from tests.summarize.extractive.told import Native, agent, bash, call, items, proposed, user

GUESS = "The problem is that the `tide.js` tooltip reads the wrong row of the table."
FAILED = "Exit code 1\nE   AssertionError: expected 3 rows\n1 failed in 0.1s"


def facts(*story: list[Native]) -> list[str]:
    return [item.text for item in items(proposed(*story), "fact")]


def edit(said: str) -> list[Native]:
    return call("edit", {"path": "tide.js", "old": "a", "new": "b"}, "edited tide.js", said=said)


@pytest.mark.parametrize(
    ("behind", "kept"),
    [
        ([user("great, thanks")], True),
        ([user("now add the moon to it")], True),
        ([user("it still shows NaN")], False),
        ([user("are you sure?")], False),
        ([user("/undo")], False),
        ([], True),
    ],
)
def test_a_cause_is_none_where_the_person_says_that_it_still_fails(
    behind: list[list[Native]], kept: bool
) -> None:
    story = [bash("cat tide.js", "tooltip: row 3 of tide.js"), edit(GUESS), agent("Please look.")]
    assert (GUESS in facts(*story, *behind)) == kept


def test_a_cause_is_none_where_the_same_command_fails_alike_behind_the_change() -> None:
    told = [bash("pytest", FAILED), edit(GUESS)]
    assert GUESS in facts(*told, bash("pytest", "3 passed in 0.1s"))
    assert GUESS not in facts(*told, bash("pytest", FAILED))


def test_a_guess_gives_way_to_a_firm_statement_about_the_same() -> None:
    guess = "The harbour lamp is likely switched off by the `lamp.timer` unit."
    firm = "The harbour lamp was switched off by hand, not by the `lamp.timer` unit."
    looked = bash("systemctl cat lamp.timer", "[Unit]\nharbour lamp, lamp.timer")
    assert facts(looked, agent(guess)) == [guess]
    assert facts(looked, bash("last", "lamp.timer", said=guess), agent(firm)) == [firm]


def test_only_the_newest_verdict_on_all_tests_is_kept() -> None:
    first, last = "All 12 tests pass, lint clean.", "All 14 tests pass, lint clean."
    story = [
        bash("pytest", "12 passed"),
        bash("git status", "14 files", said=first),
        bash("pytest", "14 passed"),
        agent(last),
    ]
    assert facts(*story) == [last]


@pytest.mark.parametrize(
    ("behind", "kept"),
    [
        ([], True),
        ([bash("pytest tests/tz -q", "2 failed, 3 passed in 1.4s")], True),
        ([bash("pytest tests/sqlite -q", "2 failed, 3 passed in 1.4s")], False),
        (
            [
                bash("pytest tests/sqlite -q", "2 failed, 3 passed in 1.4s"),
                bash("pytest tests/sqlite -q", "5 passed in 1.3s"),
            ],
            True,
        ),
    ],
)
def test_a_verdict_is_over_when_the_same_tests_fail_in_their_latest_run(
    behind: list[list[Native]], kept: bool
) -> None:
    verdict = "SQLite tests passed."
    told = [
        bash("pytest tests/sqlite -q", "5 passed in 1.2s"),
        bash("pytest tests/web -q", "9 passed in 0.1s", said=f"{verdict} Now the others."),
    ]
    assert (verdict in facts(*told, *behind)) == kept


AGAIN = "The assertion still reads `expected 3 rows`, and 1 failed."
WHY = "The assertion reads `expected 3 rows` because 1 failed to load."


@pytest.mark.parametrize(
    ("said", "later", "kept"),
    [
        (AGAIN, "3 passed in 0.1s", False),
        (AGAIN, FAILED, True),
        (WHY, "3 passed in 0.1s", True),
        ("The loader of `tide.js` skips all empty lines: 3 rows.", "3 passed in 0.1s", True),
    ],
)
def test_what_a_failed_command_printed_is_over_when_the_command_works(
    said: str, later: str, kept: bool
) -> None:
    story = [user("go"), bash("pytest", FAILED), edit(said), bash("pytest", later)]
    assert (said in facts(*story)) == kept


def test_it_holds_while_only_another_command_works() -> None:
    story = [user("go"), bash("pytest", FAILED), edit(AGAIN), bash("ruff check", "ok")]
    assert AGAIN in facts(*story)
