"""What the agent announces is open until calls of its sort follow, or until it hands over."""

from __future__ import annotations

import pytest

from clew.record.apply import apply_delta
from clew.record.items import Item, Status
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.extractive.announced import steps_of
from clew.summarize.extractive.cues import built_in_cues
from tests.summarize.extractive.told import (
    Native,
    agent,
    bash,
    call,
    items,
    proposed,
    request,
    spans_of,
    user,
)

SENTENCES = [
    ("I'll read the skill, run a focused check of the gaps, then patch only `SKILL.md`.",
     ["checks run", "changes patch"]),
    ("Let me find what is pointing to it and fix it.", ["changes fix"]),
    ("I\u2019m staging it now, then I\u2019ll commit and push.", ["ships commit", "ships push"]),
    ("I will revert `a.py` and re-apply it all.", ["changes revert", "changes re-apply"]),
    ("I need to find where it stands and then add it to the list.", ["changes add"]),
    ("I should remove the debug print from `main.py`.", ["changes remove"]),
    ("Let me look at the update function again.", []),
    ("If you like, I'll implement the probe next.", []),
    ("The suite runs in a minute and fixes nothing.", []),
    ("Should I commit it?", []),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "steps"), SENTENCES)
def test_a_sentence_announces_changes_checks_and_commits(sentence: str, steps: list[str]) -> None:
    found = steps_of(sentence, built_in_cues())
    assert [f"{step.sort} {step.verb}" for step in found] == steps


def read(said: str = "") -> list[Native]:
    return call("Read", {"file_path": "src/parse.py"}, "def parse(): ...", said=said)


def edit(said: str = "") -> list[Native]:
    arguments = {"file_path": "src/parse.py", "old_string": "a", "new_string": "b"}
    return call("Edit", arguments, "The file src/parse.py has been updated.", said=said)


def promised(*story: list[Native]) -> list[Item]:
    return items(proposed(user("the goal"), *story), "commitment")


def left(*story: list[Native]) -> list[Item]:
    return [each for each in promised(*story) if each.live]


SAID = "Let me find what points to the broken object and fix it."


def test_a_step_that_no_call_took_is_open() -> None:
    (made,) = promised(read(SAID), read(), bash("git fsck", "error: bad tree"))
    assert (made.text, made.status) == (SAID, Status.OPEN)


def test_a_step_that_a_call_took_is_no_promise_any_more() -> None:
    assert promised(read(SAID), edit()) == []


def test_a_commit_is_only_taken_by_a_commit() -> None:
    said = "I'll run the tests and then commit the parser."
    (open_still,) = promised(bash("pytest -q", "3 passed", said=said), edit())
    assert (open_still.text, open_still.status) == (said, Status.OPEN)
    committed = bash("git commit -m x", "[main 1a2b3c4] x\n 1 file changed")
    assert left(bash("pytest -q", "3 passed", said=said), committed) == []


def test_a_check_that_failed_was_made_and_a_change_that_failed_was_not() -> None:
    failed = bash("pytest -q", "Exit code 1\n1 failed")
    assert promised(read("I'll run the suite next, as before."), failed) == []
    refused = call("Edit", {"file_path": "a.py"}, "Error: old_string not found in file")
    assert len(promised(read("I'll fix the parser next, in one go."), refused)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "Let me also run the full test suite to make sure nothing is broken.",
        "Now I'll run all tests in `tests/a.py` to ensure no other regressions.",
        "I\u2019m rerunning tests and then I\u2019ll rebuild the index to check it.",
    ],
)
def test_a_check_of_everything_and_an_order_of_steps_are_kept_as_done(said: str) -> None:
    edited = call("Edit", {"file_path": "a.py"}, "ok", said=said)
    (made,) = promised(edited, bash("make check", "12 passed"), bash("make build", "ok"))
    assert (made.text, made.status) == (said, Status.DONE)


def test_a_check_of_one_thing_is_no_promise_that_is_kept() -> None:
    said = "Let me run the parser test once more to see the line."
    assert (
        promised(call("Edit", {"file_path": "a.py"}, "ok", said=said), bash("pytest", "ok")) == []
    )


def test_what_was_promised_and_done_is_not_taken_for_what_a_correction_is_about() -> None:
    done = "I'll push the branch `next` and then I'll open the pull request against `main`."
    correction = (
        "Actually, the branch `next` was still behind, so I'm amending the pull request branch "
        "against `main`."
    )
    story = (
        bash("git push origin next", "1234567..89abcde next -> next", said=done),
        bash("gh pr create --base main", "https://example.test/pull/1"),
        bash("git commit --amend -m x", "[next 1a2b3c4] x\n 1 file changed", said=correction),
    )
    made = items(proposed(user("the goal"), *story))
    assert [i.status for i in made if i.text == done] == [Status.DONE]


def test_who_hands_over_takes_announcements_along() -> None:
    assert promised(read(SAID), agent("The object is harmless; the run goes on.")) == []


def test_what_is_written_to_a_scratch_file_changes_nothing() -> None:
    (made,) = promised(read(SAID), bash("git fsck > /tmp/out.txt", ""))
    assert made.status is Status.OPEN


LIST = """Now I re-apply the changes.

1. Return `NotImplemented` in `__eq__`.
2. Update the comparison methods.
3. Remove `__ne__` from Float, Rational and Integer.

I will do 1, 2 first."""


def test_the_entries_that_somebody_leaves_for_later_are_open() -> None:
    (made,) = promised(edit(LIST))
    assert made.text == "Remove `__ne__` from Float, Rational and Integer."
    assert made.status is Status.OPEN
    assert promised(edit(LIST), edit()) == []


def next_of(*story: list[Native]) -> str:
    spans = spans_of([message for part in (user("the goal"), *story) for message in part])
    asked = request(spans)
    summarizer = ExtractiveSummarizer()
    record = apply_delta(asked.old, summarizer.propose(asked), position=99).record
    return summarizer.revalue(asked, record).next


def test_a_plan_that_was_carried_out_is_not_next_any_more() -> None:
    said = "Now I'll fix the second place in the parser."
    assert next_of(read(said)) == said
    assert next_of(read(said), read()) == said
    assert next_of(read(said), edit()) == ""


def test_an_open_request_takes_the_place_of_a_plan_that_was_carried_out() -> None:
    asked = user("please make the parser read comments")
    assert next_of(asked, read("Now I'll fix the parser."), edit()) == asked[0]["content"]


ORDERED = "I'll finish the date change first, then pivot to your questions."


def test_steps_that_were_put_into_an_order_are_kept_as_done() -> None:
    (made,) = promised(edit(ORDERED), read(), edit(), agent("The date change is in."))
    assert (made.text, made.status) == (ORDERED, Status.DONE)


@pytest.mark.parametrize(
    "said",
    [
        "Let me check the test by inverting its assertion, then restore it.",
        "I will encrypt the copy and then remove the plain file.",
    ],
)
def test_what_is_put_back_afterwards_is_promised(said: str) -> None:
    (made,) = promised(read(said), edit(), edit(), agent("The test is as it was."))
    assert (made.text, made.status) == (said, Status.DONE)


def test_looks_in_an_order_are_no_promise() -> None:
    said = "I'll read the parser first, then look at its callers."
    assert promised(read(said), read(), agent("It is all fine.")) == []


def test_discarding_changes_takes_a_step_back_and_no_other() -> None:
    back = bash("git checkout src/parse.py", "Updated 1 path from the index")
    assert left(read("I will restore `src/parse.py`."), back) == []
    (made,) = promised(read("I will restore `src/parse.py` and re-apply my fix."), back)
    assert made.status is Status.OPEN
