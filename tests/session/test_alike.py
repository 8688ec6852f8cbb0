"""Contexts that read alike at the front: whose history is in force when only a part comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.alike import UNCLEAR

Native = dict[str, Any]
_TAIL = 2
"""Goal and record stand in front of the tail."""


def session(store: Path) -> clew.Session:
    """A session of a new process; its id comes from the first message."""
    return clew.Session(policy=clew.Policy(clew.Budget(4_000)), store=str(store))


def told(word: str, start: int, count: int) -> list[Native]:
    """Calls that all look the same, with results of which no item is made."""
    said: list[Native] = []
    for n in range(start, start + count):
        call = {"name": "look", "arguments": "{}"}
        said += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{n}", "type": "function", "function": call}],
            },
            {"role": "tool", "tool_call_id": f"c{n}", "content": f"{word} row {n} " * 30},
        ]
    return said


def opening() -> list[Native]:
    return [{"role": "user", "content": "Compare the two ledgers."}]


def two_runs(store: Path) -> dict[str, clew.Context]:
    """Two runs that open alike, and whose records read alike."""
    words = ("alpha", "beta")
    kept = {word: session(store).prepare([*opening(), *told(word, 0, 60)]) for word in words}
    assert len({json.dumps(c.messages[:_TAIL]) for c in kept.values()}) == 1
    return kept


@pytest.mark.parametrize("word", ["alpha", "beta"])
@pytest.mark.parametrize("left", [2, 3, 4, 5])
def test_a_part_of_a_context_leads_to_the_run_that_it_is_of(
    tmp_path: Path, word: str, left: int
) -> None:
    kept = two_runs(tmp_path / "clew.db")[word]
    again = session(tmp_path / "clew.db")
    context = again.prepare(kept.messages[: _TAIL + left])
    assert isinstance(context.outcome, clew.Held)
    assert context.outcome.adopted == kept.report.checkpoint_id
    assert word in again.recall("S-2").decode()
    assert all(word in hit.excerpt for hit in again.search("row 7"))


@pytest.mark.parametrize("behind", [0, 1], ids=["the record alone", "something new behind it"])
def test_where_nothing_tells_no_run_is_taken_for_another(tmp_path: Path, behind: int) -> None:
    kept = two_runs(tmp_path / "clew.db")["beta"]
    given = [*kept.messages[:_TAIL], *told("gamma", 90, behind)]
    again = session(tmp_path / "clew.db")
    context = again.prepare(given)
    assert UNCLEAR in context.report.warnings
    assert context.messages == given
    assert again.search("alpha beta row") == []
    assert b"row" not in again.recall("S-2"), "a handle of the unknown history shows no other one"


def test_a_new_branch_keeps_all_that_it_was_given(tmp_path: Path) -> None:
    kept = two_runs(tmp_path / "clew.db")["beta"]
    given = [*kept.messages[:_TAIL], *told("gamma", 90, 60)]
    again = session(tmp_path / "clew.db")
    context = again.prepare(given)
    assert isinstance(context.outcome, clew.Compacted)
    spans = [message for handle, _ in again.spans() for message in json.loads(again.recall(handle))]
    assert all(message in [*spans, *context.messages] for message in given)
    later = session(tmp_path / "clew.db").prepare(context.messages)
    assert isinstance(later.outcome, clew.Held)
    assert later.outcome.adopted == context.report.checkpoint_id
    assert UNCLEAR not in later.report.warnings


@pytest.mark.parametrize("word", ["alpha", "beta"])
def test_a_session_knows_its_own_record_again_whatever_stands_behind_it(
    tmp_path: Path, word: str
) -> None:
    store = tmp_path / "clew.db"
    runs = {each: session(store) for each in ("alpha", "beta")}
    kept = {each: run.prepare([*opening(), *told(each, 0, 60)]) for each, run in runs.items()}
    context = runs[word].prepare(kept[word].messages[:_TAIL])
    assert UNCLEAR not in context.report.warnings
    assert word in runs[word].recall("S-2").decode()


def test_a_session_that_cut_its_context_is_not_led_to_a_run_that_did_the_same_there(
    tmp_path: Path,
) -> None:
    store = tmp_path / "clew.db"
    one, other = session(store), session(store)
    mine = one.prepare([*opening(), *told("alpha", 0, 60)]).messages
    theirs = other.prepare([*opening(), *told("beta", 0, 64)]).messages
    assert mine[:_TAIL] == theirs[:_TAIL]
    first = theirs[_TAIL]
    assert first not in mine[_TAIL : _TAIL + 1]
    number = int(first["tool_calls"][0]["id"][1:])
    context = one.prepare([*mine[:_TAIL], *told("alpha", number, 2)])
    assert context.messages[_TAIL] == first, "the same call, and another result"
    assert "alpha" in one.recall("S-2").decode()
    assert all("beta" not in hit.excerpt for hit in one.search("beta row"))


def _of_other(mine: list[Native], theirs: list[Native], word: str, count: int) -> list[Native]:
    """My context, cut to what begins with the very call that stands first in the other run's."""
    number = int(theirs[_TAIL]["tool_calls"][0]["id"][1:])
    return [*mine[:_TAIL], *told(word, number, 2)[:count]]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_after_a_restart_one_message_in_common_leads_to_nobody_elses_record(
    tmp_path: Path, count: int
) -> None:
    store = tmp_path / "clew.db"
    mine = session(store).prepare([*opening(), *told("alpha", 0, 60)]).messages
    theirs = session(store).prepare([*opening(), *told("beta", 0, 64)]).messages
    assert mine[:_TAIL] == theirs[:_TAIL]
    again = session(store)
    context = again.prepare(_of_other(mine, theirs, "alpha", count))
    assert UNCLEAR in context.report.warnings
    assert all("beta" not in hit.excerpt for hit in again.search("beta row"))
    assert b"beta" not in again.recall("S-2")


def test_what_both_runs_did_tells_neither_from_the_other(tmp_path: Path) -> None:
    store = tmp_path / "clew.db"
    first = session(store).prepare([*opening(), *told("alpha", 0, 64)])
    number = int(first.messages[_TAIL]["tool_calls"][0]["id"][1:])
    both = told("alpha", number, 2)
    session(store).prepare(
        [*opening(), *told("beta", 0, number), *both, *told("beta", number + 2, 70 - number)]
    )
    again = session(store)
    context = again.prepare([*first.messages[:_TAIL], *both, *told("gamma", 90, 1)])
    assert UNCLEAR in context.report.warnings
    assert again.search("alpha beta row") == []


def test_after_a_restart_several_messages_in_common_lead_to_their_run(tmp_path: Path) -> None:
    store = tmp_path / "clew.db"
    session(store).prepare([*opening(), *told("alpha", 0, 60)])
    theirs = session(store).prepare([*opening(), *told("beta", 0, 64)])
    again = session(store)
    context = again.prepare([*theirs.messages[: _TAIL + 2], *told("gamma", 90, 2)])
    assert UNCLEAR not in context.report.warnings
    assert b"beta" in again.recall("S-2")


def test_a_rewind_leads_to_the_compaction_that_the_context_came_from(tmp_path: Path) -> None:
    store = tmp_path / "clew.db"
    one = session(store)
    contexts = [one.prepare([*opening(), *told("a", 0, 60)])]
    given, n = list(contexts[0].messages), 60
    while len(contexts) < 3:
        given, n = [*given, *told("a", n, 4)], n + 4
        context = one.prepare(given)
        given = list(context.messages)
        if isinstance(context.outcome, clew.Compacted):
            contexts.append(context)
    assert len({json.dumps(context.messages[:_TAIL]) for context in contexts}) == 1
    for context in contexts:
        for left in (2, 4):
            again = session(store).prepare(context.messages[: _TAIL + left])
            assert isinstance(again.outcome, clew.Held)
            assert again.outcome.adopted == context.report.checkpoint_id
    whole = session(store)
    assert UNCLEAR not in whole.prepare(contexts[0].messages[:_TAIL]).report.warnings
    assert whole.recall(f"S-{2 * n - 40}"), "of one line the deepest has everything in reach"


def test_what_a_repair_took_out_stays_in_reach_when_the_goal_is_edited(tmp_path: Path) -> None:
    working = session(tmp_path / "clew.db")
    context = working.prepare([*opening(), *told("alpha", 0, 60)])
    assert isinstance(context.outcome, clew.Compacted)
    late = {"role": "tool", "tool_call_id": "gone", "content": "row 7 disagrees"}
    given = list(working.prepare([*context.messages, late]).messages)
    [taken_out] = [handle for handle, _ in working.spans() if handle.startswith("M-")]
    given[0] = {"role": "user", "content": "Compare the three ledgers."}
    working.prepare(given)
    assert b"row 7 disagrees" in working.recall(taken_out)
