"""What was chosen for a change is over once the change was taken back."""

from __future__ import annotations

import pytest

from clew.record.items import Status
from tests.summarize.extractive.told import Native, agent, bash, call, items, proposed, user

CHOSE = "I'll use `moon` instead of `sun` because the tide follows it."
FOUND = "The table of `tide.py` only has rows of 1998."


def change(said: str = f"{FOUND} {CHOSE}") -> list[Native]:
    return call(
        "edit", {"path": "tide.py", "old": "sun", "new": "moon"}, "edited tide.py", said=said
    )


def commit() -> list[Native]:
    return bash(
        "git commit -am 'Follow the moon'", "[main bbbb222] Follow the moon\n 1 file changed"
    )


def outcome(*story: list[Native]) -> set[tuple[Status, str]]:
    made = items(proposed(user("follow the moon"), *story), "decision")
    return {(item.status, item.reason) for item in made if CHOSE in item.text}


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("git reset --hard HEAD~1", "taken back with git reset in S-6"),
        ("git revert --no-edit HEAD", "taken back with git revert in S-6"),
    ],
)
def test_the_choice_of_a_commit_that_is_gone_is_settled(command: str, reason: str) -> None:
    assert outcome(change(), commit(), bash(command, "")) == {(Status.CLOSED, reason)}


def test_what_nobody_took_back_stands() -> None:
    assert outcome(change(), commit()) == {(Status.ACTIVE, "")}


def test_the_choice_of_a_later_change_stands() -> None:
    first = change("The lamp is dark, so I'll use `lamp` first.")
    story = (first, commit(), bash("git reset --hard HEAD~1", ""), change())
    assert outcome(*story) == {(Status.ACTIVE, "")}


def test_what_was_found_before_the_change_still_holds() -> None:
    story = (change(), commit(), bash("git reset --hard HEAD~1", ""))
    made = proposed(user("follow the moon"), bash("cat tide.py", "1998"), *story)
    assert FOUND in [item.text for item in items(made, "fact")]


def test_words_of_the_user_are_never_settled_with_a_change() -> None:
    delta = proposed(
        user("Always use `moon`."),
        change(),
        commit(),
        bash("git reset --hard HEAD~1", ""),
        agent("ok"),
    )
    said = [item for item in items(delta) if item.text == "Always use `moon`."]
    assert said
    assert all(item.status is not Status.CLOSED or item.kind == "directive" for item in said)


def commit_of(number: int, *, what: str = "-am") -> list[Native]:
    shown = f"[main cccc{number:03}] Step {number}\n 1 file changed"
    return bash(f"git commit {what} 'Step {number}'", shown)


OTHER = "Now the lamp."
REVERTED = bash("git revert --no-edit HEAD", "")
POOL = bash("python raise_pool.py", "pool size is 20 now")


def other_change() -> list[Native]:
    return call("edit", {"path": "lamp.py", "old": "a", "new": "b"}, "edited lamp.py", said=OTHER)


@pytest.mark.parametrize(
    ("story", "status"),
    [
        # No write lies between the commit that is gone and the one that holds the choice.
        ((change(), commit(), POOL, commit_of(2), REVERTED), Status.ACTIVE),
        ((change(), commit(), other_change(), commit_of(2), REVERTED), Status.ACTIVE),
        ((other_change(), commit(), change(), commit_of(2), REVERTED), Status.CLOSED),
        # A commit takes in every change since the one before it.
        ((change(), other_change(), commit(), REVERTED), Status.CLOSED),
        ((change(), commit(), commit_of(2), bash("git reset --hard HEAD~2", "")), Status.CLOSED),
        # What is not committed yet is in no commit that is gone.
        ((other_change(), commit(), change(), REVERTED), Status.ACTIVE),
        # An amended commit hands on what it held.
        ((change(), commit(), commit_of(2, what="--amend -m"), REVERTED), Status.CLOSED),
    ],
)
def test_a_change_is_undone_with_the_commit_that_took_it_in(
    story: tuple[list[Native], ...], status: Status
) -> None:
    assert {found for found, _ in outcome(*story)} == {status}
