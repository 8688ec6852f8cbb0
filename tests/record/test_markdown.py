from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import RecordError
from clew.record import (
    HandoffRecord,
    Proposer,
    Rejected,
    SetNext,
    Speaker,
    Status,
    record_from_markdown,
    record_to_markdown,
)
from clew.record.plain_lines import read_line, written_lines, written_name
from tests.record.building import RECORDS, TEXTS, applied, directive, holding, new, quoted


def sample() -> HandoffRecord:
    decision = replace(
        new("decision", "keep raw SQL for reports", span="S-4"), why="the adapter drops types",
        rejected=(Rejected(option="swap the adapter", why="the pool test fails"),),
    )  # fmt: skip
    record = holding(
        directive("Never touch billing/.\n\n# unless I say so\n- D-9: forged"),
        decision,
        new("environment", "", key="PORT", value="5433"),
    )
    return applied(record, SetNext(text="Run the migration.", evidence=quoted("S-5")))


@given(record=RECORDS)
def test_a_record_survives_its_markdown(record: HandoffRecord) -> None:
    text = record_to_markdown(record)
    text.encode()
    assert record_from_markdown(text) == record
    assert record_from_markdown(text.replace("\n", "\r\n")) == record
    stripped = "\n".join(line.rstrip() for line in text.split("\n"))
    assert record_from_markdown(stripped) == record


@given(text=TEXTS)
def test_a_text_survives_as_lines_and_as_a_name(text: str) -> None:
    assert "\n".join(read_line(line) for line in written_lines(text)) == text
    assert read_line(written_name(text)) == text
    assert all(line == line.rstrip() for line in written_lines(text))


def test_the_document_reads_like_a_document() -> None:
    text = record_to_markdown(sample())
    assert "## Goal\n\n- status: open\n\n> Reconcile the ledgers\n" in text
    assert (
        "- D-1: keep raw SQL for reports\n"
        "  - status: active\n"
        "  - said by: agent\n"
        "  - why: the adapter drops types\n"
        "  - rejected: swap the adapter\n"
        "  - because: the pool test fails\n"
        "  - evidence S-4: seen there\n"
    ) in text
    assert "  > # unless I say so\n  > - D-9: forged\n" in text


def test_a_person_can_add_alter_and_remove_items() -> None:
    text = record_to_markdown(sample())
    text = text.replace("keep raw SQL for reports", "keep raw SQL, except for exports")
    text = text.replace(
        "## Environment\n\n",
        "## Environment\n\n- new: db host\n  - key: HOST\n  - value: db.internal\n\n",
    )
    start = text.index("- U-1:")
    text = text[:start] + text[text.index("## Decisions") :]
    edited = record_from_markdown(text)
    assert [item.id for item in edited.items] == ["D-1", "E-2", "E-1"]
    added = edited.items[1]
    assert edited.items[0].text == "keep raw SQL, except for exports"
    assert (added.field("HOST"), added.field("key"), added.said_by) == ("", "HOST", Speaker.USER)
    assert (added.proposed_by, added.status) == (Proposer.PERSON, Status.ACTIVE)


def test_the_number_of_a_removed_item_is_not_given_again() -> None:
    text = record_to_markdown(holding(new("fact", "a"), new("fact", "b")))
    text = text.replace("- F-2: b", "- new: c")
    assert [item.id for item in record_from_markdown(text).items] == ["F-1", "F-3"]


@pytest.mark.parametrize(
    ("old", "wrong", "problem"),
    [
        ("- version: 2", "- version: 3", "line 3: version 3 is not 1 to 2"),
        ("- revision: 2", "- revision: two", "line 4: revision is a whole number"),
        ("## Decisions", "## Choices", "line [0-9]+: no section is called 'Choices'"),
        ("  - status: active", "  - staus: active", "line [0-9]+: 'staus' is none of"),
        ("  - status: active", "  - status: finished", "line [0-9]+: status cannot be 'finished'"),
        ("  - said by: agent", "  - said by: god", "line [0-9]+: said by cannot be 'god'"),
        ("  - rejected: swap the adapter\n", "", "line [0-9]+: `because` follows a `rejected`"),
        ("- D-1: keep", "keep", "line [0-9]+: expected `- name: text`"),
        ("- D-1: keep", "- U-1: keep", "U-1: the id is given to two items"),
        ("- counters: {", "- counters: {{", "line [0-9]+: counters is no JSON"),
        ("- counters: {", "- counts: {", "line [0-9]+: 'counts' is none of"),
        ("## Decisions\n\n- D-1: keep raw SQL for reports", "## Decisions\n", "below no item"),
    ],
)
def test_a_wrong_document_is_refused_with_the_line(old: str, wrong: str, problem: str) -> None:
    text = record_to_markdown(sample())
    assert old in text
    with pytest.raises(RecordError, match=problem):
        record_from_markdown(text.replace(old, wrong, 1))


@given(
    text=st.text(alphabet="-#> :\nUD1goalnext{}", max_size=80),
    place=st.integers(min_value=0, max_value=400),
)
def test_any_document_is_read_or_refused(text: str, place: int) -> None:
    whole = record_to_markdown(sample())
    with suppress(RecordError):
        edited = record_from_markdown(whole[:place] + text + whole[place:])
        assert record_from_markdown(record_to_markdown(edited)) == edited


@pytest.mark.parametrize(
    ("reason", "written"),
    [
        ("set aside: not used since", "set aside"),
        ("set aside", "set aside"),
        ("it was dropped", "closed"),
        ("", "closed"),
    ],
)
def test_what_was_set_aside_is_never_written_as_closed(reason: str, written: str) -> None:
    item = replace(new("dead_end", "Retrying"), id="X-1", status=Status.CLOSED, reason=reason)
    record = HandoffRecord(items=(item,), counters=(("X", 1),))
    text = record_to_markdown(record)
    assert f"  - status: {written}\n" in text
    assert record_from_markdown(text) == record


def test_a_person_can_set_an_item_aside() -> None:
    record = holding(new("decision", "Page by date"))
    text = record_to_markdown(record).replace("- status: active", "- status: set aside")
    (item,) = record_from_markdown(text).items
    assert (item.status, item.reason) == (Status.CLOSED, "set aside")
