"""Rules and reasons that were written into files are choices; what only describes is not."""

from __future__ import annotations

import json

import pytest

from clew.summarize.extractive.choices_written import choices_written
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome


def writing(file: str, text: str, old: str = "", at: int = 5) -> Reading:
    given = {"path": file, "new_string": text, **({"old_string": old} if old else {})}
    call = CallSeen(
        call_id="c", tool="t", family="f", action=Action.WRITE, resource=file, outcome=Outcome.OK
    )
    sent = (json.dumps(given, ensure_ascii=False),)
    return Reading(handle=f"S-{at}", position=at - 1, arguments=sent, calls=(call,))


def chosen(*readings: Reading) -> list[str]:
    made = choices_written(readings)
    assert all(each.item.kind == "decision" for each in made)
    sent = "".join(r.arguments[0] for r in readings)
    assert all(each.item.evidence[0].quote in sent for each in made)
    return [each.item.text for each in made]


@pytest.mark.parametrize(
    "rule",
    [
        "If multiple working paths exist, prefer the shortest deterministic path.",
        "Avoid embedding secrets or paths of this machine.",
        "Keep scripts explicit, readable, and safe (no embedded secrets).",
        "Mark each as one of: `done`, `failed`, or `optional`.",
        "Defaults to English tables only (`TABLES=en`), with an override.",
        "After a new table was read, suggest storing it with `.tide/store.md`.",
        "Do not read raw table files unless the reader asks for them.",
    ],
)
def test_a_rule_in_a_file_of_instructions_is_a_choice(rule: str) -> None:
    for file in ("AGENTS.md", ".opencode/skills/tide/SKILL.md", "C:\\x\\commands\\tide.md"):
        assert chosen(writing(file, f"# Rules\n\n- {rule}")) == [
            f"{file.split(chr(92))[-1].split('/')[-1]}: {rule}"
        ]


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("AGENTS.md", "- The tide table is in `tables/`."),  # describes
        ("AGENTS.md", "- Run the tests"),  # too short, and narrows nothing
        ("AGENTS.md", "Prefer the shortest deterministic path."),  # no entry of a list
        ("AGENTS.md", "- If the lamp is lit, what do you do with it then?"),
        ("docs/research.md", "- Never reuse the number of a deleted field."),  # tells of a subject
        ("README.md", "- Only tables of this year are read."),
        ("tide.py", "# The table of tides, row by row"),
        ("tide.py", "# so that it can be read twice"),  # a piece of a sentence
        ("tests/test_tide.py", "# Rows must be sorted, so the oldest comes first."),
        ("tide.py", "# Generated file - DO NOT EDIT because it is written anew"),
    ],
)
def test_what_describes_asks_or_tells_of_a_case_is_none(file: str, line: str) -> None:
    assert chosen(writing(file, line)) == []


def test_a_plan_sets_one_way_against_another() -> None:
    line = "- **Checks**: Use patterns instead of exact strings"
    assert chosen(writing("plans/tide.md", line)) == [
        "tide.md: Checks: Use patterns instead of exact strings"
    ]


def test_a_comment_that_says_why_is_a_choice_and_is_joined_where_it_was_wrapped() -> None:
    code = "x = 1\n# Read the table twice because the first\n# pass only counts. More of it.\ny = 2"
    assert chosen(writing("src/tide.py", code)) == [
        "tide.py: Read the table twice because the first pass only counts."
    ]


def test_a_comment_is_not_joined_with_a_new_sentence() -> None:
    code = "// Re-read the table under the lock to avoid lost rows\n// Rows are sorted"
    assert chosen(writing("tide.go", code)) == [
        "tide.go: Re-read the table under the lock to avoid lost rows"
    ]


def test_what_was_taken_out_again_is_no_choice_any_more() -> None:
    rule = "- Prefer the shortest deterministic path, not the first one."
    kept = "- Avoid embedding secrets or paths of this machine."
    first = writing("AGENTS.md", f"{rule}\n{kept}")
    again = writing("AGENTS.md", "- Lamps are lit at night", old=rule, at=7)
    assert chosen(first, again) == ["AGENTS.md: Avoid embedding secrets or paths of this machine."]


def test_a_new_number_makes_no_new_rule() -> None:
    line = "Keep the answer short, and do not repeat the table."
    moved = writing("SKILL.md", f"9. Light the lamp first\n10. {line}", old=f"9. {line}")
    assert chosen(moved) == []


def test_a_file_gives_no_more_than_three_rules_at_once() -> None:
    rules = "\n".join(f"- Never light lamp {n} without the keeper." for n in range(9))
    assert len(chosen(writing("AGENTS.md", rules))) == 3
