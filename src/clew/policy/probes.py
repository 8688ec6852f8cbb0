"""Probes: what the agent has to be able to answer from its context after every fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from clew.errors import PolicyError


class Place(StrEnum):
    """Where what a probe expects stands. UNSAID: nobody said it yet, so it cannot be missing."""

    CONTEXT = "context"
    ARCHIVE = "archive"
    LOST = "lost"
    UNSAID = "unsaid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question, and the words of which one has to be at hand after every change of the context.

    Letters compare without case, blanks as one. `where` is `context`, or `archive` where it is
    enough that a search finds them.
    """

    ask: str
    expect: tuple[str, ...]
    where: Place = Place.CONTEXT

    def __post_init__(self) -> None:
        """Refuse a probe that could never fail or never pass."""
        if not self.ask.strip():
            raise PolicyError("ask is empty; expected the question")
        if not self.expect or not all(_plain(text) for text in self.expect):
            raise PolicyError("expect is empty; expected the words of an answer, at least one")
        if self.where not in (Place.CONTEXT, Place.ARCHIVE):
            raise PolicyError(f"where is {self.where!r}; expected context or archive")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """Where the words of a probe stand after a change; `handle` brings archived ones back."""

    ask: str
    place: Place
    passed: bool
    handle: str = ""

    @property
    def sentence(self) -> str:
        """What failed, for a warning; empty where nothing did."""
        if self.passed:
            return ""
        where = f"only behind {self.handle}" if self.handle else "nowhere that was found"
        return f"probe {self.ask!r}: the answer is {where} and not in the context"


def probe(
    probes: Sequence[Probe],
    *,
    before: Iterable[str],
    after: Iterable[str],
    search: Callable[[str], str],
) -> tuple[ProbeResult, ...]:
    """Where each probe's words stand; `search` gives the handle of a text that holds words, or "".

    `before` are the texts that came in, `after` those that go out.
    """
    came, out = _plain("\n".join(before)), _plain("\n".join(after))
    return tuple(_placed(each, came, out, search) for each in probes)


def _placed(each: Probe, came: str, out: str, search: Callable[[str], str]) -> ProbeResult:
    if any(_plain(words) in out for words in each.expect):
        return ProbeResult(ask=each.ask, place=Place.CONTEXT, passed=True)
    handle = next((found for words in each.expect if (found := search(words))), "")
    if handle:
        passed = each.where is Place.ARCHIVE
        return ProbeResult(ask=each.ask, place=Place.ARCHIVE, passed=passed, handle=handle)
    if any(_plain(words) in came for words in each.expect):
        return ProbeResult(ask=each.ask, place=Place.LOST, passed=False)
    return ProbeResult(ask=each.ask, place=Place.UNSAID, passed=True)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def holds(text: str, words: str) -> bool:
    """Whether a text holds these words as a probe compares them."""
    return _plain(words) in _plain(text)
