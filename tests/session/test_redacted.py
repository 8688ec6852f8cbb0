"""What one session hides stays hidden, whoever else works with the same summarizer."""

from __future__ import annotations

import json
from typing import Any

import pytest

import clew
from clew.summarize.extractive import ExtractiveSummarizer

POLICY = clew.Policy(
    clew.Budget(
        30_000, output_reserve_tokens=1_000, tail_messages=2, tail_tokens=600, record_tokens=2_000
    )
)
NAME, KEY = "Zebulon Quark", "KEY-123"


class Hides:
    def __init__(self, *words: str) -> None:
        self._words = words

    def redact(self, text: str) -> str:
        for word in self._words:
            text = text.replace(word, "[hidden]")
        return text


def story() -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = [{"role": "user", "content": "Tidy the export."}]
    for number in range(12):
        command = f"psql -c 'select {number} from t' # {NAME} {KEY}"
        call = {"name": "bash", "arguments": json.dumps({"command": command})}
        said = f"Decided to keep raw SQL for tenant_{number} because {NAME} asked; {KEY} is set."
        rows = f"row {number} {NAME} {KEY} ok\n" * 60
        told += [
            {"role": "assistant", "content": said,
             "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": rows},
        ]  # fmt: skip
    cause = f"Done: the cause is that {NAME} has 3 rows in `exports/a.sql`, {KEY} was expired."
    return [
        *told,
        {"role": "user", "content": f"Never show {NAME} to anybody; {KEY} neither."},
        {"role": "assistant", "content": cause},
        {"role": "user", "content": "Go on."},
    ]


def prepared(summarizer: ExtractiveSummarizer, redactor: Hides, *, compact: bool) -> clew.Session:
    session = clew.Session(
        policy=POLICY, counter="chars4", redactor=redactor, summarizer=summarizer
    )
    session.prepare(story())
    if compact:
        session.compact()
        session.prepare(story())
    return session


@pytest.mark.parametrize("before", [Hides(), Hides(KEY)], ids=["nothing", "less"])
@pytest.mark.parametrize("compacted", [False, True], ids=["prepared", "compacted"])
def test_a_summarizer_shared_with_who_hides_less_shows_no_more(
    before: Hides, compacted: bool
) -> None:
    shared = ExtractiveSummarizer()
    prepared(shared, before, compact=compacted)
    session = prepared(shared, Hides(NAME, KEY), compact=True)
    assert session.record.items
    shown = [repr(session.record), *map(str, session.search("Quark customer rows", limit=20))]
    assert not [text for text in shown if NAME in text or KEY in text]
