"""Which earlier statement of the user a new one takes the place of, where words hardly match.

Two statements are about one thing when they give different values of one sort and share words of
which no other statement has as many, and nothing says that they are about two.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from clew.record.hidden import CHANGED
from clew.record.items import Item, Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.frames import VALUED_ADJECTIVES, Frame, are_two, frame_of
from clew.summarize.extractive.values import values_in

_ASKS = re.compile(
    r"\b(?:show|display|report|print|put|give|write|state|express|use|present|format|list|answer|"
    r"reply|make|keep|stick\sto|wants?|prefers?|like)\b",
    re.IGNORECASE,
)
SHOWN_ONE_WAY = frozenset({"time zone", "units"})
"""How things are to be shown has one value at a time."""
_ADDS = re.compile(r"\b(?:too|also|as\swell|in\saddition)\b", re.IGNORECASE)
_FORBIDS = re.compile(r"\b(?:never|don['\u2019]t|do\snot|must\snot|may\snot)\b", re.IGNORECASE)
_LIMITS = re.compile(
    r"\b(?:than|over|under|above|below|beyond|past|until|before|after|exceed\w*|up\sto|at\smost)\b",
    re.IGNORECASE,
)
_NAMES_A_LIMIT = re.compile(
    r"\b(?:cap|limit\w*|ceiling|maximum|minimum|budget|deadline|may|can|allowed|raised?|lowered|"
    r"renamed?|replace[sd]?|instead|re-?based|switched)\b",
    re.IGNORECASE,
)
"""What gives a limit anew, or another name to what a rule is about."""
_OPPOSED = tuple(
    (re.compile(rf"\b(?:{one})\b", re.IGNORECASE), re.compile(rf"\b(?:{other})\b", re.IGNORECASE))
    for one, other in (
        ("before", "after"),
        ("at least", "at most"),
        ("more than|over|above", "less than|fewer than|under|below"),
        ("each|every|per|single", "all|total|together|overall"),
    )
)
_FEWEST_WITHOUT_CUE = 2
_FEWEST_WITHOUT_SUBJECT = 2
_FEWEST_WITHOUT_VALUE = 3


def may_be_one(new: str, old: str, *, surely: bool) -> bool:
    """Whether two statements that share words may be about one thing.

    They give different values of one sort unless they share so many words that they are `surely`
    about one thing.
    """
    one, other = frame_of(new), frame_of(old)
    shared = one.words & other.words
    if one.sorts & other.sorts:
        return bool(shared) and bool(_changed_sorts(one, other)) and not _two(one, other)
    return surely and len(shared) >= _FEWEST_WITHOUT_VALUE and not are_two(one, other)


def both_hold(new: str, old: str) -> bool:
    """Whether a statement without a word of change stands beside another of its like.

    It says so, it is the other bound of a range, it covers a part of what the older one covers, or
    both forbid a thing each, and no limit to which a value belongs.
    """
    says, said = _said_of_bounds(new), _said_of_bounds(old)
    if says.adds or says.sides & said.other_sides:
        return True
    if says.forbids_a_thing and said.forbids_a_thing:
        return True
    return _narrower(frame_of(new), frame_of(old))


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What a statement says of bounds: the sides of pairs that it is on alone, and their others."""

    adds: bool
    sides: frozenset[tuple[int, int]]
    other_sides: frozenset[tuple[int, int]]
    forbids_a_thing: bool


@lru_cache(maxsize=8_192)
def _said_of_bounds(text: str) -> _Bounds:
    alone = []
    for pair, patterns in enumerate(_OPPOSED):
        said = [pattern.search(text) is not None for pattern in patterns]
        if said[0] != said[1]:
            alone.append((pair, 0 if said[0] else 1))
    return _Bounds(
        _ADDS.search(text) is not None,
        frozenset(alone),
        frozenset((pair, 1 - side) for pair, side in alone),
        _FORBIDS.search(text) is not None and _LIMITS.search(text) is None,
    )


def leaves_the_rule(made: Claim, item: Item) -> bool:
    """Whether a statement only tells what is, where the older one forbids the value it names.

    "The trip costs $500" changes nothing of "Never spend more than $700 on the trip".
    """
    if item.kind != "invariant" or made.item.kind == "invariant":
        return False
    return _forbids_its_values(item.text) and not _gives_a_limit(made.item.text)


@lru_cache(maxsize=8_192)
def _forbids_its_values(text: str) -> bool:
    forbids = _FORBIDS.search(text)
    values = values_in(text)
    return forbids is not None and bool(values) and all(v.start > forbids.start() for v in values)


@lru_cache(maxsize=8_192)
def _gives_a_limit(text: str) -> bool:
    return bool(_NAMES_A_LIMIT.search(text) or _LIMITS.search(text))


def _narrower(new: Frame, old: Frame) -> bool:
    """Whether the newer statement limits a word of the older one, which limits it nowhere."""
    limited = {stem for stem, _ in old.behind}
    return old.words < new.words and any(
        stem in old.words - limited and told not in old.words for stem, told in new.behind
    )


def of_one_sort(made: Claim, held: Sequence[tuple[Item, frozenset[str]]]) -> int | None:
    """The one statement of the user that a new one gives another value of the same sort.

    They share a word beside the value, rare words counting for more; where several share as much,
    nobody can tell which is meant. Where nothing says that something changed, the one has to hold
    all words of the other.
    """
    if made.item.said_by is not Speaker.USER:
        return None
    new = frame_of(made.item.text)
    if not new.values:
        return None
    frames = [frame_of(item.text) if _may_change(made, item) else None for item, _ in held]
    commonness = Counter(w for f in frames if f is not None for w in f.words & new.words)
    likely: defaultdict[float, list[int]] = defaultdict(list)
    for place, frame in enumerate(frames):
        if frame is not None and _gives_another_value(new, frame):
            likely[_likelihood(made, new, frame, commonness)].append(place)
    likely.pop(0.0, None)
    # What tells two things apart costs most, so that the likeliest are asked first.
    for score in sorted(likely, reverse=True):
        one = (n for n in likely[score] if not _two(new, frame_of(held[n][0].text)))
        near = list(islice(one, 2))
        if near:
            return near[0] if len(near) == 1 else None
    return _shown_another_way(made, new, held, frames)


def _gives_another_value(new: Frame, old: Frame) -> bool:
    """Whether both give different values of one sort and share a word."""
    return not new.words.isdisjoint(old.words) and any(
        sort in VALUED_ADJECTIVES or new.of(sort) != old.of(sort) for sort in new.sorts & old.sorts
    )


def _may_change(made: Claim, item: Item) -> bool:
    return (
        item.said_by is Speaker.USER
        and item.kind in {"fact", "invariant"}
        and item.text != made.item.text
        and not leaves_the_rule(made, item)
        and (made.corrects or not both_hold(made.item.text, item.text))
    )


def _changed_sorts(new: Frame, old: Frame) -> frozenset[str]:
    """The sorts of which both give a value, and not the same one."""
    return frozenset(
        sort
        for sort in new.sorts & old.sorts
        if sort in VALUED_ADJECTIVES or new.of(sort) != old.of(sort)
    )


def _two(new: Frame, old: Frame) -> bool:
    """Whether two statements with values of one sort are about two things."""
    if new.sorts & old.sorts & VALUED_ADJECTIVES:
        return False
    if are_two(new, old):
        return True
    # Who does it is the value: then what is done has to be the same.
    shared = new.words & old.words
    anchored = new.subject & old.words or old.subject & new.words
    by_person = "person" in new.named | old.named
    return by_person and not anchored and len(shared) < _FEWEST_WITHOUT_SUBJECT


def _likelihood(made: Claim, new: Frame, old: Frame, commonness: Counter[str]) -> float:
    """How much the two share, each word by how few statements have it; 0 where nothing changed."""
    if not made.corrects and not _holds_all(new, old, commonness):
        shown = new.sorts & old.sorts & SHOWN_ONE_WAY and _changed_sorts(new, old) & SHOWN_ONE_WAY
        if not shown or not _of_one_case(new, old):
            return 0.0
    # In order, so that the last bit is the same in every process.
    return sum(sorted(1.0 / commonness[word] for word in new.words & old.words))


def _holds_all(new: Frame, old: Frame, commonness: Counter[str]) -> bool:
    """Whether one of two statements has all words of the other, which are more than one.

    One word is enough where it is what the older one is about and no third one has it, and where
    the newer one is about it too or says no subject.
    """
    shared = new.words & old.words
    fewest = min(len(new.words), len(old.words))
    if len(shared) == fewest and fewest >= _FEWEST_WITHOUT_CUE:
        return True
    alone = old.words == shared and shared <= old.subject
    return (
        alone
        and all(commonness[word] == 1 for word in shared)
        and (not new.subject or bool(shared & new.subject))
    )


def _shown_another_way(
    made: Claim,
    new: Frame,
    held: Sequence[tuple[Item, frozenset[str]]],
    frames: Sequence[Frame | None],
) -> int | None:
    """The one earlier wish on how the same sort of thing is to be shown, for the same case."""
    sorts = new.sorts & SHOWN_ONE_WAY
    if not sorts or _ASKS.search(made.item.text) is None:
        return None
    places = [
        place
        for place, ((item, _), frame) in enumerate(zip(held, frames, strict=True))
        if frame is not None
        and sorts & frame.sorts
        and _ASKS.search(item.text) is not None
        and _of_one_case(new, frame)
    ]
    return places[0] if len(places) == 1 else None


def _of_one_case(new: Frame, old: Frame) -> bool:
    """Whether the older wish holds for everything, or for the very case of the new one."""
    return not old.cases or bool(old.cases & new.cases)


@lru_cache(maxsize=8_192)
def without_values(topics: frozenset[str]) -> frozenset[str]:
    """Topic words without those that hold a digit."""
    return frozenset(word for word in topics if not any(char.isdigit() for char in word))


def without_changed(old: str, new: str) -> str:
    """The older statement with "[changed]" for each value that the newer one gives anew.

    Empty when it gives none of their sorts: then nobody can tell which words are over.
    """
    sorts = frame_of(new).sorts
    over = [v for v in values_in(old) if v.sort in sorts and v.sort not in VALUED_ADJECTIVES]
    made, end = "", len(old)
    for value in sorted(over, key=lambda each: each.start, reverse=True):
        if value.end <= end:
            made = f"{CHANGED}{old[value.end : end]}{made}"
            end = value.start
    return f"{old[:end]}{made}" if over else ""
