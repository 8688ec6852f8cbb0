"""What the agent says it is doing now or next, and what later calls made of it.

"Let me fix the parser so that it keeps blanks" beside a look, "I'm removing the hook and adding a
test" beside the first of two changes, "Now wire it into the command": the work is told once and
done in the exchanges behind it. Done, it is a promise kept; not done at the end, it is open.
What the call beside it does whole is no promise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from clew.record.items import Status
from clew.summarize.extractive.announced import (
    Step,
    announced_in,
    names_a_call,
    promised,
    steps_of,
    taken_in,
    takes,
    verbs_of_steps,
)
from clew.summarize.extractive.claims import Claim, call_of, settled
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import LONGEST_QUOTE, looks_like_code, sentences_with
from clew.summarize.extractive.under_way import under_way
from clew.tools_seen.seen import Action

SHOWN = "the transcript shows it"
_LONGEST_PASSAGE = 6_000
_FEWEST_WORDS = 4
_FARTHEST = 8
"""Exchanges behind which a step that was told is taken up by something else."""
_MOST = 6
"""Promises that are kept of one stretch: the latest."""
_NOW = re.compile(r"^\W*now\s(?:also\s|just\s)?", re.IGNORECASE)
_DOING = re.compile(
    r"\b(?:i['\u2019]m|i\sam|we['\u2019]re|we\sare)\s(?:(?:now|also|just|first|currently)\s)*"
    r"(?=[a-z]+ing\b)",
    re.IGNORECASE,
)
_GERUND = re.compile(r"\b(?P<stem>[a-z]{2,})ing\b", re.IGNORECASE)
_MENDS = frozenset({"fix", "correct", "adjust"})
_OUGHT = re.compile(r"\b(?:should|need\sto|have\sto|must)\b|\bso\si\b", re.IGNORECASE)
"""Says what is needed: a thought, where the promise comes behind it."""
_SEVERAL = re.compile(
    r"\ball\s(?:of\s)?(?:the\s|these\s|those\s)?(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b"
    r"|\b(?:by|to|from)\sthe\s(?:\w+\s)?plan\b",
    re.IGNORECASE,
)
"""Says that there is more than one thing to do."""
_VERB = r"\b(?:add|fix|apply|update|write|move|remove|commit)(?:ing)?\s"
_MOVES_ON = re.compile(r"\bmov(?:e|ing)\son\b", re.IGNORECASE)
_UNNAMED = re.compile(rf"{_VERB}(?:it|them)\b(?!\sinto|\s(?:to|for|of)\b)", re.IGNORECASE)
"""Says what is done by a word that only what stands before it fills."""
_CHANGES = re.compile(
    rf"{_VERB}(?:the|all|these)\s(?:\w+\s)?(?:changes|fixes|edits)\b", re.IGNORECASE
)
_RESTS_ON = re.compile(r"\b(?:those|the\s(?:same|other|rest))\b", re.IGNORECASE)
"""Says nothing without what stands before it."""
_BARE = re.compile(
    r"\bcommit(?:ting)?\W*$|\b(?:modify|update|edit|change)\s\W?[^\s`]+\W*$", re.IGNORECASE
)
"""Says of a file or of all of it only that it is changed."""
_AFTERWARDS = re.compile(r"\bbefore\s\w+ing\b", re.IGNORECASE)
_IN_TURN = re.compile(r"(?:,|\band)\s(?:and\s)?then\s", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\b(?:i['\u2019]ll|i\swill)\s(?:then\s)?(?:continue|go\son|proceed|follow\sup)\swith\s"
    r"(?:one|a|an|the)\s(?!review\b|look\b)\w",
    re.IGNORECASE,
)
"""Says what the agent does once it is through with what stands before."""


_PART = re.compile(
    r"(?:\A|(?<=\n)|(?<=[.!?:] ))\W{0,4}now\s(?:for\s|on\sto\s|let['\u2019]s\sdo\s)?"
    r"(?:[A-Z]{1,4}\d{1,3}|(?:step|phase|part|task|milestone|item)\s\d{1,2})"
    r"\s?[:\u2013\u2014-]\s",
    re.IGNORECASE,
)
"""Begins a part of the work that is called by a number."""


@cache
def _is_step(verb: str) -> bool:
    return any(each.fullmatch(verb) for each in verbs_of_steps().values())


def in_plain_form(clause: str) -> str:
    """The clause with the verbs of steps that stand in it as "-ing" as they are announced."""
    return _GERUND.sub(_plain, clause)


def _plain(found: re.Match[str]) -> str:
    stem = found["stem"].lower()
    forms = [stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem]
    return next((each for each in forms if _is_step(each)), found.group())


@once
def steps_told(reading: Reading, cues: Cues) -> tuple[tuple[str, tuple[Step, ...]], ...]:
    """The sentences of one exchange at work that tell of changes, with their steps."""
    told = {each.said: each.steps for each in announced_in(reading, cues) if not each.later}
    for text in reading.prose if not reading.typed else ():
        for sentence in under_way(reading.going_on, text[:_LONGEST_PASSAGE]):
            told.setdefault(sentence.text, _doing(sentence.text, cues))
        for sentence in sentences_with(_GOES_ON, text[:_LONGEST_PASSAGE], most=1):
            told.setdefault(sentence.text, (Step(sort="changes", verb="continue"),))
    found = ((said, _of_change(said, steps)) for said, steps in told.items() if _is_told(said))
    return tuple((said, steps) for said, steps in found if steps)


def _is_told(said: str) -> bool:
    few = len(said.split()) < _FEWEST_WORDS or len(said) >= LONGEST_QUOTE
    return not few and not looks_like_code(said)


def _doing(said: str, cues: Cues) -> tuple[Step, ...]:
    if now := _NOW.match(said):
        return steps_of(f"I will {said[now.end() :]}", cues)
    doing = _DOING.search(said)
    return steps_of(f"I will {in_plain_form(said[doing.end() :])}", cues) if doing else ()


def _of_change(said: str, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps of a sentence that changes something; twice where it says that it does several."""
    if _OUGHT.search(said) or _is_vague(said) or all(step.sort == "checks" for step in steps):
        return ()
    return steps * 2 if len(steps) == 1 and _SEVERAL.search(said) else steps


def worked_off(
    readings: Sequence[Reading], later: Sequence[Reading], handed_over: frozenset[str], cues: Cues
) -> list[Claim]:
    """What was told at work and done in exchanges behind it, as kept; the last one may be open.

    `later` are the readings behind these, `handed_over` the spans in which the agent handed over.
    """
    everything = [*readings, *later]
    kept: dict[str, Claim] = {}
    open_yet: list[Claim] = []
    for place, reading in enumerate(readings):
        if reading.handle in handed_over:
            open_yet = []
            continue
        for said, left in left_beside(reading, cues):
            done = _done_in(left, everything[place + 1 : place + 1 + _FARTHEST], handed_over)
            made = promised(said, reading)
            if done is not None:
                # Of several that the same call took, the last one says best what it did.
                kept[done.handle] = settled(made, Status.DONE, SHOWN, call_of(done))
            elif place + _FARTHEST >= len(readings):
                open_yet.append(made)
    part = _part_begun(readings, handed_over)
    return [*list(kept.values())[-_MOST:], *open_yet[-1:], *([part] if part is not None else [])]


@once
def left_beside(reading: Reading, cues: Cues) -> tuple[tuple[str, tuple[Step, ...]], ...]:
    """The sentences of one exchange that tell more than the calls beside them did, with the rest.

    One that names nothing tells it only where a call took some of its steps.
    """
    found: list[tuple[str, tuple[Step, ...]]] = []
    for said, steps in steps_told(reading, cues):
        beside = _is_run(said, reading) or _mends_a_command(steps, reading)
        left = () if beside else _without(steps, reading)
        if left and (len(left) < len(steps) or _is_named(said)):
            found.append((said, left))
    return tuple(found)


@once
def parts_begun(reading: Reading) -> tuple[str, ...]:
    """The sentences of one exchange that begin a numbered part of the work."""
    texts = reading.prose if not reading.typed else ()
    said = [s.text for text in texts for s in sentences_with(_PART, text[:_LONGEST_PASSAGE])]
    return tuple(each for each in said if _is_told(each))


def _part_begun(readings: Sequence[Reading], handed_over: frozenset[str]) -> Claim | None:
    """The numbered part of the work that the agent began last, while nobody handed over."""
    for reading in reversed(readings):
        if reading.handle in handed_over:
            return None
        if said := parts_begun(reading):
            return promised(said[-1], reading)
    return None


def _is_run(said: str, reading: Reading) -> bool:
    """Whether a call beside a sentence uses the tool that it names, or runs the program."""
    ran = [call.command for call in reading.calls if call.action is Action.RUN]
    named = identifiers_in(said) if ran else ()
    return names_a_call(said, reading) or any(name in each for name in named for each in ran)


def _mends_a_command(steps: tuple[Step, ...], reading: Reading) -> bool:
    """Whether what is set right is the command that runs beside the words."""
    ran = any(call.command and call.action is Action.RUN for call in reading.calls)
    return ran and all(step.verb in _MENDS for step in steps)


def _is_named(said: str) -> bool:
    told = _IN_TURN.search(said) is not None or _GOES_ON.search(said) is not None
    return told or bool(identifiers_in(said))


def _is_vague(said: str) -> bool:
    unnamed = any(each.search(said) for each in (_CHANGES, _RESTS_ON))
    if unnamed and not identifiers_in(said):
        return True
    never = (_UNNAMED, _AFTERWARDS, _MOVES_ON, _BARE)
    return any(each.search(said) for each in never)


def _done_in(
    left: tuple[Step, ...], behind: Sequence[Reading], handed_over: frozenset[str]
) -> Reading | None:
    """The exchange in which the last of the steps was taken, before anybody handed over."""
    for reading in behind:
        if reading.handle in handed_over or reading.typed:
            return None
        left = _without(left, reading)
        if not left:
            return reading
    return None


def _without(steps: tuple[Step, ...], reading: Reading) -> tuple[Step, ...]:
    """The steps that the calls of an exchange leave: each call takes one of them."""
    left = list(steps)
    for pair in taken_in(reading):
        taken = next((step for step in left if takes(step, (pair,))), None)
        if taken is not None:
            left.remove(taken)
    return tuple(left)
