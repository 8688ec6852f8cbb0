"""Three-way merge: what was last written, what stands in the files, what the record says now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from clew.errors import RecordError
from clew.record.delta import Add, Close, Operation, Revise, SetNext, Supersede
from clew.record.items import Item, Proposer, Speaker, Status
from clew.record.kinds import DEFAULT_KINDS, Kind, KindTable
from clew.record.record import HandoffRecord
from clew.record.rules import check_close, check_new
from clew.workdir.layout import Page, file_of, plain

_SETTLED = (Status.DONE, Status.ANSWERED, Status.WITHDRAWN, Status.CLOSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """An edit that the record did not take; `copy` is the file that keeps it, inside the folder."""

    file: str
    item: str
    problem: str
    copy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Operations that bring the edits into the record, and what could not be brought in.

    `foreign` are items that the record may not take (a directive that no user gave): they stay in
    their file as they are.
    """

    operations: tuple[Operation, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    foreign: tuple[Item, ...] = ()


def merge(
    base: HandoffRecord | None,
    pages: Mapping[str, Page],
    record: HandoffRecord,
    *,
    editor: Proposer,
    kinds: KindTable = DEFAULT_KINDS,
) -> Merged:
    """Compare item by item; `base` is what this writer wrote last (None: nothing yet).

    An item that changed on one side alone is taken from there; changed on both, the record's stays
    and the edit becomes a conflict.
    """
    merging = _Merging(base or HandoffRecord(), record, editor, kinds)
    for name, page in pages.items():
        merging.page(name, page)
    return Merged(
        operations=tuple(merging.operations),
        conflicts=tuple(merging.conflicts),
        foreign=tuple(merging.foreign),
    )


class _Merging:
    def __init__(
        self, base: HandoffRecord, record: HandoffRecord, editor: Proposer, kinds: KindTable
    ) -> None:
        self._base = {item.id: plain(item) for item in base.items}
        self._base_next = base.next
        self._ours = {item.id: plain(item) for item in record.items}
        self._known = frozenset(replace(item, id="") for item in self._ours.values())
        self._here: frozenset[Item] = frozenset()
        self._record = record
        self._editor = editor
        self._kinds = kinds
        self.operations: list[Operation] = []
        self.conflicts: list[Conflict] = []
        self.foreign: list[Item] = []

    def page(self, name: str, page: Page) -> None:
        """Compare one file."""
        self._here = frozenset(replace(item, id="") for item in page.items)
        for item in page.items:
            if file_of(item.kind) != name:
                self._conflict(name, item.id, f"a {item.kind} does not stand in this file")
                continue
            self._item(name, item)
        present = {item.id for item in page.items}
        for item_id, before in self._base.items():
            if file_of(before.kind) == name and item_id not in present:
                self._gone(name, before)
        self._next(name, page)

    def _item(self, name: str, item: Item) -> None:
        before, ours = self._base.get(item.id), self._ours.get(item.id)
        if replace(item, id="") in self._known:
            return  # said already, perhaps under another id
        if ours is None and (item != before or not self._let_go(item)):
            self._new(name, item)
        elif item == before:
            return  # the record has moved on, or has let the item go
        elif before is None or replace(before, id="") in self._here:
            self._new(name, item)  # another writer gave the same id to something else
        elif ours == before:
            self._edited(name, before, item)
        else:
            self._conflict(name, item.id, "was changed here and in the record")

    def _let_go(self, item: Item) -> bool:
        """Whether an item that the record lacks was settled, here or in it, and left it since.

        A record that has given its id knew it: it came behind this one, not from another branch.
        """
        letter, _, number = item.id.partition("-")
        given = dict(self._record.counters).get(letter, 0)
        return not item.live or (number.isdigit() and int(number) <= given)

    def _new(self, name: str, item: Item) -> None:
        kind = self._kinds.get(item.kind)
        said_by = self._speaker(item)
        made = replace(item, id="", said_by=said_by, proposed_by=self._editor, superseded_by="")
        if not item.live:
            # It was settled elsewhere; its history is another run's.
            made = replace(made, reason=item.reason or "settled in another run")
        try:
            if kind is None:
                raise RecordError(f"no kind is called {item.kind!r}")
            if made.status is Status.SUPERSEDED:
                raise RecordError("was superseded in another run")
            check_new(made, kind, self._editor)
        except RecordError as error:
            self.foreign.append(item)
            self._conflict(name, item.id, str(error))
            return
        self.operations.append(Add(item=made))

    def _speaker(self, item: Item) -> Speaker:
        if self._editor is Proposer.PERSON:
            return Speaker.USER
        # No edit of a file gains the user's authority by saying so.
        return Speaker.AGENT if item.said_by is Speaker.USER else item.said_by

    def _edited(self, name: str, before: Item, item: Item) -> None:
        try:
            self.operations.append(self._operation(before, item))
        except RecordError as error:
            self._conflict(name, item.id, str(error))

    def _operation(self, before: Item, item: Item) -> Operation:
        kind = self._guarded(before, item)
        if item.status is not before.status and item.status in _SETTLED:
            closing = Close(
                id=item.id, status=item.status, evidence=item.evidence, reason=item.reason
            )
            check_close(before, kind, closing, self._editor)
            changed = replace(item, status=before.status, reason=before.reason)
            if changed != replace(before, evidence=item.evidence):
                raise RecordError("was reworded and settled at once; do one after the other")
            return closing
        worded = replace(before, text=item.text, fields=item.fields, evidence=item.evidence)
        only_adds = set(before.evidence) <= set(item.evidence)
        only_sets = {name for name, _ in before.fields} <= {name for name, _ in item.fields}
        if worded == item and only_adds and only_sets and before.live:
            return Revise(
                id=item.id,
                text=item.text,
                evidence=item.evidence,
                fields=tuple(pair for pair in item.fields if pair not in before.fields),
                reason=self._reason,
            )
        if not item.live or not before.live:
            raise RecordError(f"is {before.status.value}; such a change cannot be taken over")
        made = replace(
            item, id="", said_by=self._speaker(item), proposed_by=self._editor, superseded_by=""
        )
        return Supersede(ids=(item.id,), item=made, reason=self._reason)

    def _guarded(self, before: Item, item: Item) -> Kind:
        kind = self._kinds.get(before.kind)
        if kind is None or before.kind != item.kind:
            raise RecordError("changed its kind; settle it and write a new one")
        if self._editor is Proposer.PERSON:
            return kind
        if before.said_by is Speaker.USER or item.said_by is Speaker.USER:
            raise RecordError("what the user said is changed only by the user")
        return kind

    @property
    def _reason(self) -> str:
        return f"edited in the work directory by the {self._editor.value}"

    def _gone(self, name: str, before: Item) -> None:
        ours = self._ours.get(before.id)
        kind = self._kinds.get(before.kind)
        if ours is None or kind is None or not ours.live:
            return
        if replace(before, id="") in self._here:
            return  # it stands there under another id
        reason = f"taken out of {name} by the {self._editor.value}"
        closing = Close(id=before.id, status=Status.WITHDRAWN, reason=reason)
        try:
            if ours != before:
                raise RecordError("was taken out here and changed in the record")
            self._guarded(before, before)
            check_close(ours, kind, closing, self._editor)
        except RecordError as error:
            self._conflict(name, before.id, f"stands again: {error}")
            return
        self.operations.append(closing)

    def _next(self, name: str, page: Page) -> None:
        if name != "NEXT.md" or page.next in (self._base_next, self._record.next):
            return
        if not page.next.strip():
            return
        if self._record.next == self._base_next:
            self.operations.append(SetNext(text=page.next))
        else:
            self._conflict(name, "", "the next action was changed here and in the record")

    def _conflict(self, file: str, item: str, problem: str) -> None:
        self.conflicts.append(Conflict(file=file, item=item, problem=problem))
