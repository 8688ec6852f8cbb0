"""Which earlier statement of the user a new one takes the place of, where words hardly match.

Two statements are about one thing when they give values of one sort and share words of which no
other statement has as many. They are about two things when a word that both share is told apart
("the east hall", "the west hall"; "flour for the bakery", "flour for the mill").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from clew.record.hidden import CHANGED
from clew.record.items import Item, Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.sentences import topic_words
from clew.summarize.extractive.values import values_in

_TOKEN = re.compile(r"[^\W\d_][\w'’]*|[.,;:!?()]")
_LEADS = frozenset({"for", "of", "in", "from", "at", "by", "with", "about"})
_NO_MODIFIERS = frozenset(
    """
    a an the this that these those my our your his her its their all any each every some no new
    old current previous latest other same and or but to on is are was were be been being has
    have had will would can may must not only now then
    """.split()  # noqa: SIM905
)
_LIKE = frozenset({"wish", "units"})
"""Sorts of which the value is itself a modifier: nothing is told apart by it."""
_ASKS = re.compile(
    r"\b(?:show|display|report|print|put|give|write|state|express|use|present|format|list|answer|"
    r"reply|make|keep|stick\sto|wants?|prefers?|like)\b",
    re.IGNORECASE,
)
_SHOWN_ONE_WAY = frozenset({"time zone", "units"})
"""How things are to be shown has one value at a time."""
_FOR_ONE_CASE = re.compile(
    r"\b(?:for|in|within|inside)\s+(?:the\s+)?(?P<case>[a-z]\w+(?:\s[a-z]\w+)?)", re.IGNORECASE
)
_EVERYWHERE = re.compile(r"\b(?:all|every|everything|everywhere|always)\b", re.IGNORECASE)
_ADDRESSED = re.compile(
    r"^\W*(?:(?:hey|hi|hello|dear|thanks|thank\syou|yeah|yes|sure|wow|oh|okay|ok|bye)\b[\s,]*)+"
    r"(?:[A-Z]\w+\b)?",
    re.IGNORECASE,
)
"""Greetings and thanks, with the name of whom they are for, say nothing of the matter."""
_FEWEST_WITHOUT_CUE = 2
_FEWEST_WITHOUT_VALUE = 3


@dataclass(frozen=True, slots=True)
class Frame:
    """A statement without its values: sorts, words, and what stands before and behind a word.

    `cases` are those it is limited to ("for status reports"), none where it holds for all.
    """

    sorts: frozenset[str]
    words: frozenset[str]
    before: tuple[tuple[str, str], ...]
    behind: tuple[tuple[str, str], ...]
    cases: frozenset[str]


@lru_cache(maxsize=8_192)
def frame_of(text: str) -> Frame:
    """The frame of a statement; what a path begins with counts as a word of it."""
    addressed = _ADDRESSED.match(text)
    text = text[addressed.end() :] if addressed is not None else text
    values = values_in(text)
    bare = list(text)
    words: set[str] = set()
    for value in values:
        if value.sort in _LIKE or value.sort.startswith("number of"):
            continue
        first, slash, _ = text[value.start : value.end].partition("/")
        if slash and first.isalpha():
            words.add(first.lower())
        bare[value.start : value.end] = " " * (value.end - value.start)
    kept = "".join(bare).replace("-", " ")
    words |= without_values(topic_words(kept))
    tokens = [token.lower() for token in _TOKEN.findall(kept)]
    return Frame(
        frozenset(value.sort for value in values),
        frozenset(words),
        tuple(_pairs_before(tokens)),
        tuple(_pairs_behind(tokens)),
        _cases_of(text),
    )


def _stem(word: str) -> str:
    return next(iter(topic_words(word)), "")


def _pairs_before(tokens: Sequence[str]) -> list[tuple[str, str]]:
    """Each word with the word right before it that may tell it apart."""
    return [
        (stem, before)
        for before, word in pairwise(tokens)
        if before.isalpha() and before not in _NO_MODIFIERS | _LEADS and (stem := _stem(word))
    ]


def _pairs_behind(tokens: Sequence[str]) -> list[tuple[str, str]]:
    """Each word with what follows it behind "for", "of" and the like."""
    made = []
    for place, lead in enumerate(tokens[1:-1], start=1):
        if lead in _LEADS and (stem := _stem(tokens[place - 1])):
            rest = [token for token in tokens[place + 1 : place + 4] if token not in _NO_MODIFIERS]
            if rest and (told := _stem(rest[0])):
                made.append((stem, told))
    return made


def tells_apart(one: Frame, other: Frame) -> bool:
    """Whether a word that both share has another word beside it in each."""
    shared = one.words & other.words
    for mine, theirs in ((one.before, other.before), (one.behind, other.behind)):
        for word in shared:
            here = {beside for stem, beside in mine if stem == word}
            there = {beside for stem, beside in theirs if stem == word}
            if here and there and not here & there:
                return True
    return False


def may_be_one(new: str, old: str, *, surely: bool) -> bool:
    """Whether two statements that share words may be about one thing.

    They do not tell a shared word apart, and give values of one sort unless they share so many
    words that they are `surely` about one thing.
    """
    one, other = frame_of(new), frame_of(old)
    if tells_apart(one, other):
        return False
    if one.sorts & other.sorts:
        return bool(one.words & other.words)
    return surely and len(one.words & other.words) >= _FEWEST_WITHOUT_VALUE


def of_one_sort(made: Claim, held: Sequence[tuple[Item, frozenset[str]]]) -> int | None:
    """The one statement of the user that a new one gives another value of the same sort.

    They share a word beside the value, rare words counting for more; where several share as much,
    nobody can tell which is meant. Where nothing says that something changed, the one has to hold
    all words of the other.
    """
    if made.item.said_by is not Speaker.USER:
        return None
    new = frame_of(made.item.text)
    if not new.sorts:
        return None
    frames = [frame_of(item.text) if _may_change(made, item) else None for item, _ in held]
    commonness = Counter(word for frame in frames if frame is not None for word in frame.words)
    scores = [
        0.0 if frame is None else _likelihood(made, new, frame, commonness) for frame in frames
    ]
    most = max(scores, default=0.0)
    if most:
        return scores.index(most) if scores.count(most) == 1 else None
    return _shown_another_way(made, new, held, frames)


def _may_change(made: Claim, item: Item) -> bool:
    return (
        item.said_by is Speaker.USER
        and item.kind in {"fact", "invariant"}
        and item.text != made.item.text
    )


def _likelihood(made: Claim, new: Frame, old: Frame, commonness: Counter[str]) -> float:
    """How much the two share, each word by how few statements have it; 0 when they are two."""
    shared = new.words & old.words
    if not shared:
        return 0.0
    sorts = new.sorts & old.sorts
    if not sorts or (not sorts & _LIKE and tells_apart(new, old)):
        return 0.0
    fewest = max(_FEWEST_WITHOUT_CUE, min(len(new.words), len(old.words)))
    shown = sorts & _SHOWN_ONE_WAY and _of_one_case(new, old)
    if not made.corrects and not shown and len(shared) < fewest:
        return 0.0
    return sum(1.0 / commonness[word] for word in shared)


def _shown_another_way(
    made: Claim,
    new: Frame,
    held: Sequence[tuple[Item, frozenset[str]]],
    frames: Sequence[Frame | None],
) -> int | None:
    """The one earlier wish on how the same sort of thing is to be shown, for the same case."""
    sorts = new.sorts & _SHOWN_ONE_WAY
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


def _cases_of(text: str) -> frozenset[str]:
    if _EVERYWHERE.search(text) is not None:
        return frozenset()
    return frozenset(found["case"].lower() for found in _FOR_ONE_CASE.finditer(text))


def without_values(topics: frozenset[str]) -> frozenset[str]:
    """Topic words without those that hold a digit."""
    return frozenset(word for word in topics if not any(char.isdigit() for char in word))


def without_changed(old: str, new: str) -> str:
    """The older statement with "[changed]" for each value that the newer one gives anew.

    Empty when it gives none of their sorts: then nobody can tell which words are over.
    """
    sorts = frame_of(new).sorts
    over = [value for value in values_in(old) if value.sort in sorts and value.sort not in _LIKE]
    made, end = "", len(old)
    for value in sorted(over, key=lambda each: each.start, reverse=True):
        if value.end <= end:
            made = f"{CHANGED}{old[value.end : end]}{made}"
            end = value.start
    return f"{old[:end]}{made}" if over else ""
