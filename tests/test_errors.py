"""Errors carry facts and a sentence, also out of another process."""

from __future__ import annotations

import pickle

import pytest

from clew.errors import (
    BudgetError,
    ClewError,
    FloorExceededError,
    MissingExtraError,
    StoreLockedError,
    SummarizerError,
)

ERRORS = (
    ClewError("plain"),
    BudgetError("too small", arithmetic="1 - 2 = -1"),
    FloorExceededError(floor_tokens=10, limit_tokens=5, parts=(("goal", 10),)),
    MissingExtraError(package="psycopg", extra="postgres", purpose="the store"),
    StoreLockedError("clew.db", "database is locked"),
    SummarizerError("no answer", summarizer="model", permanent=True),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_comes_out_of_a_process_whole(error: ClewError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
