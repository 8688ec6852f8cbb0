"""Answers that propose: what comes next, how one could do it, how long it may take.

Who is asked for a proposal and answers at once, without a look at anything, has found nothing. What
of it is taken up becomes a promise or a choice; the rest says how things could be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading

_LONGEST_QUESTION = 400
_ASKS = re.compile(
    r"\bwhat(?:['\u2019]?s|\sis|\scomes)?\s(?:next|left)\b|\banything\s(?:left|else|more|missing)\b"
    r"|\b(?:what|which|how|where)\s(?:\w+\s){0,3}?(?:could|should|would|might)\s(?:we|i|you|it|this|that|be)\b"
    r"|\bhow\s(?:long|many|much)\sdo\syou\sthink\b|\bwhat\selse\b|\bwhat\sdo\syou\ssuggest\b"
    r"|\b(?:any|some|your)\s(?:ideas?|suggestions?|recommendations?|proposals?)\b|\b(?:recommend|suggest)\b"
    r"|\b(?:what|how)\s(?:\w+\s){1,3}?would\s(?:be|look|take)\b|\bbrainstorm\b",
    re.IGNORECASE,
)
"""Asks how something could or should be, not how it is."""


def without_proposals(
    claims: Sequence[Claim], concluded: Sequence[Claim], readings: Sequence[Reading]
) -> tuple[list[Claim], list[Claim]]:
    """Both lists without the findings of answers that only propose."""
    proposed = _proposing(readings)
    if not proposed:
        return [*claims], [*concluded]
    left = ([c for c in told if not _is_of(c, proposed)] for told in (claims, concluded))
    return next(left), next(left)


def _is_of(made: Claim, proposed: frozenset[str]) -> bool:
    item = made.item
    told = item.kind == "fact" and item.said_by is Speaker.AGENT and bool(item.evidence)
    return told and item.evidence[0].span in proposed


def _proposing(readings: Sequence[Reading]) -> frozenset[str]:
    """The answers to what asked for a proposal, where nothing was looked at in between."""
    made: set[str] = set()
    asked = False
    for reading in readings:
        if reading.typed and not reading.calls:
            asked = asks_for_a_proposal(reading)
        elif reading.calls:
            asked = False
        if asked and reading.finished:
            made.add(reading.handle)
    return frozenset(made)


@once
def asks_for_a_proposal(reading: Reading) -> bool:
    """Whether a person asks how something could or should be."""
    said = reading.typed[-1].strip() if reading.typed else ""
    return 0 < len(said) <= _LONGEST_QUESTION and _ASKS.search(said) is not None
