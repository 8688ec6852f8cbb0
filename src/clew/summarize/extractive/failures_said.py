"""Failures told in words: by the user about what the agent handed over, by the agent about a call.

A command that ended well may still not have done what it was for. Only somebody's words say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from clew.record.items import Evidence, Speaker
from clew.summarize.extractive.admissions import (
    LABEL,
    STILL,
    account,
    admission,
    quoted_error,
    repeats,
    takes_back,
    with_more,
)
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.failed_calls import SAYS_WHY
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.own_mistakes import mistakes_in, own_mistakes
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.rejected_ideas import ideas_in, rejected_ideas
from clew.summarize.extractive.sentences import (
    first_line,
    looks_like_code,
    sentences_with,
    shortened,
    topic_words,
)
from clew.summarize.extractive.stating import says_how_it_is
from clew.summarize.extractive.verdicts import is_error_line
from clew.tools_seen.decisive import decisive_line
from clew.tools_seen.seen import Action, CallSeen, Outcome
from clew.tools_seen.slash_commands import is_slash_command

_LONGEST_REPORT = 700
"""A longer message is a request or a paste, with failures that are nobody's report."""

_LONGEST_PASTE = 6_000
_OPENING = 160
_EXPLAINED = 0.3
"""What the agent's own account adds to the rank of a failed call."""
_LONGEST_TRIED = 120
_LONGEST_SAID = 200
_FEWEST_WORDS = 3
_FEW_MESSAGES = 8
_WISHED = re.compile(
    r"^\W*(?:please\s)?(?:don['\u2019]?t|do\snot|never|make\ssure|ensure|if|whenever|when\syou|"
    r"unless|maybe|perhaps|(?:so\s)?(?:could|can|should)\s(?:we|you|i|it)|let['\u2019]?s|how\sabout|"
    r"what\sabout|i['\u2019]d\slike|i\swant|we\sshould|it\sshould)\b",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(
    r"^\W*(?:please always|please (?:provide|use|call|format)|error\b|invalid\b|no (?:tool|action|"
    r"valid)\b|you (?:must|did not|didn't|have to)\b|your (?:last|previous) )",
    re.IGNORECASE,
)
_PROMPT = re.compile(
    r"^(?:[^\n]{0,80}[$%❯] |\w[^\n]{0,80}[@:][^\n]{0,80}# |[>➜] (?:[^\n]{0,60}\) )?)"
    r"(?P<command>[A-Za-z./][^\n]{2,200})$",
    re.MULTILINE,
)
_ERROR_LINE = re.compile(
    r"^\W*(?:[\w.]*(?:Error|Exception)\b[^:\n]*: |error\b ?[:\[(]|fatal: |panic: |ERROR\b|"
    r"npm ERR!|FAILED |--- FAIL|"
    r"\S+: (?:[^\n]{0,80}: )?(?:no such|command not found|unrecogni[sz]ed|unknown|invalid|cannot|"
    r"can't|"
    r"permission denied|not found|error:|illegal|failed))|error TS\d+|: error\b",
    re.IGNORECASE,
)
_VERDICT = re.compile(
    r"(?:^\W*|(?<=[.!,;] ))(?:no\W+)?(?:your?|the|that|this)\s(?:last|previous|latest|newest|"
    r"recent)\s(?:\w+\s)?(?:fix|"
    r"change|edit|update|version|attempt|commit|patch|answer|try|one)\b[^?\n]*"
    r"(?:\b(?:no|not|broke\w*|wrong|lost|gone|worse|nothing|removed|breaks?|result\w*\sin|caus\w+|"
    r"undid|missing|empty)\b|n['\u2019]t\b)[^?\n]*$",
    re.IGNORECASE,
)
"""What became of what was handed over, said of it by its place: "your last fix made it worse"."""
_TRYING = frozenset({Action.RUN, Action.WRITE, Action.EFFECT, Action.OTHER})
_CHANGING = frozenset({Action.WRITE, Action.EFFECT})
_FAILED = frozenset({Outcome.FAILED, Outcome.REFUSED})


def reported_failures(readings: Sequence[Reading], cues: Cues) -> list[Claim]:
    """Messages of the user that say, or paste, that what the agent handed over does not work."""
    made: list[Claim] = []
    tried: tuple[Reading, str] | None = None
    for reading in readings:
        for pasted, said in _reports(reading, cues):
            if pasted is not None:
                made.append(pasted)
            elif said and tried is not None:
                made.append(_told_by_user(said, reading, *tried))
        # A command to the agent's program leaves the answer before it standing.
        if not all(map(is_slash_command, reading.typed)):
            tried = None
        tried = _handed_over(reading, tried, cues)
    return made


@once
def _reports(reading: Reading, cues: Cues) -> tuple[tuple[Claim | None, str], ...]:
    """What each message of the user pastes of a command that failed, or says of a failure."""
    return tuple(
        (_pasted(text, reading), _report(text, cues) or _pasted_error(text))
        for text in reading.typed
    )


def _pasted(text: str, reading: Reading) -> Claim | None:
    """A command that the user ran and pasted with the error it ended in."""
    ran = _PROMPT.search(text[:_LONGEST_PASTE])
    if ran is None:
        return None
    error = decisive_line(text[ran.end() : _LONGEST_PASTE])[:_LONGEST_SAID].rstrip()
    if not error or error not in text or SAYS_WHY.search(error) is None or looks_like_code(error):
        return None
    command = ran["command"].strip()
    return claim(
        "dead_end",
        error,
        text=f"{shortened(command, _LONGEST_TRIED)} → {error}",
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.USER,
        evidence=(Evidence(span=reading.handle, quote=command),),
        fields=(("error", error),),
        rank=2.0,
    )


def _pasted_error(text: str) -> str:
    """The line of a pasted output that says what failed; empty where nothing is pasted."""
    if len(text) > _LONGEST_PASTE:
        return ""
    if "\n" not in (line := text.strip()):
        return line if is_error_line(line) and len(line) <= _LONGEST_SAID else ""
    error = decisive_line(text)[:_LONGEST_SAID].rstrip()
    if not error or error not in text or _ERROR_LINE.search(error) is None:
        return ""
    return "" if looks_like_code(error) or _WISHED.match(error) else error


def _report(text: str, cues: Cues) -> str:
    """The sentence of a short message that reports a failure, or nothing."""
    if len(text) > _LONGEST_REPORT:
        return ""
    if (verdict := _VERDICT.search(text[:_OPENING])) is not None:
        return verdict.group()[:_LONGEST_SAID].rstrip()
    for sentence in sentences_with(cues.patterns["failure"], text, most=4):
        asks = sentence.text.rstrip().endswith(("?", "\uff1f"))
        if sentence.start > _OPENING or asks or _WISHED.match(sentence.text):
            continue
        if not looks_like_code(sentence.text):
            return with_more(sentence, text)
    return ""


def _handed_over(
    reading: Reading, before: tuple[Reading, str] | None, cues: Cues
) -> tuple[Reading, str] | None:
    """What the agent said that it had done; where that names nothing, with the call before it."""
    call = next((c for c in reversed(reading.calls) if c.action in _TRYING and _named(c)), None)
    if call is not None and call.outcome not in _FAILED:
        return reading, _named(call)
    said, names, done = _report_of(reading, cues)
    if said and (names or (before is None and done)):
        return reading, said
    return before


@once
def _report_of(reading: Reading, cues: Cues) -> tuple[str, bool, bool]:
    """What a message of the agent says first, and whether it names something or tells of an end."""
    said = _first_statement(reading.prose[-1]) if reading.prose else ""
    return said, bool(identifiers_in(said)), bool(said) and cues.has("done", said)


def _first_statement(text: str) -> str:
    """The first sentence that says something, of a final answer mostly what was done."""
    line = first_line(LABEL.sub("", text), most=400).strip()
    parts = re.split(r"(?<=[.!])\s+", line)
    return next((p for p in parts if len(p.split()) >= _FEWEST_WORDS), "")


def _named(call: CallSeen) -> str:
    return call.command or f"{call.tool} {call.resource}".strip()


def _quoted(tried: str, reading: Reading) -> str:
    """What was tried as it stands in its span: the whole, or what its tool was called with."""
    written = (*reading.arguments, *reading.prose)
    for piece in (tried, tried.partition(" ")[2]):
        if piece and any(piece in text for text in written):
            return piece
    return ""


def _told_by_user(said: str, reading: Reading, before: Reading, tried: str) -> Claim:
    return claim(
        "dead_end",
        said,
        text=f"{shortened(tried, _LONGEST_TRIED)} → {said}",
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.USER,
        evidence=(Evidence(span=before.handle, quote=_quoted(tried, before)),),
        rank=2.0,
    )


def admitted_failures(
    readings: Sequence[Reading], dead: Sequence[Claim], solved: frozenset[str], cues: Cues
) -> list[Claim]:
    """The failed calls with what the agent said of them, and failures that only it tells of.

    `solved` are spans whose failed calls worked later: words about those are over as well.
    """
    heard = _Heard(dead=dead, solved=solved)
    changed: Reading | None = None
    for place, (before, reading) in enumerate(pairwise(readings)):
        changed = before if any(call.action in _CHANGING for call in before.calls) else changed
        if reading.typed or not (before.calls or before.results):
            continue
        tried = _tried(before, readings[place - 1] if place else None)
        if tried is not None and not _trying(tried):
            # What a look shows to be wrong is what the change before it did.
            tried = changed if takes_back(reading) or _near(changed, reading) else tried
        if tried is None:
            continue
        said = admission(reading, cues)
        if said is None:
            heard.account(account(reading), reading, tried, before)
        else:
            heard.admit(said, reading, tried, before)
    return [*heard.kept.values(), *heard.told, *own_mistakes(readings), *rejected_ideas(readings)]


class _Heard:
    """The failed calls while what the agent says of them is put to them, and what only it tells."""

    def __init__(self, *, dead: Sequence[Claim], solved: frozenset[str]) -> None:
        self._known = {evidence.span: id(made) for made in dead for evidence in made.item.evidence}
        self._solved = solved
        self.kept = {id(made): made for made in dead}
        self.told: list[Claim] = []

    def account(self, said: str, reading: Reading, tried: Reading, before: Reading) -> None:
        """Put the first words behind a failed call into its evidence."""
        place = self._failed(tried, before)
        if said and place is not None:
            self.kept[place] = _resting_on(self.kept[place], said, reading)

    def admit(self, said: str, reading: Reading, tried: Reading, before: Reading) -> None:
        """Take in that something did not do what it should."""
        place = self._failed(tried, before)
        if place is None and repeats(said) and _only_wrote(before):
            return  # Who runs a check again behind a change says nothing of a failure.
        still = STILL.search(said) is not None
        if place is None:
            # Words about a failure that is over are over as well; a way that still failed is not.
            over = tried.handle in self._solved or before.handle in self._solved
            if over and not still:
                return
            if _trying(tried) and (still or _says_how(said, reading)):
                self.told.append(_told_by_agent(said, reading, tried))
            elif repeats(said):
                self.told.append(_told_by_agent(said, reading, before if before.calls else tried))
        elif not self.kept[place].item.why:
            self.kept[place] = _explained(self.kept[place], said, reading)
        elif still:
            self.told.append(_told_by_agent(said, reading, tried))
        else:
            self.kept[place] = _resting_on(self.kept[place], said, reading)

    def _failed(self, tried: Reading, before: Reading) -> int | None:
        return self._known.get(tried.handle) or self._known.get(before.handle)


def _only_wrote(reading: Reading) -> bool:
    """Whether all that an exchange did was to edit files, and it did it."""
    calls = reading.calls
    return bool(calls) and all(
        call.action is Action.WRITE and not call.command and call.outcome not in _FAILED
        for call in calls
    )


def _says_how(said: str, reading: Reading) -> bool:
    """Whether a sentence says what went wrong, not what is done about it."""
    return says_how_it_is(said) or said == quoted_error(reading)


def read_ahead(reading: Reading, cues: Cues) -> None:
    """Work out what one exchange says of failures, whatever the others say."""
    admission(reading, cues)
    account(reading)
    mistakes_in(reading)
    ideas_in(reading)
    takes_back(reading)
    quoted_error(reading)
    _report_of(reading, cues)
    _reports(reading, cues)


def _tried(before: Reading, earlier: Reading | None) -> Reading | None:
    """The exchange with the call whose result was read: the one before where calls are text."""
    if before.calls:
        return before
    return earlier if earlier is not None and earlier.calls else None


def _near(changed: Reading | None, reading: Reading) -> bool:
    return changed is not None and reading.position - changed.position <= _FEW_MESSAGES


def _trying(reading: Reading) -> bool:
    return any(call.action in _TRYING for call in reading.calls)


def _told_by_agent(said: str, reading: Reading, before: Reading) -> Claim:
    call = next((c for c in reversed(before.calls) if c.action in _TRYING), before.calls[-1])
    beside = before.position + len(before.calls) >= reading.position - 2
    beside = beside or takes_back(reading)
    about = beside or not topic_words(said).isdisjoint(topic_words(_named(call)))
    tried = shortened(_named(call), 100) if about else ""
    tried_there = (Evidence(span=before.handle, quote=_quoted(_named(call), before)),)
    return claim(
        "dead_end",
        said,
        text=f"{tried} → {said}" if tried else said,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        evidence=(*_repeated(said, reading), *tried_there) if about else _repeated(said, reading),
        rank=1.2,
    )


def _repeated(said: str, reading: Reading) -> tuple[Evidence, ...]:
    """The error line that stands beside what the agent said of it."""
    error = quoted_error(reading)
    return (Evidence(span=reading.handle, quote=error),) if error and error not in said else ()


def _resting_on(made: Claim, said: str, reading: Reading) -> Claim:
    """The claim with the first words behind it in its evidence; they take no room of the view."""
    evidence = (*made.item.evidence, Evidence(span=reading.handle, quote=said))
    return replace(made, item=replace(made.item, evidence=evidence))


def _explained(made: Claim, said: str, reading: Reading) -> Claim:
    evidence = (*made.item.evidence, Evidence(span=reading.handle, quote=said))
    item = replace(made.item, why=said, evidence=evidence)
    return replace(made, item=item, rank=made.rank + _EXPLAINED)


def refused_answers(readings: Sequence[Reading]) -> list[Claim]:
    """What the agent's program would not take from it, once for each complaint."""
    made: dict[str, Claim] = {}
    for reading in readings:
        bare = not (reading.typed or reading.prose or reading.calls or reading.results)
        line = (
            first_line(reading.harness[0], most=_LONGEST_SAID) if bare and reading.harness else ""
        )
        if line and not line.endswith("…") and _COMPLAINT.match(line):
            made[line] = claim(
                "dead_end",
                line,
                text=f"an answer that was refused → {line}",
                span=reading.handle,
                position=reading.position,
                said_by=Speaker.TOOL,
                rank=1.5,
            )
    return list(made.values())
