"""Facts that only a tool result carried: settings, counts and sentences with a qualifier."""

from __future__ import annotations

import re

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import bounds_of, trimmed

SHORT_RESULT = 1_500
_MOST_PER_RESULT = 4
_SETTING = re.compile(
    r"^[\s\"'`*-]{0,6}(?P<key>[A-Za-z_][\w.-]{1,40})[\"'`]?\s*(?:=|:)\s*"
    r"(?P<value>[\"'`]?[^\s{}\[\]()<>;,][^\n{}<>;]{0,100})$",
    re.MULTILINE,
)
_COUNT = re.compile(
    r"^[^\n]{0,120}?\b\d[\d,.]*\s*(?:%|ms|s|MB|GB|KB|rows?|records?|files?|tests?|errors?|"
    r"warnings?|items?|users?|tenants?|tokens?|bytes|seconds|minutes|matches|duplicates?|"
    r"conflicts?|failures?|requests?|orders?)\b[^\n]{0,120}$",
    re.MULTILINE | re.IGNORECASE,
)
_CODE = re.compile(r"[{};]\s*$|^\s*(?:import|from|def|class|func|return|if|for|const|let|var)\b|=>")


def facts_of_tools(reading: Reading, cues: Cues) -> list[Claim]:
    """A few lines of each result that state something with a number or a qualifier."""
    made: list[Claim] = []
    for result in reading.results:
        lines = _qualified(result, cues)
        if len(result) <= SHORT_RESULT:
            lines += _stated(result)
        for line, rank in dict.fromkeys(lines):
            made.append(
                claim(
                    "fact",
                    line,
                    span=reading.handle,
                    position=reading.position,
                    said_by=Speaker.TOOL,
                    rank=rank + (0.5 if identifiers_in(line) else 0.0),
                )
            )
    return made


def _qualified(result: str, cues: Cues) -> list[tuple[str, float]]:
    """Lines with a scope word; plain searches keep this quick on very long results."""
    found: list[tuple[str, float]] = []
    lowered = result.lower()
    if len(lowered) != len(result):
        return found
    for phrase in cues.phrases["scope"]:
        at = lowered.find(phrase)
        if at < 0 or len(found) >= _MOST_PER_RESULT:
            continue
        start, end = bounds_of(result, at, at + len(phrase))
        line = trimmed(result, start, end)
        if len(line.split()) > 3 and not _CODE.search(line) and cues.has("scope", line):
            found.append((line, 1.5))
    return found


def _stated(result: str) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    for match in _COUNT.finditer(result):
        line = match.group(0).strip()
        if len(found) < _MOST_PER_RESULT and not _CODE.search(line):
            found.append((line, 1.0))
    settings = [m for m in _SETTING.finditer(result) if not _CODE.search(m.group(0))]
    found.extend((match.group(0).strip(), 0.7) for match in settings[:_MOST_PER_RESULT])
    return found
