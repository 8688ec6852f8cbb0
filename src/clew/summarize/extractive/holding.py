"""Which findings of the agent still hold at the end of a stretch, and which a later step ended.

A guess at a cause is worth its line until something settles it: a newer statement about the same,
the same failure behind the change that was to end it, a person who says that nothing changed. A
verdict on all tests is worth it until the next one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.verdicts import is_no_failure
from clew.tools_seen.seen import Action, CallSeen, Outcome

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
_CHANGING = frozenset({Action.WRITE, Action.EFFECT})
_FAILED = frozenset({Outcome.FAILED, Outcome.REFUSED})


def is_guess(text: str, cues: Cues) -> bool:
    """Whether a sentence says itself that it only supposes something."""
    return cues.has("guess", text)


def names_a_cause(text: str) -> bool:
    """Whether a sentence says what a failure comes from."""
    return _CAUSE.search(text) is not None


def still_holding(
    claims: Sequence[Claim], concluded: Sequence[Claim], readings: Sequence[Reading], cues: Cues
) -> tuple[list[Claim], list[Claim]]:
    """Both lists without guesses that were settled since and verdicts that a newer one replaced."""
    said = sorted([*claims, *concluded], key=lambda made: made.position)
    found = _Found(said, readings, cues)
    return [c for c in claims if not found.ended(c)], [c for c in concluded if not found.ended(c)]


class _Found:
    """What the agent found in a stretch, and what ended it."""

    def __init__(self, said: Sequence[Claim], readings: Sequence[Reading], cues: Cues) -> None:
        self._cues = cues
        self._run = _Run(readings, cues)
        self._later = [m for m in said if m.item.said_by is Speaker.AGENT]
        verdicts = [m.position for m in self._later if _is_finding(m) and _is_verdict(m, cues)]
        self._latest_verdict = max(verdicts, default=0)

    def ended(self, made: Claim) -> bool:
        """Whether a finding does not hold any more."""
        if not _is_finding(made):
            return False
        if _is_verdict(made, self._cues):
            return made.position < self._latest_verdict
        guess, cause = is_guess(made.item.text, self._cues), _is_cause(made)
        if not guess and not cause:
            return False
        if self._run.denies(made.position, cause=cause):
            return True
        return self._told_anew(made, guess)

    def _told_anew(self, made: Claim, guess: bool) -> bool:
        """Whether a newer statement is about the same: another cause, or for a guess a firm one."""
        enough = min(_FEWEST_SHARED, len(made.topics))
        for later in reversed(self._later):
            if later.position <= made.position:
                break
            if made.topics.isdisjoint(later.topics):
                continue
            shared = len(made.topics & later.topics)
            if shared >= enough and shared >= _SETTLES * len(made.topics):
                firm = guess and not is_guess(later.item.text, self._cues)
                if firm or _is_cause(later):
                    return True
        return False


def _is_finding(made: Claim) -> bool:
    return made.item.kind == "fact" and made.item.said_by is Speaker.AGENT


def _is_cause(made: Claim) -> bool:
    return made.item.kind == "fact" and names_a_cause(made.item.text)


def _is_verdict(made: Claim, cues: Cues) -> bool:
    """Whether a finding says no more than that all is well."""
    text = made.item.text
    short = len(text.split()) <= _MOST_WORDS_OF_A_VERDICT and "`" not in text
    return short and cues.has("verdict", text)


class _Run:
    """What became of what was said at a place of a stretch."""

    def __init__(self, readings: Sequence[Reading], cues: Cues) -> None:
        self._positions = [reading.position for reading in readings]
        self._readings = readings
        self._cues = cues

    def denies(self, position: int, *, cause: bool) -> bool:
        """Whether a person or the next try denied what was said at a position.

        Only for a cause does it tell anything that the failure is still there.
        """
        place = bisect_right(self._positions, position) - 1
        if cause and self._failed_again_behind(place):
            return True
        return self._doubted_behind(place, cause=cause)

    def _doubted_behind(self, place: int, *, cause: bool) -> bool:
        """Whether the next words of a person doubt what was said, or say that a cause was none."""
        changed = False
        for reading in self._readings[place:]:
            if reading.typed and reading is not self._readings[place]:
                text = reading.typed[0][:_LONGEST_COMPLAINT]
                if self._cues.has("doubt", text):
                    return True
                fails = self._cues.has("failure", text) and not is_no_failure(text, self._cues)
                return cause and changed and fails
            changed = changed or any(call.action in _CHANGING for call in reading.calls)
        return False

    def _failed_again_behind(self, place: int) -> bool:
        """Whether the command that had failed before fails alike behind the next change."""
        before: dict[str, str] = {}
        for reading in self._readings[: place + 1]:
            before.update((c.command, c.decisive_line) for c in _failed(reading))
        changed = False
        for reading in self._readings[place:]:
            for call in reading.calls:
                if call.action in _CHANGING and call.outcome not in _FAILED:
                    changed = True
                elif changed and call.command in before and call.action is Action.RUN:
                    again = call.outcome in _FAILED and call.decisive_line == before[call.command]
                    return again and bool(call.decisive_line)
        return False


def _failed(reading: Reading) -> list[CallSeen]:
    return [call for call in reading.calls if call.command and call.outcome in _FAILED]
