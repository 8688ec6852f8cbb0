"""A promise is done when calls or a report show it, and over when the agent hands over since."""

from __future__ import annotations

import pytest

from clew.record.items import Item, Status
from tests.summarize.extractive.told import Native, agent, bash, call, items, proposed, user

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
