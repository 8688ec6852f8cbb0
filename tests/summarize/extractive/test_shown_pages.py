"""A page that a message shows is not what its author says."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.shown_pages import own_prose
from tests.summarize.extractive.told import agent, items, proposed, user

PAGE = (
    "I clicked 'Tides'.\n\nHere is a screenshot of [Tides](https://a.example/t). The viewport "
    "shows 30% of the webpage.\nAutomatic OCR of the page screenshot has detected the following "
    "text:\n\n"
    "**The harbour is only open at high tide since June 10, 2021.**\n"
    "Note: the fee of `tide.c` was amended."
)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (PAGE, "I clicked 'Tides'."),
        ("I typed 'tide' there.\nThe following metadata was extracted from the page:\n{}",
         "I typed 'tide' there."),
        ("Done.\n\n_**Agent - sidechain (2026-02-23 13:20:27Z)**_\n\nYou MUST write a summary.",
         "Done."),
        ("exitcode: 0 (execution succeeded)\nCode output: the harbour is shut", ""),
        ("The page says that the harbour is shut.", "The page says that the harbour is shut."),
        ("I took a screenshot of [the harbour]; it is shut.",
         "I took a screenshot of [the harbour]; it is shut."),
    ],
)  # fmt: skip
def test_what_stands_behind_the_page_is_not_said(text: str, own: str) -> None:
    reading = Reading(handle="S-1", position=0, prose=(text,), finished=True)
    assert own_prose(reading) == ((own,) if own else ())


def test_no_sentence_of_a_page_is_a_finding_or_a_choice_of_the_agent() -> None:
    found = items(proposed(user("when is the harbour open?"), agent(PAGE)))
    told = [item.text for item in found if item.kind in {"fact", "decision"}]
    assert not any("harbour is only open" in text or "amended" in text for text in told)


def test_members_of_a_document_are_no_sentences() -> None:
    said = (
        '"og:title": "The harbour is only open because of `tide.c`."\n'
        'Better than any lamp!\\",\\"name\\":\\"Only the best lamps of 1998, because they shine'
    )
    found = items(proposed(user("when is the harbour open?"), agent(said)))
    assert [item.text for item in found if item.kind in {"fact", "decision"}] == []
