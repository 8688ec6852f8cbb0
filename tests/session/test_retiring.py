"""A run of many compactions: settled items leave the record, their handles still work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import clew
from clew.record.serde import load_record
from clew.workdir import WorkDirectory

Native = dict[str, Any]
MOST = 5


def call(number: int, command: str, result: str) -> list[Native]:
    function = {"name": "bash", "arguments": json.dumps({"command": command})}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": f"c{number}", "content": result},
    ]


def run(rounds: int) -> list[Native]:
    """An agent whose tests and branch change all the time."""
    said: list[Native] = [{"role": "user", "content": "Make the harbour model pass its tests."}]
    for n in range(rounds):
        log = "\n".join(f"harbour/quay_{n}_{i}.py ... tide {n * i}" for i in range(20))
        said += call(2 * n, "pytest -q", f"{log}\n{n} failed, {n + 3} passed in 1.{n}s")
        said += call(2 * n + 1, f"git switch -c quay-{n}", f"Switched to a new branch 'quay-{n}'")
    return said


@pytest.mark.parametrize("named", [True, False])
def test_the_books_and_the_handles_outlive_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    monkeypatch.setattr("clew.record.retire.MOST_SETTLED", MOST)
    store = str(tmp_path / "a.db") if named else None
    session = clew.Session(
        policy=clew.Policy(clew.Budget(6_000, output_reserve_tokens=500)), store=store
    )
    folder = WorkDirectory(tmp_path / "work")
    history = run(60)
    seen: dict[str, clew.Item] = {}
    before: set[str] = set()
    for upto in range(1, len(history) + 1, 2):
        context = session.prepare(history[:upto])
        if isinstance(context.outcome, clew.Compacted):
            seen.update((item.id, item) for item in session.record.items)
            assert session.sync(folder).conflicts == ()
            settled = {item.id for item in session.record.items if not item.live}
            assert len(settled & before) <= MOST, "only what was settled this time comes on top"
            before = settled
    assert session.status().compactions >= 8
    gone = seen.keys() - {item.id for item in session.record.items}
    assert len(gone) > MOST
    for item_id in gone:
        told = json.loads(session.recall(item_id))
        assert (told["id"], told["text"]) == (item_id, seen[item_id].text)
    with pytest.raises(clew.UnknownHandleError):
        session.recall("E-999")
    fates = _fates(session)
    assert all("externalised" in fates[item_id] for item_id in gone)
    assert len(seen) == len({(item.kind, item.text) for item in seen.values()}), "none came twice"


def _fates(session: clew.Session) -> dict[str, list[str]]:
    """What every compaction said of each item."""
    newest = session._core.history.checkpoint.checkpoint_id  # type: ignore[union-attr]  # compacted
    found: dict[str, list[str]] = {}
    for checkpoint in session.store.ancestry(newest):
        assert load_record(checkpoint.record_json).goal
        for fate in json.loads(checkpoint.lineage_json)["fates"] if checkpoint.lineage_json else ():
            found.setdefault(fate["id"], []).append(fate["fate"])
    return found
