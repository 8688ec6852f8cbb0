"""Flaws that were listed and taken on as a whole are over once files were changed for them."""

from __future__ import annotations

import pytest

from clew.record.items import Speaker
from clew.summarize.extractive import overtaken
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome

LISTED = (
    "**High: lamp timer swallowed** \u2014 `lamp_due` turns the error into an empty list.",
    "**Low: tide header twice** \u2014 `tide_head` stands in both tables.",
)
HELPED = "**`moon_of` duplicates logic already in `phase_of`.** It walks the same table."


def found(text: str, at: int, said_by: Speaker = Speaker.AGENT, kind: str = "fact") -> Claim:
    return claim(kind, text, span=f"S-{at}", position=at, said_by=said_by)


def written(at: int, prose: str = "", sent: str = "", outcome: Outcome = Outcome.OK) -> Reading:
    call = CallSeen(
        call_id="c",
        tool="t",
        family="f",
        action=Action.WRITE,
        resource="src/lamp.py",
        outcome=outcome,
    )
    said = (prose,) if prose else ()
    return Reading(handle=f"S-{at}", position=at, prose=said, arguments=(sent,), calls=(call,))


def told(at: int, prose: str) -> Reading:
    return Reading(handle=f"S-{at}", position=at, prose=(prose,), finished=True)


def asked(at: int, text: str) -> Reading:
    return Reading(handle=f"S-{at}", position=at, typed=(text,))


def left(claims: list[Claim], *readings: Reading) -> list[str]:
    kept, _ = overtaken.still_current(claims, (), readings)
    return [each.item.text for each in kept]


def review(order: str) -> str:
    return f"The review is good.\n\n1. {LISTED[0]}\n2. {LISTED[1]}\n\n{order}"


@pytest.mark.parametrize(
    "order",
    [
        "Let me fix all five:",
        "Now I'll address both.",
        "Let me resolve the remaining findings:",
        "Fixing these now:",
    ],
)
def test_what_stands_in_a_list_above_the_word_to_fix_it_all_is_over(order: str) -> None:
    claims = [found(each, 5) for each in LISTED]
    assert left(claims, written(5, review(order))) == []
    assert left(claims, told(5, review(order)), written(9)) == [*LISTED]  # handed over as advice
    assert left(claims, written(5, review(order), outcome=Outcome.FAILED)) == [*LISTED]


@pytest.mark.parametrize(
    "order",
    [
        "Let me fix the timer first:",
        "Let me fix all but the last:",
        "Let me look at all five:",
        "You could fix all five:",
        "I won't fix these now.",
    ],
)
def test_who_takes_on_a_part_leaves_the_rest(order: str) -> None:
    assert left([found(LISTED[1], 5)], written(5, review(order))) == [LISTED[1]]


def test_what_no_list_holds_or_is_said_behind_the_order_stands() -> None:
    text = "The lamp table holds 12 rows.\n\nLet me fix all of them:\n- the tide table has 3 keys"
    facts = ["The lamp table holds 12 rows.", "the tide table has 3 keys"]
    assert left([found(each, 5) for each in facts], written(5, text)) == facts


def test_a_flaw_of_a_file_that_nobody_wrote_stands() -> None:
    of_file = "The rows of `harbour.py` are read twice."
    text = f"1. {of_file}\n\nLet me fix all of these:"
    assert left([found(of_file, 5)], written(5, text)) == [of_file]


def test_what_is_said_to_be_left_afterwards_stands() -> None:
    later = found("Low: tide header twice is deferred, `tide_head` stands in both tables.", 9)
    claims = [*(found(each, 5) for each in LISTED), later]
    kept = left(claims, written(5, review("Let me fix all five:")))
    assert kept == [LISTED[1], later.item.text]


def test_a_list_of_what_is_fixed_now_picks_the_findings_of_helpers() -> None:
    picks = (
        "Good findings.\n\n**Fixing now:**\n1. `moon_of` should delegate to `phase_of`\n\n"
        "**Skipping:**\n- one `Lamp` for both tables"
    )
    other = "`lamp_of` and `lamp_at` build the same `Lamp` for both tables."
    claims = [found(each, 5, Speaker.TOOL) for each in (HELPED, other)]
    assert left(claims, told(5, "…"), written(7, picks)) == [other]


@pytest.mark.parametrize(
    ("order", "kept"),
    [
        ("Please fix all of these.", False),
        ("fix it", False),
        ("Ok, patch that please", False),
        ("Let's address these 2:\n\n- Missing: no `--tide` flag for the lamp table", False),
        ("Let's address these 2:\n\n- Missing: no `--moon` colour in the harbour", True),
        ("Why is it missing?", True),
        ("Don't fix it", True),
    ],
)
def test_what_a_person_asks_to_have_fixed_is_over_behind_the_change(order: str, kept: bool) -> None:
    flaw = "Missing: no `--tide` flag for the lamp table."
    plain = "The lamp table holds 12 rows."
    claims = [found(flaw, 5), found(plain, 5)]
    readings = (told(5, flaw), asked(7, order), written(9))
    assert left(claims, *readings) == ([flaw, plain] if kept else [plain])
    assert left(claims, *readings[:2]) == [flaw, plain]


def test_an_order_reaches_the_report_right_before_it() -> None:
    flaw = found("Missing: no `--tide` flag for the lamp table.", 1)
    between = [told(at, "The rows are read.") for at in range(2, 9)]
    assert left([flaw], told(1, flaw.item.text), *between, asked(9, "fix it"), written(10))


def test_a_place_in_a_file_that_a_helper_points_at_ends_with_its_change() -> None:
    place = "`src/lamp.py:37` -- the table is read every 10ms, 100ms would do."
    assert left([found(place, 5, Speaker.TOOL)], written(9)) == []
    assert left([found(place, 5)], written(9)) == [place]
    assert left([found(place.replace("lamp.py", "moon.py"), 5, Speaker.TOOL)], written(9))


def test_a_flaw_without_a_file_ends_where_the_next_changes_hold_its_names() -> None:
    stale = "The script still references `LAMP_DEST` inside the functions."
    change = "old: write(LAMP_DEST) new: write(HARBOUR_DEST)"
    assert left([found(stale, 5)], written(6, sent=change)) == []
    assert left([found(stale, 5)], written(4, sent=change)) == [stale]
    assert left([found(stale, 5)], written(6, sent="write(MOON)")) == [stale]
    far = [written(6 + place, sent="write(MOON)") for place in range(4)]
    assert left([found(stale, 5)], *far, written(19, sent=change)) == [stale]
    more = "The page still documents `--tide`, but the program has a `lamp` command for it."
    assert left([found(more, 5)], written(6, sent="--tide lamp")) == [more]
