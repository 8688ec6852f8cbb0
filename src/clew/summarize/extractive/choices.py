"""Answers that pick by number from a list the agent offered: "do 1 and 3"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from clew.record.items import Evidence
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading

LONGEST_ANSWER = 200
"""Characters of a message whose numbers may be picks; a longer one has numbers of its own."""

_LONGEST_ENTRY = 70
_FEWEST_ENTRIES = 2
_ENTRY = re.compile(r"^ {0,3}(?P<number>\d)[.)] +(?P<text>\S[^\n]*)$", re.MULTILINE)
_NUMBER = re.compile(r"(?<![\w.,#/:%-])(\d)(?![\w.:/%]|,\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """The numbered list that the agent stopped with, and the span it stands in."""

    span: str
    entries: Mapping[str, str]


@once
def offered_in(reading: Reading) -> Offered | None:
    """The last numbered list of a final answer; None where there is none."""
    if not reading.finished:
        return None
    entries: dict[str, str] = {}
    for found in _ENTRY.finditer(reading.prose[-1][:20_000]):
        if found["number"] == "1":
            entries = {}
        entries[found["number"]] = found["text"].strip()
    if len(entries) < _FEWEST_ENTRIES:
        return None
    return Offered(span=reading.handle, entries=entries)


def picked(made: Claim, offered: Offered | None) -> Claim:
    """A short answer with what its numbers stand for in brackets behind the person's own words."""
    text = made.item.text
    if offered is None or len(text) > LONGEST_ANSWER or "\n" in text:
        return made
    numbers = [n for n in dict.fromkeys(_NUMBER.findall(text)) if n in offered.entries]
    if not numbers:
        return made
    shown = " ".join(f"[{n}: {_short(offered.entries[n])}]" for n in numbers)
    quotes = tuple(
        Evidence(span=offered.span, quote=offered.entries[n][:200].rstrip()) for n in numbers
    )
    item = replace(made.item, text=f"{text} {shown}", evidence=(*made.item.evidence, *quotes))
    return replace(made, item=item)


def passed_over(said: str, offered: Offered | None) -> tuple[str, ...]:
    """The entries of a list that a short answer of a person leaves out, when it picks others."""
    if offered is None or len(said) > LONGEST_ANSWER or "\n" in said.strip():
        return ()
    numbers = frozenset(_NUMBER.findall(said)) & offered.entries.keys()
    return tuple(text for n, text in offered.entries.items() if numbers and n not in numbers)


def _short(entry: str) -> str:
    flat = " ".join(entry.replace("[", "(").replace("]", ")").replace("**", "").split())
    return flat if len(flat) <= _LONGEST_ENTRY else flat[: _LONGEST_ENTRY - 1].rstrip() + "\u2026"
