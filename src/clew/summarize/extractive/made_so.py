"""Reports of what was made: how a thing is now, told behind the change that made it so.

Such a sentence tells a choice. The same words in an explanation, where nothing was written since
the person spoke, say how a thing was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.reports import reported_of_work
from clew.tools_seen.seen import Action, Outcome

_SET_APART = re.compile(
    r"\b(?:instead\sof|rather\sthan|no\slonger|"
    r"(?<=[\w)`*,]\s)so\s(?:that(?!['\u2019]s)|it|the|they|we|nothing|no)\b|"
    r"to\s(?:avoid|keep|prevent|preserve|ensure|make\ssure|let)\b|ensures\b|by\sdefault|defaults?\sto|"
    r"(?:default|fallback)\sis|on\spurpose|unchanged|untouched|as-is|only\s(?:when|if|for|on)\b|never\s|"
    r"always\s|without\s\w+ing|regardless|falls?\sback|is\sskipped|are\sskipped|"
    r"now\s(?:uses?|returns?|requires?|reads?|checks?|skips?|goes|falls|takes?|resolves?|respects?|opens?|"
    r"accepts?|emits?|keeps?|shows?|captures?|says\sto)\b)"
    r"|\u2192\s\*{0,2}(?:opens?|pick|returns?|filters?|clear|quit|search|skip)"
    r"|,\snot\s|\*\*[^*\n]{3,60}\*\*\s\u2192\s",
    re.IGNORECASE,
)
_FOUND = re.compile(
    r"\b(?:pass(?:es|ed|ing)?|green|lint|verified|confirmed|root\scause|bug|problem|issue|because\sof|"
    r"fail(?:s|ed|ing|ure)?|coverage|could|might|would|may|unused|never\s(?:used|read|called)|still|"
    r"you\s(?:can|should|may|need)|if\syou|permission|prevents\sme|warning|error(?:s|ed)?|symptom|"
    r"corrections?|should|already|testing|looks?\slike|seems?|run\s`)\b|\?$|"
    r"^\W*(?:cause\b|test|verif|build|run|save|use|set|check|type|red|green|refactor|one\snote)\b",
    re.IGNORECASE,
)
"""Tells what was found, tried or is asked of somebody, whatever else it says."""
_TOLD_CHANGE = re.compile(
    r"^\W*(?:\d{1,2}[.)]\s)?(?:\*\*[^*\n]{2,60}\*\*[:\s\u2014\u2013-]*)?(?:i(?:['\u2019]ve|\shave)?\s"
    r"(?:also\s)?)?(?:replaced|changed|switched|moved|converted|swapped|made|limited|restricted|routed|"
    r"renamed|kept|wrapped|merged|split|set)\s[^\n]{3,160}?\s(?:with|to|into|before|behind|after|via|by|"
    r"instead|accept|so|as|from)\s"
    r"|^[^\n]{12,200},\s(?:preventing|avoiding|ensuring)\s\w",
    re.IGNORECASE,
)
"""Tells what a change put in the place of what, or what it keeps off."""
_SURER = 1.0
"""How much surer a report on changes is than what was said at work before it."""
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})


def told_as_made(
    claims: Sequence[Claim], readings: Sequence[Reading], handed_over: frozenset[str], cues: Cues
) -> list[Claim]:
    """The claims with more of the reports on changes, what tells how these made a thing as choices.

    `handed_over` are the spans in which the agent handed over to the user.
    """
    behind = _behind_changes(readings, handed_over)
    told = frozenset((_span_of(each), each.item.text) for each in claims)
    more = [
        each
        for reading in readings
        if reading.handle in behind
        for each in reported_of_work(reading, cues)
        if (reading.handle, each.item.text) not in told
    ]
    return [_by_report(each) if _span_of(each) in behind else each for each in (*claims, *more)]


def read_ahead(said: Iterable[str]) -> None:
    """Work out which of the sentences of a report tell how a thing was made."""
    for text in said:
        tells_how_made(text)


def _behind_changes(readings: Sequence[Reading], handed_over: frozenset[str]) -> frozenset[str]:
    """The reports in front of which files were written since a person spoke."""
    behind: set[str] = set()
    wrote = False
    for reading in readings:
        if reading.typed and not reading.calls:
            wrote = False
        wrote = wrote or any(
            call.action is Action.WRITE and call.outcome not in _NOT_DONE for call in reading.calls
        )
        if wrote and reading.handle in handed_over:
            behind.add(reading.handle)
    return frozenset(behind)


def _by_report(made: Claim) -> Claim:
    """What a report on changes says: a choice, or surer than what was said at work."""
    if made.item.kind != "fact" or made.item.said_by is not Speaker.AGENT:
        return made
    if tells_how_made(made.item.text):
        return replace(made, item=replace(made.item, kind="decision"))
    return replace(made, rank=made.rank + _SURER)


def _span_of(made: Claim) -> str:
    return made.item.evidence[0].span if made.item.evidence else ""


@lru_cache(maxsize=8_192)
def tells_how_made(text: str) -> bool:
    """Whether a sentence of a report says how a thing is now, set apart from how it could be."""
    set_apart = _SET_APART.search(text) is not None or _TOLD_CHANGE.match(text) is not None
    return set_apart and _FOUND.search(text) is None
