"""What the agent sets itself for the rest of the work, having learnt it the hard way.

"What I need to change:" over a list, or "from now on I'll run one at a time": no later call keeps
such a promise for good, and whoever goes on has to go on keeping it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.lists import entries_of, is_entry, is_heading
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import looks_like_code, sentences_with

HOLDS, FOR_GOOD = "holds", "for all that comes"
"""The field of a promise that nothing done once keeps."""
_LONGEST_PASSAGE, _LONGEST_HEADING, _LONGEST_ENTRY = 8_000, 160, 200
_FEWEST_WORDS, _MOST_ENTRIES, _MOST = 3, 4, 2
_I = (
    r"(?:i['\u2019]ll|i\swill|i['\u2019]m\sgoing\sto|i\s(?:need|have|ought)\sto|i\s(?:should|must))"
)
_HEADS = re.compile(
    rf"\bwhat\s(?:i\s(?:need|have)\sto|i['\u2019]ll|i\swill|i\s(?:should|must))\s(?:change|do\sdifferently|"
    rf"stop\sdoing)\b"
    rf"|\b{_I}\s[^.!?\n]{{0,80}}?\b(?:be\s(?:more\s(?:careful|disciplined|strict)|stricter)|from\s(?:here|"
    rf"now)\son|going\sforward|in\s(?:the\s)?future)\b"
    r"|\b(?:be\s(?:more\s(?:careful|disciplined|strict)|stricter)\sabout)\b"
    r"|^[^\w\n]*(?:my\s)?(?:lessons?\slearn(?:ed|t)|rules?\sfor\smyself)\b",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_MINE = re.compile(r"\byour?\b(?!\s(?:want|like|prefer))|\busers?\b", re.IGNORECASE)
_SAID = re.compile(
    rf"\b(?:from\s(?:now|here)\son|going\sforward|in\s(?:the\s)?future|next\stime)\b,?\s(?:\w+\s)?{_I}\s\w"
    rf"|\b{_I}\s[^.!?\n]{{3,160}}?\b(?:from\s(?:now|here)\son|going\sforward|in\sthe\sfuture)\b"
    rf"|\b{_I}\sstop\s(?!here|now|at\b|there|once|when|if|the\b|it\b)\w+ing\b"
    r"|\b(?:the\s)?(?:fix|change|correction)\son\smy\s(?:side|end|part)\sis\b[^.!?\n]{0,40}?:\s\w",
    re.IGNORECASE,
)
_WORDS = (
    "from now", "from here", "going forward", "future", "next time", "stop ", "on my ", "careful",
    "stricter", "more strict", "disciplined", "lesson", "for myself", "what i",
)  # fmt: skip
"""One of them stands in whatever the patterns find, and is looked for far quicker."""
_SUPPOSED = re.compile(r"\b(?:if|unless|whether|should\si|want\sme\sto)\b|\?\s*$", re.IGNORECASE)


@once
def lessons_in(reading: Reading) -> tuple[Claim, ...]:
    """What one message of the agent sets for all that comes, each list as one."""
    made: dict[str, Claim] = {}
    for text in reading.prose:
        shown = text[:_LONGEST_PASSAGE]
        plain = shown.lower()
        if not any(word in plain for word in _WORDS):
            continue
        for entries in _listed(shown):
            made[entries[0]] = _lesson(entries, reading)
        for sentence in sentences_with(_SAID, shown, most=_MOST):
            said = sentence.text
            unsure = _SUPPOSED.search(said) is not None or said.endswith(":")
            if not unsure and len(said) <= _LONGEST_ENTRY and not looks_like_code(said):
                made[said] = _lesson((said,), reading)
    return tuple(islice(made.values(), _MOST))


def _listed(text: str) -> Iterator[tuple[str, ...]]:
    """The lists that stand under a line in which the agent sets itself something."""
    if _HEADS.search(text) is None:
        return
    lines = text.split("\n")
    for place, line in enumerate(lines):
        heads = is_heading(line) and not is_entry(line) and len(line) <= _LONGEST_HEADING
        if heads and _HEADS.search(line) and _NOT_MINE.search(line) is None:
            listed = (entry for _, entry in entries_of(lines[place + 1 :]))
            short = (
                e for e in listed if len(e.split()) >= _FEWEST_WORDS and len(e) <= _LONGEST_ENTRY
            )
            if found := tuple(islice(short, _MOST_ENTRIES)):
                yield found


def _lesson(said: Sequence[str], reading: Reading) -> Claim:
    return claim(
        "commitment",
        said[0],
        text="; ".join(each.rstrip(".;").replace("**", "") for each in said),
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.OPEN,
        fields=((HOLDS, FOR_GOOD),),
        evidence=tuple(Evidence(span=reading.handle, quote=each) for each in said[1:]),
        rank=1.6,
    )


def lessons(readings: Sequence[Reading]) -> list[Claim]:
    """What the agent set itself in these exchanges."""
    return [made for reading in readings if reading.prose for made in lessons_in(reading)]
