"""The index section: where absorbed identifiers and files can be found again, densest first."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.ports import TokenCounter
from clew.record.claims import one_line
from clew.record.fence import neutral
from clew.record.record import HandoffRecord, IndexEntry

_PATH = re.compile(r"(?:[A-Za-z]:|~|\.{1,2})?[\\/]?(?:[\w.@+ -]+[\\/])+[\w.@+-]*")
_HANDLE_TOKENS = 4
_HANDLES_SHOWN = 2
_NAME_CHARS = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexView:
    """The lines of the index section and their tokens."""

    lines: tuple[str, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class _Offer:
    """Something the index may show. `group` is a directory or a handle, paid for once."""

    weight: float
    name: str
    group: str
    handles: tuple[str, ...]
    is_path: bool
    is_label: bool


def index_view(
    record: HandoffRecord,
    *,
    counter: TokenCounter,
    budget_tokens: int,
    already_shown: str = "",
) -> IndexView:
    """Choose what earns most expected use per token within a budget and group it.

    Files stand behind their directory, other names behind the newest span that holds them; a name
    that stands in `already_shown` is left out.
    """
    offers = [offer for offer in _offers(record) if offer.name not in already_shown]
    if budget_tokens <= 0 or not offers:
        return IndexView()
    return _chosen(offers, counter, budget_tokens)


def _offers(record: HandoffRecord) -> list[_Offer]:
    """Mentions, then what only the index entries know, then the entries' labels."""
    offers: list[_Offer] = []
    known: set[str] = set()
    for mention in record.mentions:
        if mention.weight > 0 and mention.spans and mention.name not in known:
            known.add(mention.name)
            _offer(offers, mention.weight, mention.name, mention.spans)
    for entry in record.index:
        for rank, name in enumerate(entry.identifiers):
            if name not in known:
                known.add(name)
                _offer(offers, entry.weight / (rank + 2), name, (entry.handle,))
        if entry.label.strip():
            offers.append(_label(entry))
    return offers


def _offer(offers: list[_Offer], weight: float, name: str, spans: tuple[str, ...]) -> None:
    if not name.strip() or len(name) > _NAME_CHARS:
        return
    is_path = ("/" in name or "\\" in name) and "://" not in name and bool(_PATH.fullmatch(name))
    group = name[: max(name.rfind("/"), name.rfind("\\")) + 1] if is_path else spans[0]
    offers.append(_Offer(weight, name, group, spans[:_HANDLES_SHOWN], is_path, False))


def _label(entry: IndexEntry) -> _Offer:
    return _Offer(entry.weight, one_line(entry.label), entry.handle, (entry.handle,), False, True)


def _chosen(offers: list[_Offer], counter: TokenCounter, budget_tokens: int) -> IndexView:
    costs = counter.count_texts([_piece(offer) for offer in offers])
    order = sorted(
        range(len(offers)),
        key=lambda i: (-offers[i].weight / (costs[i] + _HANDLE_TOKENS), offers[i].name, i),
    )
    groups: dict[tuple[bool, str], int] = {}
    spent = 0
    chosen: list[_Offer] = []
    for i in order:
        offer = offers[i]
        key = (offer.is_path, offer.group)
        # A directory's name is paid with its first file; the separator behind it with the rest.
        opening = 0 if key in groups else _opening_tokens(offer, counter)
        if spent + costs[i] + opening > budget_tokens:
            if budget_tokens - spent < _HANDLE_TOKENS:
                break
            continue
        spent += costs[i] + opening
        groups[key] = 1
        chosen.append(offer)
    return IndexView(lines=tuple(_lines(chosen)), tokens=spent)


def _piece(offer: _Offer) -> str:
    if offer.is_path:
        return f", {offer.name[len(offer.group) :]} ({' '.join(offer.handles)})"
    return f" {offer.name}:" if offer.is_label else f", {offer.name}"


def _opening_tokens(offer: _Offer, counter: TokenCounter) -> int:
    return counter.count_text(f"{offer.group}: \n") if offer.is_path else _HANDLE_TOKENS


@dataclass(slots=True)
class _Group:
    label: str = ""
    names: list[str] = field(default_factory=list)


def _lines(chosen: Iterable[_Offer]) -> Iterable[str]:
    """Directories in order of name, then spans in order of number."""
    folders: dict[str, list[_Offer]] = defaultdict(list)
    spans: dict[str, _Group] = defaultdict(_Group)
    for offer in chosen:
        if offer.is_path:
            folders[offer.group].append(offer)
        elif offer.is_label:
            spans[offer.group].label = offer.name
        else:
            spans[offer.group].names.append(offer.name)
    for folder in sorted(folders):
        files = sorted(folders[folder], key=lambda offer: offer.name)
        cut = 0 if len(files) == 1 else len(folder)
        listed = ", ".join(f"{f.name[cut:] or './'} ({' '.join(f.handles)})" for f in files)
        yield neutral(one_line(listed if cut == 0 else f"{folder}: {listed}"))
    for handle in sorted(spans, key=_span_order):
        group = spans[handle]
        names = ", ".join(group.names)
        label = f" {group.label}" if group.label else ""
        yield neutral(one_line(f"{handle}{label}{': ' if names else ''}{names}"))


def _span_order(handle: str) -> tuple[int, str]:
    digits = re.search(r"\d+", handle)
    return (int(digits.group()) if digits else 0, handle)
