"""Steps of a numbered plan that the agent said and works off: those that it has not reached.

"1. Add the map 2. Add tests 3. Move the helper" is no promise by itself: plans are dropped. That
the agent comes to its entries one by one tells that it follows the plan, and what stands behind
the last one that it came to is left.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from clew.record.items import Status
from clew.summarize.extractive.announced import Step, steps_of, taken_in, takes
from clew.summarize.extractive.claims import Claim, open_promise, settled
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import looks_like_code

SHOWN = "the transcript shows it"
_LONGEST_PASSAGE, _LONGEST_ENTRY, _OPENING = 6_000, 200, 400
_FEWEST, _MOST, _FEWEST_WORDS, _MOST_LEFT, _MOST_PLANS = 3, 10, 3, 4, 3
_NAMES = r"(?:step|item|task|phase|part|point|issue)"
_ENTRY = re.compile(r"^ {0,3}(?P<number>\d{1,2})[.)] +(?P<text>\S[^\n]{3,})$")
_OWN_NUMBER = re.compile(rf"^\W*(?P<number>{_NAMES}\s\#?\d{{1,2}})\b\W*", re.IGNORECASE)
"""The number that an entry has elsewhere: "**Item 5**: …"."""
_COMES_TO = re.compile(rf"\b(?P<number>{_NAMES}\s\#?\d{{1,2}})\b", re.IGNORECASE)
_SETS_OUT = re.compile(
    r"\b(?:plan|steps|approach|order|let\sme|let['\u2019]s|i['\u2019]ll|i\swill|i\s(?:need|have|want)\sto|we\s"
    r"(?:need|have)\sto|i['\u2019]m\sgoing\sto|i\sshould|next|remaining|start|tackl\w+|first)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\b(?:options?|alternativ\w+|possib\w+|reasons?|causes?|issues?\s(?:are|is|found)|why|either|done|completed|"
    r"findings?|changes\smade|you\s(?:can|could|should|need)|tests?\s(?:that|which)\sfail\w*|verified|output)\b",
    re.IGNORECASE,
)
"""Heads options, causes, what was done, or what somebody else does."""
_DONE = re.compile(r"\u2705|\[x\]|~~|\bdone\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a plan: its words, the number it is called by, the steps that it announces."""

    said: str
    number: str
    steps: tuple[Step, ...]


@once
def plan_in(reading: Reading, cues: Cues) -> tuple[Entry, ...]:
    """The last numbered plan that an exchange at work says; empty without."""
    if reading.finished or reading.typed:
        return ()
    found: tuple[Entry, ...] = ()
    for text in (*reading.reasoning, *reading.prose):
        for head, entries in _lists(text[:_LONGEST_PASSAGE]):
            heads = _SETS_OUT.search(head) is not None and _OF_ANOTHER.search(head) is None
            if heads and (planned := _planned(entries, cues)):
                found = planned
    return found


def _lists(text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The numbered lists of a text, each with the line above it."""
    head, entries = "", list[tuple[str, str]]()
    for line in text.split("\n"):
        found = _ENTRY.match(line)
        if found is not None and int(found["number"]) == len(entries) + 1:
            entries.append((found["number"], found["text"].strip()))
        elif line.strip() and not line.startswith((" ", "\t")):
            if entries:
                yield head, entries
            head, entries = line.strip(), []
    if entries:
        yield head, entries


def _planned(entries: Sequence[tuple[str, str]], cues: Cues) -> tuple[Entry, ...]:
    """The entries as those of a plan; none where they are too few, or hardly any is a step."""
    if not _FEWEST <= len(entries) <= _MOST:
        return ()
    made: list[Entry] = []
    for number, text in entries:
        own = _OWN_NUMBER.match(text)
        bare = text[own.end() :] if own is not None else text
        steps = steps_of(f"I will {bare.replace('**', '').strip()}", cues)[:1]
        called = own["number"].lower() if own is not None else f"step {number}"
        made.append(Entry(said=text, number=called.replace("#", ""), steps=steps))
    return tuple(made) if 2 * sum(bool(e.steps) for e in made) >= len(made) else ()


@once
def comes_to(reading: Reading) -> tuple[str, ...]:
    """The numbers of steps that the first words of an exchange name."""
    words = (*reading.prose[:1], *reading.reasoning[:1])
    found = (each for text in words for each in _COMES_TO.finditer(text[:_OPENING]))
    return tuple(each["number"].lower().replace("#", "") for each in found)


def not_reached(
    readings: Sequence[Reading], later: Sequence[Reading], handed_over: Collection[str], cues: Cues
) -> list[Claim]:
    """The steps behind the last one that the agent came to, of the plans it is at.

    Those that it came to in `later`, the exchanges behind these, are done.
    A plan that another one followed is still worked off where its steps are called by number.
    """
    made: list[Claim] = []
    plans = 0
    for place in range(len(readings) - 1, -1, -1):
        reading = readings[place]
        if reading.handle in handed_over or plans >= _MOST_PLANS:
            break
        if plan := plan_in(reading, cues):
            since = readings[place + 1 :]
            reached = _reached(plan, since, by_calls=plans == 0)
            left = plan[reached + 1 :] if reached >= 0 else ()
            taken = _reached(plan, [*since, *later], by_calls=plans == 0) - reached
            made.extend(islice(_promised(left, reading, taken), _MOST_LEFT))
            plans += 1
    return made


def _reached(plan: Sequence[Entry], since: Sequence[Reading], *, by_calls: bool) -> int:
    """The place of the last entry that the agent came to: by its number, else by what it did."""
    numbers = {entry.number: place for place, entry in enumerate(plan)}
    named = [{numbers[each] for each in comes_to(r) if each in numbers} for r in since]
    # Who names several at once speaks of the plan as a whole.
    called = [place for places in named if len(places) == 1 for place in places]
    if called or not by_calls:
        return max(called, default=-1)
    reached = -1
    for reading in since:
        ahead = next((n for n in range(reached + 1, len(plan)) if plan[n].steps), None)
        taken = taken_in(reading)
        if ahead is not None and taken and all(takes(step, taken) for step in plan[ahead].steps):
            reached = ahead
    return reached


def _promised(left: Sequence[Entry], reading: Reading, taken: int) -> Iterator[Claim]:
    for place, entry in enumerate(left):
        few = len(entry.said.split()) < _FEWEST_WORDS or len(entry.said) > _LONGEST_ENTRY
        if entry.steps and not (few or _DONE.search(entry.said) or looks_like_code(entry.said)):
            span, at = reading.handle, reading.position
            made = open_promise(entry.said, span=span, position=at, rank=1.3)
            yield settled(made, Status.DONE, SHOWN, None) if place < taken else made
