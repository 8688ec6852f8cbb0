"""Failures of agents that talk to each other: what one ran, typed or was told, as its message says.

No call stands in such a conversation. The one that runs scripts tells of the exit code and the
output, the one that browses what it typed and what the page showed, and the one that leads keeps a
ledger in which it says whether the others get on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.record.items import Evidence, Speaker
from clew.summarize.extractive.actions import verbatim
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.failed_calls import SAYS_WHY
from clew.summarize.extractive.nothing_came import line_of_nothing, none_found, of_a_query
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import first_line, looks_like_code, shortened
from clew.tools_seen.decisive import decisive_line
from clew.tools_seen.json_text import object_in

_RAN = re.compile(
    r"\A(?:exitcode:\s(?P<code>-?\d{1,6})\b[^\n]*\n\s*Code\soutput:[ \t]*"
    r"|The\s(?:script|code|command|program)\sran,?\s(?:and|then)\sexited\swith\s(?:Unix\s)?exit\s"
    r"code:?\s(?P<exit>-?\d{1,6})\b\W*(?:Its\soutput\swas:)?\s*"
    r"|(?P<silent>The\s(?:script|code|command|program)\sran\sbut\s(?:produced|gave|printed)\sno\s"
    r"output\b[^.\n]*))"
)
_BROWSED = re.compile(
    r"\A(?P<done>I\s(?:typed|entered|input|searched|clicked|visited|opened|navigated|scrolled)\b"
    r"[^\n]{0,240})"
)
_TITLED = re.compile(r"\bHere\sis\sa\sscreenshot\sof\s\[(?P<title>[^\]\n]{1,160})\]\(")
_WALLED = re.compile(
    r"\b(?:access\s(?:to\sthis\spage\s(?:has\sbeen|is)\s)?denied|40[34]\b|not\sfound|forbidden|"
    r"just\sa\smoment|captcha|are\syou\sa\s(?:human|robot)|error\sd|can['\u2019]t\sbe\sreached|"
    r"error\spage|attention\srequired|pardon\sour\sinterruption|unusual\straffic|security\scheck)\b",
    re.IGNORECASE,
)
"""Titles of pages that show nothing of what was looked for."""
_OPENED = re.compile(
    r"\A(?P<done>Address:\s\S[^\n]{0,240})\n(?:Title:\s(?P<title>[^\n]{1,160})\n)?", re.IGNORECASE
)
"""What the one that opens files says of where it is."""
_SAYS_ERROR = re.compile(r"^Error[.:!]\s[A-Z][^\n]{8,160}$", re.MULTILINE)
"""A line in place of what a file holds."""
_WANTS_A_HUMAN = re.compile(
    r"^[^\n]{0,80}\b(?:(?:you\s(?:might|may|could)\sbe|not)\sa\s(?:ro)?bot\b|(?:confirm|verify|prove|show)\s(?:that\s)?"
    r"you(?:['\u2019]re|\sare)\s(?:a\s)?(?:human|not\sa)\b|complete\sthe\s(?:challenge|captcha|security\scheck)\b)[^\n]{0,80}$",
    re.IGNORECASE | re.MULTILINE,
)
"""A page that lets nobody in who is not a person."""
_CALLS = re.compile(r"\A(?:Next speaker\b|Updated Ledger\b|Stalled\b)")
"""What the program around the agents says between their messages."""
_LEDGER = re.compile(r"\AUpdated Ledger:\s*(?=\{)")
_REASONS = ("is_request_satisfied", "is_in_loop", "is_progress_being_made")
_GAVE_NONE = re.compile(
    r"\b(?:page|webpage|website|site|article|document|file|source|results?|search(?:es)?|list|table|output|"
    r"script|code|query|database|repository|thread|video|link|section|response)\b[^.]{0,120}?\b(?:(?:do|does|did)"
    r"(?:n['\u2019]t|\snot)\s(?:\w+\s)?(?:list|contain|provide|include|mention|show|give|have|yield|return|display|reveal|"
    r"produce|specify|load)|(?:returned|yielded|gave|shows?|contains?|provided)\s(?:no|nothing)\b|"
    r"(?:is|are|was|were)\s(?:empty|unavailable|inaccessible|not\s(?:available|accessible)))",
    re.IGNORECASE,
)
"""Says of a source that it does not hold what was looked for."""
_LONGEST_PAGE, _LONGEST_LEDGER = 12_000, 8_000
_LONGEST_SAID, _LONGEST_TRIED = 240, 160
_SHORT_OUTPUT, _FEWEST_WORDS = 300, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a message tells: what was `tried` (empty where the one before says it) and what came."""

    tried: str
    came: str
    why: str = ""


def told_failures(readings: Sequence[Reading]) -> list[Claim]:
    """What the messages of agents tell that did not work, with what had been asked for."""
    made: list[Claim] = []
    asked: tuple[Reading, str] | None = None
    led: tuple[Reading, str] | None = None
    for reading in readings:
        if reading.calls or reading.results:
            asked = led = None
            continue
        told = told_in(reading)
        if told is not None and (told.tried or led or asked):
            made.append(_failed(told, reading, led or asked))
        instruction = instruction_in(reading)
        led = (reading, instruction) if instruction else led
        question = asked_in(reading)
        asked = (reading, question) if question else asked
    return made


@once
def led(reading: Reading) -> bool:
    """Whether an exchange is a ledger, whose reasons are told of the work that it judges."""
    return _LEDGER.match(next(iter(reading.prose), "")) is not None


@once
def instruction_in(reading: Reading) -> str:
    """What a ledger says that another agent is to do next; empty without."""
    text = next(iter(reading.prose), "")
    if _LEDGER.match(text) is None:
        return ""
    said = _entry(_ledger(text), "instruction_or_question", "answer")
    return verbatim(reading, first_line(said, most=2 * _LONGEST_SAID)) if _is_text(said) else ""


@once
def told_in(reading: Reading) -> Told | None:
    """What the message of one exchange tells of a run, a page or of getting on; None without."""
    text = next(iter((*reading.prose, *reading.typed)), "")
    if (ran := _RAN.match(text)) is not None:
        came = _of_run(ran, text[ran.end() :])
        return Told(tried="", came=came) if came else None
    if (browsed := _BROWSED.match(text)) is not None:
        came = _of_page(text[:_LONGEST_PAGE])
        wall = _WANTS_A_HUMAN.search(text, 0, _LONGEST_PAGE)
        why = wall.group().strip() if wall is not None else ""
        came = came or why
        why = why if why != came else ""
        return Told(tried=browsed["done"].strip(), came=came, why=why) if came else None
    if (opened := _OPENED.match(text)) is not None:
        came = _of_file(opened["title"] or "", text[opened.end() : _LONGEST_PAGE])
        return Told(tried=opened["done"].strip(), came=came) if came else None
    return _of_ledger(_ledger(text)) if _LEDGER.match(text) else None


def _of_run(ran: re.Match[str], output: str) -> str:
    """The line with which a run says that nothing came of it."""
    if ran["silent"]:
        return ran["silent"].strip()
    if (ran["code"] or ran["exit"]) != "0":
        line = decisive_line(output)[:_LONGEST_SAID].rstrip()
        return line if SAYS_WHY.search(line) is not None else ""
    lines = [line.strip() for line in output[: 2 * _SHORT_OUTPUT].split("\n") if line.strip()]
    if len(output) > _SHORT_OUTPUT:
        return ""
    return none_found(lines) or of_a_query(lines)


def _of_page(text: str) -> str:
    """What a page shows that shows nothing of what was looked for."""
    titled = _TITLED.search(text)
    if titled is not None and _WALLED.search(titled["title"]):
        return titled["title"].strip()
    return line_of_nothing(text)


def _of_file(title: str, text: str) -> str:
    """The line that says why a file could not be shown; empty where it was."""
    if (said := _SAYS_ERROR.search(text)) is not None:
        return said.group().strip()
    if _WALLED.search(title) is None and "error" not in title.lower():
        return ""
    lines = (line.strip() for line in text.split("\n"))
    return next((each for each in lines if _WALLED.search(each) and each[:1] != "#"), title.strip())


def _ledger(text: str) -> Mapping[str, Any]:
    """The entries of a ledger; none where it cannot be read."""
    return object_in(text[text.index("{") :]) if len(text) <= _LONGEST_LEDGER else {}


def _entry(ledger: Mapping[str, Any], name: str, field: str) -> Any:
    entry = ledger.get(name)
    return entry.get(field) if isinstance(entry, dict) else None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value.split()) >= _FEWEST_WORDS


def _of_ledger(ledger: Mapping[str, Any]) -> Told | None:
    """What a ledger says that did not get anybody on."""
    stuck = _entry(ledger, "is_progress_being_made", "answer") is False
    turns = _entry(ledger, "is_in_loop", "answer") is True
    reasons = [_entry(ledger, name, "reason") for name in _REASONS]
    missing, loop, reason = (each if _is_text(each) else "" for each in reasons)
    if stuck and reason:
        return Told(tried="", came=reason, why=loop if turns and loop else missing)
    if turns and loop:
        return Told(tried="", came=loop, why=missing)
    # A way may have shown nothing though the work as a whole goes on.
    empty = next((each for each in (missing, reason, loop) if _GAVE_NONE.search(each)), "")
    return Told(tried="", came=empty) if empty else None


@once
def asked_in(reading: Reading) -> str:
    """What a message asks another agent for, its first line; empty where it asks nothing."""
    text = next(iter((*reading.prose, *reading.typed)), "")
    if not text or _CALLS.match(text) or _RAN.match(text) or _BROWSED.match(text):
        return ""
    line = first_line(text, most=2 * _LONGEST_SAID).strip()
    if len(line.split()) < _FEWEST_WORDS or line.endswith(":") or looks_like_code(line):
        return ""
    return line


def _failed(told: Told, reading: Reading, asked: tuple[Reading, str] | None) -> Claim:
    came = verbatim(reading, told.came)
    shown: list[Evidence] = []
    if told.tried:
        shown.append(Evidence(span=reading.handle, quote=told.tried))
    if asked is not None:
        shown.append(Evidence(span=asked[0].handle, quote=asked[1].removesuffix("\u2026")))
    if told.why and (why := verbatim(reading, told.why)):
        shown.append(Evidence(span=reading.handle, quote=why))
    tried = told.tried or (asked[1] if asked is not None else "")
    return claim(
        "dead_end",
        came[:_LONGEST_SAID],
        text=f"{shortened(tried, _LONGEST_TRIED)} \u2192 {shortened(told.came, _LONGEST_SAID)}",
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.TOOL,
        evidence=tuple(shown),
        rank=1.0,
    )
