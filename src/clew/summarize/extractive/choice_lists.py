"""Choices that a list, a label or a pick tells: what is left out and why, "The fix: …"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from clew.record.items import Rejected, Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.lists import entries_of, is_heading
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import LONGEST_QUOTE, shortened
from clew.tools_seen.json_text import object_in
from clew.tools_seen.seen import Action
from clew.tools_seen.worded import worded

_LONGEST_MESSAGE = 12_000
_LONGEST_HEADING = 120
_MOST_ENTRIES = 6
_MOST_LABELLED = 4
_FEWEST_WORDS = 4
_LEFT_OUT = re.compile(
    r"^[\W\d]*(?:(?:i['\u2019]ll|i['\u2019]m|i|we['\u2019]ll|what\si|things\si|"
    r"items\si)\s)?(?:skip(?:ping|ped)?|won['\u2019]t\s\w+|"
    r"will\snot\s\w+|not\s(?:fix|do|chang|address|touch|includ|port|add)\w*|"
    r"(?:explicitly\s)?out\sof\sscope|"
    r"non-?goals|left\s(?:as[-\s]is|alone|unchanged|out)|leav(?:e|ing)\s(?:as[-\s]is|alone|out)|"
    r"deliberately\s\w+|intentionally\s\w+|exclud(?:e|ed|ing)|deferr(?:ed|ing)|ignor(?:e|ed|"
    r"ing))\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"\s(?:\u2014|\u2013|-)\s(?P<said>[^\n]{8,})$|\((?P<held>[^()\n]{8,}(?:\([^()]*\)[^()\n]*)*)\)\W*$"
)
_LABELLED = worded(
    r"(?:^|(?<=[.!?] ))[ \t*_>-]{0,6}(?:\d{1,2}[.)] )?[*_]{0,2}(?P<lead>(?:(?:the|my|proposed|"
    r"chosen|final|actual|right)\s)?"
    r"(?:fix|approach|decision|solution|resolution|remedy|design|choice|trade-?off|implementation)"
    r"(?:\s(?:is|here|chosen|made))?)[*_]{0,2}\s?(?::|\u2014|\u2192)[*_]{0,2} +(?P<said>(?=\w|`|"
    r"\*)[^\n]{15,})$",
    needs="fix|approach|decision|solution|remedy|design|choice|trade|implementation",
    flags=re.IGNORECASE | re.MULTILINE,
)
_IT_IS = worded(
    r"(?:^|(?<=[.!] )|(?<=\n))(?P<said>[^.!?:\n]{4,90}?"
    r"(?<!where)(?<!what)(?<!how)(?<!\sas)(?<!than)\sit\sis)"
    r"(?=\s*(?:[.!,]|\u2014|\u2013|-|"
    r"$))[^.!?\n]{0,120}[.!]?",
    needs=" it is",
    flags=re.IGNORECASE,
)
_PICKS = worded(
    r"\b(?:(?:i['\u2019]ll|i\swill|let['\u2019]s|let\sme|we['\u2019]ll)\s)(?:\w+\s)?(?:implement|"
    r"do|go\swith|take|use|pick|try|"
    r"support|keep|add|build)\s(?:both|neither|only|just|(?:option|approach|variant|plan|path|"
    r"method|design)\s"
    r"(?:\w\b|\d)|the\s(?:first|second|third|former|latter|last)\s(?:one|option|approach|way|"
    r"method|of)\b)"
    r"[^.!?\n]{6,160}",
    needs="both|neither|only|just|option |approach |variant |plan |path |method |design |"
    "the first |the second |the third |the former |the latter |the last ",
    flags=re.IGNORECASE,
)
_CODE = re.compile(r"[{};]\s*$|=>|\)\s*\{|^\W*(?:import|from|def|class|func|return)\s")
_NOTHING = re.compile(r"^\W*(?:none|nothing|n/?a)\b", re.IGNORECASE)
_MOST_PLANNED = 3
_PLAN = re.compile(r"\b(?:plan|approach|method|strategy|design|solution|fix)\b", re.IGNORECASE)
_CHANGE_FOR = re.compile(
    r"^(?:\*\*[^*\n]{2,50}(?::\*\*|\*\*:?)\s*(?:\u2014|\u2013|-|:)?\s*)?[*_`]{0,2}(?:modify|"
    r"change|add|use|create|replace|move|keep|split|make|switch|wrap|store|build|extend|treat|"
    r"convert|reuse|introduce|extract|rename|enable|disable|route|limit|set|configure|pin|cap|drop|"
    r"remove|default|expose|require|return)\b[^\n]{12,}?\b(?:to|that|which|so|by|instead|rather|"
    r"using|with|only|from)\b",
    re.IGNORECASE,
)
_DECISIONS = re.compile(
    r"^[#*\s\d.]*(?:(?:key|main|design|technical|architectural?|implementation)\s){0,2}"
    r"(?:decisions?|choices|design|trade-?offs|(?:development\s|coding\s)?conventions)\W*$",
    re.IGNORECASE,
)
_PLAN_FILE = re.compile(
    r"(?:\bplans?\b|\bdesigns?\b|proposal|\badr\b)[^/]*(?:/[^/]*)?\.md$", re.IGNORECASE
)
_WRITTEN = ("content", "new_string", "plan", "text")
_UNSURE = re.compile(r"\?\s*$|\b(?:if\syou|would\syou|should\sI|maybe|perhaps)\b", re.IGNORECASE)


@once
def listed_choices(reading: Reading) -> tuple[Claim, ...]:
    """The choices that lists, labels and picks of one message tell."""
    made: dict[str, Claim] = {}
    for text in reading.prose:
        shown = text[-_LONGEST_MESSAGE:]
        for heading, entry in _left_out(shown):
            made.setdefault(entry, _left_out_claim(heading, entry, reading))
        for said in _said(shown):
            made.setdefault(said, _told(said, reading))
    for text in _plans_written(reading):
        for said in _decided_in(text):
            made.setdefault(said, _told(said, reading))
    return tuple(made.values())


def _plans_written(reading: Reading) -> Iterator[str]:
    """What calls of an exchange wrote into plans and designs, or handed over as a plan."""
    if not any(
        call.action is Action.PLAN
        or (call.action is Action.WRITE and _PLAN_FILE.search(call.resource))
        for call in reading.calls
    ):
        return
    for arguments in reading.arguments:
        given = object_in(arguments)
        for name in _WRITTEN:
            if isinstance(text := given.get(name), str):
                yield text[:_LONGEST_MESSAGE]


def _decided_in(text: str) -> Iterator[str]:
    """The entries of a list under a heading that says that they are choices."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if len(line) > _LONGEST_HEADING or not is_heading(line) or not _DECISIONS.match(line):
            continue
        below = lines[place + 1 :]
        while below and not below[0].strip():
            below = below[1:]
        for entry in _entries(below):
            # What JSON writes with another sign does not stand in the call word for word.
            if _is_choice(entry, entry) and '"' not in entry and "\\" not in entry:
                yield entry


def _left_out(text: str) -> Iterator[tuple[str, str]]:
    """The entries of lists of what is not done, with their headings."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        bare = line.strip()
        if not is_heading(line) or len(bare) > _LONGEST_HEADING or _LEFT_OUT.match(bare) is None:
            continue
        for entry in _entries(lines[place + 1 :]):
            if not _NOTHING.match(entry):
                yield bare.strip("#*_: "), entry


def _entries(lines: list[str]) -> list[str]:
    listed = islice(entries_of(lines), _MOST_ENTRIES)
    return [text[:LONGEST_QUOTE].rstrip() for _, text in listed]


def _said(text: str) -> Iterator[str]:
    """Lines and sentences that say by a label or a pick what is chosen."""
    yield from _planned(text)
    yield from _decided_in(text)
    found = 0
    for match in _LABELLED.finditer(text):
        said = text[match.start("lead") : match.end()].rstrip()[:LONGEST_QUOTE]
        if found < _MOST_LABELLED and _is_choice(said, match["said"]):
            found += 1
            yield said
    opening = text[: _LONGEST_HEADING * 4]
    for pattern in (_IT_IS, _PICKS):
        for match in pattern.finditer(opening):
            said = match.group().strip()
            if _is_choice(said, said):
                yield said


def _planned(text: str) -> Iterator[str]:
    """The entries of a plan that say by which change something is done."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if len(line) > _LONGEST_HEADING or not line.rstrip("*_ ").endswith(":"):
            continue
        if _PLAN.search(line) is None or _LEFT_OUT.match(line.strip()):
            continue
        chosen = [e for e in _entries(lines[place + 1 :]) if _CHANGE_FOR.match(e)]
        yield from (
            e for e in chosen[:_MOST_PLANNED] if identifiers_in(e) and not _UNSURE.search(e)
        )


def _is_choice(said: str, content: str) -> bool:
    enough = len(content.split()) >= _FEWEST_WORDS
    return enough and not _UNSURE.search(said) and not _CODE.search(content)


def _left_out_claim(heading: str, entry: str, reading: Reading) -> Claim:
    why = _WHY.search(entry)
    reason = (why["said"] or why["held"]).strip() if why is not None else ""
    return claim(
        "decision",
        entry,
        text=f"{shortened(heading, 40)}: {entry}",
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        rejected=(Rejected(option=entry[: why.start()].strip(), why=reason),) if why else (),
        rank=2.6 if reason else 1.6,
    )


def _told(said: str, reading: Reading) -> Claim:
    named = bool(identifiers_in(said))
    return claim(
        "decision",
        said,
        text=said.replace("**", ""),
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        rank=2.5 if named else 1.7,
    )
