"""A person's objection keeps a request open that the agent reported on too early."""

from __future__ import annotations

import pytest

from clew.record.items import Status
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.goals import goal_status_after
from clew.summarize.extractive.objections import objects
from clew.summarize.extractive.reading import Reading
from tests.summarize.extractive.told import (
    Native,
    agent,
    bash,
    items,
    proposed,
    request,
    spans_of,
    user,
)


def typed(text: str) -> Reading:
    return Reading(handle="S-9", position=8, typed=(text,))


def said(text: str) -> Reading:
    return Reading(handle="S-3", position=2, prose=(text,), finished=True)


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("it still doesn't work on my machine", True),
        ("You didn't add the legend.", True),
        ("no, the second table is missing", True),
        ("not yet, the tests fail", True),
        ("That's not what I asked for", True),
        ("hm, I still can't see the button", True),
        ("Now add a legend to it.", False),
        ("no problem, go on with the docs", False),
        ("Can you also link the manual?", False),
        ("", False),
    ],
)
def test_who_finds_something_wrong_or_missing_objects(text: str, so: bool) -> None:
    reading = typed(text) if text else said("It is done.")
    assert objects(reading, built_in_cues()) is so


def requests(*story: list[Native]) -> dict[str, Status]:
    found = items(proposed(user("The goal."), *story), "directive")
    return {item.text: item.status for item in found}


ASKED = "Add a legend to the second chart."
DONE = [*bash("python draw.py", "ok"), *agent("Done: I added the legend.")]


def test_a_report_that_the_user_objects_to_leaves_the_request_open() -> None:
    early = requests(user(ASKED), DONE, user("You didn't add it to the second one."))
    assert early[ASKED] is Status.OPEN
    mended = requests(user(ASKED), DONE, user("You didn't add it to the second one."), DONE)
    assert mended[ASKED] is Status.DONE
    fine = requests(user(ASKED), DONE, user("Now make both less tall."))
    assert fine[ASKED] is Status.DONE


@pytest.mark.parametrize(
    ("replies", "status"),
    [
        (["Write the notes for spring.", "Can you also link the manual?"], "done"),
        (["Write the notes for spring."], "open"),
        (["You didn't add the second row.", "Write the notes for spring."], "open"),
        # Who has the work itself changed, or asks about it, has not gone on.
        (["Now add a legend to it.", "Write the notes for spring."], "open"),
        (["Write the notes for spring.", "Make both charts less tall."], "open"),
        (["What does the grey bar mean?", "Write the notes for spring."], "open"),
        (["Write the notes for spring.", "why is the lamp so dark today"], "open"),
        (["Can you tell me where spring begins?", "Write the notes for spring."], "open"),
        (["continue with the next step please", "and then the rest of it too"], "open"),
        (["ok", "yes"], "open"),
    ],
)
def test_a_goal_is_done_when_the_user_went_on_to_other_requests(
    replies: list[str], status: str
) -> None:
    readings = [said("The chart is drawn.")]
    for reply in replies:
        readings += [typed(reply), said("That is in, too.")]
    assert goal_status_after("open", readings, built_in_cues()) == status


SPRING = ("Write the notes for spring.", "Link the manual on the front page.")


@pytest.mark.parametrize(
    ("goal", "replies", "status"),
    [
        ("Draw the tide.", SPRING, "done"),
        ("Draw the tide of spring.", SPRING, "open"),
        ("Draw the tide.", ("Shift the tide by an hour.", *SPRING[1:]), "open"),
        ("Draw the tides of all harbours.", SPRING, "open"),
        ("Draw one tide for each harbour.", SPRING, "open"),
        ("Draw every tide.", SPRING, "open"),
        ("Draw the tides of 12 small harbours.", SPRING, "open"),
        ("Draw the tides of three harbours.", SPRING, "open"),
        ("Draw the tides of all harbours.", ("Looks good. Now link the manual.",), "done"),
    ],
)
def test_a_goal_is_not_done_while_people_speak_of_it_or_it_has_many_parts(
    goal: str, replies: tuple[str, ...], status: str
) -> None:
    readings = [said("The chart is drawn.")]
    for reply in replies:
        readings += [typed(reply), said("That is in, too.")]
    assert goal_status_after("open", readings, built_in_cues(), goal=goal) == status


def test_the_goal_itself_tells_a_record_whether_it_is_of_many_things() -> None:
    story = [*user("Draw the tide of one harbour."), *agent("The chart is drawn.")]
    for reply in SPRING:
        story += [*user(reply), *bash("ls", "x"), *agent("That is in, too.")]
    for goal, status in (("Draw the tide.", "done"), ("Draw all tides.", "open")):
        made = request(spans_of(story), goal=goal)
        assert ExtractiveSummarizer().revalue(made, made.old).goal_status == status
