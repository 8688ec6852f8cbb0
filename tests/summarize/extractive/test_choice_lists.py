"""Lists of what is left out, labels such as "Fix:" and picks are choices; other lists are not."""

from __future__ import annotations

import json

import pytest

from clew.summarize.extractive.choice_lists import listed_choices
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome


def choices(text: str) -> list[str]:
    made = listed_choices(Reading(handle="S-5", position=4, prose=(text,)))
    assert all(each.item.evidence[0].quote in text for each in made)
    return [each.item.text for each in made]


SKIPPED = """Good findings. **Will fix:**
1. Share the helper

**Skip:**
- Unifying the types (different packages should not import each other)
- `Pkt` \u2014 used by the benchmark tests
- none

Let me start."""


def test_what_is_left_out_is_a_choice_with_its_reason() -> None:
    assert choices(SKIPPED) == [
        "Skip: Unifying the types (different packages should not import each other)",
        "Skip: `Pkt` \u2014 used by the benchmark tests",
    ]
    made = listed_choices(Reading(handle="S-5", position=4, prose=(SKIPPED,)))
    assert [(r.option, r.why) for each in made for r in each.item.rejected] == [
        ("Unifying the types", "different packages should not import each other"),
        ("`Pkt`", "used by the benchmark tests"),
    ]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (
            "**Finding 1:** Login fails hard.\nThe fix: tell a missing key from a broken one.",
            ["The fix: tell a missing key from a broken one."],
        ),
        ("Per-agent live bars it is \u2014 the better option. Let me write it down.", 1),
        ("Let me implement both methods to add the scripts to the sidebar:", 1),
        (
            "My plan is:\n1. Modify `src/a.py` to collect the files that were named\n2. Run it",
            ["Modify `src/a.py` to collect the files that were named"],
        ),
        ("Out of scope:\n- The picker, a change of its own", 1),
        (
            "## Development Conventions\n- **State**: Kept in `localStorage` under the key `tide`.",
            ["State: Kept in `localStorage` under the key `tide`."],
        ),
    ],
)
def test_labels_picks_and_plans_tell_choices(text: str, made: list[str] | int) -> None:
    found = choices(text)
    assert len(found) == made if isinstance(made, int) else found == made


@pytest.mark.parametrize(
    "text",
    [
        "What changed:\n- The parser reads comments (it kept none before)",
        "Skipped tests:\n- None",
        "The fix: should I keep the old name?",
        "Fix: x = {'a': 1};",
        "What time it is matters for the cache.",
        "Let's use find_file to see where it is.",
        "I looked at both files and neither is used.",
        "Plan:\n- Look at `src/a.py`\n- Run the tests to see",
        "Results:\n1. Use of `a` to b in 3 files",
    ],
)
def test_reports_questions_code_and_looks_are_none(text: str) -> None:
    assert choices(text) == []


DESIGN = """## Design Decisions

1. **Separate folder**: `tides/` is apart from `lamps/` for cleaner builds
2. **Own helpers**: Copy the rows of `lamps/rows.c` rather than importing them
3. Say "no" to rows that are empty

## Files

- **Create** `tides/` with all that it needs
"""


@pytest.mark.parametrize(
    ("action", "resource", "found"),
    [
        (Action.WRITE, "/home/keeper/.agent/plans/bright-lamp.md", 2),
        (Action.WRITE, "docs/design.md", 2),
        (Action.PLAN, "", 2),
        (Action.WRITE, "docs/README.md", 0),
        (Action.READ, "docs/design.md", 0),
    ],
)
def test_the_decisions_of_a_written_plan_are_choices(
    action: Action, resource: str, found: int
) -> None:
    call = CallSeen(
        call_id="c", tool="w", family="x", action=action, outcome=Outcome.OK, resource=resource
    )
    written = json.dumps({"file_path": resource, "content": DESIGN})
    reading = Reading(handle="S-5", position=4, arguments=(written,), calls=(call,))
    made = [each.item.evidence[0].quote for each in listed_choices(reading)]
    assert (
        made
        == [
            "**Separate folder**: `tides/` is apart from `lamps/` for cleaner builds",
            "**Own helpers**: Copy the rows of `lamps/rows.c` rather than importing them",
        ][:found]
    )
    assert all(quote in written for quote in made)
