"""A step that is told as it is taken is no choice, however it is worded."""

from __future__ import annotations

import pytest

from clew.record.delta import Add
from clew.summarize.extractive.mere_steps import is_mere_step
from clew.summarize.extractive.summarizer import ExtractiveSummarizer
from tests.summarize.building import request, span


@pytest.mark.parametrize(
    "text",
    [
        "I\u2019m restoring the lamp probe briefly, because the failure moved to the table.",
        "I'll use `git stash` to set the rows aside temporarily, then bring them back.",
        "Now I will print the tide table one last time to be sure that it holds `rows`.",
        "I\u2019m running the harbour case to see whether the rest are real errors.",
        "I\u2019ll look for drift in flags and keys rather than skimming the page.",
        "I will also check for `moon.md` again, as I saw it earlier.",
        "Now I will regenerate the table, because the header is new.",
        "I\u2019m patching `lamp.json` to remove only the mode, then rerunning the build.",
        "I need to update the scripts to reflect these path changes, as they are in `bin/` now.",
        "I will also update `tide.py` to keep them in sync.",
        "We'll need to change this part in order to fix the problem.",
        "I named a `prefixed` helper \u2014 let me add it and the `strings` import:",
        "I'll use `sed` to replace the method body.",
        "I might just want to leave it in `lamp-rows`.",
        "So for the harbour, the fix is straightforward.",
        "To fix the tide we need to modify the code to correctly handle the rows.",
    ],
)
def test_a_step_chooses_nothing(text: str) -> None:
    assert is_mere_step(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'll keep the probe temporarily because the tide may turn.",
        "I'm adding a check so we see it early, whether or not the lamp is on.",
        "First I'll restage the files one at a time, so the history stays readable.",
        "I'll rerun it with `--tide` instead of the whole table.",
        "We need to change this check to leave out 'Lamp' where 'Moon' is there.",
        "I'll use `sed` to replace `return 0` with `return None` in both tables.",
        "I'll update `lamp.py` to match the order of `tide.py`.",
        "The fix is to skip the empty rows.",
        "Those files have no key, so the right fix is to skip them.",
    ],
)
def test_what_says_how_or_why_is_none(text: str) -> None:
    assert not is_mere_step(text)


def added(agent: str) -> list[tuple[str, str]]:
    call = '{"command": "cp tide.py lamp.py"}'
    spans = [span(2, user="Mend the tables."), span(3, agent=agent, arguments=call, result="ok")]
    made = ExtractiveSummarizer().propose(request(spans))
    return [(each.item.kind, each.item.text) for each in made.operations if isinstance(each, Add)]


def test_the_record_holds_the_choice_and_not_the_step() -> None:
    step = "I\u2019m using `tide.py` without the header one last time, because the row is there."
    choice = "I\u2019m using `tide.py` without the header, because the row is there."
    assert ("decision", choice) in added(choice)
    assert not [kind for kind, _ in added(step) if kind == "decision"]


def test_a_choice_that_goes_on_about_something_else_stands_alone() -> None:
    said = "However, they are better than `moon.bin` because anybody reads them."
    assert not [kind for kind, _ in added(said) if kind == "decision"]
    own = "However, text rows are better than `moon.bin` because anybody reads them."
    assert [kind for kind, _ in added(own) if kind in {"decision", "fact"}]


@pytest.mark.parametrize(
    ("said", "open_left"),
    [
        ("My edit broke the indent, I will fix the rows in this follow-up edit command.", False),
        ("My edit broke the indent, I will fix the rows in a follow-up commit later.", True),
    ],
)
def test_what_is_done_in_this_step_is_not_left(said: str, open_left: bool) -> None:
    assert ("commitment" in [kind for kind, _ in added(said)]) == open_left
