"""The index section: where absorbed identifiers and files can be found again, densest first."""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.ports import TokenCounter
from clew.record.claims import one_line
from clew.record.fence import neutral
from clew.record.record import HandoffRecord

_PATH = re.compile(r"(?:[A-Za-z]:|~|\.{1,2})?[\\/]?(?:[\w.@+ -]+[\\/])+[\w.@+-]*")
_HANDLE_TOKENS = 4
_HANDLES_SHOWN = 2
_NAME_CHARS = 240
_CHARS_BESIDE_NAME = 16


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


class IndexOffers:
    """What the index of a record could show, measured once, for any budget up to a largest one.

    Files stand behind their directory, other names behind the newest span that holds them.
    """

    def __init__(
        self, record: HandoffRecord, *, counter: TokenCounter, largest_tokens: int
    ) -> None:
        self._counter = counter
        self._offers = _offers(record, largest_tokens) if largest_tokens > 0 else []
        self._costs = counter.count_texts([_piece(offer) for offer in self._offers])
        # The number of groups is not known before the choice; a third of the offers opens one.
        self.tokens = sum(self._costs) + _HANDLE_TOKENS * (len(self._offers) // 3)

    def view(self, budget_tokens: int, *, already_shown: str = "") -> IndexView:
        """What earns most expected use per token within a budget, grouped.

        A name that stands in `already_shown` is left out.
        """
        groups: set[tuple[bool, str]] = set()
        spent = 0
        chosen: list[_Offer] = []
        for i in self._by_density():
            offer = self._offers[i]
            key = (offer.is_path, offer.group)
            opening = 0 if key in groups else self._opening_tokens(offer)
            if spent + self._costs[i] + opening > budget_tokens:
                if budget_tokens - spent < _HANDLE_TOKENS:
                    break
                continue
            if offer.name in already_shown:
                continue
            spent += self._costs[i] + opening
            groups.add(key)
            chosen.append(offer)
        return IndexView(lines=tuple(_lines(chosen)), tokens=spent)

    def _by_density(self) -> list[int]:
        offers, costs = self._offers, self._costs
        return sorted(
            range(len(offers)),
            key=lambda i: (-offers[i].weight / (costs[i] + _HANDLE_TOKENS), offers[i].name, i),
        )

    def _opening_tokens(self, offer: _Offer) -> int:
        if offer.is_path:
            return self._counter.count_text(f"{offer.group}: \n")
        return _HANDLE_TOKENS


def _offers(record: HandoffRecord, largest_tokens: int) -> list[_Offer]:
    """Mentions, what only the index entries know, and the entries' labels.

    Only as many as could fit are looked at closely: nothing costs less than two tokens.
    """
    raw: list[tuple[float, str, tuple[str, ...], bool]] = [
        (m.weight, m.name, m.spans, False) for m in record.mentions if m.weight > 0 and m.spans
    ]
    known = {name for _, name, _, _ in raw}
    for entry in record.index:
        raw.append((entry.weight, one_line(entry.label), (entry.handle,), True))
        raw.extend(
            (entry.weight / (rank + 2), name, (entry.handle,), False)
            for rank, name in enumerate(entry.identifiers)
            if name not in known
        )
    limit = largest_tokens // 2 + 20
    if len(raw) > limit:
        raw = heapq.nlargest(limit, raw, key=lambda r: r[0] / (len(r[1]) + _CHARS_BESIDE_NAME))
    best: dict[tuple[str, bool], _Offer] = {}
    for weight, name, spans, is_label in raw:
        if name.strip() and len(name) <= _NAME_CHARS:
            best.setdefault((name, is_label), _offer(weight, name, spans, is_label))
    return list(best.values())


def _offer(weight: float, name: str, spans: tuple[str, ...], is_label: bool) -> _Offer:
    is_path = (
        not is_label
        and ("/" in name or "\\" in name)
        and "://" not in name
        and bool(_PATH.fullmatch(name))
    )
    group = name[: max(name.rfind("/"), name.rfind("\\")) + 1] if is_path else spans[0]
    return _Offer(weight, name, group, spans[:_HANDLES_SHOWN], is_path, is_label)


def _piece(offer: _Offer) -> str:
    if offer.is_path:
        return f", {offer.name[len(offer.group) :]} ({' '.join(offer.handles)})"
    return f" {offer.name}:" if offer.is_label else f", {offer.name}"


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
