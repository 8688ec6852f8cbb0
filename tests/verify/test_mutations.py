"""What verification catches when one thing in a true claim is changed, and when it stays quiet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clew.record import Item
from clew.summarize.request import SummaryRequest
from tests.verify.building import claim, request, span, verdict_on
from tests.verify.mutants import CASES, NOISE, Case

CAUGHT = 0.95
FALSE_ALARMS = 0.02

WIDER = (" — this holds everywhere", " for all users, always")


def middle(place: int) -> SummaryRequest:
    """The case's sentence between other sentences in one span, other spans around it."""
    case = CASES[place]
    other = CASES[(place + 7) % len(CASES)]
    return request(
        span("S-1", agent=NOISE[0]),
        span("S-2", agent=f"{NOISE[1]} {case.source} {NOISE[2]}"),
        span("S-3", agent=other.source),
    )


def paraphrase(case: Case, text: str, handle: str = "S-2", quoted: bool = True) -> Item:
    return claim(text, handle, case.source if quoted else "")


def swapped(text: str, one: str, other: str) -> str:
    return text.replace(one, "\0").replace(other, one).replace("\0", other)


def changes(kind: str, place: int) -> Iterator[str]:
    """The untrue texts that one kind of change makes of a case, from its claim and its source."""
    case = CASES[place]
    for text in (case.claim, case.source):
        if kind == "wider":
            yield text.rstrip(".") + WIDER[place % 2]
        elif kind == "file":
            yield f"{text}; see src/core/ledger_{place}.py"
        elif kind == "span":
            yield text
        elif kind == "names":
            if case.names:
                yield swapped(text, *case.names)
        elif (change := getattr(case, kind)) and change[0] in text:
            yield text.replace(*change)


def mutants(kind: str) -> Iterator[tuple[int, Item]]:
    """Every fitting case with the one change, with its quote and without."""
    for place, case in enumerate(CASES):
        wrong = "S-1" if place % 2 else "S-3"
        for text in changes(kind, place):
            for quoted in (True, False):
                yield place, paraphrase(case, text, wrong if kind == "span" else "S-2", quoted)


def unnoticed(kind: str) -> tuple[list[str], int]:
    made = list(mutants(kind))
    missed = [item.text for place, item in made if verdict_on(middle(place), item).clean]
    return missed, len(made)


@pytest.mark.parametrize("kind", ["number", "negation", "names", "scope", "span", "wider", "file"])
def test_a_single_change_is_caught(kind: str) -> None:
    missed, made = unnoticed(kind)
    assert made >= 50
    assert len(missed) <= (1 - CAUGHT) * made, missed


def test_faithful_claims_raise_no_alarm() -> None:
    alarms = []
    for place, case in enumerate(CASES):
        for text in (case.source, case.claim):
            for quoted in (True, False):
                verdict = verdict_on(middle(place), paraphrase(case, text, quoted=quoted))
                alarms += [(text, f.problem) for f in verdict.findings]
    assert len(alarms) <= FALSE_ALARMS * 4 * len(CASES), alarms
