"""A list of what is left, when the agent hands over, is open work; other lists are not."""

from __future__ import annotations

import pytest

from clew.record.items import Status
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.remaining import remaining_work

ANSWER = """Both entry points work.

**Remaining from the plan:**
- Test the new implementation more thoroughly
  - with a long session
- Replace the old code once it is validated
- [x] Rename the module

Want me to go on?"""


def left(answer: str, *, finished: bool = True) -> list[str]:
    reading = Reading(handle="S-5", position=4, prose=(answer,), finished=finished)
    return [made.item.text for made in remaining_work(reading, built_in_cues())]


def test_the_outer_entries_under_such_a_heading_are_open() -> None:
    reading = Reading(handle="S-5", position=4, prose=(ANSWER,), finished=True)
    made = [each.item for each in remaining_work(reading, built_in_cues())]
    assert [item.text for item in made] == [
        "Test the new implementation more thoroughly",
        "Replace the old code once it is validated",
    ]
    assert {item.status for item in made} == {Status.OPEN}
    assert all(item.evidence[0].quote in ANSWER for item in made)


@pytest.mark.parametrize(
    "answer",
    [
        "What changed:\n- The parser reads comments\n- The writer keeps them",
        "If you want one of the next steps:\n- Add a test\n- Add a page",
        "Natural next steps:\n1. Add a smoke test for it\n2. Write a page about it",
        "## Possible next steps\n- Add a smoke test for it",
        "Next steps:\n\nNothing is left to do here.",
        "Next steps:\n- Should the old name stay?\n- x",
        "`plan` is the best next step. You already have:\n- `probe` for discovery\n- `sync` too",
        "The open items covered in this pass are in place:\n- stats of transfers\n- tag mirroring",
        "Todo List Features:\n- Entries can be dragged\n- Entries are kept",
        "A couple of follow-up notes worth your call:\n1. The flash on fast queries is brief",
        "Next, I'd do one of these two:\n- Add the planner\n- Make the sync quicker",
        "The next best step is still one of:\n- `probe` the target remote",
    ],
)
def test_reports_offers_and_questions_are_no_open_work(answer: str) -> None:
    assert left(answer) == []


def test_the_list_that_a_longer_one_was_boiled_down_to_counts() -> None:
    answer = (
        "Still open:\n- packaging\n- metrics of runs\n\nMy shortlist:\n1. Add a schema version\n"
    )
    assert left(answer) == ["Add a schema version"]


def test_nothing_is_left_of_an_exchange_that_goes_on() -> None:
    assert left(ANSWER, finished=False) == []


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (
            "All green. Next natural step is the deferred recovery of old rows. Shall I?",
            ["Next natural step is the deferred recovery of old rows."],
        ),
        ("Done.\n\n**Remaining:** the docs and a test run on Windows.", 1),
        ("Still open: packaging of the helper for both systems", 1),
        ("The next step is what?", []),
        ("The next release is version 4.2 of the tool.", []),
        ("Result: everything passes on both systems.", []),
        ("Next: nothing", []),
    ],
)
def test_what_is_left_may_be_said_in_one_line(answer: str, kept: list[str] | int) -> None:
    made = left(answer)
    assert len(made) == kept if isinstance(kept, int) else made == kept


def test_what_the_agent_would_do_in_order_is_left() -> None:
    answer = "The probe works.\n\nI'd do this in order:\n1. Add the planner\n2. Test real remotes"
    assert left(answer) == ["Add the planner", "Test real remotes"]


def test_components_that_are_still_to_be_tackled_are_left_and_what_a_step_covers_is_not() -> None:
    still = "We still have several components to tackle next:\n- Load tests\n- Key tests"
    assert left(still) == ["Load tests", "Key tests"]
    covers = "The next step is the key tests, which would verify:\n1. Known keys\n2. The vault"
    assert "Known keys" not in left(covers)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The load tests and the key vault are the main remaining work.", True),
        ("The key vault is all that is left.", True),
        ("Nothing is left to do.", False),
        ("The load tests are all that is left, if you want them?", False),
    ],
)
def test_a_sentence_says_what_is_left_of_something_named(said: str, kept: bool) -> None:
    assert left(f"The structure is done.\n\n{said}") == ([said] if kept else [])


def test_under_a_label_alone_stands_what_is_left_unless_it_only_describes_it() -> None:
    orders = (
        "Next steps:\n\n1. **Tests**\n   - Run `make load` twice\n2. **Docs**\n   - Write the page"
    )
    assert left(orders) == ["Run `make load` twice", "Write the page"]
    told = "Next steps:\n\n1. **Bound the cache**\n   - the cache is never emptied"
    assert left(told) == ["Bound the cache"]
