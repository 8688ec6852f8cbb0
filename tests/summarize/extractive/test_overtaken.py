"""A flaw is over once its file was changed, a line once it came again with other numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from clew.record.items import Speaker
from clew.summarize.extractive import overtaken
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome


def found(text: str, at: int, said_by: Speaker = Speaker.TOOL, kind: str = "fact") -> Claim:
    return claim(kind, text, span=f"S-{at}", position=at, said_by=said_by)


def still_current(claims: Sequence[Claim], readings: Sequence[Reading]) -> list[Claim]:
    kept, concluded = overtaken.still_current(claims, (), readings)
    assert overtaken.still_current((), claims, readings) == ([], kept)
    assert concluded == []
    return kept


def wrote(file: str, at: int, sent: str = "", outcome: Outcome = Outcome.OK) -> Reading:
    call = CallSeen(
        call_id="c", tool="t", family="f", action=Action.WRITE, resource=file, outcome=outcome
    )
    return Reading(handle=f"S-{at}", position=at, arguments=(sent,), calls=(call,))


FLAW = "**Dead code: `sort_rows`** -- `table/tide.go:175`. Wraps `sort.rows` with no added value."


@pytest.mark.parametrize(
    ("reading", "kept"),
    [
        (wrote("/home/keeper/table/tide.go", 9), False),
        (wrote("/home/keeper/table/moon.go", 9), True),
        (wrote("/home/keeper/table/tide.go", 3), True),
        (wrote("/home/keeper/table/tide.go", 9, outcome=Outcome.FAILED), True),
    ],
)
def test_a_helpers_flaw_ends_with_a_later_change_of_its_file(reading: Reading, kept: bool) -> None:
    assert bool(still_current([found(FLAW, 5)], [reading])) == kept


def test_an_own_flaw_ends_where_the_change_holds_what_it_names() -> None:
    own = found("`tide.md` still documents `go run ./tide` and `--dry-run`.", 5, Speaker.AGENT)
    assert not still_current([own], [wrote("tide.md", 9, "-go run ./tide\n---dry-run")])
    assert still_current([own], [wrote("tide.md", 9, "a row about `--dry-run`")]) == [own]


def test_what_is_no_flaw_stays_whatever_is_written() -> None:
    plain = found("`tide.go` holds the rows of the harbour.", 5)
    chosen = found(FLAW, 5, kind="decision")
    assert still_current([plain, chosen], [wrote("tide.go", 9)]) == [plain, chosen]


def test_of_lines_that_differ_in_numbers_the_newest_stays() -> None:
    first, other = found("Indexed 788 rows (19.0s)", 3), found("Indexed 12 moons (1.0s)", 4)
    last = found("Indexed 790 rows (2.5s)", 8)
    assert still_current([first, other, last], []) == [other, last]


def test_lines_of_one_output_stay_together() -> None:
    rows = [found("tide 12 of 80", 3), found("tide 13 of 80", 3)]
    assert still_current(rows, []) == rows


def test_one_sentence_of_three_names_needs_the_last_alone() -> None:
    said = [
        found(f"`{name}` rows also raise an error.", at, Speaker.AGENT)
        for at, name in enumerate(("Tide", "Moon", "Lamp"))
    ]
    assert still_current(said, []) == said[-1:]
    assert still_current(said[:2], []) == said[:2]


@pytest.mark.parametrize(
    "said",
    [
        "Working tree is clean (`git status --short` returned no output).",
        "I've confirmed that `tide.c` is clean in the worktree.",
        "`git diff --check` came back with no output.",
        "No staged or unstaged files yet.",
        "There is no `.git/index.lock` now.",
    ],
)
def test_that_nothing_is_changed_holds_until_something_is(said: str) -> None:
    clean = found(said, 5, Speaker.AGENT)
    assert still_current([clean], [wrote("tide.c", 3)]) == [clean]
    assert still_current([clean], [wrote("tide.c", 9, outcome=Outcome.FAILED)]) == [clean]
    assert still_current([clean], [wrote("tide.c", 9)]) == []
    committed = CallSeen(
        call_id="c",
        tool="t",
        family="f",
        action=Action.EFFECT,
        effect="git commit",
        outcome=Outcome.OK,
    )
    assert still_current([clean], [Reading(handle="S-9", position=9, calls=(committed,))]) == []


@pytest.mark.parametrize(
    "said",
    [
        "Only `worktree.Status()` writes the index of `tide.c`.",
        "`git diff` is read by the loader in `tide.c`.",
        "The diff of both exports shows that 47 rows now lack a `moon` of their own.",
        "Two files are staged: `tide.c` and `moon.c`.",
    ],
)
def test_what_else_is_said_of_a_tree_outlives_a_change(said: str) -> None:
    told = found(said, 5, Speaker.AGENT)
    assert still_current([told], [wrote("tide.c", 9)]) == [told]
