"""What a statement calls its things, and whether two names are of two things.

A longer name that holds a shorter one is that of another thing ("the hotel", "the hotel bar").
Where nothing shows that a word is a noun and no verb, nothing is concluded from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.summarize.extractive.stems import LEADS, NO_MODIFIERS, ORDERS, VERBS, stem_of

_TOKEN = re.compile(r"[^\W\d_][\w'’]*|[.,;:!?()]")
_ARTICLES = frozenset(
    """
    a an the this that these those my our your his her its their each every
    """.split()  # noqa: SIM905
)
_LINKS = frozenset(
    """
    until before after than as per within into onto over under above below through between because
    if when while where since during without up down out off back
    """.split()  # noqa: SIM905
)
_ADVERBS = frozenset(
    """
    still just really always usually often again already probably
    """.split()  # noqa: SIM905
)
_COMMANDING = frozenset(
    """
    we i you they he she it please to not never don't must may can will would should let's
    """.split()  # noqa: SIM905
)
_MEASURES = frozenset(
    """
    name codename id code number date deadline day time cap budget limit ceiling maximum minimum
    cost price fee rate spend spending expense charge owner host address branch tag version size
    length count total quota target amount threshold width height weight value level timing label
    title duty role contact lead change update rotation move switch renewal increase reduction
    """.split()  # noqa: SIM905
)
"""What a value is a value of, and that it changed: launch date, launch deadline, the launch and a
change of the launch are about one thing."""
_OPEN_MODIFIERS = frozenset(
    """
    updated revised final actual correct real right next whole total overall maximum max minimum
    min default main present original
    """.split()  # noqa: SIM905
)
"""Words in front of a name that leave it that of the same thing."""
_WIDEST_GAP = 1
"""Blanks between words where no value was taken out."""


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a statement with no small word and no value between them, and their stems.

    `led` says whether a preposition stands in front, `articled` whether an article does, `done`
    whether a verb that is known as one follows.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    led: bool
    articled: bool
    done: bool


def runs_in(blanked: str) -> tuple[Run, ...]:
    """The runs of words in a statement that has blanks in place of its values."""
    made: list[Run] = []
    words: list[str] = []
    led = articled = False
    for word, joined in _words_of(blanked):
        if joined and not _ends_a_run(word):
            words.append(word)
            continue
        if words:
            made.append(_run(words, led, articled, done=joined and word in VERBS))
        words = [] if _ends_a_run(word) else [word]
        if words or word not in _ARTICLES | NO_MODIFIERS - {"to", "on"}:
            led, articled = joined and word in LEADS and not words, False
        articled = word in _ARTICLES or (articled and word in NO_MODIFIERS)
    if words:
        made.append(_run(words, led, articled, done=False))
    return tuple(made)


def _run(words: Sequence[str], led: bool, articled: bool, *, done: bool) -> Run:
    return Run(tuple(words), tuple(map(stem_of, words)), led, articled, done)


def _words_of(blanked: str) -> Iterator[tuple[str, bool]]:
    """The words and stops, each with whether nothing was taken out in front of it.

    Adverbs are left out; a verb that opens an order is a stop.
    """
    end, before = 0, ""
    for found in _TOKEN.finditer(blanked):
        word = found.group().lower()
        gap, end = found.start() - end, found.end()
        commands = word in ORDERS and (not before or before in _COMMANDING or not before.isalpha())
        joined = gap <= _WIDEST_GAP or not before
        if word not in _ADVERBS and word != "now" and not word.endswith("ly"):
            yield ("," if commands else word), joined
        before = word


def _ends_a_run(word: str) -> bool:
    return word in NO_MODIFIERS or word in LEADS or word in VERBS | _LINKS or not word[0].isalpha()


def name_others(new: Sequence[Run], old: Sequence[Run], shared: frozenset[str]) -> bool:
    """Whether two statements call two things by names with a shared word.

    The names end in other nouns, or the newer one says in front of the word which one is meant and
    the older one does not.
    """
    return any(_differ(list(_at(new, stem)), list(_at(old, stem))) for stem in shared)


def _at(runs: Sequence[Run], stem: str) -> Iterator[tuple[Run, int]]:
    for run in runs:
        for place, known in enumerate(run.stems):
            if known == stem:
                yield run, place


def _differ(new: Sequence[tuple[Run, int]], old: Sequence[tuple[Run, int]]) -> bool:
    pairs = [(one, other) for one in new for other in old]
    return bool(pairs) and all(_two_heads(*pair) or _narrowed(*pair) for pair in pairs)


def _two_heads(new: tuple[Run, int], old: tuple[Run, int]) -> bool:
    if new[0].led != old[0].led:
        return False  # "the password for the guest network" is the guest network password
    here, there = _behind(*new), _behind(*old)
    return not _heads(new[0], here, there) & _heads(old[0], there, here)


def _behind(run: Run, place: int) -> tuple[str, ...]:
    return run.words[place + 1 :]


def _heads(run: Run, behind: tuple[str, ...], other: tuple[str, ...]) -> frozenset[str]:
    """What the last noun of a name may be, by the words behind a shared one; "" for that one."""
    if not behind or run.done or (run.led and not _may_be_verb(behind[-1])):
        return frozenset({_head(behind)})
    if len(behind) == len(other) + 1 and other and behind[1:] == other:
        return frozenset({_head(behind[:1])})  # "hotel bar opens" beside "hotel opens"
    if len(other) == len(behind) + 1 and other[1:] == behind:
        return frozenset({""})
    if len(behind) > 1 and _may_be_verb(behind[-1]) and not any(map(_may_be_verb, behind[:-1])):
        return frozenset({_head(behind[:-1])})
    return frozenset(_head(behind[:end]) for end in range(len(behind) + 1))


def _may_be_verb(word: str) -> bool:
    return word.endswith(("s", "ed", "ing")) and not word.endswith("ss")


def _head(nouns: tuple[str, ...]) -> str:
    """The last noun that is more than what a value is a value of; empty when there is none."""
    rest = list(nouns)
    while rest and (rest[-1] in _MEASURES or rest[-1].removesuffix("s") in _MEASURES):
        rest.pop()
    return stem_of(rest[-1]) if rest else ""


def _narrowed(new: tuple[Run, int], old: tuple[Run, int]) -> bool:
    """Whether only the newer name says in front of its last noun which one is meant."""
    (one, here), (other, there) = new, old
    word = one.words[here]
    last = here == len(one.words) - 1 and there == len(other.words) - 1
    if not last or one.led != other.led or not one.articled or word in _MEASURES:
        return False
    told = [each for each in one.words[:here] if each not in _OPEN_MODIFIERS]
    return bool(told) and not any(map(_may_be_verb, told)) and not other.words[:there]
