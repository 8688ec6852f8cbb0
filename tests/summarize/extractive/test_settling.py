"""A yes is no request, a request that begins with yes is one; looking jobs do not stay."""

from __future__ import annotations

import pytest

from clew.record.items import Evidence, Item, Speaker, Status
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.directives import directives_in
from clew.summarize.extractive.jobs import ended_jobs
from clew.summarize.extractive.reading import Reading

BUSY = Reading(handle="S-7", position=6, prose=("Looking at the parser.",))


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("yes, that was it", Status.ANSWERED),
        ("ok", Status.ANSWERED),
        ("ok, do 1+2 next", Status.OPEN),
        ("yes commit it", Status.OPEN),
    ],
)
def test_only_bare_agreement_is_over_when_the_agent_goes_on(said: str, status: Status) -> None:
    asked = Reading(handle="S-5", position=4, typed=(said,))
    (made,) = directives_in([asked, BUSY], "the goal", built_in_cues())
    assert made.item.status is status


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("/undo", Status.DONE),
        ("/add src/app.py\n/run pytest -q", Status.DONE),
        ("/clear\nall the tooltips show 0 lines", Status.OPEN),
        ("/review 123", Status.OPEN),
    ],
)
def test_a_command_to_the_program_is_over_at_once(said: str, status: Status) -> None:
    asked = Reading(handle="S-5", position=4, typed=(said,))
    (made,) = directives_in([asked], "the goal", built_in_cues())
    assert (made.item.text, made.item.status) == (said, status)


@pytest.mark.parametrize(
    ("command", "closed"), [("rg -n Refs src", True), ("npm run dev", False), ("", False)]
)
def test_a_job_that_only_looks_is_closed_at_the_next_compaction(command: str, closed: bool) -> None:
    assert [op.id for op in ended_jobs([job_of(command)], [])] == (["J-1"] if closed else [])


def job_of(command: str) -> Item:
    return Item(
        id="J-1",
        kind="job",
        text=f"69595: {command}" if command else "69595",
        status=Status.UNKNOWN,
        evidence=(Evidence(span="S-3", quote="69595"),),
        said_by=Speaker.TOOL,
        fields=(("handle", "69595"),),
    )


@pytest.mark.parametrize(("status", "closed"), [("completed", True), ("running", False)])
def test_a_job_is_closed_by_the_notice_of_its_end(status: str, closed: bool) -> None:
    told = f"<task-id>69595</task-id>\n<status>{status}</status>"
    read = Reading(
        handle="S-9",
        position=8,
        harness=(f"<task-notification>\n{told}\n</task-notification>",),
    )
    made = ended_jobs([job_of("npm run dev")], [], [read])
    assert [(op.id, op.evidence[0].span) for op in made] == ([("J-1", "S-9")] if closed else [])
