"""Steps that the agent announces, and the calls that take them.

"I'll read the test, fix the parser, then commit" is a promise of two steps: a change and a commit.
Looks are no promise. A step is taken when a call of its sort follows; what is not taken yet is
open until the agent hands over, for then what is left stands in its answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from clew.summarize.extractive.claims import Claim, open_promise
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    LONGEST_QUOTE,
    Sentence,
    bounds_of,
    looks_like_code,
    sentences_with,
    trimmed,
)
from clew.tools_seen.seen import Action, CallSeen, Outcome
from clew.tools_seen.worded import Worded, worded

SORTS = ("changes", "checks", "ships")
_LONGEST_PASSAGE = 6_000
_FEWEST_WORDS = 4
_MOST_OPEN = 3
_SHORT_NAME = 6
"""Characters of a name that may as well be a word ("edit", "write")."""
_OPENINGS = ("next", "promise")
_OUGHT = worded(
    r"\bi\s(?:should|must|have\sto)\s",
    needs="i should |i must |i have to ",
    flags=re.IGNORECASE,
)
_CLAUSES = re.compile(
    r"(?:,\s|;\s|\s)(?:and\s)?(?:then|afterwards|after\sthat|finally|before|once|and)\s|,\s|;\s|:\s",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^\W*(?:(?:now|next|first|then|so|also|just|only|finally|quickly|simply|to|and|re-?|i['\u2019]?ll|"
    r"i\swill|i\s(?:also\s)?(?:need|have)\sto|i['\u2019]m\sgoing\sto|i\sshould(?:\salso)?|let\sme|"
    r"let['\u2019]?s|we['\u2019]ll|we\s(?:need|have)\sto|try\sto|go\s(?:ahead\s)?and|do)\s)*",
    re.IGNORECASE,
)
_ON_CONDITION = worded(
    r"\b(?:if|unless|would|could|tell\sme|let\sme\sknow|say\sthe\sword|want\sme\sto)\b|"
    r"\bonce\syou\b|\bwhen\syou\b|\?\W*$",
    needs="if|unless|would|could|tell me|let me know|say the word|want me to|once you|when you|?",
    flags=re.IGNORECASE,
)
"""What depends on something, or on somebody else, is no step that is taken next."""
_NUMBERED = re.compile(r"^ {0,3}(?P<number>\d{1,2})[.)] +(?P<entry>\S[^\n]{3,})$", re.MULTILINE)
_BEGINS_WITH = worded(
    r"\b(?:i['\u2019]ll|i\swill|i['\u2019]m\sgoing\sto|let\sme|let['\u2019]s)\s(?:\w+\s)?"
    r"(?:do|start|begin|take|tackle|handle|work\son)\s(?:with\s)?(?:steps?\s|items?\s|points?\s|"
    r"tasks?\s|numbers?\s|#)?(?P<numbers>\d{1,2}(?:(?:,\s?(?:and\s)?|\sand\s|\s?[&\u2013-]\s?|"
    r"\sto\s)\d{1,2})*)\b(?!\.\d)",
    needs="do |start |begin |take |tackle |handle |work on ",
    flags=re.IGNORECASE,
)
"""Says which entries of a list are done now: "I will do 1, 2, 3 first"."""
_SPAN_OF_NUMBERS = re.compile(r"(\d{1,2})(?:\s?(?:[\u2013-]|to)\s?(\d{1,2}))?")
_SCRATCH = re.compile(r"^(?:/private)?/(?:tmp|var/folders)/|^/dev/")
_ONLY_FOLDERS = re.compile(r"\s*(?:cd\s\S+\s*&&\s*)?mkdir\s[^;&|>\n]*$")
"""Makes room for what is written next."""
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})
GIT_VERBS = {
    "commit": "git commit", "committing": "git commit", "push": "git push", "pushing": "git push",
    "merge": "git merge", "rebase": "git rebase", "tag": "git tag",
}  # fmt: skip
"""The verbs of git that are announced by name: only the same effect takes such a step."""
_DISCARDS = "discard changes"
_BACK = frozenset({
    "revert", "restore", "undo", "remove", "clean up", "cleanup", "drop", "delete", "redo",
})  # fmt: skip
"""The verbs of a change that is taken by discarding what was changed."""
_ORDERED = worded(
    r"\bi(?:['\u2019]ll|\swill|['\u2019]m\sgoing\sto)\s[^.!?\n]{3,160}?\bfirst\b[^.!?\n]{0,120}?"
    r"\bthen\b"
    r"|\bi(?:['\u2019]ll|\swill|['\u2019]m|\sam)\s[^.!?\n]{3,200}?(?:,|;|\band)\s(?:and\s)?then\s"
    r"(?:i['\u2019]ll|i\swill)\s"
    r"|\b(?:let\sme|i['\u2019]ll|i\swill|i['\u2019]m\sgoing\sto)\s[^.!?\n]{3,160}?(?:,|\band)\s"
    r"(?:and\s)?then\s(?:restore|revert|undo|put\s\w+\sback|re-?enable|clean\sup|remove|delete)\b",
    needs="then",
    flags=re.IGNORECASE,
)
"""Tells of several steps which one comes before which."""
_ON_ALL = worded(
    r"\b(?:let\sme|i['\u2019]ll|i\swill|i['\u2019]m\sgoing\sto|i\sshould|i\sneed\sto|let['\u2019]s)\s"
    r"(?:also\s|now\s|just\s|finally\s|do\s)*(?:(?:re-?)?run|test)\b[^.!?\n]{0,60}?"
    r"\b(?:full|entire|whole|all(?:\sthe)?|complete|broader|final)\b[^.!?\n]{0,60}?"
    r"\b(?:tests?|suite|checks?|lint\w*|gate|build|pass|verification|check)\b",
    needs="full|entire|whole|all|complete|broader|final",
    flags=re.IGNORECASE,
)
"""Sets out to check everything: that it was done is worth a line behind the last change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One announced step: of which of the SORTS, and the verb it is announced with."""

    sort: str
    verb: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """A sentence that announces steps, in their order; `later`: not by the calls beside it."""

    said: str
    steps: tuple[Step, ...]
    later: bool = False


@cache
def verbs_of_steps() -> Mapping[str, re.Pattern[str]]:
    """The verbs of each sort of step, from the data files that come with the package."""
    listed: dict[str, list[str]] = {sort: [] for sort in SORTS}
    folder = files("clew.summarize.extractive").joinpath("steps")
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".toml"):
            document = tomllib.loads(entry.read_text(encoding="utf-8"))
            for sort in SORTS:
                listed[sort].extend(document[sort]["verbs"])
    return {
        sort: re.compile(rf"(?:{'|'.join(map(re.escape, verbs))})(?![\w-])", re.IGNORECASE)
        for sort, verbs in listed.items()
    }


def _openings(cues: Cues) -> tuple[re.Pattern[str] | Worded, ...]:
    """What somebody says who sets out to do something."""
    return (*(cues.patterns[name] for name in _OPENINGS), _OUGHT)


def steps_of(sentence: str, cues: Cues) -> tuple[Step, ...]:
    """The steps that a sentence announces behind the words of somebody who sets out."""
    starts = [m.start() for each in _openings(cues) if (m := each.search(sentence))]
    if not starts or _ON_CONDITION.search(sentence):
        return ()
    made: list[Step] = []
    for clause in _CLAUSES.split(sentence[min(starts) :]):
        bare = clause[_LEADING.match(clause).end() :]  # type: ignore[union-attr] # matches always
        for sort, verbs in verbs_of_steps().items():
            if found := verbs.match(bare):
                made.append(Step(sort=sort, verb=found.group().lower()))
                break
    return tuple(made)


@once
def announced_in(reading: Reading, cues: Cues) -> tuple[Announced, ...]:
    """The sentences of one exchange that announce steps."""
    found: dict[str, Announced] = {}
    for text in reading.prose:
        shown = text[:_LONGEST_PASSAGE]
        for sentence in _set_out(shown, cues):
            said = sentence.text.removeprefix("THOUGHT: ")
            if len(said.split()) < _FEWEST_WORDS or looks_like_code(said):
                continue
            if steps := steps_of(said, cues):
                found[said] = Announced(said=said, steps=steps)
        for entry in _kept_for_later(shown):
            if steps := steps_of(f"I will {entry}", cues):
                found[entry] = Announced(said=entry, steps=steps[:1], later=True)
    return tuple(found.values())


def change_said(reading: Reading, cues: Cues) -> str:
    """The first sentence of an exchange where it says which change is made beside it."""
    text = reading.prose[0].removeprefix("THOUGHT: ").strip() if reading.prose else ""
    said = trimmed(text, *bounds_of(text, 0, 1)) if text else ""
    if not said or len(said) >= LONGEST_QUOTE or looks_like_code(said):
        return ""
    steps = steps_of(f"I will {said}", cues)
    return said if steps and steps[0].sort == "changes" else ""


def _kept_for_later(text: str) -> Iterator[str]:
    """The entries of a numbered list that somebody leaves who begins with the others."""
    chosen = _BEGINS_WITH.search(text)
    if chosen is None:
        return
    numbers = _numbers(chosen["numbers"])
    for found in _NUMBERED.finditer(text, 0, chosen.start()):
        if int(found["number"]) not in numbers and len(found["entry"]) < LONGEST_QUOTE:
            yield found["entry"].strip()


def _numbers(text: str) -> frozenset[int]:
    """The numbers that "1, 2 and 4" or "1-3" names."""
    made: set[int] = set()
    for first, last in _SPAN_OF_NUMBERS.findall(text):
        made.update(range(int(first), int(last or first) + 1))
    return frozenset(made)


def _set_out(text: str, cues: Cues) -> Iterator[Sentence]:
    found = {s.start: s for each in _openings(cues) for s in sentences_with(each, text)}
    for _, sentence in sorted(found.items()):
        if len(sentence.text) < LONGEST_QUOTE:
            yield sentence


@once
def ordered_in(reading: Reading, cues: Cues) -> tuple[Claim, ...]:
    """The sentences of one exchange that put steps into an order, or set out to check everything.

    Both as promises.
    """
    texts = [(text, _ORDERED) for text in reading.prose]
    texts += [(text, _ON_ALL) for text in reading.prose or reading.reasoning]
    said = {
        sentence.text.removeprefix("THOUGHT: "): None
        for text, pattern in texts
        for sentence in sentences_with(pattern, text[:_LONGEST_PASSAGE], most=_MOST_OPEN)
        if len(sentence.text) < LONGEST_QUOTE and steps_of(sentence.text, cues)
    }
    return tuple(promised(each, reading) for each in said)


@once
def taken_in(reading: Reading) -> tuple[tuple[str, str], ...]:
    """What the calls of an exchange did, as pairs of a sort of step and an effect."""
    return tuple(pair for call in reading.calls for pair in _sorts_of(call))


def _sorts_of(call: CallSeen) -> Iterator[tuple[str, str]]:
    if call.tests is not None or call.action is Action.RUN:
        yield "checks", ""  # A check that failed was made.
    if call.outcome in _NOT_DONE:
        return
    scratch = _SCRATCH.match(call.resource) or _ONLY_FOLDERS.match(call.command)
    if call.action is Action.WRITE and not scratch:
        yield "changes", ""
    for effect in call.effects or ((call.effect,) if call.effect else ()):
        yield "ships", effect
        yield "changes", effect if effect == _DISCARDS else ""


def names_a_call(text: str, reading: Reading) -> bool:
    """Whether a sentence names the program or tool that a call beside it uses: it does so now."""
    named = ((call.command or call.tool).split(None, 1)[:1] for call in reading.calls)
    return any(len(name) > _SHORT_NAME and name in text for names in named for name in names)


def takes(step: Step, taken: Collection[tuple[str, str]]) -> bool:
    """Whether calls take a step; a commit or a push only one that did that."""
    for sort, effect in taken:
        if sort != step.sort:
            continue
        if sort == "changes" and effect == _DISCARDS and step.verb not in _BACK:
            continue
        named = GIT_VERBS.get(step.verb)
        if sort != "ships" or named is None or effect == named:
            return True
    return False


def is_carried_out(said: str, span: str, readings: Sequence[Reading], cues: Cues) -> bool:
    """Whether calls took all steps that a sentence of an exchange announces, and more came behind.

    One without a step of its own, a look, is not known to be carried out.
    """
    place = next((n for n, each in enumerate(readings) if each.handle == span), None)
    left = steps_of(said, cues) if place is not None else ()
    if place is None or not left or place + 1 == len(readings):
        return False
    for reading in readings[place:]:
        taken = taken_in(reading)
        left = tuple(step for step in left if not takes(step, taken))
    return not left


def still_announced(
    readings: Sequence[Reading], handed_over: frozenset[str], cues: Cues
) -> list[tuple[Claim, tuple[Step, ...]]]:
    """The latest announcements with a step which no call has taken since, and these steps.

    `handed_over` are the spans in which the agent handed over to the user.
    """
    found: list[tuple[Claim, tuple[Step, ...]]] = []
    behind: set[tuple[str, str]] = set()
    for reading in reversed(readings):
        if reading.handle in handed_over or len(found) >= _MOST_OPEN:
            break
        taken = taken_in(reading)
        for each in reversed(announced_in(reading, cues)):
            if names_a_call(each.said, reading):
                continue
            since = behind if each.later else behind.union(taken)
            if left := tuple(step for step in each.steps if not takes(step, since)):
                found.append((promised(each.said, reading), left))
        behind.update(taken)
    return found[:_MOST_OPEN][::-1]


def promised(said: str, reading: Reading) -> Claim:
    """What was announced in an exchange, as open."""
    return open_promise(said, span=reading.handle, position=reading.position, rank=1.5)
