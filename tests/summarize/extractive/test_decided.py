"""Choices of the agent: stated, weighed, or told where the change is made."""

from __future__ import annotations

import pytest

from clew.record.items import Item
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.prose import claims_of_agent
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome

WRITE = CallSeen(
    call_id="c", tool="edit", family="x", action=Action.WRITE, outcome=Outcome.OK, resource="a.py"
)

LOOK = CallSeen(call_id="c", tool="read", family="x", action=Action.READ, outcome=Outcome.OK)


def decisions(said: str, *calls: CallSeen) -> list[Item]:
    reading = Reading(handle="S-5", position=4, prose=(said,), calls=calls, finished=not calls)
    made = [each.item for each in claims_of_agent(reading, built_in_cues())]
    return [item for item in made if item.kind == "decision"]


@pytest.mark.parametrize(
    "said",
    [
        "So I will use `Intersection`.",
        "Since this is KDE, `kdesu` is the standard tool for this.",
        "The fix should require **at least 2 matching lines** to count, not just 1.",
        "The reliable fix is to convert the demos to animated images.",
        "That is better than a login of our own, because it reuses the helper.",
        "Adding a lexer for every language is heavy for this use case, not worth it.",
        "I have got the design: resolve auth once in `newTransport`, then ask the helper.",
        "I'll tighten the provider rather than filter in the consumer.",
        "Untracked `commit.md`; skipped intentionally per your rule not to include those.",
    ],
)
def test_a_choice_that_is_stated_or_weighed_is_a_decision(said: str) -> None:
    assert [item.text for item in decisions(said, LOOK)] == [said]


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("Now I need to update both places to use `repoRoot` instead:", True),
        ("I'll amend the branch to an empty tree, so GitHub no longer shows the files.", True),
        ("I will now update the launcher to use it.", False),
        ("I'll use `sed` to make this change.", False),
        ("I need to make sure it uses the code in `/testbed`.", False),
        ("Let me update the settings:", False),
        ("Make the limit lossless \u2014 raise it and return an error of its own:", True),
        ("I'm adding a small denylist so language names do not become calls.", True),
        ("I will verify write access to the folder by creating a file.", False),
        ("I'll use a script instead of the editor, or just `ed`.", False),
    ],
)
def test_how_a_change_is_made_is_a_decision_and_with_which_tool_is_not(
    said: str, chosen: bool
) -> None:
    assert bool(decisions(said, WRITE)) is chosen


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("Now update `plan` to handle this \u2014 treat a cut depth as a block:", True),
        ("I'll make every listed session yield a row, and fill it only when it is read.", True),
        ("Let me keep the error return for API consistency but silence the warning of the linter:",
         True),
        ("The natural shape is a **pipeline of three stages**, not one collecting pass:", True),
        ("Let me first see what is in `src/` that we use directly:", False),
        ("I'll use it only here.", False),
    ],
)  # fmt: skip
def test_a_change_that_is_told_before_a_look_opens_its_sentence(said: str, chosen: bool) -> None:
    assert bool(decisions(said, LOOK)) is chosen


@pytest.mark.parametrize(
    "said",
    [
        "If the module is missing, the fix would be to use `ast` because it is there.",
        "Or add it to the `post-commit` hook, the safest moment since the index is fresh.",
        "`get_comment` returns nothing, so it falls back to `get_doc`.",
        "There's another issue: since `Tide` is an alias rather than an enum, no case is missed.",
        "Cause: the pattern matched any `tide` folder rather than the root one, because of `*`.",
        "The tide didn't load because `tide.c` was read instead of `moon.c`.",
    ],
)
def test_what_is_supposed_offered_or_described_is_no_decision(said: str) -> None:
    assert decisions(said, LOOK) == []


def test_what_a_report_leaves_out_or_keeps_is_a_decision() -> None:
    said = "Skip the vendored pages (`docs/external`) in this rename."
    assert [item.text for item in decisions(said)] == [said]
    assert decisions("Skip the pages in this rename.") == []


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("I will disable GPG signing for this repository, as the key database seems locked.", True),
        ("I will assume you meant that secrets do NOT get pushed.", True),
        ("I'll delete from bottom to top to avoid shifted lines.", True),
        ("Let's use direct file operations instead.", True),
        ("Given the goal of more safety, I will add a redaction of addresses.", True),
        ("I need to split the string so it does not match the pattern.", True),
        ("THOUGHT: I'll patch the copy rather than the original.", True),
        ("I'll now commit the files.", False),
        ("I will run the tests again so that we can see the failure.", False),
        ("Let me check the log without opening the editor.", False),
        ("I'll add the debug print again, so it shows the value.", False),
        ("I'm rerunning the exact command as requested.", False),
        ("Since that is hard, let's modify our approach.", False),
        ("I'll use `sed` to delete these lines.", False),
    ],
)
def test_what_is_done_next_is_a_decision_where_it_says_why_so(said: str, chosen: bool) -> None:
    assert bool(decisions(said, LOOK)) is chosen


def thought(reasoning: str) -> list[str]:
    reading = Reading(handle="S-5", position=4, reasoning=(reasoning,), calls=(WRITE,))
    made = [each.item for each in claims_of_agent(reading, built_in_cues())]
    return [item.text for item in made if item.kind == "decision"]


def test_an_idea_that_was_only_weighed_in_thought_is_no_decision() -> None:
    idea = "The cleanest fix is to reset `count` in the helper."
    assert thought(idea) == [idea]
    assert thought(f"{idea} Actually looking at it, `count` is set there. Done.") == [idea]
    assert thought(f"{idea} Wait, that breaks the other caller.") == []
    assert thought(f"{idea}\nActually, the helper is shared. Leave it.") == []
    assert thought(f"Hmm. But wait, what else? {idea}") == [idea]


@pytest.mark.parametrize(
    ("said", "calls", "chosen"),
    [
        ("The key `tide_cmd` is unchanged so settings of old keep working.", (), True),
        ("Defaults to the tables of `TIDE_LANGUAGE=en`.", (), True),
        ("Updated the loader to default to 3 rows.", (), True),
        ("The key `tide_cmd` is unchanged.", (), False),
        ("I'll add `self.moon` to `__init__`.", (WRITE,), True),
        ("I'll **add** `Rows` to the store while keeping `Table` for now.", (WRITE,), True),
        ("I should revert the fix of the rows but keep the one of `tide`.", (LOOK,), True),
        ("I'll add `self.moon` to `__init__`.", (LOOK,), False),
        ("I need to add a bracket to lines 542 and 546.", (WRITE,), False),
        ("`tide.css`: Defines the colours instead of the table.", (), False),
        ("(16) \u2705 Excellent comment that explains why `tide` is used instead.", (), False),
    ],
)
def test_what_stays_what_is_put_where_and_descriptions(
    said: str, calls: tuple[CallSeen, ...], chosen: bool
) -> None:
    assert bool(decisions(said, *calls)) is chosen


def test_no_sentence_is_cut_at_the_number_of_a_list() -> None:
    said = "The simplest fix is:1. Put `a.txt` into the helper."
    assert [item.text for item in decisions(said, WRITE)] == [said]
    assert decisions("The fix should be one of:1. Put `a.txt` there.", WRITE) == []


def test_a_choice_that_points_back_is_told_with_the_step_before_it() -> None:
    said = "I will use a script for `tide.c`. This is safer than `sed`, because rows are long."
    (chosen,) = decisions(said, WRITE)
    assert chosen.text == said
    assert chosen.evidence[0].quote == said
