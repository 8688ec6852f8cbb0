"""Findings that the work went past: a flaw whose file was changed since, a line that came again.

A flaw that a helper or the agent found in a file is worth its line until that file is written. Of
lines that differ in their numbers alone the newest says how it is, and of one sentence that is
said of one name after the other the last one is enough.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.flaws import files_of_a_flaw, files_of_places, is_flaw_alone
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.taken_on import taken_on, takes_on, writes
from clew.tools_seen.seen import Action, Outcome

_FEWEST_NAMES = 2
"""Names of a flaw that the change of its file has to hold, where the agent found it itself."""
_MOST_WRITES = 6
"""How many of the latest changes of a file are looked at, so that the work stays linear."""
_AT_ONCE = 4
"""How many changes behind a flaw are looked at for the names in it, where it names no file."""
_FEWEST_ALIKE, _MOST_WORDS_ALIKE = 3, 10
_CLEAN = re.compile(
    r"\b(?:working\s?tree|work\s?tree|git\s(?:status|diff)|diff|index\.lock)\b[^.;]{0,50}"
    r"\b(?:clean|empty|no\soutput)\b|\bclean\sin\sthe\s(?:worktree|working\stree)"
    r"|^\W*no\s(?:staged|unstaged|uncommitted|pending)\b|\bnothing\sto\scommit\b"
    r"|\bno\s(?:tracked\s)?diff\b|\bno\s\S{0,8}index\.lock\b",
    re.IGNORECASE,
)
"""Says that nothing is changed; the next change ends it."""
_NUMBER = re.compile(r"\d[\d.,:]*")
_MARKED = re.compile(r"`[^`\n]{2,60}`")
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})


def still_current(
    claims: Sequence[Claim], concluded: Sequence[Claim], readings: Sequence[Reading]
) -> tuple[list[Claim], list[Claim]]:
    """Both lists without the findings that the work of these exchanges went past."""
    facts = [each for each in (*claims, *concluded) if each.item.kind == "fact"]
    work = _work_of(readings if facts else ())
    changed = [r.position for r in readings if changes_the_tree(r)] if facts else []
    over = _came_again(facts) | taken_on([*claims, *concluded], readings, work.writes)
    over |= {id(each) for each in facts if _mended(each, work) or _was_clean(each, changed)}
    if not over:
        return [*claims], [*concluded]
    current = ([each for each in told if id(each) not in over] for told in (claims, concluded))
    return next(current), next(current)


@once
def _written_by(reading: Reading) -> tuple[str, ...]:
    """The names of the files that an exchange wrote."""
    return tuple(
        re.split(r"[/\\]", file)[-1]
        for call in reading.calls
        if call.action is Action.WRITE and call.outcome not in _NOT_DONE
        for file in (call.resources or (call.resource,))
        if file
    )


@once
def changes_the_tree(reading: Reading) -> bool:
    """Whether an exchange writes a file or commits."""
    return any(
        call.action is Action.WRITE or "git commit" in (call.effect, *call.effects)
        for call in reading.calls
        if call.outcome not in _NOT_DONE
    )


def _was_clean(made: Claim, changed: Sequence[int]) -> bool:
    """Whether a finding says that nothing was changed, and something was since."""
    if not changed or made.position >= changed[-1] or made.item.said_by is Speaker.USER:
        return False
    return says_that_all_is_clean(made.item.text)


@lru_cache(maxsize=8_192)
def says_that_all_is_clean(text: str) -> bool:
    """Whether a sentence says that nothing is changed in a working tree."""
    return _CLEAN.search(text) is not None


def read_ahead(reading: Reading, said: Iterable[str]) -> None:
    """Work out what one exchange wrote, and of which files what is said tells a flaw."""
    _written_by(reading)
    changes_the_tree(reading)
    takes_on(reading)
    writes(reading)
    for text in said:
        files_of_a_flaw(text)
        files_of_places(text)
        says_that_all_is_clean(text)


@dataclass(frozen=True, slots=True)
class _Work:
    """The exchanges that wrote a file: by its name, and in order."""

    writes: dict[str, list[Reading]]
    positions: list[int]
    changes: list[Reading]

    def changes_at_once(self, names: Collection[str], position: int) -> bool:
        """Whether one of the next changes behind a position holds all of some names."""
        first = bisect_left(self.positions, position)
        return any(
            all(any(name in sent for sent in reading.arguments) for name in names)
            for reading in self.changes[first : first + _AT_ONCE]
        )


def _work_of(readings: Sequence[Reading]) -> _Work:
    made: defaultdict[str, list[Reading]] = defaultdict(list)
    changes = [reading for reading in readings if _written_by(reading)]
    for reading in changes:
        for name in _written_by(reading):
            made[name].append(reading)
    return _Work(writes=made, positions=[each.position for each in changes], changes=changes)


def _mended(made: Claim, work: _Work) -> bool:
    """Whether a finding tells a flaw of a file that was written since, or of names in a change."""
    text, helped = made.item.text, made.item.said_by is Speaker.TOOL
    if made.item.said_by is Speaker.USER:
        return False
    flawed, placed = files_of_a_flaw(text), files_of_places(text) if helped else frozenset()
    files = flawed | placed
    later = [r for file in files for r in work.writes.get(file, ()) if r.position > made.position]
    if helped and later:
        return True
    if not (later or (not files and is_flaw_alone(text))):
        return False
    names = {*identifiers_in(text), *(m.strip("`") for m in _MARKED.findall(text))} - files
    if not files:
        return bool(names) and work.changes_at_once(names, made.position)
    sent = [argument for reading in later[-_MOST_WRITES:] for argument in reading.arguments]
    return sum(any(name in each for each in sent) for name in names) >= _FEWEST_NAMES


def _came_again(claims: Sequence[Claim]) -> set[int]:
    """The findings of which a newer one is the same line with other numbers, or another name."""
    lines: defaultdict[str, list[Claim]] = defaultdict(list)
    alike: defaultdict[str, list[Claim]] = defaultdict(list)
    for made in claims:
        text = made.item.text
        if made.item.said_by is Speaker.TOOL and _NUMBER.search(text):
            lines[_NUMBER.sub("#", text)].append(made)
        elif "`" in text and len(text.split()) <= _MOST_WORDS_ALIKE:
            alike[_MARKED.sub("`", text, count=1)].append(made)
    older: set[int] = set()
    for group in lines.values():
        older.update(map(id, _but_newest(group)))
    for group in alike.values():
        if len({made.position for made in group}) >= _FEWEST_ALIKE:
            older.update(map(id, _but_newest(group)))
    return older


def _but_newest(group: Sequence[Claim]) -> list[Claim]:
    newest = max(made.position for made in group)
    return [made for made in group if made.position < newest]
