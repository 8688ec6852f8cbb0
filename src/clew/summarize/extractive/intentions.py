"""What the agent puts off while it is at work: "once it lands: re-run the gate", "will verify".

Such a clause hands nothing over, so no final answer holds it. It is open until the transcript
shows it done, or until the agent has handed over: then what was left stands in its answer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from clew.record.items import Evidence, Status
from clew.summarize.extractive.claims import Claim, open_promise, settled
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading, plain_arguments
from clew.summarize.extractive.sentences import (
    bounds_of,
    containment,
    looks_like_code,
    sentences_with,
    topic_words,
    trimmed,
)
from clew.tools_seen.seen import Action, Outcome
from clew.tools_seen.worded import worded

_LONGEST_PASSAGE = 6_000
_FEWEST_WORDS, _MOST_DEFERRED = 4, 4
_LATER = worded(
    r"(?:^|(?<=[.!?;:*(] )|(?<=\n))\W{0,4}(?:then\s)?(?:once|as\ssoon\sas|after|when|afterwards?|"
    r"when(?:ever)?)\b"
    r"[^.!?\n]{2,140}?(?:,\s|\s)(?:then\s)?(?:i['\u2019]ll|i\swill|we['\u2019]ll|we\swill)\s\w"
    r"|(?:^|(?<=[.!?;] )|(?<=\n))\W{0,4}(?:once|as\ssoon\sas)\b[^.!?\n]{2,100}?:\s\w"
    r"|(?:^|(?<=[.!?;] )|(?<=\n))\W{0,4}(?:once|as\ssoon\sas)\b[^.!?\n]{2,100}?,\s(?:then\s)?"
    r"(?:run|re-?run|retry|restart|install|execute)\b"
    r"|(?:\u2014|\u2013|;|,|\(|-)\swill\s(?:verify|check|confirm|revisit|follow|re-?\w+|fix|"
    r"update|add|"
    r"remove|clean|handle|address|document|come|do|test)\b",
    needs="once|soon |after|when| will ",
    flags=re.IGNORECASE,
)
_DEFERRED = worded(
    r"\b(?:as|is|are|be|remains?|it['\u2019]s|that['\u2019]s)\s(?:an?\s)?(?:(?:possible|potential|good|natural|"
    r"separate|small|obvious|logical|real)\s)*(?:\W{0,2}future\W{0,2}\s(?:\w+\s)?(?:work|optimi[sz]ation|improvement|"
    r"enhancement|step|task|pass|pr|change|item|feature|iteration)|follow-?up)\b"
    r"|\b(?:in|for)\sa\s(?:future|follow-?up|later|separate|second)\s(?:pr|pass|change|commit|step|release|"
    r"iteration|version)\b"
    r"|\b(?:leave|leaving|left|keep|keeping|save|saving|defer(?:red|ring)?|postpone[ds]?)\s[^.!?\n]{2,100}?\s"
    r"(?:for|until|to)\s(?:later|a\slater|a\sfuture|the\snext|afterwards)\b",
    needs="future| follow|later|separate |second |the next|afterwards",
    flags=re.IGNORECASE,
)
"""Leaves something for later without saying who does it."""
_WRITTEN = worded(
    r"\b(?:must|has\sto|needs\sto)\sbe\s\w+\s(?:next|later|afterwards)\b"
    r"|\bwill\sbe\s(?:implemented|added|wired|filled\sin|handled|replaced|completed|moved)\s"
    r"(?:later|next|soon|in\s(?:a\s(?:later|follow-?up)|the\snext|[A-Z]{1,3}\d|step|phase|part|milestone)\w*)",
    needs=" next|later| afterwards|will be ",
    flags=re.IGNORECASE,
)
"""Puts something off in a file: in a note, or in a comment."""
_PART = re.compile(r"\bin\s(?P<part>[A-Z]{1,3}\d{1,3}|(?i:step|phase|part|milestone)\s\d{1,2})\b")
"""The part of the work, called by a number, in which something is to be done."""
_LONGEST_FILE, _LONGEST_LINE = 20_000, 600
_DONE_NOW = re.compile(
    r"\b(?:i['\u2019]m|i\sam|commit(?:s|ted|ting)?|split|staging)\b|\bcould\b|\bwould\b|^\W*if\b",
    re.IGNORECASE,
)
"""Does it at once, as a step of its own, or only weighs it."""
_NAMED = re.compile(r"`([^`\n]+ [^`\n]+)`")
"""A command of more than a word."""
_NO_PROMISE = re.compile(
    r"\bif\syou\b|\bwould\syou\b|\blet\sme\sknow\b|\bwill\s(?:not|never|no\slonger|be\sable)\b|"
    r"(?:\bwill|['\u2019]ll)\shave\s\w+(?:ed|en|ne)\b|"
    r"\?\s*$",
    re.IGNORECASE,
)
_COMMAND_BELOW = re.compile(r":\W{0,4}\n+```(?:bash|sh|shell|zsh|console)?\n[^\n`]{3,200}(?=\n)")
_FEWEST_SHARED, _DONE_SHARE = 2, 0.5
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})


@once
def intentions_in(reading: Reading) -> tuple[Claim, ...]:
    """The clauses of one message that put something off."""
    found: dict[str, Claim] = {}
    for text in reading.prose:
        for match in _LATER.finditer(text[:_LONGEST_PASSAGE]):
            at = match.start() + len(match.group()) - len(match.group().lstrip())
            said = trimmed(text, *bounds_of(text, at, match.end()))
            if len(said.split()) < _FEWEST_WORDS or looks_like_code(said):
                continue
            if _NO_PROMISE.search(said) is None:
                said = _with_command(said, text)
                found[said] = _promised(said, reading)
        for sentence in sentences_with(_DEFERRED, text[:_LONGEST_PASSAGE], most=_MOST_DEFERRED):
            said = sentence.text
            named = len(said.split()) >= _FEWEST_WORDS and not looks_like_code(said)
            if named and not (_NO_PROMISE.search(said) or _DONE_NOW.search(said)):
                found.setdefault(said, _promised(said, reading))
    for said in _written_off(reading):
        found.setdefault(said, _promised(said, reading))
    return tuple(found.values())


def _written_off(reading: Reading) -> list[str]:
    """The first sentences of files that calls wrote which put something off, as they were sent."""
    if len(reading.arguments) != len(reading.calls):
        return []
    found: list[str] = []
    for call, sent in zip(reading.calls, reading.arguments, strict=True):
        if call.action is not Action.WRITE or call.outcome in _NOT_DONE:
            continue
        written = plain_arguments(sent[:_LONGEST_FILE])
        for sentence in sentences_with(_WRITTEN, written, most=_MOST_DEFERRED):
            said = sentence.text.lstrip("#/*- \t")
            fits = len(said.split()) >= _FEWEST_WORDS and len(said) <= _LONGEST_LINE
            if (
                fits
                and _NO_PROMISE.search(said) is None
                and any(said in a for a in (sent, written))
            ):
                found.append(said)
    return found


def _with_command(said: str, text: str) -> str:
    """The clause, with the command that stands below it where it ends in a colon."""
    end = text.find(said) + len(said)
    below = _COMMAND_BELOW.match(text, end - 1) if said.endswith(":") else None
    return said + text[end : below.end()] if below is not None else said


def _promised(said: str, reading: Reading) -> Claim:
    return open_promise(said, span=reading.handle, position=reading.position, rank=1.4)


def put_off(
    readings: Sequence[Reading], later: Sequence[Reading], handed_over: frozenset[str]
) -> list[Claim]:
    """What was put off in the readings, settled where what came later shows or ends it.

    `later` are the readings behind these. `handed_over` are the spans in which the agent handed
    over to the user.
    """
    everything = [*readings, *later]
    promised = [(place, each) for place, r in enumerate(readings) for each in intentions_in(r)]
    if not promised:
        return []
    done = _Done(everything)
    ends = [place for place, reading in enumerate(everything) if reading.handle in handed_over]
    return [_settled(each, place, everything, done, ends) for place, each in promised]


def _settled(
    promised: Claim, at: int, everything: Sequence[Reading], done: _Done, ends: Sequence[int]
) -> Claim:
    """The promise, done where a later call shares its words, over where the turn has ended.

    `ends` are the places where the agent handed over; what was put off at one of them stays open.
    """
    behind = bisect_right(ends, at)
    kept_open = behind > 0 and ends[behind - 1] == at
    end = ends[behind] if behind < len(ends) and not kept_open else len(everything)
    place = done.first_behind(at, promised)
    if place is not None and place <= end:
        shown = Evidence(span=everything[place].handle)
        return settled(promised, Status.DONE, "the transcript shows it", shown)
    if end < len(everything):
        shown = Evidence(span=everything[end].handle)
        return settled(promised, Status.CLOSED, "the agent handed over since", shown)
    return promised


class _Done:
    """What the calls of a run did, by its words, so that a promise meets only what may keep it."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._all = [(place, each) for place, r in enumerate(readings) for each in done_in(r)]
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        for number, (_, (_, words)) in enumerate(self._all):
            for word in words:
                self._by_word[word].append(number)

    def first_behind(self, at: int, promised: Claim) -> int | None:
        """The first place behind another at which a call does what was promised."""
        named = tuple(_NAMED.findall(promised.item.text))
        near = self._sharing(promised.topics)
        part = _PART.search(promised.item.text)
        if named or part is not None:
            near = set(range(len(self._all)))
        for number in sorted(near):
            place, done = self._all[number]
            shipped = part is not None and _ships(done[0], part["part"])
            if place > at and (shipped or _does(done, promised, named)):
                return place
        return None

    def _sharing(self, topics: frozenset[str]) -> set[int]:
        """All that may share enough words: who shares two has one that is not the commonest."""
        held = sorted((self._by_word.get(word, []) for word in sorted(topics)), key=len)
        return set().union(*held[: len(held) - _FEWEST_SHARED + 1])


@once
def done_in(reading: Reading) -> tuple[tuple[str, frozenset[str]], ...]:
    """The commands of an exchange that did not fail, and what its calls were about."""
    return tuple(
        (
            call.command,
            topic_words(f"{call.effect} {call.command[:300]} {call.resource} {call.purpose}"),
        )
        for call in reading.calls
        if call.outcome not in _NOT_DONE
    )


def _ships(command: str, part: str) -> bool:
    """Whether a command commits a part of the work that is called by a number."""
    return "commit" in command and part.lower() in command.lower()


def _does(done: tuple[str, frozenset[str]], promised: Claim, named: tuple[str, ...]) -> bool:
    """Whether a call is what was promised: it runs what the promise names, or shares its words."""
    command, words = done
    if command and any(name in command for name in named):
        return True
    return _shares(words, promised)


def is_done_by(command: str, words: frozenset[str], promised: Claim) -> bool:
    """Whether a call with a command and these words is what was promised."""
    return _does((command, words), promised, tuple(_NAMED.findall(promised.item.text)))


def _shares(words: frozenset[str], promised: Claim) -> bool:
    shared = len(words & promised.topics)
    return shared >= _FEWEST_SHARED and containment(words, promised.topics) >= _DONE_SHARE
