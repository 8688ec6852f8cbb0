"""What the agent is doing as it calls is what comes next where a stretch is cut off there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.record.delta import SetNext
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.extractive.cues import built_in_cues
from clew.summarize.extractive.prose import next_action, said_to_be_next
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, CallSeen, Outcome
from tests.summarize.extractive.told import agent, bash, request, spans_of, user

CUES = built_in_cues()
LOOKS = CallSeen(
    call_id="c",
    family="shell",
    tool="bash",
    action=Action.RUN,
    outcome=Outcome.OK,
    command="git diff",
)


def working(said: str) -> Reading:
    return Reading(handle="S-3", position=2, prose=(said,), calls=(LOOKS,))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Three are in. I\u2019m checking the diff now.", "I\u2019m checking the diff now."),
        ("I'm also adding a fixture for the empty file.",
         "I'm also adding a fixture for the empty file."),
        ("The loader is done. Now wire it into `cli.py`.", "Now wire it into `cli.py`."),
        ("Good.\n\nNow the export: it needs the same check.",
         "Now the export: it needs the same check."),
        ("Let me look at the log. Then the run went on.", "Let me look at the log."),
    ],
)  # fmt: skip
def test_the_step_in_progress_is_next(said: str, expected: str) -> None:
    assert next_action([working(said)], CUES) == (expected, "S-3")


@pytest.mark.parametrize(
    "said",
    [
        "I'm wondering whether the cache is at fault.",
        "I'm not seeing the second row.",
        "The store now writes through.",
        "It now: fails.",
        '"reason": "The next step is to send it.",',
    ],
)
def test_a_thought_a_state_and_a_member_of_a_document_are_no_step(said: str) -> None:
    assert said_to_be_next(working(said), CUES) is None


def test_who_hands_over_is_doing_nothing() -> None:
    handed = Reading(handle="S-3", position=2, prose=("I'm keeping the table.",), finished=True)
    assert said_to_be_next(handed, CUES) is None


def test_a_message_apart_from_its_calls_goes_on_where_a_call_follows() -> None:
    lines = [*user("add the exporter"), *agent("Now wire it into `cli.py`.")]
    spans = spans_of([*lines, *bash("cat cli.py", "main()")])
    asked = replace(request(spans[:2]), tail=spans[2:])
    set_next = [
        o for o in ExtractiveSummarizer().propose(asked).operations if isinstance(o, SetNext)
    ]
    assert [each.text for each in set_next] == ["Now wire it into `cli.py`."]
