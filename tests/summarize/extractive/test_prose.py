"""What the agent says it does next, and which of its words are promises or choices."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.prose import claims_of_agent, next_action
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome

WRITE = CallSeen(
    call_id="c", tool="edit", family="x", action=Action.WRITE, outcome=Outcome.OK, resource="a.py"
)
CUES = built_in_cues()


def kinds(text: str, *, finished: bool = False, writes: bool = False) -> list[str]:
    reading = Reading(
        handle="S-3",
        position=2,
        prose=(text,),
        finished=finished,
        calls=(WRITE,) if writes else (),
    )
    return [made.item.kind for made in claims_of_agent(reading, CUES)]


@pytest.mark.parametrize(
    ("text", "finished", "writes", "expected"),
    [
        ("I'll put the new names into `a.py` directly.", False, True, "decision"),
        ("I'll put the new names into `a.py` directly.", False, False, ""),
        ("Bumped `go.mod` to 1.26.3 because the scan found a hole.", True, False, "decision"),
        ("I'll add the missing test to `a.py` tomorrow.", True, False, "commitment"),
        ("If you want, I'll add the missing test to `a.py`.", True, False, ""),
        ("Updated direction I'll implement in `a.py`:", True, False, ""),
        ("I'm wondering if `a.py` was truncated somehow.", False, False, ""),
        ("The combined output truncated `a.py`, so I read it again.", False, False, "dead_end"),
    ],
)
def test_a_sentence_is_what_its_words_and_its_exchange_make_it(
    text: str, finished: bool, writes: bool, expected: str
) -> None:
    assert kinds(text, finished=finished, writes=writes) == ([expected] if expected else [])


def test_next_takes_in_the_promises_right_before_it() -> None:
    said = "All tests pass. I'll commit the fix first. Then I'll go on with the next gap."
    found = next_action([Reading(handle="S-3", position=2, prose=(said,))], CUES)
    assert found == ("I'll commit the fix first. Then I'll go on with the next gap.", "S-3")


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("please do the URL helpers now", "please do the URL helpers now"),
        ("Continue", "Next I run"),
    ],
)
def test_a_later_request_takes_the_place_of_an_older_plan(request_: str, expected: str) -> None:
    plan = Reading(handle="S-3", position=2, prose=("Next I run the linter again.",))
    asked = Reading(handle="S-5", position=4, typed=(request_,))
    found = next_action([plan, asked], CUES)
    assert found is not None
    assert found[0].startswith(expected)


def test_a_heading_of_thoughts_is_no_next_action() -> None:
    thought = Reading(handle="S-3", position=2, reasoning=("**Planning next batch**",))
    assert next_action([thought], CUES) is None
