"""Facts that only a tool result carried: settings, counts and sentences with a qualifier."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import (
    bounds_of,
    line_around,
    looks_like_code,
    trimmed,
)
from clew.tools_seen.seen import Action, Outcome

SHORT_RESULT = 1_500
_MOST_PER_RESULT = 3
_LONGEST_LINE = 240
_SETTING = re.compile(
    r"^[ \t\"'`*-]{0,6}(?P<key>[A-Za-z_][\w.-]{1,40})[\"'`]?[ \t]*(?:=|:)[ \t]*"
    r"(?P<value>[\"'`]?[^\s{}\[\]()<>;,][^\n{}<>;]{0,100})$",
    re.MULTILINE,
)
_COUNT = re.compile(
    r"\d(?<![\w.'\"/-]\d)[\d.,]*[ \t]*(?:%|ms|s|MB|GB|KB|rows?|records?|files?|tests?|errors?|"
    r"warnings?|items?|users?|tenants?|tokens?|bytes|seconds|minutes|matches|duplicates?|"
    r"conflicts?|failures?|requests?|orders?)\b",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"^\s*---\s|^\s*(?:output|wall time|usage|commands|exit code|process exited|chunk id|total|"
    r"ok\b|\?|---|"
    r"=== |go: |npm |original token|tool_uses|total_tokens|duration|agentid|session_id|task_id|"
    r"\(?no output|command|directory|type|role|status|id|name|error|fatal|echo|modified|deleted|"
    r"new file|renamed|successfully|resolution|dependency|fail|remote|"
    r"\d+ files? changed|- ?files?)\b",
    re.IGNORECASE,
)
_QUOTED_SOURCE = re.compile(
    r"^\s*\d+\s*(?:[\u2192|\t]|:\s)|^\S+?[:-]\d+[:-]|^[0-9a-f]{7,40}:|^\s*(?://|#|\*|--)\s"
    r"|^\s*[A-Za-z_]\w*: .*,$|.*:$"
)
"""A line of a file as a reader or a search prints it, a field of a literal, or what opens a list:
it stands in the file, not in the world."""
_PAIRS = re.compile(r"(?:\w+: ?\S+, ?){2,}|^\w[\w.-]*: .*: No such file or directory")
"""Fields of a literal in a row, or a look at what is not there."""
_NO_SETTING = re.compile(
    r"^[\"'][^\n]*:\s*(?:[\"']|null\b|[A-Za-z_]\w*,$)"  # a member of a document, or a literal's
    r"|^[\w.]+ = (?!true\b|false\b)[A-Za-z_][^\"'\n]*$"  # an assignment of code
    r"|^[\w./-]+:[A-Za-z./]"  # a place in a tree, as a search prints it
    r"|^[\w-]+: [0-9a-f]{7,40}$"  # a trailer of a commit
    r"|^(?![^\n]*\d)[^=:\n]+[=:]\s(?![\"'])(?:[^#\s]+\s+){3,}[^#\n]*$",  # a sentence behind a colon
    re.IGNORECASE,
)
"""A line with a key and a value that sets nothing."""
_LOGGED = re.compile(
    r"^(?:\S+:\s)?(?:warn(?:ing)?|info|debug|notice)\b|^\w[\w.-]* : |^[0-9a-f]{7,40}\s",
    re.IGNORECASE,
)
"""What a program says of its own running, or an entry of a history."""
_MANUAL = re.compile(r"\btool use\b|final_file_content|<\w+>.*</\w+>", re.IGNORECASE)
"""What a harness tells its agent about the tools."""
_SHORT_NOTE = re.compile(
    r"^\W*(?:note|\w*:?\s?warning|important):\s(?:[^\W\d]\S*\s?){1,6}$", re.IGNORECASE
)
"""A note without a name or number; it says nothing that outlives its output."""
_PLANS = frozenset({Action.PLAN})


def facts_of_tools(reading: Reading, cues: Cues, used_later: frozenset[str]) -> list[Claim]:
    """A few lines of each result that state something with a number or a qualifier.

    Plain settings and counts qualify only when the agent itself wrote one of their identifiers
    (`used_later`): what nobody came back to is noise. So do sentences of a document: they stand
    in it, and most of them were read for something else.
    """
    made: list[Claim] = []
    for lines in _lines_of(reading, cues):
        told = [*_told(lines, used_later), *_stated(lines, used_later)]
        for line in {(each.text, each.rank): each for each in told}.values():
            used = not used_later.isdisjoint(line.names)
            made.append(
                claim(
                    "fact",
                    line.text,
                    span=reading.handle,
                    position=reading.position,
                    said_by=Speaker.TOOL,
                    rank=line.rank + (1.0 if used else 0.0),
                )
            )
    return made


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that may be a fact, with the identifiers in it."""

    text: str
    rank: float
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Lines:
    """What one result states: sentences with a qualifier, and plain counts and settings.

    A `document` is longer than what a command answers.
    """

    document: bool
    qualified: tuple[_Line, ...]
    counts: tuple[_Line, ...]
    settings: tuple[_Line, ...]


@once
def _lines_of(reading: Reading, cues: Cues) -> tuple[_Lines, ...]:
    failed = {Outcome.FAILED, Outcome.REFUSED}
    if reading.calls and all(call.outcome in failed for call in reading.calls):
        return ()
    if reading.calls and all(call.action in _PLANS for call in reading.calls):
        return ()
    found: list[_Lines] = []
    for result in reading.results:
        short = len(result) <= SHORT_RESULT
        lines = _Lines(
            document=not short,
            qualified=tuple(_qualified(result, cues)),
            counts=_plain(_COUNT, 0.8, result) if short else (),
            settings=_plain(_SETTING, 0.6, result) if short else (),
        )
        if lines.qualified or lines.counts or lines.settings:
            found.append(lines)
    return tuple(found)


def _qualified(result: str, cues: Cues) -> list[_Line]:
    """Sentences with a scope word; plain searches keep this quick on very long results."""
    found: list[_Line] = []
    lowered = result.lower()
    if len(lowered) != len(result):
        return found
    for phrase in cues.phrases["scope"]:
        at = lowered.find(phrase)
        if at < 0 or len(found) >= _MOST_PER_RESULT:
            continue
        start, end = bounds_of(result, at, at + len(phrase))
        line = trimmed(result, start, min(end, start + _LONGEST_LINE))
        whole = line_around(result, at)
        if _QUOTED_SOURCE.match(whole) or _MANUAL.search(line) or _NOISE.match(line):
            continue
        names = identifiers_in(line)
        if _SHORT_NOTE.match(line) is not None and not names:
            continue
        if len(line.split()) > 4 and not looks_like_code(line) and cues.has("scope", line):
            found.append(_Line(line, 1.0, names))
    return found


def _plain(pattern: re.Pattern[str], rank: float, result: str) -> tuple[_Line, ...]:
    """Lines with a count or a setting that stand for themselves and name something."""
    found: list[_Line] = []
    for match in pattern.finditer(result):
        line = line_around(result, match.start())
        names = identifiers_in(line)
        if not names or _NOISE.match(line) or looks_like_code(line):
            continue
        if pattern is _SETTING and _NO_SETTING.match(line) is not None:
            continue
        if not (_QUOTED_SOURCE.match(line) or _PAIRS.search(line)):
            found.append(_Line(line, rank, names))
    return tuple(found)


def _told(lines: _Lines, used_later: frozenset[str]) -> list[_Line]:
    """The sentences with a qualifier, those of a document only where the agent uses a name."""
    if not lines.document:
        return [
            line
            for line in lines.qualified
            if not used_later.isdisjoint(line.names) or _LOGGED.match(line.text) is None
        ]
    return [line for line in lines.qualified if not used_later.isdisjoint(line.names)]


def _stated(lines: _Lines, used_later: frozenset[str]) -> list[_Line]:
    """The plain lines whose key or number the agent itself wrote."""
    found: list[_Line] = []
    for kind in (lines.counts, lines.settings):
        used = [line for line in kind if not used_later.isdisjoint(line.names)]
        found.extend(used[:_MOST_PER_RESULT])
    return found
