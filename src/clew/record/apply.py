"""Apply a delta to a record: one operation after the other, each whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from clew.errors import RecordError
from clew.record.claims import normalised, one_line
from clew.record.delta import Add, Close, Delta, Dismiss, Operation, Revise, SetNext, Supersede
from clew.record.items import Evidence, Item, Proposer, Speaker, Status
from clew.record.kinds import DEFAULT_KINDS, Kind, KindTable
from clew.record.lineage import Dismissal, Lineage, Revision, balance
from clew.record.record import HandoffRecord
from clew.record.rules import (
    GENERATED,
    RANK,
    TRUSTED,
    check_close,
    check_new,
    check_replaceable,
    check_shape,
    kind_of,
    texts,
    well_formed_evidence,
    well_formed_fields,
)

_ID = re.compile(r"([A-Z]+)-(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The record after a delta, its books, and the operations that were refused with the reason."""

    record: HandoffRecord
    lineage: Lineage
    rejected: tuple[tuple[Operation, str], ...] = ()


def apply_delta(
    record: HandoffRecord,
    delta: Delta,
    *,
    kinds: KindTable = DEFAULT_KINDS,
    position: int = 0,
) -> Applied:
    """Fold a delta into a record; a bad operation is refused whole and named.

    `position` is the chain position that new items are seen at when they do not say so. An item
    that says a model or the agent proposed it is held to their rules, whoever folds it in.
    """
    draft = _Draft(record, kinds, delta.proposed_by, position)
    rejected: list[tuple[Operation, str]] = []
    for operation in delta.operations:
        try:
            draft.take(operation)
        except RecordError as error:
            rejected.append((operation, str(error)))
    after = draft.freeze()
    lineage = balance(record, after, revised=tuple(draft.revised), dismissed=tuple(draft.dismissed))
    return Applied(record=after, lineage=lineage, rejected=tuple(rejected))


def externalise(record: HandoffRecord, ids: Collection[str]) -> HandoffRecord:
    """The record with exactly these items marked as living behind their handle."""
    chosen = frozenset(ids)
    items = tuple(
        item if item.externalised == (item.id in chosen)
        else item.changed(externalised=item.id in chosen)
        for item in record.items
    )  # fmt: skip
    return replace(record, items=items)


class _Draft:
    """A record under change. Every check of an operation stands before its first change."""

    def __init__(
        self, record: HandoffRecord, kinds: KindTable, proposed_by: Proposer, position: int
    ) -> None:
        self._record = record
        self._kinds = kinds
        self._by = proposed_by
        self._position = position
        self._items = {item.id: item for item in record.items}
        self._wordings: dict[str, str] = {}
        self._alike: dict[tuple[str, str], list[str]] = {}
        self._keyed: dict[tuple[str, str], dict[str, None]] = {}
        for item in record.items:
            if item.live:
                self._remember(item)
        self._counters = dict(record.counters)
        self._next = (record.next, record.next_evidence)
        self.revised: list[Revision] = []
        self.dismissed: list[Dismissal] = []
        for item in record.items:
            if match := _ID.fullmatch(item.id):
                letter, number = match[1], int(match[2])
                self._counters[letter] = max(self._counters.get(letter, 0), number)

    def take(self, operation: Operation) -> None:
        """Apply one operation or raise RecordError without having changed anything."""
        match operation:
            case Add():
                self._add(operation.item)
            case Revise():
                self._revise(operation)
            case Supersede():
                self._supersede(operation)
            case Close():
                self._close(operation)
            case Dismiss():
                self._dismiss(operation)
            case SetNext():
                self._set_next(operation)
            case _ as unknown:
                _refuse(unknown)

    def freeze(self) -> HandoffRecord:
        """The record as a value: items by kind in table order, then by number."""
        order = {name: place for place, name in enumerate(self._kinds.names())}
        items = sorted(
            self._items.values(),
            key=lambda item: (order.get(item.kind, len(order)), item.kind, _number(item.id)),
        )
        return replace(
            self._record,
            items=tuple(items),
            next=self._next[0],
            next_evidence=self._next[1],
            counters=tuple(sorted(self._counters.items())),
            revision=self._record.revision + 1,
        )

    # -- operations --

    def _add(self, proposed: Item) -> None:
        item, kind = self._checked(proposed)
        if twin := self._twin(item):
            self._merge(twin, item)
            return
        rivals = self._same_key(item, kind)
        for rival in rivals:
            check_replaceable(rival, item, kind, item.proposed_by)
        self._put(item, kind, rivals, "a later value of the same key")

    def _supersede(self, operation: Supersede) -> None:
        item, kind = self._checked(operation.item)
        if not texts(operation.reason, *operation.ids):
            raise RecordError("superseding holds a value of the wrong type")
        if not operation.ids or len(set(operation.ids)) != len(operation.ids):
            raise RecordError("superseding needs ids, each named once")
        old = [self._existing(item_id) for item_id in operation.ids]
        for each in old:
            check_replaceable(each, item, self._kind(each), item.proposed_by)
        if twin := self._twin(item, besides=operation.ids):
            self._merge(twin, item)
            self._retire(old, by=twin.id, reason=operation.reason)
            return
        rivals = [r for r in self._same_key(item, kind) if r.id not in operation.ids]
        for rival in rivals:
            check_replaceable(rival, item, kind, item.proposed_by)
        self._put(item, kind, [*old, *rivals], operation.reason)

    def _revise(self, operation: Revise) -> None:
        old = self._existing(operation.id)
        kind = self._kind(old)
        if not (
            texts(operation.text, operation.reason)
            and well_formed_evidence(operation.evidence)
            and well_formed_fields(operation.fields)
        ):
            raise RecordError("a revision holds a value of the wrong type", item=old.id)
        if not old.live:
            raise RecordError(f"is {old.status.value} already", item=old.id)
        text = operation.text if operation.text.strip() else old.text
        reworded = text != old.text or bool(operation.fields)
        if not reworded and not operation.evidence:
            raise RecordError("the revision changes nothing", item=old.id)
        if reworded and self._by not in TRUSTED:
            if kind.name == "directive" or old.said_by is Speaker.USER:
                raise RecordError("the user's own words are not reworded", item=old.id)
            if kind.keyed and {"key", "value"} & dict(operation.fields).keys():
                raise RecordError("a new value supersedes the old one", item=old.id)
            if kind.scope in dict(operation.fields):
                raise RecordError("what an item counts for does not change", item=old.id)
        new = replace(old, text=text, evidence=_union(old.evidence, operation.evidence))
        new = new.with_fields(dict(operation.fields))
        if any(not new.field(name).strip() for name in kind.required):
            raise RecordError(f"a {kind.name} needs {' and '.join(kind.required)}", item=old.id)
        self._items[old.id] = replace(new, last_used=max(old.last_used, self._position))
        self._remember(new)
        if reworded:
            self.revised.append(
                Revision(
                    id=old.id, before=_wording(old), after=_wording(new), reason=operation.reason
                )
            )

    def _close(self, operation: Close) -> None:
        old = self._existing(operation.id)
        if not well_formed_evidence(operation.evidence) or not texts(operation.reason):
            raise RecordError("closing holds a value of the wrong type", item=old.id)
        check_close(old, self._kind(old), operation, self._by)
        self._items[old.id] = replace(
            old,
            status=Status(operation.status),
            evidence=_union(old.evidence, operation.evidence),
            reason=operation.reason,
            externalised=False,
        )

    def _dismiss(self, operation: Dismiss) -> None:
        if not texts(operation.span, operation.reason):
            raise RecordError("a dismissal holds a value of the wrong type")
        if not operation.span.strip() or not operation.reason.strip():
            raise RecordError("a dismissal needs the span and the reason")
        self.dismissed.append(Dismissal(span=operation.span, reason=operation.reason))

    def _set_next(self, operation: SetNext) -> None:
        if not texts(operation.text) or not well_formed_evidence(operation.evidence):
            raise RecordError("the next action holds a value of the wrong type")
        if not operation.text.strip():
            raise RecordError("the next action needs a text")
        self._next = (operation.text, operation.evidence)

    # -- steps --

    def _checked(self, proposed: Item) -> tuple[Item, Kind]:
        """The item as it would stand in the record, under the next id of its kind."""
        check_shape(proposed)
        kind = kind_of(proposed, self._kinds)
        item = proposed
        if kind.keyed and not item.text.strip() and item.field("key"):
            item = replace(item, text=f"{item.field('key')} = {item.field('value')}")
        by = item.proposed_by if item.proposed_by in GENERATED else self._by
        check_new(item, kind, by)
        generated = by in GENERATED
        return item.changed(
            id=f"{kind.letter}-{self._counters.get(kind.letter, 0) + 1}",
            proposed_by=by,
            externalised=False,
            superseded_by="",
            uses=0 if generated else item.uses,
            value=0.0 if generated else item.value,
            first_seen=item.first_seen or self._position,
            last_used=item.last_used or item.first_seen or self._position,
        ), kind

    def _existing(self, item_id: object) -> Item:
        item = self._items.get(item_id) if isinstance(item_id, str) else None
        if item is None:
            raise RecordError(f"no item is called {item_id!r}")
        return item

    def _kind(self, item: Item) -> Kind:
        kind = self._kinds.get(item.kind)
        if kind is None:
            raise RecordError(f"its kind {item.kind!r} is not in force", item=item.id)
        return kind

    def _twin(self, item: Item, besides: Collection[str] = ()) -> Item | None:
        """A live item that says the same; a repeated user message is a message of its own."""
        wording = self._normal(item.text)
        kind = self._kind(item)
        for name in self._alike.get((item.kind, wording), ()):
            other = self._items[name]
            if (
                other.live
                and other.status is item.status
                and other.id not in besides
                and self._normal(other.text) == wording
                and _keyed_alike(other, item)
                and kind.same_thing(other.fields, item.fields)
                and (item.kind != "directive" or _share_a_span(item, other))
            ):
                return other
        return self._said_already(item, wording)

    def _said_already(self, item: Item, wording: str) -> Item | None:
        """A live item of another kind that quotes what a model offers as one more fact."""
        if item.kind != "fact" or item.proposed_by is not Proposer.MODEL:
            return None
        for other in self._items.values():
            if other.live and self._normal(other.text) == wording and _share_a_span(item, other):
                return other
        return None

    def _remember(self, item: Item) -> None:
        """Note an item under its wording and its key, where twins and rivals are looked for."""
        alike = self._alike.setdefault((item.kind, self._normal(item.text)), [])
        if item.id not in alike:
            alike.append(item.id)
        kind = self._kinds.get(item.kind)
        if kind is not None and kind.keyed:
            key = (item.kind, self._normal(item.field("key")))
            self._keyed.setdefault(key, {})[item.id] = None

    def _normal(self, text: str) -> str:
        """A text in the form in which two wordings compare, worked out once."""
        known = self._wordings.get(text)
        if known is None:
            known = self._wordings[text] = normalised(text)
        return known

    def _same_key(self, item: Item, kind: Kind) -> list[Item]:
        if not kind.keyed:
            return []
        key = self._normal(item.field("key"))
        known = map(self._items.__getitem__, self._keyed.get((item.kind, key), ()))
        return [o for o in known if o.live and self._normal(o.field("key")) == key]

    def _merge(self, old: Item, new: Item) -> None:
        """Join what a second wording of a claim adds; a model's words never raise authority."""
        louder = RANK[new.said_by] > RANK[old.said_by] and new.proposed_by not in GENERATED
        self._items[old.id] = replace(
            old,
            evidence=_union(old.evidence, new.evidence),
            said_by=new.said_by if louder else old.said_by,
            why=old.why or new.why,
            rejected=tuple(dict.fromkeys((*old.rejected, *new.rejected))),
            uses=max(old.uses, new.uses),
            value=max(old.value, new.value),
            last_used=max(old.last_used, new.last_used),
            externalised=False,
        ).with_fields({**dict(new.fields), **dict(old.fields)})

    def _put(self, item: Item, kind: Kind, replaced: list[Item], reason: str) -> None:
        self._counters[kind.letter] = self._counters.get(kind.letter, 0) + 1
        self._items[item.id] = item
        self._remember(item)
        self._retire(replaced, by=item.id, reason=reason)

    def _retire(self, items: list[Item], *, by: str, reason: str) -> None:
        for item in items:
            self._items[item.id] = replace(
                item,
                status=Status.SUPERSEDED,
                superseded_by=by,
                reason=reason,
                externalised=False,
            )


def _refuse(unknown: object) -> None:
    raise RecordError(f"{type(unknown).__name__} is no operation on a record")


def _share_a_span(one: Item, other: Item) -> bool:
    spans = {e.span for e in one.evidence if e.span}
    return not spans.isdisjoint(e.span for e in other.evidence)


def _keyed_alike(one: Item, other: Item) -> bool:
    return all(one.field(name) == other.field(name) for name in ("key", "value", "action"))


def _union(old: tuple[Evidence, ...], new: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys((*old, *new)))


def _wording(item: Item) -> str:
    fields = "; ".join(f"{name}: {value}" for name, value in item.fields)
    return f"{item.text} ({one_line(fields)})" if fields else item.text


def _number(item_id: str) -> int:
    match = _ID.fullmatch(item_id)
    return int(match[2]) if match else 0
