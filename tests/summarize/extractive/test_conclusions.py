"""What the agent says right behind a result is kept where it concludes something from it."""

from __future__ import annotations

import pytest

from clew.record.items import Speaker
from clew.summarize.extractive.conclusions import conclusions_in, first_statement
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.reading import Reading, read_span
from tests.summarize.extractive.told import Native, agent, bash, items, proposed, spans_of, user

CUES = built_in_cues()
LOG = "465 commits on refs/heads/archive\nconfig.ts: 3 uses of __dirname"


def read(*exchanges: list[Native]) -> list[Reading]:
    return [read_span(s) for s in spans_of([m for exchange in exchanges for m in exchange])]


def concluded(said: str, result: str = LOG) -> list[str]:
    return [m.item.text for m in conclusions_in(read(bash("git log", result), agent(said)), CUES)]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "There it is. **465 commits in 8 minutes.** Let me look.",
            "**465 commits in 8 minutes.**",
        ),
        ("103 missing blobs.", "103 missing blobs."),
        ("Good, only config.ts uses `__dirname`.", "Good, only config.ts uses `__dirname`."),
        (
            "No commits reference them — they are orphaned. Let me check the trees.",
            "No commits reference them — they are orphaned.",
        ),
        ("THOUGHT: It is importing from `config.ts`.", "It is importing from `config.ts`."),
        (
            "The loader refuses because the model is not on the list yet.",
            "The loader refuses because the model is not on the list yet.",
        ),
    ],
)
def test_a_statement_that_shares_the_result_or_concludes_is_kept(said: str, kept: str) -> None:
    assert concluded(said) == ([kept] if kept else [])


@pytest.mark.parametrize(
    "said",
    [
        "Let me look at the 465 commits.",
        "Now I will open config.ts.",
        "Does config.ts use `__dirname`?",
        "Maybe the 465 commits are the reason.",
        "Run the 465 commits again.",
        "Checking config.ts for `__dirname`.",
        "This will show whether config.ts is used.",
        "I see the issue.",
        "Only config.ts is used in the following places, as the log shows:",
        "Here's what only config.ts shows.",
        "All tests pass.",
        "## 465 commits",
        "| config.ts | 465 |",
        "```\nconfig.ts is only used by 465 commits\n```",
        "1. config.ts is not used by the 465 commits.",
        "I have created config.ts for the archive.",
    ],
)
def test_plans_questions_headings_lists_and_accounts_of_work_conclude_nothing(said: str) -> None:
    assert concluded(said) == []


def test_the_first_sentences_behind_a_question_answer_it() -> None:
    asked = read(
        user("does it read the helper?"),
        agent("Yes, but only where no token is set in the environment. It asks."),
    )
    (made,) = conclusions_in(asked, CUES)
    assert made.item.text == "Yes, but only where no token is set in the environment."
    assert made.item.said_by is Speaker.AGENT
    assert made.item.evidence[0].span == asked[1].handle


def test_nothing_is_concluded_from_nothing() -> None:
    assert conclusions_in(read(agent("Only config.ts is used by 465 commits.")), CUES) == []


def test_a_number_of_the_result_counts_for_more_than_a_word() -> None:
    first = bash("git log", LOG)
    plain = agent("The loader refuses because the model is not on the list yet.")
    counted = agent("The archive holds 465 commits and only config.ts uses `__dirname`.")
    made = conclusions_in(read(first, plain, first, counted), CUES)
    assert [m.item.text[:11] for m in made] == ["The archive", "The loader "]


def test_the_first_statement_stands_before_what_comes_next() -> None:
    (reading,) = read(agent("The line went into the signature. I'll undo it first."))
    assert first_statement(reading) == "The line went into the signature."
    assert first_statement(read(agent("Let me undo it."))[0]) is None


def test_what_stands_as_a_failure_is_no_finding_as_well() -> None:
    made = proposed(bash("python demo.py", "print"), agent("I don't see my print in `demo.py`."))
    assert [item.kind for item in items(made) if "my print" in item.text] == ["dead_end"]
