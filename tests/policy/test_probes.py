"""Probes: in the context, behind a handle, lost, or not said yet."""

from __future__ import annotations

import pytest

from clew.policy import Place, Probe
from clew.policy.probes import holds, probe

BY_NAME = Probe(ask="Which key?", expect=("customer_id, invoice_no", "both columns"))
ANYWHERE = Probe(ask="Which key?", expect=("customer_id, invoice_no",), where=Place.ARCHIVE)
SAID = "the key is customer_id,\n  Invoice_No"


@pytest.mark.parametrize(
    ("asked", "before", "after", "handle", "place", "passed"),
    [
        (BY_NAME, SAID, SAID, "", Place.CONTEXT, True),
        (BY_NAME, SAID, "on BOTH columns", "", Place.CONTEXT, True),
        (BY_NAME, SAID, "nothing", "S-4", Place.ARCHIVE, False),
        (ANYWHERE, SAID, "nothing", "S-4", Place.ARCHIVE, True),
        (BY_NAME, SAID, "nothing", "", Place.LOST, False),
        (BY_NAME, "hello", "hello", "", Place.UNSAID, True),
    ],
)
def test_where_the_answer_stands(
    asked: Probe, before: str, after: str, handle: str, place: Place, passed: bool
) -> None:
    (result,) = probe([asked], before=[before], after=[after], search=lambda words: handle)
    assert (result.place, result.passed, result.handle) == (place, passed, handle)
    assert bool(result.sentence) is not passed
    if handle and not passed:
        assert result.sentence == (
            "probe 'Which key?': the answer is only behind S-4 and not in the context"
        )


def test_words_compare_without_case_and_runs_of_blanks() -> None:
    assert holds(SAID, "customer_id, INVOICE_NO")
    assert not holds(SAID, "invoice number")
