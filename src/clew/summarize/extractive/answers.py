"""What settles a question: a reply of the user, and for an approval only one that is about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.record.items import Evidence, Item
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Outcome

AWAITED_APPROVAL = "a person's approval"
"""What the blocker of a call that waits for a person says it waits for."""

_VERDICT = re.compile(
    r"\b(?:approv|grant|clear|accept|refus|reject|declin|den(?:y|ied)|confirm|cancel|withdr)\w*",
    re.IGNORECASE,
)
_QUOTE_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The words that settle a question, and in one phrase where they come from."""

    evidence: Evidence
    reason: str


def is_approval(item: Item) -> bool:
    """Whether a blocker stands for a call that waits for a person."""
    return item.kind == "blocker" and item.field("awaited") == AWAITED_APPROVAL


def answer_to(item: Item, position: int, readings: Sequence[Reading]) -> Answer | None:
    """The first later words that settle a blocker; None while it waits.

    Any reply of the user answers a question of the agent. An approval waits until the user or a
    result names its ticket (or, without one, speaks of approving or refusing): a person who writes
    about something else has approved nothing.
    """
    later = (reading for reading in readings if reading.position > position)
    if is_approval(item):
        return next(_verdicts(item.text.partition(":")[0].strip(), later), None)
    for reading in later:
        if reading.typed:
            return _answer(reading, reading.typed[0].strip(), "the user replied")
    return None


def _verdicts(ticket: str, later: Iterator[Reading]) -> Iterator[Answer]:
    for reading in later:
        for text in reading.typed:
            if (line := _line_on(ticket, text)) is not None:
                yield _answer(reading, line, "the user replied")
        if any(call.outcome is Outcome.PENDING for call in reading.calls):
            continue
        for text in reading.results if _is_name(ticket) else ():
            line = _line_on(ticket, text)
            if line is not None and _VERDICT.search(line):
                yield _answer(reading, line, "a later result says so")


def _line_on(ticket: str, text: str) -> str | None:
    """The line of a text that is about an approval."""
    for line in text.splitlines():
        named = ticket in line if _is_name(ticket) else _VERDICT.search(line) is not None
        if named:
            return line.strip()
    return None


def _is_name(ticket: str) -> bool:
    """Whether an approval has a ticket of its own; others carry the word that marked them."""
    return any(char.isdigit() for char in ticket)


def _answer(reading: Reading, quote: str, reason: str) -> Answer:
    shown = quote[:_QUOTE_CHARS].rstrip()
    return Answer(evidence=Evidence(span=reading.handle, quote=shown), reason=reason)
