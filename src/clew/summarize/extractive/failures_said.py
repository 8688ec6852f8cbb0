"""Failures told in words: by the user about what the agent handed over, by the agent about a call.

A command that ended well may still not have done what it was for. Only somebody's words say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from clew.record.items import Evidence, Speaker
from clew.summarize.extractive.actions import SAYS_WHY
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.conclusions import first_statement, says_how_it_is
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    Sentence,
    first_line,
    looks_like_code,
    sentences_with,
    shortened,
    topic_words,
)
from clew.tools_seen.decisive import decisive_line
from clew.tools_seen.seen import Action, CallSeen, Outcome

_LONGEST_REPORT = 700
"""A longer message is a request or a paste, with failures that are nobody's report."""

_LONGEST_PASTE = 6_000
_OPENING = 160
_REACTION = 900
_EXPLAINED = 0.3
"""What the agent's own account adds to the rank of a failed call."""
_LONGEST_TRIED = 120
_LONGEST_SAID = 200
_FEWEST_WORDS = 3
_FEW_MESSAGES = 8
_FEW_WORDS = 6
_WISHED = re.compile(
    r"^\W*(?:please\s)?(?:don['\u2019]?t|do\snot|never|make\ssure|ensure|if|whenever|when\syou|unless)\b",
    re.IGNORECASE,
)
_NOT_SAID_TO_BE = re.compile(
    r"\b(?:may|might|maybe|perhaps|could(?!n)|would(?!n)|should(?!n)|whether|in\scase|see\sif|"
    r"check|verify|expect(?:s|ed)?|intended|so\sthat|no\slonger|until|unless|fixed|resolved|"
    r"(?:i|we)\swon['\u2019]t|wondering|used\sto|previously|before|root\scause|was\sfailing|were\sfailing|"
    r"the\suser\s(?:says|said|wants|asks|asked|reports|is|provided))\b|^\W*if\b|\bif\s(?:it|the|this|that|you|we|i)\b",
    re.IGNORECASE,
)
_INTENDED = re.compile(
    r"^\W*(?:(?:thought|now|next|first|then|so|ok(?:ay)?|and)\W+)*"
    r"(?:wait\b|let\sme|let['\u2019]s|i\swill|i['\u2019]ll|i\sneed|i\sshould|i\scan\b|we\scan\b|to\s)",
    re.IGNORECASE,
)
_STILL = re.compile(r"\bstill\b", re.IGNORECASE)
_STEPS_BACK = ("undo", "revert", "restor", "roll back", "back out", "take back")
_UNDOES = re.compile(
    r"(?:i['\u2019]ll|i\swill|let\sme|i\sneed\sto|i\sshould|i\shave\sto|let['\u2019]s|i['\u2019]m)\s(?:first\s|now\s)?"
    r"(?:undo|revert|restor|roll\sback|back\sout|take\sback)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\W*THOUGHT:\s*", re.IGNORECASE)
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
_TRYING = frozenset({Action.RUN, Action.WRITE, Action.EFFECT, Action.OTHER})
_CHANGING = frozenset({Action.WRITE, Action.EFFECT})
_FAILED = frozenset({Outcome.FAILED, Outcome.REFUSED})


def reported_failures(readings: Sequence[Reading], cues: Cues) -> list[Claim]:
    """Short messages of the user that say that what the agent handed over does not work."""
    made: list[Claim] = []
    tried: tuple[Reading, str] | None = None
    for reading in readings:
        for text in reading.typed:
            said = _report(text, cues)
            if (pasted := _pasted(text, reading)) is not None:
                made.append(pasted)
            elif said and tried is not None:
                made.append(_told_by_user(said, reading, *tried))
        if reading.typed:
            tried = None
        tried = _handed_over(reading, tried, cues)
    return made


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


def _report(text: str, cues: Cues) -> str:
    """The sentence of a short message that reports a failure, or nothing."""
    if len(text) > _LONGEST_REPORT:
        return ""
    for sentence in sentences_with(cues.patterns["failure"], text, most=4):
        asks = sentence.text.rstrip().endswith(("?", "\uff1f"))
        if sentence.start > _OPENING or asks or _WISHED.match(sentence.text):
            continue
        if not looks_like_code(sentence.text):
            return _with_more(sentence, text)
    return ""


def _with_more(sentence: Sentence, text: str) -> str:
    """The sentence, with what stands behind it on the line where it is only a few words."""
    said = sentence.text
    start = text.find(said)
    if len(said.split()) < _FEW_WORDS and start >= 0:
        end = text.find("\n", start)
        said = text[start : end if end >= 0 else len(text)]
    return said[:_LONGEST_SAID].rstrip()


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
    line = first_line(_LABEL.sub("", text), most=400).strip()
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
    known = {evidence.span: made for made in dead for evidence in made.item.evidence}
    kept = {id(made): made for made in dead}
    told: list[Claim] = []
    changed: Reading | None = None
    for place, (before, reading) in enumerate(pairwise(readings)):
        changed = before if any(call.action in _CHANGING for call in before.calls) else changed
        if reading.typed or not (before.calls or before.results):
            continue
        tried = _tried(before, readings[place - 1] if place else None)
        if tried is not None and not _trying(tried):
            # What a look shows to be wrong is what the change before it did.
            tried = changed if _takes_back(reading) or _near(changed, reading) else tried
        said = _admission(reading, cues)
        if said is None or tried is None:
            continue
        # Words about a failure that is over are over as well; a way that still failed is not.
        over = tried.handle in solved or before.handle in solved
        if over and _STILL.search(said) is None:
            continue
        failed = known.get(tried.handle) or known.get(before.handle)
        if failed is None and (not _trying(tried) or not says_how_it_is(said)):
            continue
        if failed is None:
            told.append(_told_by_agent(said, reading, tried))
        elif not kept[id(failed)].item.why:
            kept[id(failed)] = _explained(kept[id(failed)], said, reading)
    return [*kept.values(), *told]


def read_ahead(reading: Reading, cues: Cues) -> None:
    """Work out what one exchange says of failures, whatever the others say."""
    _admission(reading, cues)
    _report_of(reading, cues)


def _tried(before: Reading, earlier: Reading | None) -> Reading | None:
    """The exchange with the call whose result was read: the one before where calls are text."""
    if before.calls:
        return before
    return earlier if earlier is not None and earlier.calls else None


def _near(changed: Reading | None, reading: Reading) -> bool:
    return changed is not None and reading.position - changed.position <= _FEW_MESSAGES


def _trying(reading: Reading) -> bool:
    return any(call.action in _TRYING for call in reading.calls)


@once
def _admission(reading: Reading, cues: Cues) -> str | None:
    """The sentence with which the agent takes in that something did not do what it should."""
    for text in (*reading.prose[:1], *reading.reasoning[:1]):
        for sentence in sentences_with(cues.patterns["failure"], text[:_REACTION], most=6):
            if _admits(sentence):
                return _LABEL.sub("", _with_more(sentence, text))
    # Who takes a step back says before it what the step had done.
    return first_statement(reading) if _takes_back(reading) else None


def _takes_back(reading: Reading) -> bool:
    opening = reading.prose[0][:_REACTION] if reading.prose else ""
    stepped = any(word in opening for word in _STEPS_BACK)
    return stepped and _UNDOES.search(opening) is not None


def _admits(sentence: Sentence) -> bool:
    text = _LABEL.sub("", sentence.text)
    if len(text.split()) < _FEWEST_WORDS or text.rstrip().endswith(("?", "\uff1f", ":", "\uff1a")):
        return False
    if _NOT_SAID_TO_BE.search(text) or _INTENDED.match(text):
        return False
    return not looks_like_code(text)


def _told_by_agent(said: str, reading: Reading, before: Reading) -> Claim:
    call = next((c for c in reversed(before.calls) if c.action in _TRYING), before.calls[-1])
    beside = before.position + len(before.calls) >= reading.position - 2
    beside = beside or _takes_back(reading)
    about = beside or not topic_words(said).isdisjoint(topic_words(_named(call)))
    tried = shortened(_named(call), 100) if about else ""
    return claim(
        "dead_end",
        said,
        text=f"{tried} → {said}" if tried else said,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        evidence=(Evidence(span=before.handle, quote=_quoted(_named(call), before)),)
        if about
        else (),
        rank=1.2,
    )


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
