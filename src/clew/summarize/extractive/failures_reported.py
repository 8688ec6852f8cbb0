"""Failures that a person reports: of what the agent handed over, in words or as a paste."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Evidence, Speaker
from clew.summarize.extractive.admissions import LABEL, with_more
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.failed_calls import SAYS_WHY
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    first_line,
    looks_like_code,
    sentences_with,
    shortened,
)
from clew.summarize.extractive.verdicts import is_error_line
from clew.tools_seen.decisive import decisive_line
from clew.tools_seen.seen import Action, CallSeen, Outcome
from clew.tools_seen.slash_commands import is_slash_command

_LONGEST_REPORT = 700
"""A longer message is a request or a paste, with failures that are nobody's report."""

_LONGEST_PASTE = 6_000
_OPENING = 160
_LONGEST_TRIED = 120
_LONGEST_SAID = 200
_FEWEST_WORDS = 3
_WISHED = re.compile(
    r"^\W*(?:please\s)?(?:don['\u2019]?t|do\snot|never|make\ssure|ensure|if|whenever|when\syou|"
    r"unless|maybe|perhaps|(?:so\s)?(?:could|can|should)\s(?:we|you|i|it)|let['\u2019]?s|how\sabout|"
    r"what\sabout|i['\u2019]d\slike|i\swant|we\sshould|it\sshould)\b",
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
_NOT_DONE = re.compile(
    r"\b(?:could\snot|couldn['\u2019]t|cannot|can['\u2019]t)\s(?:be\s)?(?:execut|run|complet|access|perform|"
    r"finish|install|connect|verif|reach|open|creat|writ|read|fetch|download|push|pull|commit)\w*"
    r"|\b(?:was|were|am|is|are)\s(?:unable\sto|not\sable\sto|interrupted\sby|blocked\sby|denied\s)"
    r"|\bran\sout\sof\s(?:time|turns|tokens|budget)\b",
    re.IGNORECASE,
)
"""What a helper was given to do and did not."""
_KEY = re.compile(r"^\W*\"?\w+\"?:\s*\"(?=\w|`)")
"""The name of a field of JSON in front of a sentence."""
_LONGEST_OF_A_HELPER, _MOST_TOLD = 8_000, 2
_OF_A_HELPER = 0.9
TRYING = frozenset({Action.RUN, Action.WRITE, Action.EFFECT, Action.OTHER})
FAILED = frozenset({Outcome.FAILED, Outcome.REFUSED})


def reported_failures(readings: Sequence[Reading], cues: Cues) -> list[Claim]:
    """Messages of the user that say, or paste, that what the agent handed over does not work."""
    made: list[Claim] = []
    tried: tuple[Reading, str] | None = None
    for reading in readings:
        for pasted, said in reports_in(reading, cues) if reading.typed else ():
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
def reports_in(reading: Reading, cues: Cues) -> tuple[tuple[Claim | None, str], ...]:
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
    told, named_there = told_as_done(reading, cues)
    return (reading, told) if told and (named_there or before is None) else before


@once
def told_as_done(reading: Reading, cues: Cues) -> tuple[str, bool]:
    """What one exchange tried, or else says that it did, and whether that names something."""
    call = next((c for c in reversed(reading.calls) if c.action in TRYING and named(c)), None)
    if call is not None and call.outcome not in FAILED:
        return named(call), True
    said = _first_statement(reading.prose[-1]) if reading.prose else ""
    if said and identifiers_in(said):
        return said, True
    return said if cues.has("done", said) else "", False


def _first_statement(text: str) -> str:
    """The first sentence that says something, of a final answer mostly what was done."""
    line = first_line(LABEL.sub("", text), most=400).strip()
    parts = re.split(r"(?<=[.!])\s+", line)
    return next((p for p in parts if len(p.split()) >= _FEWEST_WORDS), "")


def named(call: CallSeen) -> str:
    """The command of a call, else its tool and what it touched."""
    return call.command or f"{call.tool} {call.resource}".strip()


def quoted(tried: str, reading: Reading) -> str:
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
        evidence=(Evidence(span=before.handle, quote=quoted(tried, before)),),
        rank=2.0,
    )


def helpers_failures(readings: Sequence[Reading]) -> list[Claim]:
    """What helpers report that they could not do."""
    return [made for reading in readings for made in not_done_by_helpers(reading)]


@once
def not_done_by_helpers(reading: Reading) -> tuple[Claim, ...]:
    """The sentences of the reports in one exchange that say what a helper could not do."""
    if not reading.calls or any(c.action is not Action.DELEGATE for c in reading.calls):
        return ()
    said = {
        _KEY.sub("", sentence.text).rstrip('",} '): None
        for result in reading.results
        for sentence in sentences_with(_NOT_DONE, result[:_LONGEST_OF_A_HELPER], most=_MOST_TOLD)
    }
    return tuple(
        claim(
            "dead_end",
            each,
            text=f"a helper \u2192 {each}",
            span=reading.handle,
            position=reading.position,
            said_by=Speaker.TOOL,
            rank=_OF_A_HELPER,
        )
        for each in said
        if len(each.split()) > _FEWEST_WORDS and not looks_like_code(each)
    )
