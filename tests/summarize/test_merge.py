"""Later parts may change what earlier parts proposed; on the record they are one delta."""

from __future__ import annotations

from clew.record import (
    Add,
    Close,
    Dismiss,
    Evidence,
    Item,
    Operation,
    Revise,
    SetNext,
    Status,
    Supersede,
)
from clew.summarize.merge import merged, proposed_items


def item(name: str, text: str) -> Item:
    return Item(id=name, kind="fact", text=text, evidence=(Evidence(span="S-1", quote=text),))


FIRST: tuple[Operation, ...] = (
    Add(item=item("new-1", "one")),
    Supersede(ids=("F-1",), item=item("new-2", "two")),
    SetNext(text="go on"),
)


def test_a_close_of_a_new_item_settles_the_proposal_itself() -> None:
    proof = Evidence(span="S-9", quote="done")
    close = Close(id="new-1", status=Status.DONE, evidence=(proof,), reason="seen")
    added = merged(FIRST, (close,))[0]
    assert isinstance(added, Add)
    assert (added.item.status, added.item.reason) == (Status.DONE, "seen")
    assert added.item.evidence[-1] == proof
    assert [i.id for i in proposed_items(merged(FIRST, (close,)))] == ["new-2"]


def test_a_revision_of_a_new_item_rewords_it() -> None:
    added = merged(FIRST, (Revise(id="new-1", text="uno", fields=(("key", "v"),)),))[0]
    assert isinstance(added, Add)
    assert (added.item.text, added.item.field("key")) == ("uno", "v")


def test_superseding_new_items_leaves_only_ids_of_the_record() -> None:
    better = Supersede(ids=("new-1", "new-2", "F-3"), item=item("new-3", "three"), reason="r")
    _, operation = merged(FIRST, (better,))
    assert operation == Supersede(ids=("F-1", "F-3"), item=item("new-3", "three"), reason="r")
    only_new = Supersede(ids=("new-1",), item=item("new-3", "three"))
    assert merged(FIRST, (only_new,))[-1] == Add(item=item("new-3", "three"))


def test_an_item_of_the_record_is_settled_once() -> None:
    again: tuple[Operation, ...] = (
        Close(id="F-1", status=Status.DONE),
        Supersede(ids=("F-1",), item=item("new-4", "four")),
    )
    assert merged(FIRST, again) == (*FIRST, Add(item=item("new-4", "four")))


def test_the_last_next_action_counts_and_doubles_count_once() -> None:
    dismiss = Dismiss(span="S-1", reason="flaky")
    more: tuple[Operation, ...] = (
        SetNext(text="stop"), dismiss, dismiss, Add(item=item("new-9", "one")),
    )  # fmt: skip
    assert merged(FIRST, more) == (*FIRST[:2], SetNext(text="stop"), dismiss)
