"""A promise is done when calls or a report show it, and over when the agent hands over since."""

from __future__ import annotations

import pytest

from clew.record.items import Item, Status
from clew.summarize.extractive.promises import ACTED_ON, ANSWERED, MOVED_ON, OTHERS_CHOSEN
from clew.summarize.extractive.prose import still_open
from tests.summarize.extractive.told import (
    Native,
    after,
    agent,
    bash,
    call,
    items,
    proposed,
    user,
)

NEXT = "The parser reads comments now.\n\nI'd do the stats cleanup next."
LEFT = """The rewrite is in.

**Remaining:**
- **Parser tests** \u2014 malformed input is not covered
- **Release notes** \u2014 nothing is written yet"""
REPORT = agent("Added the parser tests: malformed input is covered now.")


def promised(*story: list[Native]) -> dict[str, Status]:
    found: list[Item] = items(proposed(user("the goal"), *story), "commitment")
    return {item.text: item.status for item in found}


def write(path: str, content: str) -> list[Native]:
    return call("Write", {"file_path": path, "content": content}, "File created successfully.")


@pytest.mark.parametrize("reply", ["ok, let's continue", "yes", "yeah let's do this", "go on"])
def test_what_was_next_is_done_when_the_user_said_go_and_the_agent_reported(reply: str) -> None:
    work = bash("go test ./...", "ok")
    found = promised(agent(NEXT), user(reply), work, agent("The counters are split by service."))
    assert found == {"I'd do the stats cleanup next.": Status.DONE}


@pytest.mark.parametrize(
    "reply",
    ["why is the lock there?", "yes I want to continue, but before that fix the lock", "no"],
)
def test_what_was_next_stays_open_when_the_user_asks_for_something_else(reply: str) -> None:
    work = bash("ls .git", "index.lock")
    found = promised(agent(NEXT), user(reply), work, agent("The lock is gone."))
    assert found == {"I'd do the stats cleanup next.": Status.OPEN}


def test_of_several_only_those_are_done_that_the_report_is_about() -> None:
    found = promised(agent(LEFT), user("go on"), bash("pytest -q", "9 passed"), REPORT)
    done = [status for text, status in found.items() if text.startswith("Parser tests")]
    left = [status for text, status in found.items() if text.startswith("Release notes")]
    assert (done, left) == ([Status.DONE], [Status.OPEN])


def worked(asked: str, number: int, answer: str) -> list[Native]:
    return [*user(asked), *write(f"src/part{number}.py", f"x = {number}"), *agent(answer)]


GIVE_IT = "Looks sound.\n\nI'll rename the settings in the manual."


def test_a_promise_is_done_when_the_user_takes_it_up_behind_a_question() -> None:
    asked = [*user("which of them has a display name?"), *agent("Only the product has one.")]
    taken = worked("do it", 1, "Done, the terms are new.")
    found = promised(agent(GIVE_IT), asked, taken)
    assert found == {"I'll rename the settings in the manual.": Status.DONE}


def test_a_promise_is_over_when_the_agent_worked_off_two_further_requests() -> None:
    first = worked("Fix the lock in the cache.", 1, "The lock is gone.")
    second = worked("Speed up the loader.", 2, "It loads in 2 s.")
    assert promised(agent(GIVE_IT), first) == {
        "I'll rename the settings in the manual.": Status.OPEN
    }
    assert promised(agent(GIVE_IT), first, second) == {
        "I'll rename the settings in the manual.": Status.CLOSED
    }


def test_questions_that_are_answered_without_work_leave_a_promise_open() -> None:
    asides = [
        message
        for part in range(4)
        for message in (*user(f"what is in part {part}?"), *agent(f"Part {part} has a table."))
    ]
    assert promised(agent(GIVE_IT), asides) == {
        "I'll rename the settings in the manual.": Status.OPEN
    }


def test_what_is_left_stays_open_behind_other_requests() -> None:
    first = worked("Fix the lock in the cache.", 1, "The lock is gone.")
    second = worked("Speed up the loader.", 2, "It loads in 2 s.")
    assert set(promised(agent(LEFT), first, second).values()) == {Status.OPEN}


def test_a_promise_of_the_record_is_over_behind_two_requests_of_a_later_stretch() -> None:
    before = after(user("the goal"), agent(GIVE_IT)).record
    assert [i.status for i in before.of_kind("commitment")] == [Status.OPEN]
    later = [
        *worked("Fix the lock in the cache.", 1, "The lock is gone."),
        *worked("Speed up the loader.", 2, "It loads in 2 s."),
    ]
    found = after(later, old=before, start=2).record.of_kind("commitment")
    assert [(i.status, i.reason) for i in found] == [(Status.CLOSED, MOVED_ON)]


@pytest.mark.parametrize(
    "answer",
    [
        "If nothing happened, I will check the fans directly.",
        "Send both links\nand I'll put them back in the same two spots.",
    ],
)
def test_what_somebody_has_to_see_to_first_is_not_next(answer: str) -> None:
    asides = [*user("what is in part 1?"), *agent("Part 1 has a table of names.")]
    record = after(user("the goal"), agent(answer), asides).record
    assert record.of_kind("commitment")
    assert still_open(record) == ("", ())


def test_what_was_said_at_work_is_over_when_the_agent_handed_over() -> None:
    said = "I also need to update the section on DNS in the manual later."
    before = bash("cat dns.md", "old", said=said)
    assert promised(before) == {said: Status.OPEN}
    assert promised(before, agent("It resolves now.")) == {said: Status.CLOSED}


@pytest.mark.parametrize(
    "answer",
    [
        "Tell me which to adjust and I'll start with the skeleton.",
        "If yes, I'll start with the identity helper right away.",
        "I'll lock the preview overlay unless you object to it.",
        "The plan has three parts.\n\n**README wording I'll use**",
    ],
)
def test_what_waits_for_a_word_of_the_user_is_no_promise(answer: str) -> None:
    assert promised(agent(answer)) == {}


PROGRESS = """# Progress

## Done
- \u2705 Set up the test directory

## Status
- Week 1 tasks completed \u2705
- Week 3 tasks pending \U0001f4cb (documentation, demos)
- [ ] Measure the large import
"""


def test_a_file_of_progress_tells_what_is_left() -> None:
    assert promised(write("docs/progress.md", PROGRESS)) == {
        "Week 3 tasks pending \U0001f4cb (documentation, demos)": Status.OPEN,
        "Measure the large import": Status.OPEN,
    }


def test_its_latest_version_counts() -> None:
    later = PROGRESS.replace("- [ ] Measure", "- [x] Measure").replace(
        "pending \U0001f4cb", "\u2705"
    )
    assert promised(write("docs/progress.md", PROGRESS), write("docs/progress.md", later)) == {}
    ticked = {
        "file_path": "docs/progress.md",
        "old_string": "- [ ] Measure the large import",
        "new_string": "- [x] Measure the large import",
    }
    edited = call("Edit", ticked, "The file docs/progress.md has been updated.")
    found = promised(write("docs/progress.md", PROGRESS), edited)
    assert found["Measure the large import"] is Status.DONE


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("docs/plan.md", "- [ ] Measure the large import\n- [ ] Write the notes"),
        ("docs/guide.md", "\u2705 works\n\nJobs that are pending are shown in grey."),
        ("src/state.py", "DONE = '\u2705'\nOPEN = 'pending \U0001f4cb'"),
    ],
)
def test_a_file_that_tells_of_no_progress_promises_nothing(path: str, content: str) -> None:
    assert promised(write(path, content)) == {}


LISTED = """Main remaining items:

1. **README security section refresh**
2. **Cache size bound**
3. **Release note for the new default**"""


@pytest.mark.parametrize(
    ("said", "open_items"),
    [
        ("yeah let's do 1", ["README security section refresh"]),
        ("1 and 3 please", ["README security section refresh", "Release note for the new default"]),
        # Who picks nothing leaves the list as it is, and so does a message of its own.
        ("why is main red?", 3),
        (f"The build of 2026-01-{1:02} is red, {'look into it ' * 20}", 3),
    ],
)
def test_who_picks_from_a_list_leaves_the_others(said: str, open_items: list[str] | int) -> None:
    record = after(user("the goal"), agent(LISTED), user(said), bash("ls", "README.md")).record
    left = [i for i in record.of_kind("commitment") if i.live]
    if isinstance(open_items, int):
        assert len(left) == open_items
    else:
        assert [i.text for i in left] == open_items
        over = [i for i in record.of_kind("commitment") if not i.live]
        assert {(i.reason, i.evidence[-1].quote) for i in over} == {(OTHERS_CHOSEN, said)}


@pytest.mark.parametrize(
    "answer",
    [
        "I'll focus the review on the changes that are unique to this PR.\n\nAll good.",
        '{\n"reason": "We still need to determine when the label was added.",\n"done": false\n}',
    ],
)
def test_what_the_answer_itself_does_or_notes_is_no_promise(answer: str) -> None:
    assert not after(user("the goal"), agent(answer)).record.of_kind("commitment")


OFFER = "I'll add Lea Winter (born 2001) as the second guest. The total is 348. Shall I book both?"
BOOKS = call("book_ferry", {"guests": 2}, '{"ticket": "F-12"}')


def told_on_the_way(*story: list[Native]) -> list[tuple[Status, str]]:
    found = items(proposed(user("book the ferry"), agent(OFFER), *story), "commitment")
    return [(item.status, item.reason) for item in found if "Lea Winter" in item.text]


def test_what_is_said_on_the_way_to_a_deal_is_over_when_the_deal_is_made() -> None:
    story = (user("The cheaper one, for both of us."), BOOKS, agent("It is booked: F-12."))
    assert told_on_the_way(*story) == [(Status.CLOSED, ACTED_ON)]


def test_it_stays_open_while_the_agent_only_looks() -> None:
    looks = bash("cat ferries.txt", "F-12 19:00")
    story = (user("Is there a cheaper one?"), looks, agent("There is one for 166."))
    assert told_on_the_way(*story) == [(Status.OPEN, "")]


NEEDS = """The flight on May 26 is free. Which card do you want to use?

Once I have this, I'll list the whole booking for you."""


def test_what_waited_for_an_answer_is_over_when_it_was_given_and_the_agent_went_on() -> None:
    listed = "Once I have this, I'll list the whole booking for you."
    answered = [user("Use the first card."), agent("Here are the options with that card.")]
    found = items(proposed(user("the goal"), agent(NEEDS), *answered), "commitment")
    assert [(i.text, i.status, i.reason) for i in found] == [(listed, Status.CLOSED, ANSWERED)]
    waiting = items(proposed(user("the goal"), agent(NEEDS)), "commitment")
    assert [(i.text, i.status) for i in waiting] == [(listed, Status.OPEN)]


def test_who_turns_down_what_was_asked_has_answered_nothing_yet() -> None:
    listed = "Once I have this, I'll list the whole booking for you."
    refused = [*user("No, first show me the seats."), *agent("Rows 3 and 9 are free.")]
    given = [*user("Use the first card."), *agent("Here are the options with that card.")]
    assert promised(agent(NEEDS), refused)[listed] is Status.OPEN
    assert promised(agent(NEEDS), refused, given)[listed] is Status.CLOSED


PUSHED = bash("git push origin tides", "To github.com:tide/x\n   a1..b2  tides -> tides")
GUIDE = "I'll write the guide for sailors in docs/guide.md next."


@pytest.mark.parametrize(
    ("said", "question", "reply", "over"),
    [
        (GUIDE, "Should I push first?", "yes, push", False),
        (GUIDE, "Shall I push the branch?", "yes, push", False),
        ("I'll push the branch to origin next.", "Is that fine?", "yes, push", True),
        ("I'll push the branch to origin next.", "Is that fine?", "no, first run it", False),
        ("I'll push the branch to origin next.", "Is that fine?", "Don't push it", False),
        ("I'll write the guide, then push the branch.", "Is that fine?", "yes, push", False),
        ("I'll push the docs branch later on.", "Should I push tides first?", "yes", False),
        ("I'll deploy the service to the harbour next.", "Shall I push?", "yes, push", False),
        ("I'll post a note to the sailors next.", "Shall I push?", "yes, push", False),
    ],
)
def test_at_work_only_an_effect_that_was_promised_settles_a_promise(
    said: str, question: str, reply: str, over: bool
) -> None:
    look = bash("ls", "tide.py")
    answer = agent(f"The build is green. {said} {question}")
    found = items(proposed(user("go"), look, answer, user(reply), PUSHED, look), "commitment")
    assert [(i.text, i.reason == ACTED_ON) for i in found if i.text == said] == [(said, over)]


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ("No, wait for my sister's answer.", Status.OPEN),
        ("No insurance for us, but book it.", Status.CLOSED),
        ("No problem, book both.", Status.CLOSED),
        ("First class for both of us, please.", Status.CLOSED),
    ],
)
def test_a_deal_behind_a_refusal_is_not_the_one_that_was_offered(
    reply: str, status: Status
) -> None:
    assert [found for found, _ in told_on_the_way(user(reply), BOOKS)] == [status]


@pytest.mark.parametrize(
    ("beside", "status"),
    [
        (call("get_ferry_details", {"id": "F-12"}, '{"seats": 4}'), Status.CLOSED),
        (bash("cat ferries.txt", "F-12"), Status.OPEN),
        (call("read_file", {"path": "ferries.txt"}, "F-12"), Status.OPEN),
        (call("mcp__sea__get_ferry_details", {"id": "F-12"}, '{"seats": 4}'), Status.CLOSED),
        (call("mcp__sea__search_ferries", {"query": "to Bergen"}, '["F-12"]'), Status.CLOSED),
        (call("mcp__fs__read_file", {"path": "/srv/ferries"}, "F-12"), Status.OPEN),
        (call("mcp__fs__read_text_file", {"path": "ferries.txt"}, "F-12"), Status.OPEN),
    ],
)
def test_any_effect_is_the_deal_only_where_nobody_works_on_files(
    beside: list[Native], status: Status
) -> None:
    story = (user("Yes, both of us."), beside, BOOKS)
    assert [found for found, _ in told_on_the_way(*story)] == [status]


@pytest.mark.parametrize(
    "said",
    [
        "The server asked. I will send a yes to it using `send_line` and see what it says.",
        "However, I also need to consider whether the header was set by the user before.",
    ],
)
def test_what_the_call_beside_it_does_and_what_is_only_weighed_is_no_promise(said: str) -> None:
    assert promised(bash("send_line Y", "which row?", said=said)) == {}
