"""Commits that were taken back are settled with the reason, and never lost."""

from __future__ import annotations

import pytest

from clew.codecs import codec_for
from clew.record.apply import apply_delta
from clew.record.items import Item, Status
from clew.record.record import HandoffRecord
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.request import SpanView
from clew.tools_seen import textual_calls
from clew.transcript import Format
from tests.summarize.extractive.told import Native, after, agent, bash, items, proposed, request

EDIT = "a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
MINI = "<returncode>0</returncode>\n<output>\n{}\n</output>"
CODEX = "Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n{}"
CLAUDE = "{}"
FAMILIES = [MINI, CODEX, CLAUDE]


def commit(commit_hash: str, subject: str, family: str = CLAUDE) -> list[Native]:
    shown = f"[main {commit_hash}] {subject}\n 1 file changed"
    return bash(f"git commit -am '{subject}'", family.format(shown))


FIRST, SECOND, THIRD = (
    commit(commit_hash, subject)
    for commit_hash, subject in (
        ("aaaa111", "Add the loader"), ("bbbb222", "Cache the rows"), ("cccc333", "Drop the cache"),
    )
)  # fmt: skip


def aider(*said: str) -> tuple[SpanView, ...]:
    """Exchanges of aider's history: edits are the agent's, `/…` the user's, the rest is printed."""
    parse = codec_for(Format.OPENAI_CHAT).parse
    natives = [
        {"role": "assistant", "content": text} if text == EDIT
        else {"role": "user", "content": text if text[0] == "/" else f"Printed by aider:\n{text}"}
        for text in said
    ]  # fmt: skip
    messages = [parse(native, i) for i, native in enumerate(natives)]
    return tuple(
        SpanView(
            handle=f"S-{i + 1}",
            position=i,
            positions=(i,),
            messages=(message,),
            calls=textual_calls(message, messages[i + 1] if i + 1 < len(messages) else None),
        )
        for i, message in enumerate(messages)
    )


def effects(made: list[Item]) -> dict[str, tuple[Status, str]]:
    return {
        i.field("target").split()[0]: (i.status, i.reason) for i in made
        if i.kind == "effect" and i.field("action") == "git commit"
    }  # fmt: skip


LIVE = (Status.ACTIVE, "")


def test_what_the_user_of_aider_undid_is_settled_and_a_dead_end() -> None:
    spans = aider(
        EDIT, "Applied edit to a.py\nCommit aaaa111 feat: Add a chart",
        EDIT, "Applied edit to a.py\nCommit bbbb222 fix: Correct the chart",
        "/undo", "Removed: bbbb222 fix: Correct the chart\nNow at:  aaaa111 feat: Add a chart",
    )  # fmt: skip
    made = items(ExtractiveSummarizer().propose(request(spans)))
    assert effects(made) == {
        "aaaa111": LIVE,
        "bbbb222": (Status.CLOSED, "undone by the user in S-6"),
    }
    (dead,) = [i for i in made if i.kind == "dead_end"]
    assert (dead.status, dead.reason) == (Status.CLOSED, "undone by the user")
    assert dead.text == "git commit bbbb222 fix: Correct the chart → undone by the user"
    assert dead.evidence[0].quote == "Removed: bbbb222 fix: Correct the chart"


def test_a_commit_behind_where_the_history_is_now_is_gone_too() -> None:
    spans = aider(
        EDIT, "Commit aaaa111 feat: Add a chart", EDIT, "Commit bbbb222 fix: Correct it",
        EDIT, "Commit cccc333 fix: Round it", "/undo",
        "Removed: cccc333 fix: Round it\nNow at:  aaaa111 feat: Add a chart",
    )  # fmt: skip
    made = items(ExtractiveSummarizer().propose(request(spans)))
    assert effects(made)["bbbb222"] == (Status.CLOSED, "the history is at aaaa111 since S-8")
    assert len([i for i in made if i.kind == "dead_end"]) == 1


def test_an_undo_that_was_refused_takes_nothing_back() -> None:
    refused = "The last commit was not made by aider in this chat session.\nYou could try `/git`."
    spans = aider(EDIT, "Commit aaaa111 feat: Add a chart", "/undo", refused)
    made = items(ExtractiveSummarizer().propose(request(spans)))
    assert effects(made) == {"aaaa111": LIVE}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(
    ("command", "shown", "gone"),
    [
        ("git reset --hard HEAD~1", "HEAD is now at bbbb222 Cache the rows", {"cccc333"}),
        ("git reset --soft HEAD~", "", {"cccc333"}),
        ("cd src && git reset HEAD^^", "Unstaged changes after reset:\nM\ta.py",
         {"bbbb222", "cccc333"}),
        ("git -C /srv/app reset --hard aaaa111", "HEAD is now at aaaa111 Add the loader",
         {"bbbb222", "cccc333"}),
        ("git reset --hard bbbb2223f^", "HEAD is now at aaaa111 Add", {"bbbb222", "cccc333"}),
        ("git reset --hard @{1}", "HEAD is now at aaaa111 Add the loader", {"bbbb222", "cccc333"}),
        ("git revert --no-edit bbbb222", "[main dddd444] Revert \"Cache the rows\"", {"bbbb222"}),
        ("git revert HEAD~1", "[main dddd444] Revert \"Cache the rows\"", {"bbbb222"}),
        ("git commit --amend --no-edit", "[main dddd444] Drop the cache", {"cccc333"}),
        # What takes no commit back.
        ("git reset --hard", "HEAD is now at cccc333 Drop the cache", set()),
        ("git reset HEAD a.py", "Unstaged changes after reset:\nM\ta.py", set()),
        ("git reset -- a.py", "", set()),
        ("git revert --abort", "", set()),
        ("git reset --hard eeee555", "HEAD is now at eeee555 Something older", set()),
        ("git log --oneline", "aaaa111 Add the loader\nRemoved: bbbb222 Cache the rows", set()),
        ("cat HISTORY", "Removed: bbbb222 Cache the rows\nNow at: aaaa111 Add the loader", set()),
    ],
)  # fmt: skip
def test_a_step_back_in_git_settles_the_commits_behind_it(
    family: str, command: str, shown: str, gone: set[str]
) -> None:
    made = effects(items(proposed(FIRST, SECOND, THIRD, bash(command, family.format(shown)))))
    known = {"aaaa111", "bbbb222", "cccc333"}
    assert {name for name in known if made[name][0] is Status.CLOSED} == gone
    assert {name for name in known if made[name] == LIVE} == known - gone


def test_a_reset_that_failed_takes_nothing_back() -> None:
    failed = bash("git reset --hard HEAD~1", "Exit code 128\nfatal: ambiguous argument 'HEAD~1'")
    assert effects(items(proposed(FIRST, failed))) == {"aaaa111": LIVE}


def test_a_step_back_on_another_branch_counts_none_of_this_one() -> None:
    away = bash("git switch topic", "Switched to branch 'topic'")
    back = bash("git reset --hard HEAD~1", "HEAD is now at eeee555 Something else")
    assert effects(items(proposed(FIRST, away, back))) == {"aaaa111": LIVE}


def test_a_revert_is_a_settled_dead_end_and_a_reset_is_none() -> None:
    reverted = bash("git revert --no-edit aaaa111", '[main dddd444] Revert "Add the loader"')
    reset = bash("git reset --soft HEAD~1", "")
    (dead,) = items(proposed(FIRST, reverted), "dead_end")
    assert dead.text == "git commit aaaa111 Add the loader → taken back with git revert"
    assert dead.status is Status.CLOSED
    assert items(proposed(FIRST, reset), "dead_end") == []


def test_a_commit_of_the_record_is_closed_with_what_took_it_back() -> None:
    old = after(FIRST, SECOND).record
    record = after(bash("git reset --hard HEAD~1", "HEAD is now at aaaa111"), old=old, start=9)
    assert effects(list(record.record.items)) == {
        "aaaa111": LIVE,
        "bbbb222": (Status.CLOSED, "taken back with git reset in S-10"),
    }


def test_nothing_is_settled_twice() -> None:
    reverted = bash("git revert --no-edit bbbb222", "[main dddd444] Revert")
    reset = bash("git reset --hard aaaa111", "HEAD is now at aaaa111")
    delta = proposed(FIRST, SECOND, reverted, reset, agent("Done."))
    assert effects(items(delta))["bbbb222"][1] == "taken back with git revert in S-5"
    assert apply_delta(HandoffRecord(goal="the goal"), delta).rejected == ()
