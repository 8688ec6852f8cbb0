"""Which lines of a message a person pasted: lists of errors, logs, code that a program wrote.

Only shapes that programs give their lines count, never what a line says. A line of a sure shape is
enough; of the others it takes several close together. Prose between them stays the person's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.summarize.extractive.reading import Reading
from clew.tools_seen import expands_command
from clew.tools_seen.seen import Outcome

_SURE = re.compile(
    r"""
    [\w./\\:@~-]*\w\.\w{1,5}(?::\d+:\d+|\(\d+,\s?\d+\))       # src/a.py:12:5  a.ts(12,5)
    | \d+:\d+\s+(?:error|warning|info)\b                     # 12:5  error …
    | (?:error|warning)(?:\[\w+\]|\s[A-Z]{1,4}\d{3,5}):\s    # error[E0308]: …  error TS2322: …
    | \[?\d{2,4}[-/]\d\d[-/]\d\d[T,\s]\s?\d\d:\d\d           # 2026-01-02 03:04 …
    | (?:---\s(?:FAIL|PASS|SKIP):|===\sRUN)\s
    | Traceback\s\(most\srecent | File\s"[^"\n]+",\sline\s\d
    | at\s[^\n]{1,200}:\d+:\d+\)?$
    | At\sline:\d+\schar:\d | \+\s(?:CategoryInfo|FullyQualifiedErrorId)\b
    | diff\s--git\s | @@\s-\d | (?:npm|pnpm|yarn)\s(?:ERR!|WARN|error)
    | >\s\S                                                  # > quoted
    """,
    re.VERBOSE,
)
_LIKELY = re.compile(
    r"""
    [\w./\\@~-]*\w\.\w{1,5}:\d+\b                            # src/a.py:12
    | "[\w$\s.-]{1,60}"\s*:\s | [\[\]{}(),;\s]+$             # lines of JSON
    | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b
    | (?:error|warning|note|help)(?:\s\w+)?:\s
    | [✓✔✗✘✕×]\s | (?:FAIL|PASS|FAILED|PASSED|ok)(?:\s|$)
    | (?:\$|❯|>>>|\w+@[\w-]+:\S*\$)\s\S | PS\s[A-Z]:\\
    """,
    re.VERBOSE,
)
_FEWEST_LIKELY = 3
_WIDEST_GAP = 2
_LONGEST_INSET = 40
"""Lines that are indented between two of a program's are its own."""
_LIST_MARK = re.compile(r"[-*+•]\s|\d{1,2}[.)]\s")
_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")
_PLACE = re.compile(r"\b[\w./-]*\w\.[A-Za-z]{1,5}:\d+\b|\b(?:[Aa]t|[Oo]n) lines? \d+")
_SEVERITY = re.compile(
    r"^[^\w\n]*(?:(?:low|medium|high|critical|minor|major)\W{1,3}severity|severity\W{1,3}\w+|nit:|"
    r"\[?P[0-3]\b)",
    re.IGNORECASE | re.MULTILINE,
)
_SHORTEST_TEMPLATE, _FEWEST_HEADINGS = 400, 2
_HEADING = re.compile(r"^#{1,4} \S", re.MULTILINE)
_ALL_GIVEN = re.compile(r"(?<![\w$`'\"\\])\$ARGUMENTS\b")
_ONE_GIVEN = re.compile(r"(?<![\w$`'\"\\])\$[1-9](?![\d.,kKmM%])(?!\w)")
"""A place for one thing that is given; alone it may as well be a price."""
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_OF_A_COMMAND = re.compile(
    r"^#{1,4} (?:your task|(?:usage|example) (?:examples?|usage)|arguments)\b",
    re.MULTILINE | re.IGNORECASE,
)
_SHORTEST_REVIEW = 200
"""Who names a place in a file in a few words gives an order; in many, somebody reviews."""
_SKILL_TOOLS = frozenset({"skill", "slashcommand"})
_LONGEST_NOTE, _SHORTEST_SKILL = 200, 300
"""A call that loads a skill answers with a note; the skill itself is longer than what a person
throws in between."""


def is_template(text: str) -> bool:
    """Whether a message is the text of a command that was written once for many uses.

    Such a text has headings and a place left open for what is given with it; where that may be a
    price, a heading names the task or shows how the command is used, too. Less than that a person
    may well write to somebody now, and then it rules.
    """
    if len(text) < _SHORTEST_TEMPLATE or len(_HEADING.findall(text)) < _FEWEST_HEADINGS:
        return False
    if "$" not in text:
        return False
    plain = _CODE.sub("", text)
    if _ALL_GIVEN.search(plain) is not None:
        return True
    return _ONE_GIVEN.search(plain) is not None and _OF_A_COMMAND.search(text) is not None


def pasted_spans(text: str) -> list[tuple[int, int]]:
    """Where the pasted lines of a text begin and end, in order: of programs, then of reviews."""
    printed = _spans_of_programs(text)
    said = _spans_of_reviews(text)
    return [*printed, *(r for r in said if not any(a < r[1] and r[0] < b for a, b in printed))]


def _spans_of_reviews(text: str) -> list[tuple[int, int]]:
    """The paragraphs of a review: long ones that name a place, or stand under a severity."""
    if _SEVERITY.search(text) is None and _PLACE.search(text) is None:
        return []
    made, under = [], False
    for found in _PARAGRAPH.finditer(text):
        rated = _SEVERITY.search(found.group()) is not None
        placed = len(found.group()) >= _SHORTEST_REVIEW and _PLACE.search(found.group()) is not None
        if placed or rated or under:
            made.append(found.span())
        under = rated and len(found.group()) < _SHORTEST_REVIEW
    return made


def _spans_of_programs(text: str) -> list[tuple[int, int]]:
    if "\n" not in text and _SURE.match(text.lstrip()) is None:
        return []
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    bare = [line.strip() for line in lines]
    made = {n for block in _blocks(bare, lines) for n in _filled(block, bare, lines)}
    return [(starts[n], starts[n + 1]) for n in sorted(made)]


def _blocks(bare: Sequence[str], lines: Sequence[str]) -> list[list[int]]:
    """The lines of a program's shape that stand together, where they are sure or enough."""
    shaped = [n for n, line in enumerate(bare) if _SURE.match(line) or _LIKELY.match(line)]
    blocks: list[list[int]] = []
    for n in shaped:
        if blocks and _joined(lines[blocks[-1][-1] + 1 : n]):
            blocks[-1].append(n)
        else:
            blocks.append([n])
    return [b for b in blocks if len(b) >= _FEWEST_LIKELY or any(_SURE.match(bare[n]) for n in b)]


def _joined(between: Sequence[str]) -> bool:
    inset = all(line[:1].isspace() for line in between)
    return len(between) <= (_LONGEST_INSET if inset else _WIDEST_GAP)


def _filled(block: Sequence[int], bare: Sequence[str], lines: Sequence[str]) -> list[int]:
    """The lines of a block with what is indented between them and right behind them."""
    inside = [n for n in range(block[0], block[-1]) if lines[n][:1].isspace() or not bare[n]]
    end = block[-1] + 1
    while end < len(lines) and _goes_on(lines[block[-1]], lines[end]):
        end += 1
    return [*block, *inside, *range(block[-1] + 1, end)]


def _goes_on(last: str, line: str) -> bool:
    """Whether a line is indented below the last one of a block, and no entry of a list."""
    deeper = len(line) - len(line.lstrip()) > len(last) - len(last.lstrip())
    return deeper and bool(line.strip()) and _LIST_MARK.match(line.lstrip()) is None


def is_expanded(reading: Reading, before: Reading | None) -> bool:
    """Whether the message of an exchange is the text of a skill that a harness put there.

    It stands behind the frame of the command that was typed, in the same message or the next one,
    or behind the agent's call that loaded the skill.
    """
    frames = (*(before.harness if before is not None else ()), *reading.harness)
    return any(expands_command(text) for text in frames) or is_loaded(reading, before)


def is_page_of_a_skill(reading: Reading, before: Reading | None) -> bool:
    """Whether a message is a page with headings that the agent's own call of a skill put there."""
    return is_loaded(reading, before) and any(
        _HEADING.search(text) is not None for text in reading.typed
    )


def is_loaded(reading: Reading, before: Reading | None) -> bool:
    """Whether the message of an exchange is a skill that the agent loaded with a call."""
    if before is None or not before.calls or not before.results:
        return False
    last = before.calls[-1]
    loaded = last.tool.lower() in _SKILL_TOOLS and last.outcome is Outcome.OK
    noted = len(before.results[-1]) <= _LONGEST_NOTE
    return loaded and noted and sum(map(len, reading.typed)) >= _SHORTEST_SKILL
