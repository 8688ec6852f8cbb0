"""A line of the record says a thing once: what its text holds is not said again behind it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.record.items import Evidence, Item, Rejected, Speaker, Status
from clew.record.lines import full_line, short_line


@pytest.mark.parametrize(
    ("why", "option", "ending"),
    [
        ("ids have gaps", "ids", ""),
        ("the index is on it", "ids", " — why: the index is on it"),
        ("", "offsets", " — rejected: offsets"),
    ],
)
def test_what_the_text_says_already_is_not_said_again(why: str, option: str, ending: str) -> None:
    item = Item(
        id="D-1",
        kind="decision",
        text="Page by date instead of ids, since ids have gaps.",
        said_by=Speaker.AGENT,
        evidence=(Evidence(span="S-3", quote="Page by date"),),
        why=why,
        rejected=(Rejected(option=option),),
    )
    said = f"D-1 [agent] Page by date instead of ids, since ids have gaps.{ending} (S-3)"
    assert full_line(item) == said


@pytest.mark.parametrize(
    ("status", "reason", "line"),
    [
        (
            Status.CLOSED,
            "set aside: surer ones fill its room",
            "D-1 [agent, set aside, still holds] Page by date. — surer ones fill its room (S-3)",
        ),
        (Status.CLOSED, "set aside", "D-1 [agent, set aside, still holds] Page by date. (S-3)"),
        (
            Status.CLOSED,
            "the pool was dropped",
            "D-1 [agent, closed] Page by date. — the pool was dropped (S-3)",
        ),
        (Status.CLOSED, "it was set aside", "D-1 [agent, closed] Page by date. — it was set aside"),
        (Status.DONE, "set aside: unused", "D-1 [agent, done] Page by date. — set aside: unused"),
    ],
)
def test_what_was_set_aside_reads_as_what_still_holds(
    status: Status, reason: str, line: str
) -> None:
    item = Item(
        id="D-1",
        kind="decision",
        text="Page by date.",
        said_by=Speaker.AGENT,
        status=status,
        reason=reason,
        evidence=(Evidence(span="S-3", quote="Page by date"),),
    )
    assert full_line(item).startswith(line)


@pytest.mark.parametrize(
    ("text", "marked", "line"),
    [
        (
            "Restart the broker at night, unless a ticket is open.",
            True,
            "R-1 [user] Restart the broker at night,… unless … (in full: R-1)",
        ),
        (
            "Restart the broker at night, unless a ticket is open.",
            False,
            "R-1 Restart the broker at night,… unless …",
        ),
        (
            "Restart the broker at night, and then the gateway of the office.",
            True,
            "R-1 [user] Restart the broker at night,… (in full: R-1)",
        ),
        (
            "Restart the broker at night, and then the gateway of the office.",
            False,
            "R-1 Restart the broker at night,…",
        ),
        ("Restart it at night.", True, "R-1 [user] Restart it at night. (S-3)"),
        ("Restart it at night.", False, "R-1 Restart it at night. (S-3)"),
    ],
)
def test_a_short_form_names_the_condition_that_its_handle_brings_back(
    text: str, marked: bool, line: str
) -> None:
    item = Item(
        id="R-1",
        kind="invariant",
        text=text,
        said_by=Speaker.USER,
        evidence=(Evidence(span="S-3", quote=text),),
    )
    assert short_line(item, 40, marked=marked) == line


@pytest.mark.parametrize(
    ("tried", "error", "line"),
    [
        (
            "Edit /home/me/work/shop/.worktrees/1/src/strategy/manual_hooks.go",
            "No such file or directory",
            "X-2 [tool] Edit…/1/src/strategy/manual_hooks.go → No such file or directory{}",
        ),
        (
            "trust -y site.toml && run lint:format && run lint:modules && run build",
            "exit 2: no such task, expected one of lint, test or release",
            "X-2 [tool] trust -y… lint:modules && run build → exit 2: no such task,…{}",
        ),
        ("run build", "No such file", "X-2 [tool] run build → No such file (S-3)"),
    ],
)
def test_the_short_form_of_a_failed_call_says_what_was_tried_and_why_not(
    tried: str, error: str, line: str
) -> None:
    item = Item(
        id="X-2",
        kind="dead_end",
        text=f"{tried} → {error}",
        said_by=Speaker.TOOL,
        evidence=(Evidence(span="S-3", quote=error),),
        fields=(("error", error),),
    )
    assert short_line(item, 80) == line.format(" (in full: X-2)")


def test_a_short_form_says_more_than_the_label_in_front() -> None:
    command = "git push origin release/2026-11 --follow-tags --force-with-lease"
    item = Item(
        id="A-4",
        kind="effect",
        text=f"git push: {command}",
        said_by=Speaker.AGENT,
        evidence=(Evidence(span="S-9", quote=command),),
    )
    assert short_line(item, 50) == (
        "A-4 [agent] git push: git push origin release/2026-11… (in full: A-4)"
    )
    assert short_line(replace(item, text=f"Pushed it all to the mirror, {command}"), 50) == (
        "A-4 [agent] Pushed it all to the mirror,… (in full: A-4)"
    )
