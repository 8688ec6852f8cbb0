"""What the agent lists as left to do when it hands over: open work, entry by entry."""

from __future__ import annotations

import re
from itertools import islice

from clew.record.items import Speaker, Status
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.lists import entries_filled, is_entry, is_heading
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import bounds_of, looks_like_code, sentences_with, trimmed

_LONGEST_ANSWER = 20_000
_LONGEST_HEADING = 160
_LONGEST_ENTRY = 200
_MOST_ENTRIES = 6
_FEWEST_WORDS = 2
_ENDING = 3_000
_MOST_SAID = 2
_NEXT_IS = re.compile(
    r"(?:^|(?<=[.!?] )|(?<=\n))[ *_>-]{0,4}(?P<lead>(?P<next>(?:the\s|my\s|one\s|"
    r"a\s)?(?:\w+\s)?next\s(?:\w+\s){0,2}?"
    r"(?:steps?|task|thing|move|piece|item|milestone|phase)\s(?:is|are|would\sbe|"
    r"will\sbe))\s(?=\w|`|\*)"
    r"|(?P<label>[A-Za-z'\u2019][\w'\u2019 -]{2,40}?)(?::\*{0,2}|\*\*:)[ ](?=\w|`|\*))",
    re.IGNORECASE,
)
_IS_LEFT = re.compile(
    r"\s(?:is|are)\s(?:(?:all|what|the|still|now)\s)*(?:(?:main|only|biggest|big|last|major|chief)\s)?(?:"
    r"(?:remaining|outstanding|open|unfinished|leftover)\s(?:work|pieces?|parts?|items?|tasks?|steps?|gaps?|todos?)\b"
    r"|what['\u2019]s\sleft\b|(?:that\s|what\s)(?:remains?|is\sleft|are\sleft)\b"
    r"|still\sto\s(?:do|come)\b|left\sto\sdo\b)",
    re.IGNORECASE,
)
"""Says of something named before that it is left."""
_NOTHING = re.compile(r"\b(?:nothing|none|no|not|n['\u2019]t)\b", re.IGNORECASE)
_DONE = re.compile(r"^ {0,3}[-*+] \[x\]|\u2705|~~", re.IGNORECASE)
_OFFERED = re.compile(
    r"\b(?:if you(?:['\u2019]d)? (?:want|like|prefer)|options?|either)\b", re.IGNORECASE
)
_OFFERS = re.compile(r"\b(?:natural|possible|optional|suggested|potential|ideas?)\b", re.IGNORECASE)
"""Heads a list of what could be done, not of what is left."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*])")
_NOT_LEFT = re.compile(
    r"\b(?:already|covered|closed|completed|finished|landed|shipped|in place)\b"
    r"|\bdone (?:so far|now|in)\b|\bto-?do (?:list|app|item)s? \w"
    r"|\b(?:call|decision|thoughts|look) on\b|\bworth your\b|\bone of\b"
    r"|\bfor you to (?:decide|choose)\b"
    r"|\bwhich (?:would |will |should |must )?(?:\w+ )?(?:verify|verifies|checks?|tests?|"
    r"covers?|include|includes|does|do|has|have)\W*$",
    re.IGNORECASE,
)
"""Heads a list of what was open and is not any more, or of what the user is to judge."""
_ONE_OF = re.compile(r"\b(?:one|any|either) of\b|\bthese\b|\bfollowing\b", re.IGNORECASE)


@once
def remaining_work(reading: Reading, cues: Cues) -> tuple[Claim, ...]:
    """The entries of the list that stands under a heading such as "Remaining" or "Next steps"."""
    if not reading.finished:
        return ()
    answer = reading.prose[-1][:_LONGEST_ANSWER]
    entries = entries_left(answer, cues)
    entries += [said for said in _said_in_a_line(answer, cues) if said not in entries]
    return tuple(
        claim(
            "commitment",
            entry,
            text=entry.replace("**", ""),
            span=reading.handle,
            position=reading.position,
            said_by=Speaker.AGENT,
            status=Status.OPEN,
            # What is first in a list of what is left is meant to be done first.
            rank=1.6 - place / 20,
        )
        for place, entry in enumerate(entries)
    )


def _said_in_a_line(answer: str, cues: Cues) -> list[str]:
    """What is left, said in one sentence: "Next step is …", "Remaining: …"."""
    start = max(0, len(answer) - _ENDING)
    found: list[str] = []
    for match in _NEXT_IS.finditer(answer, start):
        named = match["next"] or cues.has("left", match["label"])
        said = trimmed(answer, *bounds_of(answer, match.start("lead"), match.end()))
        work = said[match.end() - match.start("lead") - 1 :]
        heads = said.endswith((":", "\uff1a")) and _ONE_OF.search(said) is not None
        asks = heads or said.endswith("?") or _OFFERED.search(said) is not None
        if named and _is_work(work) and not asks:
            found.append(said)
    for sentence in sentences_with(_IS_LEFT, answer[start:], most=_MOST_SAID):
        asks = sentence.text.endswith("?") or _OFFERED.search(sentence.text) is not None
        none = _NOTHING.search(sentence.text) is not None
        if _is_work(sentence.text) and not (asks or none):
            found.append(sentence.text)
    return found[-_MOST_SAID:]


def entries_left(answer: str, cues: Cues) -> list[str]:
    """The last list of what is left in a text: a longer one before it was boiled down to it."""
    found: list[str] = []
    lines = answer.split("\n")
    for place, line in enumerate(lines):
        if _opens_a_list(line, cues):
            listed = open_entries(lines[place + 1 :])
            found = listed or found
    return found


def _opens_a_list(line: str, cues: Cues) -> bool:
    bare = line.strip()
    if not is_heading(line) or len(bare) > _LONGEST_HEADING or is_entry(line):
        return False
    # What stands before the last sentence of a line heads nothing.
    head = _SENTENCE_END.split(bare)[-1]
    if _NOT_LEFT.search(head) is not None:
        return False
    return cues.has("left", head) and not (_OFFERED.search(bare) or _OFFERS.search(bare))


def open_entries(lines: list[str]) -> list[str]:
    """The entries of one list that are not done yet."""
    listed = ((line, text[:_LONGEST_ENTRY].rstrip()) for line, text in entries_filled(lines))
    left = (text for line, text in listed if not _DONE.search(line) and _is_work(text))
    return list(islice(left, _MOST_ENTRIES))


def _is_work(text: str) -> bool:
    words = text.split()
    return len(words) >= _FEWEST_WORDS and not text.endswith("?") and not looks_like_code(text)
