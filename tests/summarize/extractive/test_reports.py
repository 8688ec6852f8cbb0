"""A report tells findings by its structure: lists under headings, tables, labels, stress."""

from __future__ import annotations

import pytest

from clew.record.items import Speaker
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.reports import reported_in
from clew.tools_seen.seen import Action, CallSeen, Outcome
from tests.summarize.extractive.told import agent, bash, items, proposed

LOOK = CallSeen(call_id="c", tool="read", family="x", action=Action.READ, outcome=Outcome.OK)


def told(said: str, *, at_work: bool = False) -> list[str]:
    calls = (LOOK,) if at_work else ()
    reading = Reading(handle="S-5", position=4, prose=(said,), calls=calls, finished=not at_work)
    return [made.item.text for made in reported_in(reading, built_in_cues())]


@pytest.mark.parametrize(
    ("heading", "entry"),
    [
        ("What changed:", "`tide-sync` now resolves the key in this order: flags, then the store."),
        ("## Summary", "Moved `TideZone` from the root into `HarbourConfig`."),
        ("**Verification**", "Total rows dropped from `25800` to `4516`."),
        ("", "Coverage of `auth`: 0% → 12.9%"),
    ],
)
def test_entries_of_a_final_list_are_findings(heading: str, entry: str) -> None:
    assert told(f"Done with the tides.\n\n{heading}\n- {entry}\n") == [entry]


@pytest.mark.parametrize(
    ("heading", "entry"),
    [
        ("Next steps:", "Move the `tide.toml` file that was left in the harbour."),
        ("If you want, I can:", "Keep `tide.toml` where it was."),
        ("How to use it:", "`tide plan` now shows what is done."),
        ("What changed:", "Run `tide plan` to see what is done."),
        ("What changed:", "`changelog.ts` - changelog parsing"),
        ("What changed:", "The rest is fine."),
        ("What changed:", "Is `tide.toml` still needed?"),
        ("What changed:", "`tide.toml` is probably not read any more."),
    ],
)
def test_plans_offers_orders_questions_guesses_and_names_are_none(heading: str, entry: str) -> None:
    assert told(f"Done with the tides.\n\n{heading}\n- {entry}\n") == []


def test_who_is_at_work_lists_findings_only_under_a_heading_that_says_so() -> None:
    found = "The `lookup` step turns errors of the store into an empty answer."
    assert told(f"Codex Review Findings:\n\n1. {found}\n\nLet me fix it:", at_work=True) == [found]
    assert told(f"I will do this:\n\n1. {found}\n\nStarting:", at_work=True) == []


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "Good.\n\n**Finding 1:** The lamp is lit at noon by `lamp.timer`. Fix: an hour later.",
            "Finding 1:** The lamp is lit at noon by `lamp.timer`.",
        ),
        (
            "I add the list.\n\n**Warning:** This list blocks many services that follow you.",
            "Warning:** This list blocks many services that follow you.",
        ),
        (
            "I looked around. We need no key because **plain logs exist in the temporary folder**.",
            "We need no key because **plain logs exist in the temporary folder**.",
        ),
        (
            "The list is empty.\n\nSo `col` holds nothing and no `Package` is made.\n\nI look on.",
            "So `col` holds nothing and no `Package` is made.",
        ),
    ],
)
def test_labelled_stressed_and_concluding_sentences_are_kept_wherever_they_stand(
    said: str, kept: str
) -> None:
    (text,) = told(said, at_work=True)
    assert text.lstrip("*") == kept


def test_a_label_that_says_what_is_done_next_tells_nothing() -> None:
    assert told("Now fix finding #2:** check the mappings before the network.", at_work=True) == []


def test_of_two_findings_of_a_message_the_longer_one_is_kept() -> None:
    said = "**Storage:** Only 5.4MB of `/overlay` is used. There is no bloat.\n\nIs that all?"
    facts = items(proposed(bash("df", "/overlay 5.4MB"), agent(said)), "fact")
    assert len([f for f in facts if "5.4MB of" in f.text]) == 1


def test_a_conclusion_that_the_next_words_take_back_is_none() -> None:
    said = "The list is empty.\n\nSo `col` holds nothing and no `Package` is made."
    assert told(said, at_work=True) != []
    said += "\n\nWait, it has one."
    assert told(said, at_work=True) == []


def test_rows_of_a_final_table_that_count_are_findings() -> None:
    table = (
        "| Package | Before | Now |\n|---|---|---|\n| auth | 0% | **53.2%** |\n| docs | none | - |"
    )
    assert told(f"Here is the coverage:\n\n{table}\n") == ["auth: Before 0%; Now **53.2%**"]
    assert told(f"Here is the coverage:\n\n{table}\n", at_work=True) == []


@pytest.mark.parametrize(
    ("heading", "entry", "shown"),
    [
        (
            "Done. The drift was in [tide](/home/keeper/tide.md:3):",
            "no longer names `--dry-run`",
            "The drift was in tide: no longer names `--dry-run`",
        ),
        (
            "## `product`",
            "Has `display_name` for 2 lists",
            "`product`: Has `display_name` for 2 lists",
        ),
        (
            "The drift:",
            "the table now names `--dry-run` twice",
            "the table now names `--dry-run` twice",
        ),
        ("The drift:", "`tide.c` now reads 3 rows", "`tide.c` now reads 3 rows"),
    ],
)
def test_an_entry_without_a_subject_stands_under_its_heading(
    heading: str, entry: str, shown: str
) -> None:
    assert told(f"All is done here.\n\n{heading}\n- {entry}\n") == [shown]


def test_what_is_fenced_is_no_report() -> None:
    assert told("Done.\n\n```\n- `tide.toml` is not read any more by 3 tools.\n```\n") == []


def test_a_long_report_is_kept_behind_a_recall_and_the_surest_stay() -> None:
    rows = [f"Added `part{n}.py`, which reads {n} rows that were lost." for n in range(4)]
    story = [
        part
        for place in range(12)
        for part in (
            bash(f"cat part{place}", f"rows{place}"),
            agent(
                "All is done:\n\n" + "\n".join(f"- {r} ({place}{n})" for n, r in enumerate(rows))
            ),
        )
    ]
    facts = items(proposed(*story), "fact")
    assert sum(item.live for item in facts) == 16
    assert 16 < len(facts) <= 32
    assert all(item.said_by is Speaker.AGENT for item in facts)


PARAGRAPH = "`read_rows` now takes `want_all`. Callers that list pass `false`."


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"Done.\n\n**Fix (10), `tide.go`**\n{PARAGRAPH}", ["`read_rows` now takes `want_all`."]),
        (f"Done.\n\n## Next steps\n{PARAGRAPH}", []),
        (f"Done.\n\nAnd that is all of it.\n{PARAGRAPH}", []),
        (f"Done.\n\n## Fix\nSome words.\n\n{PARAGRAPH}", []),
        (f"Done.\n\n## Fix\n{PARAGRAPH}\n\nShall I commit it?", []),
        ("Done.\n\n## Fix\nThe tides are right again.", []),
    ],
)
def test_a_paragraph_below_a_heading_of_a_report_opens_with_a_finding(
    said: str, kept: list[str]
) -> None:
    assert told(said) == kept
    assert told(said, at_work=True) == []
