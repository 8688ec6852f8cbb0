"""What one line says of an exchange in which nobody called anything."""

from __future__ import annotations

import pytest

from clew.summarize.extractive.labels import label_of
from clew.summarize.extractive.reading import Reading

NOTICE = """<task-notification>
<task-id>b1</task-id>
<summary>Agent "Review security" completed</summary>
<result>No token is logged.</result>
</task-notification>"""


@pytest.mark.parametrize(
    ("reading", "label"),
    [
        (
            Reading(handle="S-7", position=6, harness=(NOTICE,)),
            'harness: Agent "Review security" completed',
        ),
        (
            Reading(handle="S-7", position=6, harness=("<status>done</status>\nmore",)),
            "harness: <status>done</status>",
        ),
        (Reading(handle="S-7", position=6, typed=("stop it",), harness=(NOTICE,)), "user: stop it"),
        (Reading(handle="S-7", position=6), "empty exchange"),
    ],
)
def test_a_notice_is_labelled_by_its_own_summary(reading: Reading, label: str) -> None:
    assert label_of(reading) == label
