"""Which findings of the agent still hold at the end of a stretch, and which a later step ended.

A guess at a cause is worth its line until something settles it: a newer statement about the same,
the same failure behind the change that was to end it, a person who says that nothing changed. A
verdict on all tests is worth it until the next one, or until they fail.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import containment, topic_words
from clew.summarize.extractive.verdicts import is_no_failure
from clew.tools_seen.seen import Action, Outcome

_SETTLES, _FEWEST_SHARED = 0.5, 3
"""The share of a guess's topic words, and how many, in a newer statement about the same."""
_MOST_WORDS_OF_A_VERDICT = 14
_LONGEST_COMPLAINT = 600
_CAUSE = re.compile(
    r"^\W*(?:\w+,?\s){0,3}?(?:the|a|an|one|this|that|our|my)\s(?:\w+\s){0,3}?(?:issue|problem|bug|"
    r"cause|culprit|error|failure|reason|break|mismatch)\b[^.!?]{0,80}?"
    r"(?:\b(?:is|was|are|were|lies|seems|comes)\b|:\s)",
    re.IGNORECASE,
)
"""Says what a failure comes from."""
_SAYS_AGAIN, _END_OF_OUTPUT = 0.6, 1_200
_BECAUSE = re.compile(r"\b(?:because|since|due\sto)\b", re.IGNORECASE)
_CHANGING = frozenset({Action.WRITE, Action.EFFECT})
_FAILED = frozenset({Outcome.FAILED, Outcome.REFUSED})


def is_guess(text: str, cues: Cues) -> bool:
    """Whether a sentence says itself that it only supposes something."""
    return cues.has("guess", text)


def names_a_cause(text: str) -> bool:
    """Whether a sentence says what a failure comes from."""
    return _CAUSE.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Stance:
    """What a text says of itself: that all is well, that it supposes, what a failure is from."""

    verdict: bool
    guess: bool
    cause: bool


@dataclass(frozen=True, slots=True)
class _Try:
    """A call that changed something, or ran a command: whether it failed, and with which line."""

    changed: bool
    command: str
    failed: bool
    line: str


@lru_cache(maxsize=8_192)
def _stance_of(text: str, cues: Cues) -> _Stance:
    short = len(text.split()) <= _MOST_WORDS_OF_A_VERDICT and "`" not in text
    return _Stance(
        verdict=short and cues.has("verdict", text),
        guess=is_guess(text, cues),
        cause=names_a_cause(text),
    )


def read_ahead(reading: Reading, said: Iterable[str], cues: Cues) -> None:
    """Work out what the claims of one exchange say of themselves, and what its calls came to."""
    for text in said:
        _stance_of(text, cues)
    _tries(reading)
    _failures(reading)
    _failing(reading)
    _answer(reading, cues)


def still_holding(
    claims: Sequence[Claim], concluded: Sequence[Claim], readings: Sequence[Reading], cues: Cues
) -> tuple[list[Claim], list[Claim]]:
    """Both lists without guesses that were settled since and verdicts that a newer one replaced."""
    found = _Found([*claims, *concluded], readings, cues)
    return [c for c in claims if not found.ended(c)], [c for c in concluded if not found.ended(c)]


class _Found:
    """What the agent found in a stretch, and what ended it."""

    def __init__(self, said: Sequence[Claim], readings: Sequence[Reading], cues: Cues) -> None:
        self._cues = cues
        self._run = _Run(readings, cues)
        self._said = said

    def ended(self, made: Claim) -> bool:
        """Whether a finding does not hold any more."""
        if not _is_finding(made):
            return False
        stance = _stance_of(made.item.text, self._cues)
        if not stance.cause and self._run.works_by_now(made):
            return True
        if stance.verdict:
            return made.position < self._latest_verdict or self._run.fails_by_now(made.position)
        if not stance.guess and not stance.cause:
            return False
        if self._run.denies(made.position, cause=stance.cause):
            return True
        return _told_anew(made, self._firm if stance.guess else self._causes)

    @cached_property
    def _latest_verdict(self) -> int:
        """Where the agent said last that all is well."""
        return max(
            made.position
            for made in self._said
            if _is_finding(made) and _stance_of(made.item.text, self._cues).verdict
        )

    @cached_property
    def _causes(self) -> list[tuple[int, frozenset[str]]]:
        """Where causes are named and what they are about, newest first."""
        return [(m.position, m.topics) for m in self._later if self._is_cause(m)]

    @cached_property
    def _firm(self) -> list[tuple[int, frozenset[str]]]:
        """The same of causes and of what is said without supposing."""
        return [
            (made.position, made.topics)
            for made in self._later
            if not _stance_of(made.item.text, self._cues).guess or self._is_cause(made)
        ]

    @cached_property
    def _later(self) -> list[Claim]:
        own = [made for made in self._said if made.item.said_by is Speaker.AGENT]
        return sorted(own, key=lambda made: -made.position)

    def _is_cause(self, made: Claim) -> bool:
        return made.item.kind == "fact" and _stance_of(made.item.text, self._cues).cause


def _told_anew(made: Claim, newer: Iterable[tuple[int, frozenset[str]]]) -> bool:
    """Whether a newer statement is about the same."""
    topics, position = made.topics, made.position
    enough = max(min(_FEWEST_SHARED, len(topics)), _SETTLES * len(topics))
    for at, about in newer:
        if at <= position:
            break
        if len(about) >= enough and len(topics & about) >= enough:
            return bool(topics)
    return False


def _is_finding(made: Claim) -> bool:
    return made.item.kind == "fact" and made.item.said_by is Speaker.AGENT


class _Run:
    """What became of what was said at a place of a stretch."""

    def __init__(self, readings: Sequence[Reading], cues: Cues) -> None:
        self._readings = readings
        self._cues = cues

    @cached_property
    def _positions(self) -> list[int]:
        return [reading.position for reading in self._readings]

    @cached_property
    def _failed(self) -> list[tuple[int, str, str]]:
        """The commands that failed with their decisive lines, and where."""
        return [
            (place, command, line)
            for place, reading in enumerate(self._readings)
            for command, line in _failures(reading)
        ]

    @cached_property
    def _tried(self) -> list[tuple[int, _Try]]:
        return [(place, each) for place, r in enumerate(self._readings) for each in _tries(r)]

    def denies(self, position: int, *, cause: bool) -> bool:
        """Whether a person or the next try denied what was said at a position.

        Only for a cause does it tell anything that the failure is still there.
        """
        place = bisect_right(self._positions, position) - 1
        if cause and self._failed_again_behind(place):
            return True
        return self._doubted_behind(place, cause=cause)

    def fails_by_now(self, position: int) -> bool:
        """Whether the test command before a verdict at a position fails in its latest run."""
        place = bisect_right(self._positions, position) - 1
        # What is said beside a call is said before it ran.
        checked = bisect_left(self._checked, place, key=lambda each: each[0])
        if not checked:
            return False
        command = self._checked[checked - 1][1]
        since = [failed for _, each, failed in self._checked[checked:] if each == command]
        return bool(since) and since[-1]

    def works_by_now(self, made: Claim) -> bool:
        """Whether a finding only says again what a command printed that failed, and works since."""
        place = bisect_right(self._positions, made.position) - 1
        if place < 1:
            return False
        commands, printed = _failing(self._readings[place - 1])
        if not commands or containment(made.topics, printed) < _SAYS_AGAIN:
            return False
        return _BECAUSE.search(made.item.text) is None and any(
            self._works_behind(command, place) for command in commands
        )

    def _works_behind(self, command: str, place: int) -> bool:
        ran, worked = self._last_runs.get(command, (0, False))
        return ran >= place and worked

    @cached_property
    def _last_runs(self) -> dict[str, tuple[int, bool]]:
        """Where each command ran last, and whether it worked then."""
        return {
            each.command: (place, not each.failed)
            for place, each in self._tried
            if not each.changed
        }

    @cached_property
    def _checked(self) -> list[tuple[int, str, bool]]:
        """The runs of tests: where, with which command, and whether they failed."""
        return [
            (place, call.command, call.tests.failed > 0 or call.outcome in _FAILED)
            for place, reading in enumerate(self._readings)
            for call in reading.calls
            if call.tests is not None and call.command
        ]

    def _doubted_behind(self, place: int, *, cause: bool) -> bool:
        """Whether the next words of a person doubt what was said, or say that a cause was none."""
        spoken = bisect_right(self._spoken, place)
        if spoken == len(self._spoken):
            return False
        behind = self._spoken[spoken]
        doubted, fails = _answer(self._readings[behind], self._cues)
        changed = cause and fails and self._changed_between(place, behind)
        return doubted or changed

    @cached_property
    def _spoken(self) -> list[int]:
        return [place for place, reading in enumerate(self._readings) if reading.typed]

    def _changed_between(self, place: int, behind: int) -> bool:
        calls = (call for reading in self._readings[place:behind] for call in reading.calls)
        return any(call.action in _CHANGING for call in calls)

    def _failed_again_behind(self, place: int) -> bool:
        """Whether the command that had failed before fails alike behind the next change."""
        before = {command: line for at, command, line in self._failed if at <= place}
        if not before:
            return False
        changed = False
        for at in range(
            bisect_left(self._tried, place, key=lambda each: each[0]), len(self._tried)
        ):
            tried = self._tried[at][1]
            if tried.changed:
                changed = True
            elif changed and tried.command in before:
                return bool(tried.line) and tried.failed and tried.line == before[tried.command]
        return False


@once
def _answer(reading: Reading, cues: Cues) -> tuple[bool, bool]:
    """Whether the first words of a person doubt what was said before, and tell of a failure."""
    if not reading.typed:
        return False, False
    text = reading.typed[0][:_LONGEST_COMPLAINT]
    fails = cues.has("failure", text) and not is_no_failure(text, cues)
    return cues.has("doubt", text), fails


@once
def _failing(reading: Reading) -> tuple[tuple[str, ...], frozenset[str]]:
    """The commands of an exchange that failed, and the words of what they printed."""
    commands = tuple(each.command for each in _tries(reading) if each.failed)
    printed = topic_words(
        "\n".join(r[-_END_OF_OUTPUT:] for r in reading.results) if commands else ""
    )
    return commands, printed


@once
def _failures(reading: Reading) -> tuple[tuple[str, str], ...]:
    return tuple(
        (call.command, call.decisive_line)
        for call in reading.calls
        if call.command and call.outcome in _FAILED
    )


@once
def _tries(reading: Reading) -> tuple[_Try, ...]:
    """The calls of an exchange that changed something, and the commands that it ran."""
    made: list[_Try] = []
    for call in reading.calls:
        failed = call.outcome in _FAILED
        if call.action in _CHANGING and not failed:
            made.append(_Try(changed=True, command="", failed=False, line=""))
        elif call.action is Action.RUN and call.command:
            made.append(
                _Try(changed=False, command=call.command, failed=failed, line=call.decisive_line)
            )
    return tuple(made)
