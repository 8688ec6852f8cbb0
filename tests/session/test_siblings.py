"""Several sessions with one id on one store: what the one that comes second is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import clew
from clew.policy import Why
from tests.session.test_restarts import rounds

Native = dict[str, Any]


def session(store: Path, summarizer: Any = "extractive") -> clew.Session:
    """One of several on a store."""
    return clew.Session(
        policy=clew.Policy(clew.Budget(4_000, output_reserve_tokens=400)),
        store=str(store),
        counter="estimate",
        session_id="one",
        summarizer=summarizer,
    )


def messages_of(count: int) -> list[Native]:
    """A run of some rounds."""
    return [{"role": "user", "content": "Reconcile the ledger."}, *rounds(count)]


def adopted(context: clew.Context) -> str:
    """What a context that was held back says it was taken from."""
    assert isinstance(context.outcome, clew.Held)
    return context.outcome.adopted


def test_the_second_of_two_sessions_names_the_checkpoint_it_went_on_from(tmp_path: Path) -> None:
    messages = messages_of(24)
    first, second = (session(tmp_path / "clew.db") for _ in range(2))
    made = first.prepare(messages)
    assert isinstance(made.outcome, clew.Compacted)
    taken = second.prepare(messages)
    assert taken.messages == made.messages
    assert adopted(taken) == made.report.checkpoint_id
    assert f"went on from checkpoint {adopted(taken)[:12]}" in taken.report.reason
    for again in (second.prepare(messages), second.prepare(taken.messages)):
        assert not adopted(again), "it is told once"
    assert not adopted(first.prepare(messages)), "its own checkpoint is no news to a session"


def test_a_new_process_names_the_checkpoint_it_went_on_from(tmp_path: Path) -> None:
    made = session(tmp_path / "clew.db").prepare(messages_of(24))
    again = session(tmp_path / "clew.db").prepare(made.messages)
    assert adopted(again) == made.report.checkpoint_id


def test_an_edit_early_in_a_kept_context_is_no_news_to_the_session_that_made_it(
    tmp_path: Path,
) -> None:
    first = session(tmp_path / "clew.db")
    made = first.prepare(messages_of(24))
    edited = [{"role": "user", "content": "Reconcile the other ledger."}, *made.messages[1:]]
    assert not adopted(first.prepare(edited))
    later = session(tmp_path / "clew.db").prepare(edited)
    assert adopted(later)


def test_a_rewind_to_an_earlier_checkpoint_of_its_own_is_no_news(tmp_path: Path) -> None:
    one = session(tmp_path / "clew.db")
    messages = messages_of(70)
    lengths = list(range(3, len(messages), 2))
    outcomes = [one.prepare(messages[:length]).outcome for length in lengths]
    assert sum(isinstance(outcome, clew.Compacted) for outcome in outcomes) > 1
    for length in (*lengths[::-3], len(messages)):
        assert not adopted(one.prepare(messages[:length]))


class Overtaken:
    """A summarizer during whose work another session compacts the same history."""

    name = "overtaken"

    def __init__(self, store: Path, messages: list[Native]) -> None:
        self.store = store
        self.messages = messages
        self.made: clew.Context | None = None

    def propose(self, request: clew.SummaryRequest) -> clew.Delta:
        """One fact, too late."""
        self.made = session(self.store).prepare(self.messages)
        said = clew.Item(
            id="", kind="fact", text="line 3 was read", evidence=(clew.Evidence(span="S-8"),)
        )
        return clew.Delta(operations=(clew.Add(item=said),), summarizer=self.name)


def test_a_session_that_is_overtaken_says_whose_record_is_in_force(tmp_path: Path) -> None:
    store, messages = tmp_path / "clew.db", messages_of(24)
    overtaken = Overtaken(store, messages)
    late = session(store, overtaken)
    context = late.prepare(messages)
    assert overtaken.made is not None
    assert context.messages == overtaken.made.messages
    assert isinstance(context.outcome, clew.Held)
    assert context.outcome.why is Why.ALREADY
    assert context.outcome.adopted == overtaken.made.report.checkpoint_id
    assert context.report.lineage is None
    assert "line 3 was read" not in [item.text for item in late.record.items]
