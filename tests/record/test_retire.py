"""Settled items leave a record that has run for days; the books and the handles stay whole."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from clew.record import HandoffRecord, Item, Speaker, Status
from clew.record.lineage import Fate, balance
from clew.record.retire import MOST_SETTLED, retired
from tests.record.building import holding, new

EXTRA = 30


def settled(number: int, said_by: Speaker = Speaker.AGENT, by: str = "") -> Item:
    return replace(
        new("fact", f"fact {number}", said_by=said_by),
        id=f"F-{number}",
        status=Status.SUPERSEDED if by else Status.CLOSED,
        superseded_by=by,
        first_seen=number,
        last_used=number,
    )


def record_of(*items: Item) -> HandoffRecord:
    return replace(holding(), items=items)


def test_what_was_used_longest_ago_leaves_and_the_books_say_where_it_is() -> None:
    record = record_of(*(settled(n) for n in range(MOST_SETTLED + EXTRA)))
    left, gone = retired(record, record)
    assert gone == tuple(f"F-{n}" for n in range(EXTRA))
    assert [item.id for item in left.items] == [
        f"F-{n}" for n in range(EXTRA, MOST_SETTLED + EXTRA)
    ]
    books = balance(record, left, externalised={item_id: item_id for item_id in gone})
    assert books.counts()["externalised"] == EXTRA
    assert books.of("F-0") is not None
    assert {fate.handle for fate in books.fates if fate.fate is Fate.EXTERNALISED} == set(gone)


def test_a_record_of_ordinary_size_stays_as_it_is() -> None:
    record = record_of(*(settled(n) for n in range(MOST_SETTLED)))
    assert retired(record, record) == (record, ())


def test_what_a_person_said_and_what_was_settled_just_now_stays() -> None:
    spoken = [settled(n, Speaker.USER) for n in range(EXTRA)]
    fresh = [settled(n) for n in range(EXTRA, 2 * EXTRA)]
    others = [settled(n) for n in range(2 * EXTRA, 2 * EXTRA + MOST_SETTLED)]
    record = record_of(*spoken, *fresh, *others)
    before = record_of(*spoken, *(replace(item, status=Status.ACTIVE) for item in fresh), *others)
    left, gone = retired(record, before)
    kept = {item.id for item in left.items}
    assert {item.id for item in (*spoken, *fresh)} <= kept
    assert gone == tuple(item.id for item in others[: 2 * EXTRA])


def test_what_stays_never_points_to_what_has_left() -> None:
    chain = [settled(n, Speaker.USER if n == 0 else Speaker.AGENT, f"F-{n + 1}") for n in range(9)]
    others = [settled(n) for n in range(9, MOST_SETTLED + EXTRA)]
    record = record_of(*chain, *others)
    left, gone = retired(record, record)
    assert {f"F-{n}" for n in range(10)} <= {item.id for item in left.items}
    assert gone == tuple(f"F-{n}" for n in range(10, EXTRA + 1))


@st.composite
def records(draw: st.DrawFn) -> tuple[HandoffRecord, HandoffRecord]:
    # One number decides about each item: to draw for a hundred items one by one takes a hundred
    # times as long as what the law does with them.
    count = MOST_SETTLED + draw(st.integers(0, 40))
    chance = Random(draw(st.integers(0, 2**32 - 1)))
    pointing = draw(st.sampled_from((0.5, 0.1, 0.95)))
    made: list[Item] = []
    for number in range(count):
        later = chance.randint(number + 1, count) if chance.random() < pointing else count
        by = f"F-{later}" if later < count else ""
        made.append(settled(number, chance.choice(tuple(Speaker)), by))
    live = draw(st.sets(st.integers(0, count - 1), max_size=20))
    before = [
        replace(item, status=Status.ACTIVE, superseded_by="") if n in live else item
        for n, item in enumerate(made)
    ]
    return record_of(*before), record_of(*made)


@given(records())
def test_the_books_balance_for_any_record(pair: tuple[HandoffRecord, HandoffRecord]) -> None:
    before, record = pair
    left, gone = retired(record, before)
    books = balance(before, left, externalised={item_id: item_id for item_id in gone})
    assert books.counts()["in"] == len(before.items)
    assert set(gone).isdisjoint(item.id for item in left.items)
    assert len(gone) + len(left.items) == len(record.items)
    assert len([i for i in record.items if not i.live]) - len(gone) >= MOST_SETTLED or not gone
    assert left.live() == record.live()
