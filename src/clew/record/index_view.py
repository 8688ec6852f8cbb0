"""The index section: what was absorbed and where it stands, chosen by expected use per token.

A shown name is worth its expected use; a handle with a label makes everything in its span
addressable, which is worth a part of that. Both are bought with the same tokens, best first.
"""

from __future__ import annotations

import heapq
import re
from bisect import insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from clew.record.claims import one_line
from clew.record.counted import CountedOnce
from clew.record.fence import neutral
from clew.record.record import HandoffRecord, IndexEntry, Mention

ADDRESSABLE = 0.235
"""What a name inside a labelled span is worth against the same name in view."""

_LABEL_ALONE = 0.02
"""What a label is worth to a reader when all that is in its span is shown already."""
_LEAST_OF_WORK = 0.01
"""The weight of the first span of a label that did something and names nothing: it fills room that
nobody needs."""
_MOST_NAMELESS = 20
_TALK = ("user: ", "agent: ", "output", "harness: ", "thought: ", "empty exchange")
"""How labels of spans open in which nothing was done."""

_PATH = re.compile(r"(?:[A-Za-z]:|~|\.{1,2})?[\\/]?(?:[\w.@+ -]+[\\/])+[\w.@+-]*")
_PAIR = re.compile(r"[A-Za-z][\w-]*/[\w-]+", re.ASCII)
_PARTS = re.compile(r"[\w.-]+\w")
_HANDLE = re.compile(r"\bS-\d+\b")
_HANDLE_TOKENS = 4
_NAME_CHARS = 240
_CHARS_BESIDE_NAME = 8
_REST = "Also named"
_SAME = 1e-12
"""Gains per token that differ by less are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexView:
    """The lines of the index section and their tokens."""

    lines: tuple[str, ...] = ()
    tokens: int = 0


# A choice reads these two thousands of times: a slot is read twice as quickly as a tuple's member.
@dataclass(slots=True)
class _Name:
    """An identifier that may be shown; `folder` is empty for everything but files."""

    text: str
    weight: float
    spans: tuple[str, ...]
    folder: str
    cost: int


@dataclass(slots=True)
class _Span:
    """A span that may be shown with its label; `names` are those in it that have a weight."""

    handle: str
    label: str
    names: tuple[str, ...]
    weight: float
    cost: int


class IndexOffers:
    """What the index of a record could show, measured once, for any budget up to a largest one."""

    def __init__(self, record: HandoffRecord, *, counter: CountedOnce, largest_tokens: int) -> None:
        self._counter = counter
        self.weights = {m.name: m.weight for m in record.mentions}
        names = _names(record.mentions, _only_listed(record.index, self.weights), largest_tokens)
        spans = _spans(record.index, largest_tokens)
        places = _places([m.name for m in names])
        folders = [_folder(m.name, places) for m in names]
        costly = [
            f" {_base(m.name) if folder else m.name}"
            for m, folder in zip(names, folders, strict=True)
        ]
        labels = [f" {label}\n" for _, label, _, _ in spans]
        counter.expect([*costly, *labels, *map(_above_files, dict.fromkeys(folders))])
        self.names = tuple(
            _Name(m.name, m.weight, m.spans, folder, cost)
            for m, folder, cost in zip(names, folders, counter.count_texts(costly), strict=True)
        )
        for name in self.names:
            self.weights.setdefault(name.text, name.weight)
        known = self.weights.__contains__
        self.spans = {
            handle: _Span(handle, label, tuple(filter(known, held)), weight, cost + _HANDLE_TOKENS)
            for (handle, label, held, weight), cost in zip(
                spans, counter.count_texts(labels), strict=True
            )
        }
        # A label that leads to no name may fill what is left, but nothing is kept free for it.
        leading = [span.cost for span in self.spans.values() if span.names]
        self.tokens = sum([name.cost for name in self.names]) + sum(leading)

    def folder_tokens(self, folder: str) -> int:
        """What it costs to name a directory."""
        return self._counter.count_text(_above_files(folder))

    def view(self, budget_tokens: int, *, already_shown: str = "") -> IndexView:
        """What earns most expected use per token within a budget, grouped.

        A name that stands in `already_shown` is left out, and a handle there counts as given.
        """
        choice = _Choice(self, already_shown)
        choice.spend(budget_tokens)
        return IndexView(lines=tuple(choice.lines()), tokens=choice.spent)


def _only_listed(entries: Iterable[IndexEntry], mentioned: Collection[str]) -> list[Mention]:
    """Names that entries list and no mention has, worth a part of the first entry each."""
    listed = [entry for entry in entries if entry.identifiers]
    unknown = set[str]().union(*[entry.identifiers for entry in listed]).difference(mentioned)
    only: list[Mention] = []
    for entry in listed if unknown else ():
        for rank, name in enumerate(entry.identifiers):
            if name in unknown:
                unknown.discard(name)
                weight = entry.weight / (rank + 2)
                only.append(Mention(name=name, weight=weight, spans=(entry.handle,)))
    return only


def _names(
    mentions: Sequence[Mention], only_listed: Sequence[Mention], largest_tokens: int
) -> list[Mention]:
    """Names worth a closer look: only as many as could fit, those that earn most per letter."""
    named = [*mentions, *only_listed]
    limit = largest_tokens // 3 + 20 if largest_tokens > 0 else 0
    order: Sequence[int] = range(len(named))
    if len(named) > limit:
        earning = [m.weight / (len(m.name) + _CHARS_BESIDE_NAME) for m in named]
        order = sorted(order, key=earning.__getitem__, reverse=True)
    best = map(named.__getitem__, order)
    fit = (m for m in best if m.weight > 0 and len(m.name) <= _NAME_CHARS and m.name.strip())
    return list(islice(fit, limit))


def _spans(
    entries: Sequence[IndexEntry], largest_tokens: int
) -> list[tuple[str, str, tuple[str, ...], float]]:
    """Spans worth a closer look: only as many as could fit."""
    if largest_tokens <= 0:
        return []
    first = entries[: largest_tokens // 8 + 20]
    leading = [entry for entry in first if entry.weight > 0 or entry.identifiers]
    return [
        (entry.handle, one_line(entry.label), entry.identifiers, entry.weight)
        for entry in (*leading, *_nameless(entries))
        if entry.label.strip()
    ]


def _nameless(entries: Iterable[IndexEntry]) -> Iterator[IndexEntry]:
    """The first of the spans of each label that did something and name nothing."""
    first: dict[str, IndexEntry] = {}
    for entry in entries:
        named = entry.weight > 0 or entry.identifiers
        if named or not entry.label.strip() or entry.label.startswith(_TALK):
            continue
        known = first.get(entry.label)
        if known is None or entry.position < known.position:
            first[entry.label] = entry
    for entry in heapq.nsmallest(_MOST_NAMELESS, first.values(), key=lambda e: e.position):
        yield entry._replace(weight=_LEAST_OF_WORK)


def _places(names: Iterable[str]) -> frozenset[str]:
    """The parts of longer paths that are two words with a slash between."""
    parts = (name.strip("./~").split("/") for name in names if name.count("/") > 1)
    return frozenset(f"{a}/{b}" for each in parts for a, b in pairwise(each))


def _folder(name: str, places: Collection[str]) -> str:
    """The directory of a file; empty for any other name.

    Two words with a slash between are a place where a longer path leads through it, else a choice
    ("create/reuse").
    """
    is_path = ("/" in name or "\\" in name) and "://" not in name and _PATH.fullmatch(name)
    if not is_path or (name not in places and _PAIR.fullmatch(name)):
        return ""
    return name[: len(name) - len(_base(name))]


def _above_files(folder: str) -> str:
    return f"{folder}: \n"


def _base(name: str) -> str:
    bare = name.rstrip("/\\")
    cut = max(bare.rfind("/"), bare.rfind("\\")) + 1
    return name[cut:] if "://" not in name and cut < len(name) else name


@dataclass(slots=True)
class _Shown:
    """A chosen name and the handle beside it (files only)."""

    name: _Name
    handle: str = ""


class _Choice:
    """A greedy choice under a budget; gains fall as more is shown, so they are worked out late."""

    def __init__(self, offers: IndexOffers, already_shown: str) -> None:
        self._offers = offers
        self._left = dict(offers.weights)
        self._reachable: dict[str, float] = {}
        self._opened: dict[str, _Span] = {}
        self._labels: set[str] = set()
        self._folders: set[str] = set()
        self._shown: list[_Shown] = []
        self.spent = 0
        given = set(_HANDLE.findall(already_shown))
        self._given = given
        for handle in given & offers.spans.keys():
            self._reach(handle)
        self._names = [n for n in offers.names if n.text not in already_shown]

    def spend(self, budget_tokens: int) -> None:
        """Take the best unit per token until nothing fits any more."""
        units: list[_Name | _Span] = [
            *self._names,
            *(s for s in self._offers.spans.values() if s.handle not in self._given),
        ]
        ranking: list[tuple[float, int]] = []
        for place, unit in enumerate(units):
            gain, cost, _ = self._worth(unit)
            ranking.append((gain / cost, -place))
        ranking.sort()
        while ranking and (left := budget_tokens - self.spent) > 0:
            _, behind = ranking.pop()
            unit = units[-behind]
            if left < unit.cost and left < _HANDLE_TOKENS:
                continue
            gain, cost, handle = self._worth(unit)
            if left < cost or gain <= 0:
                continue
            if ranking and gain / cost < ranking[-1][0] - _SAME:
                insort(ranking, (gain / cost, behind))
                continue
            self._take(unit, cost, handle)

    def _worth(self, unit: _Name | _Span) -> tuple[float, int, str]:
        """Gain, tokens and the handle that would be shown with it."""
        if isinstance(unit, _Span):
            # Spans that did the same share one line: the label is paid once.
            cost = _HANDLE_TOKENS if unit.label in self._labels else unit.cost
            gain = ADDRESSABLE * self._in_reach(unit.handle) + _LABEL_ALONE * min(unit.weight, 1.0)
            return gain, cost, unit.handle
        gain, cost = self._left[unit.text], unit.cost
        if unit.folder and unit.folder not in self._folders:
            cost += self._offers.folder_tokens(unit.folder)
        if not unit.folder:
            return gain, cost, ""
        best = (0.0, "")
        for handle in unit.spans:
            if handle not in self._given and handle not in self._opened:
                best = max(best, (self._in_reach(handle, besides=unit.text), handle))
        with_handle = gain + ADDRESSABLE * best[0], cost + _HANDLE_TOKENS
        if best[1] and with_handle[0] * cost > gain * with_handle[1]:
            return *with_handle, best[1]
        return gain, cost, ""

    def _in_reach(self, handle: str, besides: str = "") -> float:
        """What the names of a span are still worth, but for one."""
        span = self._offers.spans.get(handle)
        if span is None:
            return 0.0
        worth = self._reachable.get(handle)
        if worth is None:
            worth = sum(map(self._left.__getitem__, span.names))
            self._reachable[handle] = worth
        return worth - self._left[besides] if besides in span.names else worth

    def _reach(self, handle: str) -> None:
        self._given.add(handle)
        span = self._offers.spans.get(handle)
        for name in span.names if span is not None else ():
            self._left[name] *= 1.0 - ADDRESSABLE

    def _take(self, unit: _Name | _Span, cost: int, handle: str) -> None:
        self.spent += cost
        self._reachable.clear()
        if isinstance(unit, _Span):
            self._opened[handle] = unit
            self._labels.add(unit.label)
            self._seen_with(unit.label)
        else:
            self._left[unit.text] = 0.0
            self._seen_with(unit.text)
            self._shown.append(_Shown(unit, handle))
            if unit.folder:
                self._folders.add(unit.folder)
        if handle:
            self._reach(handle)

    def _seen_with(self, text: str) -> None:
        """A reader of a path or dotted name has seen its parts too."""
        for part in _PARTS.findall(text):
            if part in self._left:
                self._left[part] = 0.0
            tail = part[part.find(".") + 1 :]
            if tail in self._left:
                self._left[tail] = 0.0

    def lines(self) -> Iterator[str]:
        """Directories in order of name, spans in order of number, then names without a place."""
        folders: dict[str, list[_Shown]] = defaultdict(list)
        groups: dict[str, list[str]] = {span.label: [] for span in self._opened.values()}
        homes = {name: span.label for span in self._opened.values() for name in span.names}
        rest: list[str] = []
        for shown in self._shown:
            if shown.name.folder:
                folders[shown.name.folder].append(shown)
            else:
                label = homes.get(shown.name.text) or next(
                    (self._opened[h].label for h in shown.name.spans if h in self._opened), ""
                )
                (groups[label] if label else rest).append(shown.name.text)
        for folder in sorted(folders):
            yield neutral(one_line(_folder_line(folder, folders[folder])))
        handles: dict[str, list[str]] = defaultdict(list)
        for handle in sorted(self._opened, key=_span_order):
            handles[self._opened[handle].label].append(handle)
        for label, same in handles.items():
            # A comma behind every name would cost a quarter of the names; none holds a blank.
            names = " ".join(groups[label])
            yield neutral(one_line(f"{' '.join(same)} {label}{': ' if names else ''}{names}"))
        if rest:
            yield neutral(one_line(f"{_REST}: {' '.join(rest)}"))


def _folder_line(folder: str, files: list[_Shown]) -> str:
    files = sorted(files, key=lambda shown: shown.name.text)
    cut = 0 if len(files) == 1 else len(folder)
    listed = " ".join(
        shown.name.text[cut:] + (f" ({shown.handle})" if shown.handle else "") for shown in files
    )
    return listed if cut == 0 else f"{folder}: {listed}"


def _span_order(handle: str) -> tuple[int, str]:
    digits = re.search(r"\d+", handle)
    return (int(digits.group()) if digits else 0, handle)
