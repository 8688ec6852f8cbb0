from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from clew.errors import RecordError
from clew.record import (
    HandoffRecord,
    Item,
    Mention,
    dump_record,
    item_from_json,
    item_to_json,
    load_record,
    record_from_json,
    record_to_json,
)
from tests.record.building import RECORDS, holding, new

MENTIONS: dict[str, list[Any]] = {
    "name": ["a.py"], "agent_uses": [2], "tool_uses": [1], "user_uses": [0], "first": [1],
    "last": [4], "spans": [["S-1"]], "weight": [0.5],
}  # fmt: skip
INDEX: dict[str, list[Any]] = {
    "handle": ["S-1"], "label": ["read a.py"], "identifiers": [["a.py"]], "weight": [1.0],
    "position": [0],
}  # fmt: skip


@given(record=RECORDS)
def test_a_record_survives_its_json_form(record: HandoffRecord) -> None:
    text = dump_record(record)
    assert text.isascii()
    assert load_record(text) == record
    assert [item_from_json(item_to_json(item)) for item in record.items] == list(record.items)


def test_the_json_form_has_the_members_of_the_contract() -> None:
    value = record_to_json(holding(new("fact", "the pool holds 5", span="S-3")))
    assert {"goal", "items", "next", "version"} <= value.keys()
    item = value["items"][0]
    assert (item["id"], item["kind"], item["text"]) == ("F-1", "fact", "the pool holds 5")
    assert item["evidence"] == [{"span": "S-3", "quote": "seen there"}]
    assert (item["status"], item["said_by"], item["why"]) == ("active", "agent", "")


def test_absent_members_take_their_defaults() -> None:
    record = load_record('{"goal": "g", "items": [{"id": "F-1", "kind": "fact", "text": "t"}]}')
    assert (record.version, record.items[0].value, record.next) == (2, 0.0, "")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"version": 3}, "version 3 is not one of 1, 2; upgrade"),
        ({"version": "1"}, "record.version is '1', but has to be a whole number"),
        ({"version": True}, "record.version"),
        ({"goal": None}, "record.goal is None, but has to be a text"),
        ({"items": {}}, "record.items is {}, but has to be a list"),
        ({"items": [7]}, r"record.items\[0\] is a int, not an object"),
        ({"items": [{"id": "F-1", "kind": "fact"}]}, r"record.items\[0\] has no text"),
        ({"next_evidence": [{"span": 4}]}, r"next_evidence\[0\].span is 4"),
        ({"counters": {"D": "3"}}, "an object of whole numbers"),
        ({"nexxt": ""}, "has a member 'nexxt' nobody knows"),
        ({"index": [{"handle": "S-1", "label": "x", "weight": 10**400}]}, "a finite number"),
        ({"mentions": {"name": "a"}}, "record.mentions is an object, but its members"),
        ({"mentions": {"name": ["a", "b"], "first": [1]}}, "mentions has lists of different"),
        (
            {"mentions": {**MENTIONS, "name": [7]}},
            r"record.mentions\[0\].name is 7, but has to be a text",
        ),
        ({"index": {**INDEX, "identifiers": [[5]]}}, "mention 5 of 0"),
        ({"index": {**INDEX, "identifiers": [5]}}, "has to be a list"),
        ({"index": {**INDEX, "colour": [1]}}, "'colour' nobody knows"),
        ({"index": {}}, "record.index has no list of 'handle'"),
    ],
)
def test_a_wrong_record_is_refused_with_the_place(change: dict[str, Any], problem: str) -> None:
    value = json.loads(dump_record(holding(new("fact", "t")))) | change
    with pytest.raises(RecordError, match=problem):
        record_from_json(value)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"status": "finished"}, "status is 'finished', but has to be one of active, open"),
        ({"status": []}, "status"),
        ({"verified": 1}, "verified is 1, but has to be true or false"),
        ({"value": float("nan")}, "a finite number"),
        ({"fields": [["key"]]}, r"fields\[0\] is not a pair of texts"),
        ({"rejected": [{"why": "w"}]}, r"rejected\[0\] has no option"),
    ],
)
def test_a_wrong_item_is_refused_with_the_place(change: dict[str, Any], problem: str) -> None:
    value = item_to_json(holding(new("fact", "t")).items[0]) | change
    with pytest.raises(RecordError, match=problem):
        item_from_json(value)


OF_VERSION_1 = """{"goal": "g", "goal_status": "open", "items": [], "next": "", "next_evidence": [],
"index": [{"handle": "S-3", "label": "read a.py", "identifiers": ["a.py", "7", "gone"],
 "weight": 1.5, "position": 2}],
"mentions": [{"name": "a.py", "agent_uses": 1, "tool_uses": 2, "user_uses": 0, "first": 2,
 "last": 4, "spans": ["S-3"], "weight": 0.5}],
"counters": {}, "revision": 1, "version": 1}"""


def test_a_record_of_the_first_version_is_read_and_written_anew_as_tables() -> None:
    record = load_record(OF_VERSION_1)
    assert record.mentions[0] == Mention(
        name="a.py", agent_uses=1, tool_uses=2, first=2, last=4, spans=("S-3",), weight=0.5
    )
    assert record.index[0].identifiers == ("a.py", "7", "gone")
    value = json.loads(dump_record(record))
    assert value["mentions"]["name"] == ["a.py"]
    assert value["index"]["identifiers"] == [[0, "7", "gone"]]
    assert load_record(json.dumps(value)) == record == record_from_json(record_to_json(record))


@pytest.mark.parametrize("name", MENTIONS)
def test_a_table_without_one_of_its_lists_is_refused_and_not_read_as_zeros(name: str) -> None:
    value = json.loads(dump_record(HandoffRecord(goal="g")))
    left = {column: cells for column, cells in MENTIONS.items() if column != name}
    with pytest.raises(RecordError, match=f"record.mentions has no list of '{name}'"):
        record_from_json(value | {"mentions": left})
    assert record_from_json(value | {"mentions": MENTIONS}).mentions[0].agent_uses == 2


@pytest.mark.parametrize("name", INDEX)
def test_an_index_without_one_of_its_lists_is_refused(name: str) -> None:
    value = json.loads(dump_record(HandoffRecord(goal="g")))
    left = {column: cells for column, cells in INDEX.items() if column != name}
    with pytest.raises(RecordError, match=f"record.index has no list of '{name}'"):
        record_from_json(value | {"index": left})


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"version": 1}'])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        load_record(text)


def test_an_id_given_twice_is_refused() -> None:
    value = record_to_json(holding(new("fact", "t")))
    value["items"] *= 2
    with pytest.raises(RecordError, match="F-1: the id is given to two items"):
        record_from_json(value)


def test_a_value_of_minus_zero_reads_like_the_zero_that_it_equals() -> None:
    low, zero = (Item(id="F-1", kind="fact", text="x", value=value) for value in (-0.0, 0.0))
    assert low == zero
    assert dump_record(HandoffRecord(items=(low,))) == dump_record(HandoffRecord(items=(zero,)))
