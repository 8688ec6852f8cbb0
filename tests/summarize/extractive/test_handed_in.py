"""What a helper reports back and what an agent writes as JSON are findings."""

from __future__ import annotations

import json

import pytest

from clew.record.items import Speaker
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.handed_in import handed_in
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome

REPORT = """## Summary

- Created `tide.ts` with a table of 12 harbours and a night mode.
- The loader in `rows.ts` keeps empty rows.
- Nice colours all over.
"""


def _call(action: Action) -> CallSeen:
    return CallSeen(call_id="c", tool="task", family="x", action=action, outcome=Outcome.OK)


@pytest.mark.parametrize(
    ("actions", "found"),
    [
        ((Action.DELEGATE,), 2),
        ((Action.READ,), 0),
        ((Action.DELEGATE, Action.READ), 0),
    ],
)
def test_only_helpers_report_in_a_result(actions: tuple[Action, ...], found: int) -> None:
    calls = tuple(map(_call, actions))
    reading = Reading(handle="S-5", position=4, results=(REPORT,), calls=calls)
    made = handed_in(reading, built_in_cues())
    assert len(made) == found
    assert {each.item.said_by for each in made} <= {Speaker.TOOL}
    assert all(each.item.evidence[0].quote in REPORT for each in made)


def _written(text: str) -> list[str]:
    reading = Reading(handle="S-5", position=4, prose=(text,), finished=True)
    return [each.item.text for each in handed_in(reading, built_in_cues())]


def test_sentences_of_a_document_are_findings_and_its_names_are_none() -> None:
    document = {
        "findings": [
            {
                "title": "[P1] Sort the tide table before it is read",
                "body": "The loader keeps empty rows. The table fails at night until they go.",
                "file": "/home/keeper/src/tide/rows and more/table.ts",
            }
        ],
        "verdict": "patch is incorrect",
        "sure": 0.95,
    }
    assert _written(json.dumps(document)) == [
        "[P1] Sort the tide table before it is read",
        "The loader keeps empty rows.",
        "The table fails at night until they go.",
    ]


@pytest.mark.parametrize(
    "text",
    ['{"broken": "The loader keeps the empty rows.', "{}", "The loader keeps the empty rows."],
)
def test_what_is_no_document_has_no_findings(text: str) -> None:
    assert _written(text) == []


def test_a_sentence_that_json_writes_with_other_signs_is_not_quoted() -> None:
    assert _written(json.dumps({"body": 'The loader calls the rows "empty" at night.'})) == []


def test_what_asks_thanks_or_leads_to_something_is_no_finding() -> None:
    said = (
        "Thank you for giving me your harbour. The ferry F271 leaves at 19:00 from the west pier. "
        "Here are all of the ferries that leave today:\nCould you tell me which ferry you want? "
        "Please reply with yes to go on."
    )
    document = json.dumps({"type": "message", "content": said})
    assert _written(document) == ["The ferry F271 leaves at 19:00 from the west pier."]
