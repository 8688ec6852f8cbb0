"""What a person pasted, and a skill's text, are in their message and no rules of theirs."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.directives import directives_in, rules_in
from clew.summarize.extractive.pasted import is_template, pasted_spans
from clew.summarize.extractive.reading import Reading, read_span
from tests.summarize.extractive.told import Native, agent, call, items, proposed, spans_of, user

LINT = """why do we still have these?
[{
	"resource": "/c:/kha/src/Gifting.ts",
	"message": "Property 'userId' must never exist on type 'never'.",
	"source": "ts",
	"startLineNumber": 23,
	"tags": [
		1
	]
},{
	"resource": "/c:/kha/docs-fix.js",
	"message": "'EXT' is assigned a value but never used. Allowed unused vars must match /^_/u.",
}]"""
LOG = """--- FAIL: TestReverted (3.40s)
    hooks.go:209: Hook output: state before prompt
        ✓ Created orphan branch
        Pre-prompt state must be 0 files
    final_test.go:808: Second commit should NOT have a trailer, got 7940d
FAIL"""
SKILL = "# Simplify\n\nReview all files.\n\n" + "\n".join(
    f"{n}. Never copy code of kind {n}; always reuse what is there already." for n in range(1, 9)
)


def rules(text: str, before: Reading | None = None) -> list[str]:
    reading = Reading(handle="S-3", position=2, typed=(text,))
    return [c.item.text for c in rules_in(reading, built_in_cues(), goal="", before=before)]


def pasted(text: str) -> str:
    return "".join(text[start:end] for start, end in pasted_spans(text))


@pytest.mark.parametrize(
    "text",
    [
        LINT,
        LOG,
        "src/a.py:12:5: E501 line must never be longer than 100",
        "  12:5  error  'x' is never used  no-unused-vars",
        "error[E0308]: mismatched types must never unify",
        "2026-01-02 03:04:05 worker: always retry, never give up",
        "Traceback (most recent call last):\n  File \"a.py\", line 3\n    keys must never be empty",
        "> you must always squash the commits",
        "WARN cache must never be empty\nINFO always on\nERROR never reached",
        "✓ always green\n✗ never red\n✓ must pass",
        "src/a.py:12 never read\nsrc/b.py:3 never written\nsrc/c.py:9 must exist",
    ],
)  # fmt: skip
def test_lines_that_a_program_wrote_are_nobodys_rules(text: str) -> None:
    assert rules(text) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"{LINT}\n\nNever silence them with a comment.", "Never silence them with a comment."),
        (f"Always run the linter first.\n{LOG}", "Always run the linter first."),
        (
            "src/a.ts:12:5: error TS1: bad type\nNever use any there.\nsrc/b.ts:3:1: error TS2: no",
            "Never use any there.",
        ),
        ("src/a.py:12 must never cache the token", "src/a.py:12 must never cache the token"),
        ("- Never push to main.\n- Always rebase first.", "Never push to main."),
        ("1. Never push to main.\n2. Max 3 retries.\n3. Max 5 workers.", "Never push to main."),
        ('"strict" must always be true', '"strict" must always be true'),
        ("Error: never show this text to customers", "Error: never show this text to customers"),
        ("src/a.py:1:2: E1 x\n  - Never fix it by hand.", "Never fix it by hand."),
        ("On 2026-01-02 you must never deploy.", "On 2026-01-02 you must never deploy."),
    ],
)
def test_what_a_person_wrote_beside_it_or_in_a_like_shape_stays_a_rule(
    text: str, rule: str
) -> None:
    assert rule in rules(text)


def test_lines_of_a_block_and_what_is_indented_in_it_are_pasted_and_prose_is_not() -> None:
    assert pasted(f"Look at this:\n{LOG}\nWhat is it?") == f"{LOG}\n"
    assert pasted(LINT) == LINT.removeprefix("why do we still have these?\n")
    assert pasted("app/a.ts(12,5): error TS2322: no") == "app/a.ts(12,5): error TS2322: no"
    assert pasted("Do this.\n\nThen that.\n- and this") == ""


def read(*natives: Native) -> list[Reading]:
    return [read_span(span) for span in spans_of(natives)]


LOADED = call("Skill", {"skill": "simplify"}, "Launching skill: simplify")
TYPED = "<command-message>simplify</command-message>\n<command-name>/simplify</command-name>"


@pytest.mark.parametrize("story", [[*LOADED, *user(SKILL)], [*user(TYPED), *user(SKILL)]])
def test_a_skill_is_no_rule_and_a_request_where_a_person_typed_it(story: list[Native]) -> None:
    assert items(proposed(story), "invariant") == []
    asked = [SKILL] if story[0]["role"] == "user" else []
    assert [item.text for item in items(proposed(story), "directive")] == asked


@pytest.mark.parametrize(
    "text", ["Stop. Mend the lamp first.", "Mend the lamp first, then the tide table. " * 9]
)
def test_what_a_person_asks_behind_a_loaded_skill_stays_a_request(text: str) -> None:
    made = items(proposed([*LOADED, *user(text)]), "directive")
    assert [item.text for item in made] == [text.strip()]


@pytest.mark.parametrize(
    "story",
    [
        user(SKILL),
        [*LOADED, *user("Stop. Never touch billing.")],
        [*LOADED, *agent("Loaded."), *user(SKILL)],
        [*call("Skill", {"skill": "simplify"}, SKILL), *user(SKILL)],
        [*call("Read", {"path": "skill.md"}, "Launching skill"), *user(SKILL)],
        [
            *user("<command-name>/clear</command-name>\n<command-message>clear</command-message>"),
            *user(SKILL),
        ],
    ],
)
def test_what_a_person_types_behind_other_things_stays_a_rule(story: list[Native]) -> None:
    assert items(proposed(story), "invariant")


def test_a_message_of_pasted_lines_is_a_request_word_for_word() -> None:
    (reading,) = read(*user(LINT))
    (made,) = directives_in([reading], "the goal", built_in_cues())
    assert made.item.text == LINT


STEPS = (
    "- Never touch the files of the harbour.\n- Always check that `tide.c` only reads once.\n" * 5
)
GIVEN = f"## Context\n\n- Tide: high\n\n## What to do\n\nLook at $ARGUMENTS.\n\n{STEPS}"
PLACE = f"## Context\n\n- Tide now: high\n\n## Your task\n\nLook at harbour $1 now.\n\n{STEPS}"
USAGE = f"# Review the tide\n\n{STEPS}\n## Usage Examples:\n\nGive the harbour as $1 here.\n"
TASK = f"## Context\n\n- Tide now: high\n\n## Your task\n\nLook at the harbour.\n\n{STEPS}"
PLAN = f"Implement this plan:\n\n## Context\n\nThe tide is high.\n\n## Steps\n\n{STEPS}"


@pytest.mark.parametrize("text", [GIVEN, PLACE, USAGE])
def test_the_text_of_a_command_is_a_request_and_nobodys_rules(text: str) -> None:
    assert is_template(text)
    delta = proposed(user(text), agent("Done."))
    assert [item.kind for item in items(delta)] == ["directive"]


@pytest.mark.parametrize(
    "text",
    [
        PLAN,
        STEPS,
        TASK,
        f"## Costs\n\nNever spend more than $5 per month.\n\n## Rows\n\n{STEPS}",
        f"## Costs\n\nNever spend more than $5.\n\n## Rows\n\n{STEPS}",
        f"## Script\n\nKeep `echo $1` as it is.\n\n## Rows\n\n{STEPS}",
        "## Your task\n\n## Rows\n\nNever touch the harbour.",
    ],
)
def test_a_plan_or_a_long_message_of_a_person_rules(text: str) -> None:
    assert not is_template(text)
    delta = proposed(user("look at the tide"), agent("Done."), user(text), agent("Done."))
    assert items(delta, "invariant")
