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


def test_what_a_person_said_to_a_call_takes_the_place_of_the_plan_it_was_part_of() -> None:
    refused = Reading(
        handle="S-3",
        position=2,
        prose=("Next I mend the hook.",),
        calls=(WRITE,),
        typed=("Not in this branch, log an issue instead.",),
    )
    assert next_action([refused], CUES) == ("Not in this branch, log an issue instead.", "S-3")


def test_a_heading_of_thoughts_is_no_next_action() -> None:
    thought = Reading(handle="S-3", position=2, reasoning=("**Planning next batch**",))
    assert next_action([thought], CUES) is None


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Done so far.\n\nNext steps:\n1. Wire the router\n2. Add tests", "Wire the router"),
        ("## Next steps\n\n- Wire the router\n- Add tests", "Wire the router"),
        ("**Next steps:**\n- [x] Write the parser\n- [ ] Wire the router", "Wire the router"),
        ("**Next steps**\n- ~~Write the parser~~\n- Wire the router", "Wire the router"),
        ("Next:\nRun the linter again.", "Run the linter again."),
        ("Let me wire the router.\n\nNext steps:", "Let me wire the router."),
        ("Let me wire the router.\n\n### Next up\n```\nmake\n```", "Let me wire the router."),
        ("Next: wire the router", "Next: wire the router"),
        (
            "Now let me wire these up:\n- the router\n- the cache of pages",
            "Now let me wire these up:\n- the router",
        ),
        ("Now let me wire these up:\n\nThey are many.", "Now let me wire these up:"),
        ("Let me summarize what I did:\n- Wired the router", "Let me summarize what I did:"),
        ("Next I wire the router. Next steps follow.", "Next steps follow."),
    ],
)
def test_a_bare_heading_is_never_next_but_what_stands_below_it(said: str, expected: str) -> None:
    working = Reading(handle="S-3", position=2, prose=(said,), arguments=("{}",))
    assert next_action([working], CUES) == (expected, "S-3")


@pytest.mark.parametrize("said", ["Next steps:", "## Next steps", "**What is next**", "Next:\n\n"])
def test_a_heading_with_nothing_below_it_is_no_next_action(said: str) -> None:
    assert next_action([Reading(handle="S-3", position=2, prose=(said,))], CUES) is None


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Please do the following:\n1. wire the router\n2. add tests", "wire the router"),
        ("I want you to do these:\n1. wire the router\n2. add tests",
         "I want you to do these:\n1. wire the router"),
        ("Your next tasks:\n- wire the router\n- add tests", "wire the router"),
        ("Please wire the router\n- and add tests", "Please wire the router"),
    ],
)  # fmt: skip
def test_of_a_request_that_opens_with_a_heading_the_first_entry_is_next(
    asked: str, expected: str
) -> None:
    assert next_action([Reading(handle="S-3", position=2, typed=(asked,))], CUES) == (
        expected,
        "S-3",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Abandon the branch `fix/paths` because the cause is another one", []),
        ("I abandoned the branch `fix/paths` because the cause is another one", ["dead_end"]),
        ("| `auth.py` | won't work because the token is gone |", []),
        ("Landed the follow-up as `e55eb4d` without a change of the contract", []),
        ("Landed the next follow-up as `e55eb4d`", []),
        ("No remaining file failed, so there is no follow-up for `a.sql`", []),
        ("I'll send the fix for `auth.py` as a follow-up later on", ["commitment"]),
    ],
)
def test_plans_rows_of_tables_and_what_was_done_are_no_failures_and_no_promises(
    text: str, expected: list[str]
) -> None:
    found = kinds(text, finished=True)
    assert [kind for kind in found if kind in {"dead_end", "commitment"}] == expected
