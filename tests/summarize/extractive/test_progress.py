"""What a file of progress listed is over once a later version ticks it, or lists it no more."""

from __future__ import annotations

import pytest

from clew.record.items import Status
from tests.summarize.extractive.told import Native, after, agent, call, user

FIRST = "# Progress\n- [x] parser\n- [ ] wire the api endpoint\n- [ ] write the docs page\n"
API, DOCS = "wire the api endpoint", "write the docs page"
TICKED = FIRST.replace("[ ]", "[x]")
ONE_LEFT = FIRST.replace("[ ] wire", "[x] wire")
NOT_LISTED = "PROGRESS.md does not list it any more"


def write(content: str, path: str = "PROGRESS.md") -> list[Native]:
    return call("write_file", {"path": path, "content": content}, "ok")


def edit(old: str, new: str, path: str = "PROGRESS.md") -> list[Native]:
    return call("edit", {"path": path, "old_string": old, "new_string": new}, "ok")


LATER: list[tuple[list[Native], dict[str, Status]]] = [
    (write(TICKED), {API: Status.DONE, DOCS: Status.DONE}),
    (write(ONE_LEFT), {API: Status.DONE, DOCS: Status.OPEN}),
    (write("# Progress\nAll is finished.\n"), {API: Status.CLOSED, DOCS: Status.CLOSED}),
    (edit(f"- [ ] {API}", f"- [x] {API}"), {API: Status.DONE, DOCS: Status.OPEN}),
    (edit("# Progress", "# Progress of the importer"), {API: Status.OPEN, DOCS: Status.OPEN}),
    (write("Nothing to do here.\n", "NOTES.md"), {API: Status.OPEN, DOCS: Status.OPEN}),
    (write("x = 1\n", "api.py"), {API: Status.OPEN, DOCS: Status.OPEN}),
]


@pytest.mark.parametrize(("later", "became"), LATER)
def test_a_later_version_closes_what_the_record_has_of_the_file(
    later: list[Native], became: dict[str, Status]
) -> None:
    before = after(user("the goal"), write(FIRST), agent("Saved.")).record
    listed = {i.text: (i.status, i.field("file")) for i in before.of_kind("commitment")}
    assert listed == dict.fromkeys((API, DOCS), (Status.OPEN, "PROGRESS.md"))
    record = after(user("go on"), later, agent("Saved."), old=before, start=4).record
    assert {i.text: i.status for i in record.of_kind("commitment")} == became


def test_what_closes_an_entry_is_named_and_shown() -> None:
    before = after(user("the goal"), write(FIRST), agent("Saved.")).record
    record = after(user("go on"), write("# Progress\n"), old=before, start=4).record
    found = record.of_kind("commitment")
    assert [(i.reason, i.evidence[-1].span) for i in found] == [(NOT_LISTED, "S-6")] * 2


def test_within_one_stretch_a_version_without_marks_closes_what_was_left() -> None:
    record = after(user("the goal"), write(FIRST), write("# Progress\nAll is finished.\n")).record
    found = {i.text: (i.status, i.reason) for i in record.of_kind("commitment")}
    assert found == {API: (Status.CLOSED, NOT_LISTED), DOCS: (Status.CLOSED, NOT_LISTED)}
