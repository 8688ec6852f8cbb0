"""A caller that changes what it sent before: no handle comes to stand for something else.

The whole history is sent each time, with an early message edited, taken out or put in, or cut
short and gone on with otherwise. Handles of the branch that was left may be unknown then; back in
that branch they are there again.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew
from clew.transcript import Format
from tests.laws.handles import Handles, session_for
from tests.laws.players import call_points
from tests.laws.profile import sessions
from tests.strategies import seeds, transcripts
from tests.telling import Native

FORMATS = [pytest.param(wire, id=wire.value) for wire in Format]
WINDOWS = st.sampled_from([700, 1_500, 4_000])
CHANGES = st.sampled_from(["replace", "insert", "remove", "cut"])


def said(wire: Format, text: str) -> Native:
    if wire is Format.GEMINI:
        return {"role": "user", "parts": [{"text": text}]}
    return {"role": "user", "content": text}


def borders(wire: Format, messages: list[Native]) -> list[int]:
    """Places at which a person speaks or a model is called: a change there breaks no pair."""
    return [n for n in call_points(wire, messages) if 0 < n < len(messages)]


def changed(
    wire: Format, messages: list[Native], how: str, chance: Random, others: list[Native]
) -> list[Native]:
    """The same conversation with one early change, and all that came later kept, or cut short."""
    places = borders(wire, messages)
    if not places:
        return messages
    at = chance.choice(places)
    new = said(wire, f"A remark of {chance.random()}.")
    match how:
        case "insert":
            return [*messages[:at], new, *messages[at:]]
        case "cut":
            return [*messages[:at], new, *others]
        case "remove":
            later = next((n for n in places if n > at), at)
            return [*messages[:at], *messages[later:]]
        case _:
            later = next((n for n in places if n > at), at)
            return [*messages[:at], new, *messages[later:]]


def played(
    session: clew.Session, wire: Format, messages: list[Native], start: int
) -> Iterator[tuple[list[Native], clew.Context]]:
    for length in call_points(wire, messages):
        if length < start:
            continue
        try:
            yield messages[:length], session.prepare(messages[:length])
        except (clew.FloorExceededError, clew.InvalidTranscriptError):
            continue


@pytest.mark.parametrize("wire", FORMATS)
@pytest.mark.parametrize("restarts", [False, True], ids=["one process", "restarts"])
@sessions(4)
@given(told=st.data(), window=WINDOWS, seed=seeds, how=CHANGES)
def test_a_handle_of_the_branch_that_was_left_stands_for_nothing_else(
    wire: Format,
    restarts: bool,
    told: st.DataObject,
    window: int,
    seed: int,
    how: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    chance = Random(seed)
    first = told.draw(transcripts(wire, 4, 12))
    others = told.draw(transcripts(wire, 1, 6))
    second = changed(wire, first, how, chance, others[1:])
    store: Any = str(tmp_path_factory.mktemp("archive") / "clew.db") if restarts else None
    session, left, now = session_for(wire, window, store), Handles(), Handles()
    for given_messages, context in played(session, wire, first, 0):
        left.judge(session, context, given_messages)
    if restarts:
        session.close()
        session = session_for(wire, window, store)
    for given_messages, context in played(session, wire, second, len(first)):
        now.judge(session, context, given_messages)
        if how != "cut":  # what is left may name handles that were given out before
            left.remain_or_are_unknown(session)
    try:
        session.prepare(first)
    except clew.FloorExceededError:
        return
    left.remain(session)
    session.close()
