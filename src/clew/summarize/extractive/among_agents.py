"""What one agent asks of another, and plans for it, in a chat of agents: open at its end.

The one that leads keeps a ledger and says who is to do what next. Nobody but the next message
tells whether it was done: the latest order and the latest plan are what is left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from clew.summarize.extractive.claims import Claim, open_promise
from clew.summarize.extractive.lists import entries_filled, is_entry
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import containment, topic_words
from clew.summarize.extractive.told_runs import instruction_in

_PLANS = re.compile(r"\A(?:new|updated|revised|initial)\splan:\s", re.IGNORECASE)
_LONGEST_PLAN, _LONGEST_ENTRY, _MOST, _FEWEST_WORDS = 20_000, 400, 4, 4
_COVERED = 0.5
_MOST_APART = 2
"""Orders about something of their own, behind which a plan is left."""
_NAMED = re.compile(r"\*\*(?P<agent>\w{2,30})\*\*:\s")


def left_among_agents(readings: Sequence[Reading]) -> list[Claim]:
    """The latest order that one agent gave another, and the entries of their latest plan."""
    made: list[Claim] = []
    behind: list[Reading] = []
    for reading in reversed(readings):
        if reading.calls or reading.results:
            return []
        if not made and (order := instruction_in(reading).removesuffix("\u2026")):
            made.append(_open(order, _given(order, behind) or reading))
        behind.append(reading)
        if plan := plan_told(reading):
            given = [topic_words(each) for r in behind for each in (instruction_in(r),) if each]
            # What stands before an entry that they came to was passed over.
            come = [_is_given(e, given) or _has_spoken(e, behind) for e in plan]
            left = plan[max((n + 1 for n, done in enumerate(come) if done), default=0) :]
            followed = bool(made) and _apart(given) <= _MOST_APART
            return [*made, *(_open(each, reading) for each in left if followed)]
    return made


def _apart(given: Sequence[frozenset[str]]) -> int:
    """How many orders are about something else than the ones before: who gives many goes on."""
    apart: list[frozenset[str]] = []
    for order in given:
        if not any(containment(order, other) >= _COVERED for other in apart):
            apart.append(order)
    return len(apart)


def _is_given(entry: str, given: Sequence[frozenset[str]]) -> bool:
    """Whether an order behind the plan asks for what an entry of it says."""
    topics = topic_words(entry)
    return any(containment(topics, order) >= _COVERED for order in given)


@once
def plan_told(reading: Reading) -> tuple[str, ...]:
    """The entries of the last list of a plan for several agents; none in any other message."""
    text = next(iter(reading.prose), "")[:_LONGEST_PLAN]
    if _PLANS.match(text) is None:
        return ()
    lines = text.split("\n")
    starts = [
        place
        for place, line in enumerate(lines)
        if is_entry(line) and not line.startswith(" ") and line.lstrip().startswith("1")
    ]
    listed = entries_filled(lines[starts[-1] :]) if starts else iter(())
    told = (entry for _, entry in listed)
    # A label alone does not say who is to do what.
    fit = (
        e
        for e in told
        if not e.rstrip(":").endswith("**")
        and len(e.split()) >= _FEWEST_WORDS
        and len(e) <= _LONGEST_ENTRY
    )
    return tuple(islice(fit, _MOST))


def _has_spoken(entry: str, behind: Sequence[Reading]) -> bool:
    """Whether the agent that an entry names had its turn behind the plan."""
    named = _NAMED.match(entry)
    turn = f"Next speaker {named['agent']}" if named is not None else ""
    return bool(turn) and any(each.prose[:1] and each.prose[0].startswith(turn) for each in behind)


def _given(order: str, behind: Sequence[Reading]) -> Reading | None:
    """The message that gives an order which the ledger before it holds."""
    return next(
        (each for each in reversed(behind) if each.prose[:1] and order in each.prose[0]), None
    )


def _open(said: str, reading: Reading) -> Claim:
    return open_promise(said, span=reading.handle, position=reading.position, rank=1.2)
