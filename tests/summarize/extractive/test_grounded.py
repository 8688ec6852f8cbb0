"""A change announced beside a finding about the same thing is a choice."""

from __future__ import annotations

from time import process_time

import pytest

from tests.summarize.extractive.told import Native, agent, bash, call, items, proposed, user


def edit(said: str = "") -> list[Native]:
    return call("edit", {"path": "a.py", "old": "a", "new": "b"}, "edited a.py", said=said)


def decisions(*story: list[Native]) -> list[str]:
    return [item.text for item in items(proposed(*story), "decision")]


@pytest.mark.parametrize(
    ("ground", "said"),
    [
        ("`TideRow` has a `__ne__` of its own.", "I will remove `__ne__` from `TideRow`."),
        ("The template has `zone` at the root.", "I need to move it into `TideConfig`."),
        (
            "The issue: the comment holds `=`, so it passes the filter.",
            "I need to tighten `is_setting` to bare keys.",
        ),
    ],
)
def test_a_change_right_behind_a_finding_is_a_choice_with_that_reason(
    ground: str, said: str
) -> None:
    (made,) = items(proposed(bash("cat a.py", "..."), edit(f"{ground} {said}")), "decision")
    assert made.text == said
    assert made.why == ground.rstrip(".")
    assert {each.quote for each in made.evidence} == {said, ground}


def test_a_change_is_a_choice_where_the_next_words_tell_what_it_brings() -> None:
    said = "I will remove `__ne__` from `Tide` and `Moon`."
    assert decisions(edit(f"Needs a fix. {said} They will inherit it from `Basic`.")) == [said]


@pytest.mark.parametrize(
    "said",
    [
        "Let me look at `TideRow`.",
        "I will remove `__ne__` from `TideRow`.",
        "`TideRow` has no rows. I will add a debug print to `TideRow`.",
        "`TideRow` has no rows. I'll change `TideRow` with a python script.",
        "`TideRow` has no rows. I will run the tests of `TideRow`.",
    ],
)
def test_looks_probes_tools_and_bare_steps_are_no_choice(said: str) -> None:
    assert decisions(edit(said)) == []


DESIGN = "`unsubscribe()` should only leave the agent, not clear the listeners."


@pytest.mark.parametrize(
    "said",
    [
        DESIGN,
        "If `db_zone == name`, we don't wrap it in `CONVERT_TZ`.",
        "If `ZONE` is set, it should use that instead of `'0:00'`.",
        "I'm separating what is on the target from what we hold, which fixes the difference.",
        "I will send the script over the shell, bypassing the need for a copy.",
    ],
)
def test_how_the_code_is_to_behave_is_a_choice_where_it_is_made(said: str) -> None:
    assert decisions(edit(f"I see. {said} Let me fix that:")) == [said]


def test_a_change_that_follows_in_silence_belongs_to_what_was_said() -> None:
    look = bash("tail a.py", "...", said=f"{DESIGN} Let me see the end first.")
    assert decisions(look, edit()) == [DESIGN]
    assert decisions(look, bash("pytest", "1 passed")) == []
    assert decisions(look, bash("ls", "a.py", said="Something else."), edit()) == []


def test_words_without_a_call_belong_to_the_call_behind_them_unless_a_person_speaks() -> None:
    said = "This is big, so I'll build the data layer first and stop — keeps it small."
    assert decisions(agent(said), edit()) == [said]
    assert decisions(agent(said), user("no, wait"), edit()) == []


def test_entries_of_a_plan_may_have_a_label() -> None:
    plan = "**Wireless:** Rename `wlan0` to `tide_5g` so that the boats see only one."
    said = f"Here is it.\n\n**Optimization plan:**\n\n1. {plan}\n\nI write:"
    assert decisions(edit(said)) == [plan.replace("**", "")]


def test_a_message_of_blank_lines_costs_no_time() -> None:
    started = process_time()
    assert decisions(edit("\n\n" * 6_000 + "Done.")) == []
    assert process_time() - started < 3.0
