"""What the first compaction earned is there after the fifth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.record.apply import apply_delta
from clew.record.items import Speaker, Status
from clew.record.lineage import Fate
from clew.record.record import HandoffRecord
from clew.summarize.extractive import ExtractiveSummarizer, folding
from clew.summarize.extractive.claims import Claim, claim
from tests.summarize.extractive.told import (
    Native,
    after,
    agent,
    bash,
    call,
    items,
    proposed,
    request,
    spans_of,
    user,
)

RULE = "Never touch billing/ without a ticket."
FACT = "The root cause is that case_id is unique only within a tenant."


def chapter(number: int) -> list[Native]:
    story = [
        user(f"Now do part {number} of the port."),
        bash(f"cat src/part_{number}.py", f"def part_{number}(): return {number}000"),
        bash(f"git commit -m 'Part {number}'", f"[main abc{number}def] Part {number}\n 1 file"),
        agent(f"Part {number} is done and committed."),
    ]
    if number == 1:
        story = [user(RULE), agent(FACT), *story]
    return [message for part in story for message in part]


def test_rules_and_facts_survive_five_compactions_and_the_books_balance() -> None:
    summarizer = ExtractiveSummarizer()
    record = HandoffRecord(goal="port it")
    for number in range(1, 6):
        asked = request(spans_of(chapter(number), start=100 * number), old=record, goal="port it")
        applied = apply_delta(record, summarizer.propose(asked), position=100 * number + 90)
        entries, mentions = summarizer.index(asked)
        assert applied.rejected == ()
        assert {fate.id for fate in applied.lineage.fates} == {item.id for item in record.items}
        assert all(
            fate.reason for fate in applied.lineage.fates if fate.fate is Fate.CLOSED
        )  # fmt: skip
        record = summarizer.revalue(
            asked, replace(applied.record, index=entries, mentions=mentions)
        )
    live = [item.text for item in record.live()]
    assert RULE in live
    assert FACT in live
    assert [m.name for m in record.mentions if m.name == "src/part_1.py"]
    assert len(record.of_kind("directive")) == 6
    assert not [i for i in record.of_kind("directive") if i.live and "part" in i.text]


def test_what_nobody_used_is_set_aside_before_the_kind_outgrows_the_record() -> None:
    summarizer = ExtractiveSummarizer()
    record = HandoffRecord(goal="port it")
    for number in range(1, 9):
        asked = request(
            spans_of(chapter(number), start=100 * number), old=record, goal="port it",
            target_tokens=900,
        )  # fmt: skip
        record = apply_delta(record, summarizer.propose(asked)).record
    effects = record.of_kind("effect")
    assert len(effects) == 8
    assert len([i for i in effects if i.live]) <= 3
    assert effects[-1].live


def next_after(*stories: list[Native], tail: list[Native] | None = None) -> str:
    """What is next in the record once each story was folded, the last one in front of a tail."""
    summarizer = ExtractiveSummarizer()
    record = HandoffRecord(goal="port it")
    for number, story in enumerate(stories, start=1):
        behind = spans_of(tail, start=100 * number + 50) if tail and story is stories[-1] else ()
        asked = request(spans_of(story, start=100 * number), tail=behind, old=record)
        record = summarizer.revalue(asked, apply_delta(record, summarizer.propose(asked)).record)
    return record.next


PLAN = [*bash("ls src", "parser.py", said="Next I wire the router.")]
REPORT = [*agent("The router is wired and all tests pass.")]
REQUEST = "Please put the table back where it was."


@pytest.mark.parametrize(
    ("stories", "tail", "expected"),
    [
        ((PLAN,), [], "Next I wire the router."),
        ((PLAN, REPORT), [], ""),
        ((PLAN, bash("ls", "a.py")), [], "Next I wire the router."),
        ((PLAN, user(REQUEST)), [], REQUEST),
        ((PLAN, user(REQUEST)), bash("git checkout t.md", "Updated 1 path"), REQUEST),
        (
            (PLAN, user(REQUEST)),
            [*bash("git checkout t.md", "Updated 1 path"), *agent("Done, the table is back.")],
            "",
        ),
    ],
    ids=["planned", "reported", "at work", "asked", "at work on it", "asked and done"],
)
def test_nothing_is_next_that_was_reported_on(
    stories: tuple[list[Native], ...], tail: list[Native], expected: str
) -> None:
    assert next_after(*stories, tail=tail) == expected


LEFT = [
    *agent("The parser is ported.\n\nRemaining:\n- Port the writer module\n- Add a page about it"),
]


def test_what_is_left_is_next_where_nobody_says_so() -> None:
    assert next_after(LEFT) == "Port the writer module"
    assert next_after(LEFT, bash("ls", "a.py")) == "Port the writer module"
    assert next_after([*bash("ls", "a.py"), *agent("The parser is ported.")]) == ""


def test_agreement_and_a_bare_error_are_not_next_but_what_was_asked_for() -> None:
    assert next_after(PLAN, user(f"no, this is fine.\n\n{REQUEST}")) == REQUEST
    assert next_after([*user(REQUEST), *user("SyntaxError: Unexpected token '||'")]) == REQUEST


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/srv/app/convert_rows.py", Status.DONE),
        ("C:\\app\\convert_rows.py", Status.DONE),
        ("/srv/app/other_rows.py", Status.OPEN),
    ],
)
def test_a_promise_to_write_a_file_is_kept_by_the_write(path: str, status: Status) -> None:
    promised = agent("The rest is up. Now I will create the script `convert_rows.py` for the logs.")
    written = call("write_file", {"file_path": path, "content": "import re"}, "File created.")
    made = [
        i
        for i in after(promised, user("Lock the repository first."), written).record.items
        if i.kind == "commitment"
    ]
    assert [item.status for item in made] == [status]


CHOICE = "The change is not committed, so I'll remove only what I added and keep the rest."


def told(
    kind: str, text: str, *, span: str = "S-5", said_by: Speaker = Speaker.AGENT, why: str = ""
) -> Claim:
    return claim(kind, text, span=span, position=4, said_by=said_by, why=why, rank=3.0)


@pytest.mark.parametrize(
    ("fact", "kept"),
    [
        (told("fact", CHOICE), False),
        (told("fact", "The change is not committed"), False),
        (told("fact", "the pool holds 5 connections"), False),
        (told("fact", CHOICE, span="S-7"), True),
        (told("fact", CHOICE, said_by=Speaker.USER), True),
        (told("fact", CHOICE, said_by=Speaker.TOOL), True),
        (told("fact", f"{CHOICE} It has 3 lines."), True),
        (told("fact", "The change has 3 lines."), True),
    ],
)
def test_what_stands_as_a_choice_is_no_fact_as_well(fact: Claim, kept: bool) -> None:
    choice = told("decision", CHOICE, why="the pool holds 5 connections, and 4 are busy")
    for told_first, concluded in (([choice, fact], []), ([choice], [fact])):
        made = folding.told_once(told_first, concluded)
        assert [c.item.kind for c in made] == (["decision", "fact"] if kept else ["decision"])


def test_a_choice_for_which_a_crowded_record_has_no_room_stays_as_a_finding() -> None:
    surer = [
        replace(told("decision", f"Use engine number {n} for cities {n}00."), rank=9.0)
        for n in range(folding.MOST_AT_ALL["decision"])
    ]
    made = folding.told_once([*surer, told("decision", CHOICE)], [told("fact", CHOICE)])
    assert [c.item.text for c in made if c.item.kind == "fact"] == [CHOICE]
    assert CHOICE not in [c.item.text for c in made if c.item.kind == "decision"]


@pytest.mark.parametrize("kind", ["decision", "fact"])
def test_what_a_long_stretch_chose_and_found_beyond_its_room_is_set_aside(kind: str) -> None:
    many = [told(kind, f"Engine number {n} is for cities {n}00.") for n in range(60)]
    made = folding.distinct(many)
    assert sum(c.item.live for c in made) == folding.MOST_PER_KIND[kind]
    assert len(made) == folding.MOST_AT_ALL[kind]


def test_what_opens_the_account_of_a_failure_was_not_concluded_as_well() -> None:
    failed = told("dead_end", "The pool of 5 dead-locks when 6 jobs start.")
    fact = told("fact", "The pool of 5 dead-locks")
    assert folding.told_once([failed], [fact]) == [failed]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("Let's create an integration test for Loader and Debugger.", Status.DONE),
        ("Let's look at the integration test of Loader and Debugger.", Status.OPEN),
        ("Let's create a stylesheet for the start page.", Status.OPEN),
    ],
)
def test_work_that_was_left_is_done_when_a_change_is_said_to_be_it(
    said: str, status: Status
) -> None:
    answer = "The base is in.\n\n**Remaining:**\n- Loader and Debugger integration tests"
    wrote = call("Write", {"file_path": "t/ld.test.js", "content": "x"}, "File created.", said=said)
    found = items(proposed(user("the goal"), agent(answer), user("go on"), wrote), "commitment")
    kept = {i.text: i.status for i in found}
    assert kept["Loader and Debugger integration tests"] is status
