"""Choices that stand in what was written: rules for whoever works there, comments that say why.

Who writes "Prefer the shortest path" into a file of instructions, or "Re-read under lock to avoid
lost updates" over a line of code, has chosen, whatever is said beside the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import LONGEST_QUOTE
from clew.summarize.extractive.written import Written, unnumbered, written_in

_MOST_RULES, _MOST_REASONS, _MOST_OF_A_FILE = 3, 2, 6
_RULE_RANK, _REASON_RANK = 1.4, 0.7
_FEWEST_WORDS, _FEWEST_WORDS_OF_A_REASON, _MOST_WORDS = 5, 7, 45
_SURE = 3
_PROSE_FILE = re.compile(r"\.(?:md|mdc|txt|rst|org)$", re.IGNORECASE)
_CODE_FILE = re.compile(r"\.[a-z]\w{0,6}$|(?:^|/)(?:Makefile|Dockerfile|[a-z]+(?:-[a-z]+)+)$")
_INSTRUCTIONS = re.compile(
    r"(?:^|[/\\])(?:AGENTS|CLAUDE|GEMINI|SKILL|CONTRIBUTING|CONVENTIONS|copilot-instructions)\b"
    r"|(?:^|[/\\])\.?(?:commands|skills|agents|rules|prompts)[/\\]",
    re.IGNORECASE,
)
"""Files that tell those who work there what to do."""
_TRIED_OUT = re.compile(
    r"(?:^|[/\\._-])(?:tests?|spec|specs|fixtures?|repro\w*|examples?|demo|mocks?|__tests__)"
    r"(?:[/\\._-]|$)|Tests?\.\w+$",
    re.IGNORECASE,
)
"""Files whose comments tell of a case, not of how the thing is made."""
_ENTRY = re.compile(r"^(?:[-*+]|\d{1,2}[.)])\s+(?:\[ \]\s)?(?P<text>[^\s|#>].*)$")
_ORDERS = re.compile(
    r"^(?:\*\*[^*]{2,40}\*\*:?\s*)?(?:always|never|avoid|prefer|do\snot|don['\u2019]t|only|keep|"
    r"(?:in|ex)clude|must|treat|skip|require|mark|defaults?|if|when|after|before|unless|use|no|limit|"
    r"report|ask|return|stop|fail|reuse|put|name|store|add|write)\b",
    re.IGNORECASE,
)
"""Opens as a rule does."""
_NARROWS = re.compile(
    r"\b(?:must|never|always|do\snot|don['\u2019]t|should|only|instead\sof|rather\sthan|unless|"
    r"defaults?|prefer\w*|avoid|not|no|exactly|one\sof|required?)\b",
    re.IGNORECASE,
)
_SETS_APART = re.compile(r"\b(?:instead\sof|rather\sthan|defaults?\sto)\b", re.IGNORECASE)
_COMMENT = re.compile(r"^(?://+|#(?!!)|--|/?\*+)\s+(?P<text>[A-Z`][^\n]*?)(?:\s*\*/)?$")
_MORE = re.compile(r"^(?://+|#|--|\*+)\s+(?P<text>[^\s@#/*-][^\n]*?)(?:\s*\*/)?$")
_WHY = re.compile(
    r"\b(?:because|instead\sof|rather\sthan|so\sthat|(?:to|and)\s(?:avoid|prevent|preserve)|"
    r"must(?:\snot)?|never|do\snot|don['\u2019]t|deliberately|intentionally|on\spurpose|"
    r"even\s(?:if|when|though)|regardless|without\s\w+ing|so\s(?:we|it|they|the|that|this)\b)",
    re.IGNORECASE,
)
_NO_REASON = re.compile(
    r"DO\sNOT\sEDIT|\bLicen[sc]e\b|^\W*(?:TODO|FIXME|XXX|Copyright|Example|Usage|Should|Fix|For\seach|This\sis)\b|"
    r"\b(?:placeholders?|for\snow)\b",
    re.IGNORECASE,
)
"""Comments that give no reason for how the code is: notices, marks of work left to do, examples."""
_ENDS = re.compile(r"[.!?:)][\"'`)*_]{0,2}$")


def choices_written(readings: Sequence[Reading]) -> list[Claim]:
    """The rules and reasons that stand in files at the end of these exchanges."""
    kept: dict[tuple[str, str], Claim] = {}
    count: dict[str, int] = {}
    for reading in readings:
        for each in written_in(reading):
            for line in each.gone:
                kept.pop((each.file, line), None)
        for file, line, made in _told_in(reading):
            if count.get(file, 0) < _MOST_OF_A_FILE:
                count[file] = count.get(file, 0) + ((file, line) not in kept)
                kept[file, line] = made
    return list(kept.values())


def read_ahead(reading: Reading) -> None:
    """Work out what one exchange writes."""
    _told_in(reading)


@once
def _told_in(reading: Reading) -> tuple[tuple[str, str, Claim], ...]:
    """The choices in what one exchange writes, with their files and the lines they open with."""
    made: list[tuple[str, str, Claim]] = []
    for each in written_in(reading):
        if _PROSE_FILE.search(each.file):
            chosen, rank = sorted(_rules(each), key=lambda r: -r[0])[:_MOST_RULES], _RULE_RANK
        elif _CODE_FILE.search(each.file) and not _TRIED_OUT.search(each.file):
            chosen, rank = list(_reasons(each))[:_MOST_REASONS], _REASON_RANK
        else:
            continue
        for _, line, quote, said in chosen:
            if any(quote in sent for sent in reading.arguments):
                made.append(
                    (each.file, unnumbered(line), _claim(each.file, quote, said, reading, rank))
                )
    return tuple(made)


def _rules(written: Written) -> Iterator[tuple[int, str, str, str]]:
    """Entries of lists that tell whoever reads the file what to do, with how sure that is."""
    instructs = _INSTRUCTIONS.search(written.file) is not None
    for place, line in enumerate(written.lines):
        entry = _ENTRY.match(line)
        if entry is None or _ORDERS.match(entry["text"]) is None:
            continue
        said = _whole(entry["text"], written.lines[place + 1 :], None)
        if not _fits(said, _FEWEST_WORDS):
            continue
        narrows = _NARROWS.search(said) is not None
        sure = 2 + narrows + ("`" in said)
        if sure >= _SURE if instructs else narrows and _SETS_APART.search(said) is not None:
            yield sure, line, entry["text"], said


def _reasons(written: Written) -> Iterator[tuple[int, str, str, str]]:
    """Comments that say why the code beside them is as it is."""
    for place, line in enumerate(written.lines):
        comment = _COMMENT.match(line)
        if comment is None or (place and _MORE.match(written.lines[place - 1]) is not None):
            continue
        said = _whole(comment["text"], written.lines[place + 1 :], _MORE)
        sentence = _with_reason(said)
        if sentence and _fits(sentence, _FEWEST_WORDS_OF_A_REASON):
            yield 1, line, comment["text"], sentence


def _with_reason(comment: str) -> str:
    """The first sentence of a comment where it says why."""
    sentence = re.split(r"(?<=[a-z)`][.!])\s+(?=[A-Z`])", comment, maxsplit=1)[0]
    tells = _WHY.search(sentence) is not None and _NO_REASON.search(comment) is None
    return sentence if tells else ""


def _whole(first: str, behind: Sequence[str], more: re.Pattern[str] | None) -> str:
    """A line with those that it was wrapped into."""
    said = first
    for line in behind[:4]:
        found = more.match(line) if more is not None else None
        text = line if more is None else found["text"] if found is not None else ""
        # What goes on in small letters was wrapped; a name or a new sentence is another matter.
        if _ENDS.search(said) or not (text[:1].islower() or text[:1] == "`"):
            break
        said = f"{said} {text}"
    return said[:LONGEST_QUOTE]


def _fits(said: str, fewest: int) -> bool:
    return fewest <= len(said.split()) <= _MOST_WORDS and not said.endswith((":", "?"))


def _claim(file: str, quote: str, said: str, reading: Reading, rank: float) -> Claim:
    name = re.split(r"[/\\]", file)[-1]
    return claim(
        "decision",
        quote,
        text=f"{name}: {said.replace('**', '')}",
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        rank=rank,
    )
