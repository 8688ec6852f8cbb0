"""Whether an effect settles a promise of an answer that ended in a question.

In a dialogue that is nothing but talk and deals, what is said on the way to a deal is over when it
is made. Where somebody works on files, a push says nothing of a guide: only an effect that is
what was promised settles it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from clew.summarize.extractive.announced import GIT_VERBS, Step, steps_of, takes
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import IdentifierKind, kind_of
from clew.summarize.extractive.intentions import is_done_by
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import topic_words
from clew.tools_seen.seen import Action, CallSeen, Outcome

_ASKING_CHARS = 300
_OPENING_CHARS = 80
_LONGEST_REFUSAL = 160
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})
_FIRST = re.compile(r"\b(?:first|before\w*|meanwhile|in\sthe\smeantime)\b", re.IGNORECASE)
"""Asks for something that comes before what was promised, and so is another thing."""
_REFUSES = re.compile(
    r"^\W*(?:(?:hm+|well|sorry|actually|thanks|oh)\b\W+)*(?:"
    r"(?:no|nope|nah)\b(?=\s*(?:[,.;:!\n\u2014\u2013-]|$|not\b|don|first\b|wait\b|leave\b|i\b|we\b|let\b|stop\b|thank))"
    r"(?!\W*(?:problem|worries))|not\s(?:yet|now|so\sfast|really)\b|(?:please\s)?(?:don['\u2019]?t|do\snot)\b"
    r"|wait\b|stop\b|hold\s(?:on|off)\b|never\s?mind\b|cancel\b|forget\b|leave\sit\b"
    r"|first(?:\s*[,:]|\s(?:let|i|we|show|tell|run|check|do|fix|make|finish|read|write)\b))",
    re.IGNORECASE,
)
_OF_FILES = frozenset({Action.WRITE, Action.RUN, Action.DELEGATE})
_LOOKS = frozenset({Action.READ, Action.SEARCH})
_OF_A_SERVICE = frozenset({"by_verb", "unknown"})
"""The families of tools that nobody knows but by the verbs of their names, as a service has."""
_OF_A_SERVER = "mcp"
_OF_A_PATH = frozenset({IdentifierKind.PATH, IdentifierKind.FILE, IdentifierKind.SLASHED})


def asked_with(reading: Reading) -> str:
    """The question with which an answer ends; empty where it asks for nothing."""
    end = reading.prose[-1][-_ASKING_CHARS:] if reading.prose else ""
    asked, mark, _ = end.rpartition("?")
    return re.split(r"[.!?]\s|\n", asked)[-1] + mark if mark else ""


@once
def refuses(reading: Reading) -> bool:
    """Whether a person's message turns down what they were asked for, or puts it off."""
    said = reading.typed[-1].strip() if reading.typed else ""
    opening = said[:_OPENING_CHARS]
    if _REFUSES.match(opening) is None:
        return False
    # "No, no insurance. The card is ..." answers one of several questions, and then the others.
    return len(said) <= _LONGEST_REFUSAL or _FIRST.search(opening) is not None


def acted_on(
    promised: Claim, answer: Reading, behind: Iterable[Reading], cues: Cues, *, deals_only: bool
) -> Reading | None:
    """Where an effect settled a promise, behind a reply to the question of its answer.

    `deals_only`: the dialogue is nothing but talk and effects. Then any effect is the deal, unless
    the question was about something that comes first.
    """
    asked = asked_with(answer)
    if not asked:
        return None
    other = _FIRST.search(asked) is not None
    steps = steps_of(promised.item.text, cues)
    agreed = False
    for reading in behind:
        agreed = not refuses(reading) if reading.typed else agreed
        for call in reading.calls if agreed else ():
            if call.action is not Action.EFFECT or call.outcome in _NOT_DONE:
                continue
            if (deals_only and not other) or _is_promised(promised, steps, call, other=other):
                return reading
    return None


def _is_promised(promised: Claim, steps: Sequence[Step], call: CallSeen, *, other: bool) -> bool:
    """Whether an effect is what a promise is about: it takes its steps, or shares its words."""
    effects = [("ships", each) for each in call.effects or (call.effect,) if each]
    named = all(step.verb in GIT_VERBS and takes(step, effects) for step in steps)
    if steps and named and not other:
        return True
    # Only what leaves the working tree is done by an effect: no push writes what it is named for.
    if not all(step.sort == "ships" and takes(step, effects) for step in steps):
        return False
    words = topic_words(f"{call.effect} {call.command[:300]} {call.resource} {call.purpose}")
    return is_done_by(call.command, words, promised)


def is_talk_and_deals(readings: Sequence[Reading]) -> bool:
    """Whether nobody works in a stretch on files or runs anything: a service is all it uses."""
    return not any(_works(reading) for reading in readings)


def _works(reading: Reading) -> bool:
    return any(
        call.command
        or call.action in _OF_FILES
        or (call.action in _LOOKS and _looks_at_files(call))
        for call in reading.calls
    )


def _looks_at_files(call: CallSeen) -> bool:
    """Whether a look is at files; one through a server is where it names a path."""
    if call.family == _OF_A_SERVER:
        return kind_of(call.resource) in _OF_A_PATH
    return call.family not in _OF_A_SERVICE
