"""What a report tells: entries of its lists, rows of its tables, labelled and stressed sentences.

Who hands over lists what came of the work; who is at work lists what was found before going on. The
heading tells which lists those are, and the end of a long thought what it came to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clew.record.items import Speaker
from clew.summarize.extractive.bidding import is_order
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.lists import entry_in, is_heading
from clew.summarize.extractive.once import once
from clew.summarize.extractive.option_lists import without_options
from clew.summarize.extractive.passing import is_account, passes
from clew.summarize.extractive.questions import asks_the_user
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.referring import with_what_it_refers_to
from clew.summarize.extractive.sentences import (
    LONGEST_QUOTE,
    bounds_of,
    looks_like_code,
    shortened,
    trimmed,
)
from clew.summarize.extractive.shown_pages import own_prose
from clew.summarize.extractive.stating import concludes, says_how_it_is
from clew.tools_seen.worded import worded

_LONGEST_MESSAGE = 12_000
_LONGEST_HEADING = 120
_FEWEST_WORDS, _MOST_WORDS = 4, 60
_FEWEST_WORDS_OF_A_STEP = 6
_MOST_LISTED, _MOST_ROWS, _MOST_SAID = 4, 2, 2
_MOST_OF_WORK, _MOST_SENTENCES = 10, 4
"""Entries and sentences of a report on work, which tells what was made there."""
_LISTED, _ROW, _SAID = 1.0, 0.9, 1.1
"""How sure it is, before anything else, that an entry, a row or a marked sentence is a finding."""

_FENCE = "```"
_NAMED = re.compile(r"`[^`\n]{2,}`")
_NUMBER = re.compile(r"(?<![\w.])\d(?:[\d.,:]*\d)?%?(?!\w)")
_STRESSED = re.compile(r"\*\*(?P<said>[^*\n]{12,300})\*\*")
_LABELLED = worded(
    r"(?:^|(?<=\n)|(?<=[.!?] ))[ \t>*_#-]{0,6}(?P<label>[A-Za-z][\w'\u2019 -]{2,30}?)"
    r"(?:\s#?\d{1,2})?(?::\*{0,2}|\*\*:|\*\*\s\u2014)[ ]+(?=[\w`*\"])",
    needs=": |:* |:** |* — ",
)
_CAME_TO = worded(
    r"(?:^|(?<=[.!?] )|(?<=\n))(?:So,?\s(?!if\b|far\b|why\b|how\b|what\b|let\b|I\b|we\b|now\sI\b)|"
    r"(?:This|That|Which)\s(?:means|explains|confirms|shows|implies|proves|is\swhy|is\sbecause)\b|"
    r"(?:Therefore|Thus|Hence|In\sshort|In\sother\swords),?\s)",
    needs="so |so, |this |that |which |therefore|thus|hence|in short|in other words",
)
_THINKS_AGAIN = re.compile(
    r"\s*(?:\*\*)?(?:(?:but|and|oh|ah|hmm)\W+)?(?:wait|actually|no,|hmm|however|unless|or\s)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^\W*\*\*[^*\n]{2,60}?(?::\*\*|\*\*:?)\s*(?:\u2014|\u2013|-|:)?\s*")
_ASKS = re.compile(
    r"^\W*(?:run|open|check|verify|look|see|try|use|click|enter|type|choose|select|install|press|"
    r"go|visit|read|review|test|set|copy|paste|edit|restart|reload|ask|let|please|consider|"
    r"make\ssure|ensure|"
    r"you\s(?:can|may|need|should|must|could|might)|would\syou|should\s(?:i|we)|do\syou|want\sme)\b",
    re.IGNORECASE,
)
"""Tells the reader what to do."""
_SAYS = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|can|cannot|now|not|no|only|never|"
    r"always|still|already|returns?|uses?|needs?|keeps?|shows?|means|works?|passe[sd]|fail[s]?|"
    r"\w{3,}ed|split|kept|left|made|set|built|wrote|sent|ran)\b|n['\u2019]t\b|\u2192|=>",
    re.IGNORECASE,
)
"""A word of a sentence that says something; a bare list of names has none."""
_COUNTS = re.compile(r"\d\s?%|:\**\s+[^\w\s]?\d|=\s?\d|\d\s\w+s\b")
_STEP = re.compile(r"(?:now|next|then|first|let|add|address|look|run|to)\b", re.IGNORECASE)
"""A label that says what is done next."""
_HEADS = re.compile(
    r"^\W*(?:step|phase|part|option|task|finding|week|day|stage|approach|question|section)\s[\dA-Z]\b",
    re.IGNORECASE,
)
"""Heads a part of a text by its number."""
_LONGEST_HEAD = 70
_LINK = re.compile(r"\[([^\[\]\n]{1,80})\]\([^()\s]*\)")
_BEFORE_THE_LAST = re.compile(r"^.*[.!?]\s(?=\S)")
_GOES_ON = re.compile(
    r"^(?:(?!(?:the|an?|all|each|every|both)\s)[a-z]+\s|"
    r"(?:Has|Have|Is|Isn['\u2019]t|Contains|Supports|Returns|Also)\s)"
)
"""Says something of what its heading names."""
_RULER = re.compile(r"^[|\s:+-]+$")


@dataclass(frozen=True, slots=True)
class _Told:
    """One piece of a report and how sure it is that it outlives the moment."""

    text: str
    rank: float
    shown: str = ""
    """The text with what it needs to be understood: its heading, or the heads of its columns."""


@once
def reported_in(reading: Reading, cues: Cues) -> tuple[Claim, ...]:
    """The findings that the structure of one message tells, a few of each sort."""
    if not reading.prose or (reading.typed and not reading.calls):
        return ()
    made: dict[str, Claim] = {}
    for text in own_prose(reading):
        shown = text[-_LONGEST_MESSAGE:]
        for told in _told_in(shown, reading, cues):
            said = with_what_it_refers_to(told.text, reading.prose, cues)
            made.setdefault(said, _claim(replace(told, text=said), reading))
    return tuple(made.values())


@once
def reported_of_work(reading: Reading, cues: Cues) -> tuple[Claim, ...]:
    """More entries of the lists of a report, and its sentences that name something.

    Only the report of who has changed something is worth them.
    """
    made: dict[str, Claim] = {}
    for text in reading.prose if reading.finished and not reading.typed else ():
        shown = text[-_LONGEST_MESSAGE:]
        listed, _ = _structured(shown, reading, cues) if "\n" in shown else ([], [])
        said = list(_sentences_of(shown, reading, cues))
        for told in (*_surest(listed, _MOST_OF_WORK), *_surest(said, _MOST_SENTENCES)):
            whole = with_what_it_refers_to(told.text, reading.prose, cues)
            made.setdefault(whole, _claim(replace(told, text=whole), reading))
    return tuple(made.values())


def _sentences_of(text: str, reading: Reading, cues: Cues) -> Iterator[_Told]:
    """The sentences of paragraphs that name something, where nothing is asked or left."""
    heading = ""
    for line in _outside_fences(text).split("\n"):
        bare = line.strip()
        if is_heading(bare) and entry_in(line) is None:
            heading = bare
            continue
        if not bare or entry_in(line) is not None or bare.startswith(("|", ">", "#")):
            continue
        start = 0
        while start < len(bare):
            end = max(bounds_of(bare, start, start + 1)[1], start + 1)
            said, start = trimmed(bare, start, end), end
            if _NAMED.search(said) is None or not _holds_findings(
                heading, reading, cues, asks=False
            ):
                continue
            if not is_order(said) and (told := _entry(said, reading, cues)) is not None:
                yield told


def surest_of_report(text: str, reading: Reading, cues: Cues, most: int) -> list[tuple[str, float]]:
    """The findings of one report that are surest, in order, with their ranks."""
    told = _surest(list(_told_in(text[-_LONGEST_MESSAGE:], reading, cues)), most)
    return [(each.text, round(each.rank, 2)) for each in told]


def _told_in(whole: str, reading: Reading, cues: Cues) -> Iterator[_Told]:
    text = without_options(whole)
    if "\n" in text:
        listed, rows = _structured(text, reading, cues)
        yield from _surest(listed, _MOST_LISTED)
        yield from _surest(rows, _MOST_ROWS)
        yield from _surest(list(_opened(text, reading, cues)), _MOST_SAID)
    prose = _outside_fences(text)
    yield from _surest(list(_labelled(prose, cues)), _MOST_SAID)
    yield from _surest(list(_stressed(prose, cues)), _MOST_SAID)
    yield from list(_came_to(prose, cues))[-_MOST_SAID:]


def _surest(told: Sequence[_Told], most: int) -> list[_Told]:
    chosen = sorted(told, key=lambda each: -each.rank)[:most]
    return [each for each in told if each in chosen]


def _structured(text: str, reading: Reading, cues: Cues) -> tuple[list[_Told], list[_Told]]:
    """Entries of lists and rows of tables, by the heading that they stand under."""
    entries: list[_Told] = []
    rows: list[_Told] = []
    heading, fenced, seen = "", False, 0
    heads: list[str] = []
    asks = reading.finished and asks_the_user(text.rstrip(), cues)
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(_FENCE):
            fenced = not fenced
        if fenced or not bare:
            continue
        if bare.startswith("|"):
            seen += 1
            heads = _cells(bare) if seen == 1 else heads
            if seen > 2 and reading.finished and (row := _row(bare, heads)) is not None:
                rows.append(row)
            continue
        seen = 0
        entry = entry_in(line)
        if entry is None or (
            is_heading(line) and len(bare) <= _LONGEST_HEADING and not _tells(bare)
        ):
            heading = bare if is_heading(line) or entry is None else heading
            continue
        if (
            _holds_findings(heading, reading, cues, asks=asks)
            and (cues.has("told", heading) or not is_order(entry))
            and (made := _entry(entry, reading, cues))
        ):
            entries.append(_headed(made, heading))
    return entries, rows


def _opened(text: str, reading: Reading, cues: Cues) -> Iterator[_Told]:
    """What the paragraphs right below the headings of a report open with."""
    if not reading.finished or asks_the_user(text.rstrip(), cues):
        return
    heading = ""
    for line in _outside_fences(text).split("\n"):
        bare = line.strip()
        if not bare:
            continue
        if is_heading(bare) and entry_in(line) is None:
            heading = bare if len(bare) <= _LONGEST_HEADING else ""
            continue
        if heading and not (entry_in(line) or bare.startswith("|")):
            said = trimmed(bare, 0, bounds_of(bare, 0, 1)[1])
            if _holds_findings(heading, reading, cues, asks=False) and (
                told := _entry(said, reading, cues)
            ):
                yield _headed(told, heading)
        heading = ""


def _tells(line: str) -> bool:
    """Whether a line that looks like a heading says something before its colon."""
    return not line.rstrip("*_ ").endswith((":", "\uff1a"))


def _holds_findings(heading: str, reading: Reading, cues: Cues, *, asks: bool) -> bool:
    """Whether a list under this heading tells what came of the work or was found."""
    if cues.has("left", heading) or cues.has("offered", heading):
        return False
    return (reading.finished and not asks) or cues.has("told", heading)


def _entry(entry: str, reading: Reading, cues: Cues) -> _Told | None:
    content = _LABEL.sub("", entry)
    words = len(content.split())
    if not _FEWEST_WORDS <= words <= _MOST_WORDS or len(entry) >= LONGEST_QUOTE:
        return None
    named = bool(identifiers_in(entry)) or _NAMED.search(entry) is not None
    numbers = _NUMBER.search(content) is not None
    if not (named or numbers) or not _stands(content, cues) or looks_like_code(content):
        return None
    whole = content.endswith(".") and words >= _FEWEST_WORDS_OF_A_STEP
    if not whole and not _SAYS.search(_NAMED.sub("", content)) and not _COUNTS.search(entry):
        return None
    if is_account(content) and not reading.finished:
        return None
    rank = _LISTED + 0.3 * concludes(content) + 0.3 * numbers + 0.2 * named
    return _Told(entry, rank + (0.2 if "**" in entry else 0.0))


def _stands(text: str, cues: Cues) -> bool:
    """Whether a piece says how something is or what was done, to nobody in particular."""
    if text.endswith(("?", "\uff1f", ":", "\uff1a")) or _ASKS.match(text) is not None:
        return False
    return not (passes(text, cues) or cues.has("guess", text) or cues.has("promise", text))


def _headed(told: _Told, heading: str) -> _Told:
    """An entry without a subject of its own under its heading, which has it."""
    plain = _LINK.sub(r"\1", heading).strip("#*_-: \uff1a")
    head = shortened(_BEFORE_THE_LAST.sub("", plain), _LONGEST_HEAD)
    needs = _GOES_ON.match(told.text) is not None
    return replace(told, shown=f"{head}: {told.text}") if needs and head else told


def _cells(line: str) -> list[str]:
    return [cell.strip(" *") for cell in line.strip("|").split("|")]


def _row(line: str, heads: Sequence[str]) -> _Told | None:
    """A row of a table that counts something."""
    if _RULER.match(line) or len(line) >= LONGEST_QUOTE:
        return None
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    counted = [cell for cell in cells[1:] if _NUMBER.search(cell)]
    if not counted or not cells[0]:
        return None
    told = "; ".join(f"{head} {cell}" for head, cell in zip(heads[1:], cells[1:], strict=False))
    shown = f"{cells[0]}: {told}" if len(heads) == len(cells) else ""
    return _Told(line, _ROW + 0.2 * len(counted) + (0.4 if "**" in line else 0.0), shown)


def _labelled(prose: str, cues: Cues) -> Iterator[_Told]:
    """Sentences behind a label such as "Root cause:" or "Warning:"."""
    for found in _LABELLED.finditer(prose):
        if not cues.has("told", found["label"]) or _STEP.match(found["label"]):
            continue
        said = trimmed(prose, *bounds_of(prose, found.end(), found.end() + 1))
        start = prose.rfind(said, 0, found.end() + len(said))
        label = found.group().strip(" \t>*_#-:\u2014\n")
        if start < 0 or len(said.split()) < _FEWEST_WORDS or not _stands(said, cues):
            continue
        if label not in said:
            whole = trimmed(prose, found.start("label"), start + len(said))
            said = whole if len(whole) < LONGEST_QUOTE else said
        yield _Told(said, _SAID + 0.4 * concludes(said) + 0.3 * bool(identifiers_in(said)))


def _stressed(prose: str, cues: Cues) -> Iterator[_Told]:
    """Sentences of which a whole clause is stressed."""
    for found in _STRESSED.finditer(prose):
        clause = found["said"].strip()
        if len(clause.split()) < _FEWEST_WORDS or clause.endswith((":", "?")):
            continue
        said = trimmed(prose, *bounds_of(prose, found.start(), found.end()))
        alone = said.strip("*_ ") == clause
        if _HEADS.match(clause) or (alone and not clause.endswith((".", "!"))):
            continue  # A heading.
        if says_how_it_is(clause) and _stands(said, cues):
            yield _Told(said, _SAID + 0.3 * concludes(said) + 0.2 * bool(identifiers_in(said)))


def _came_to(prose: str, cues: Cues) -> Iterator[_Told]:
    """What a thought came to, where the next words do not go back on it."""
    for found in _CAME_TO.finditer(prose):
        start, end = bounds_of(prose, found.start(), found.end())
        said = trimmed(prose, max(start, found.start()), end)
        words = len(said.split())
        if not _FEWEST_WORDS_OF_A_STEP <= words <= _MOST_WORDS or not _stands(said, cues):
            continue
        if _THINKS_AGAIN.match(prose, end) is not None or looks_like_code(said):
            continue
        if _SAYS.search(_NAMED.sub("", said)) is None:
            continue
        if identifiers_in(said) or _NAMED.search(said) or _NUMBER.search(said):
            yield _Told(said, _SAID + 0.2)


def _outside_fences(text: str) -> str:
    """The prose before and between fences, in place: what is fenced becomes blanks."""
    if _FENCE not in text:
        return text
    pieces = text.split(_FENCE)
    return _FENCE.join(
        piece if place % 2 == 0 else re.sub(r"[^\n]", " ", piece)
        for place, piece in enumerate(pieces)
    )


def _claim(told: _Told, reading: Reading) -> Claim:
    return claim(
        "fact",
        told.text,
        text=told.shown,
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        rank=round(told.rank, 2),
    )
