"""What a result and its names are worth."""

from __future__ import annotations

import pytest

from clew.evict.value import decay, odds_of, shape_of
from clew.tools_seen import Action, Outcome


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("src/clew/errors.py", "path"),
        ("errors.py", "file"),
        ("self.assertEqual", "dotted"),
        ("account_id", "snake"),
        ("LedgerRow", "camel"),
        ("3f2a9c1", "hash"),
    ],
)
def test_a_name_has_the_shape_it_looks_like(name: str, shape: str) -> None:
    assert shape_of(name) == shape


def test_a_definition_is_wanted_more_than_a_mention() -> None:
    text = "use load_ledger here\ndef post_ledger(row):\n    pass\n"
    mention, definition = odds_of(("load_ledger", "post_ledger"), text, Action.READ, Outcome.OK)
    assert definition > mention


def test_names_of_a_failed_run_are_wanted_less_than_those_of_a_read() -> None:
    names, text = ("load_ledger",), "load_ledger"
    read = odds_of(names, text, Action.READ, Outcome.OK)
    failed = odds_of(names, text, Action.RUN, Outcome.FAILED)
    assert failed[0] < read[0]


def test_expected_use_falls_by_half_in_twelve_exchanges_and_never_to_nothing() -> None:
    assert decay(0) == 1.0
    assert decay(12) == 0.5
    assert 0.0 < decay(10_000) < decay(100)
