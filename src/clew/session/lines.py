"""What the handles of one line of checkpoints stand for, read as little of it as that takes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from clew.errors import StoreError
from clew.former import REMOVED, numbered_upto
from clew.ports import Checkpoint, CheckpointKind, Span, Store, Stub
from clew.record.items import Item
from clew.record.serde import item_to_json, load_record
from clew.searchable import CITED
from clew.transcript import Path, canonical_json

_SPAN = re.compile(r"S-(\d{1,9})")
_ITEM = re.compile(r"[A-Z]-\d{1,9}")
_LEAF = re.compile(r"S-\d{1,9}\.\d{1,6}")
_GONE = re.compile(r"M-[0-9a-f]{12}")


class Line:
    """A checkpoint and those that led to it, in a store."""

    def __init__(self, store: Store, checkpoint_id: str) -> None:
        self._store = store
        self._id = checkpoint_id

    def given(self, name: str) -> bytes | None:
        """What was given out under just this handle, as it was when it left the context."""
        if _LEAF.fullmatch(name):
            stub = self._stub(name)
            return None if stub is None else self._leaf(stub)
        if _SPAN.fullmatch(name) or _GONE.fullmatch(name):
            kinds = ("span", CITED) if name.startswith("S-") else (REMOVED,)
            for span in self._store.spans(self._id, name):
                if span.kind in kinds and span.digests:
                    return self._messages(span)
            return None
        item = self._item(name) if _ITEM.fullmatch(name) else None
        return None if item is None else written_item(item)

    def around(self, name: str) -> bytes | None:
        """The span that a message was absorbed with, by the number of its place."""
        number = number_of(name)
        found: Span | None = None
        for span in self._store.spans(self._id) if number else ():
            first = number_of(span.handle)
            if span.kind != "span" or not first <= number < first + len(span.digests):
                continue
            if found is None or first > number_of(found.handle):
                found = span
        return None if found is None else self._messages(found)

    def _messages(self, span: Span) -> bytes:
        texts = archived_texts(self._store, span.digests)
        return joined([texts[digest] for digest in span.digests])

    def _leaf(self, stub: Stub) -> bytes:
        text = archived_texts(self._store, [stub.digest])[stub.digest]
        value = _at(json.loads(text), stub.path)
        if isinstance(value, str):
            return value.encode("utf-8", "surrogatepass")
        return canonical_json(value).encode("ascii")

    def _stub(self, handle: str) -> Stub | None:
        newest = self._store.checkpoint(self._id)
        if newest is None or number_of(handle.partition(".")[0]) > numbered_upto(newest):
            return None  # nobody gave that number out: the line need not be read
        for checkpoint in self._read(_where_stubs_end(self._kinds())):
            for stub in checkpoint.stubs:
                if stub.handle == handle:
                    return stub
        return None

    def _item(self, name: str) -> Item | None:
        """An item that a record of this line still held, as it was when it left."""
        if not self._store.spans(self._id, name):
            return None
        for checkpoint in self._read(_where_records_change(self._kinds())):
            if f'"{name}"' in checkpoint.record_json:
                item = load_record(checkpoint.record_json).get(name)
                if item is not None:
                    return item
        return None

    def _kinds(self) -> list[tuple[str, bool]]:
        line = self._store.line(self._id)
        return [(each.checkpoint_id, each.kind is CheckpointKind.COMPACT) for each in line]

    def _read(self, names: Sequence[str]) -> Iterator[Checkpoint]:
        for name in names:
            checkpoint = self._store.checkpoint(name)
            if checkpoint is not None:
                yield checkpoint


def _where_stubs_end(line: Sequence[tuple[str, bool]]) -> list[str]:
    """A stub is there until its message is absorbed: behind the newest state, before each fold.

    All others come last, since a state read anew may have let one go.
    """
    names = [name for name, _ in line]
    before = [names[n + 1] for n, (_, folds) in enumerate(line[:-1]) if folds]
    return list(dict.fromkeys((*names[:1], *before, *names)))


def _where_records_change(line: Sequence[tuple[str, bool]]) -> list[str]:
    """A record changes where the middle is folded into it; notes may change it elsewhere."""
    folds = [name for name, folded in line if folded]
    return list(dict.fromkeys((*folds, *(name for name, _ in line))))


def archived_texts(store: Store, digests: Sequence[str]) -> dict[str, str]:
    """The archived JSON of messages by digest; raises StoreError when one is missing."""
    found = store.messages(digests)
    for digest in digests:
        if digest not in found:
            problem = f"the archived message {digest[:12]} is missing"
            raise StoreError(store.location, problem)
    return {digest: kept.json for digest, kept in found.items()}


def number_of(handle: str) -> int:
    """The number of a span's handle; 0 for any other."""
    match = _SPAN.fullmatch(handle)
    return int(match[1]) if match else 0


def joined(texts: Sequence[str]) -> bytes:
    """Native messages as a JSON list."""
    return f"[{', '.join(texts)}]".encode("utf-8", "surrogatepass")


def written_item(item: Item) -> bytes:
    """An item as JSON."""
    text = json.dumps(item_to_json(item), ensure_ascii=False, indent=2)
    return text.encode("utf-8", "surrogatepass")


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value
