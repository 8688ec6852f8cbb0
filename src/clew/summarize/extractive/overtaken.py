"""Findings that the work went past: a flaw whose file was changed since, a line that came again.

A flaw that a helper or the agent found in a file is worth its line until that file is written. Of
lines that differ in their numbers alone the newest says how it is, and of one sentence that is
said of one name after the other the last one is enough.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from clew.record.items import Speaker
from clew.summarize.extractive.claims import Claim
from clew.summarize.extractive.identifiers import identifiers_in
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, Outcome

_FEWEST_NAMES = 2
"""Names of a flaw that the change of its file has to hold, where the agent found it itself."""
_MOST_WRITES = 6
"""How many of the latest changes of a file are looked at, so that the work stays linear."""
_FEWEST_ALIKE, _MOST_WORDS_ALIKE = 3, 10
_FLAW = re.compile(
    r"[\u26a0\u274c]|\b(?:unused|dead\scode|never\s(?:used|read|called)|stale|drift\w*|duplicat\w*|missing|"
    r"lacks?|no\stests?|zero\s(?:test\s)?coverage|not\scovered|untested|unbounded\w*|leaks?|"
    r"still\s(?:documents?|says|uses|has|describes)|misleading|inconsistent|silently|swallows?|"
    r"asserts\snothing|should\snow\b|"
    r"(?:\w+n['\u2019]t|not|never)\s(?:have|cover|check|handle|test|assert|validate)\w*)\b",
    re.IGNORECASE,
)
_CLEAN = re.compile(
    r"\b(?:working\s?tree|work\s?tree|git\s(?:status|diff)|diff|index\.lock)\b[^.;]{0,50}"
    r"\b(?:clean|empty|no\soutput|now)\b|\bclean\sin\sthe\s(?:worktree|working\stree)"
    r"|^\W*no\s(?:staged|unstaged|uncommitted|pending)\b|\bnothing\sto\scommit\b"
    r"|\bno\s(?:tracked\s)?diff\b",
    re.IGNORECASE,
)
"""Says that nothing is changed; the next change ends it."""
_FILE = re.compile(r"(?<![\w.])(?:[\w.-]+[/\\])*(?P<name>[\w-][\w.-]*\.[A-Za-z]\w{0,5})\b(?!\()")
_NUMBER = re.compile(r"\d[\d.,:]*")
_MARKED = re.compile(r"`[^`\n]{2,60}`")
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})


def still_current(
    claims: Sequence[Claim], concluded: Sequence[Claim], readings: Sequence[Reading]
) -> tuple[list[Claim], list[Claim]]:
    """Both lists without the findings that the work of these exchanges went past."""
    facts = [each for each in (*claims, *concluded) if each.item.kind == "fact"]
    written = _writes(readings) if facts else {}
    changed = [r.position for r in readings if changes_the_tree(r)] if facts else []
    over = _came_again(facts) | {
        id(each) for each in facts if _mended(each, written) or _was_clean(each, changed)
    }
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
    for text in said:
        _files_of_a_flaw(text)
        says_that_all_is_clean(text)


def _writes(readings: Sequence[Reading]) -> dict[str, list[Reading]]:
    """The exchanges that wrote a file, by its name."""
    made: defaultdict[str, list[Reading]] = defaultdict(list)
    for reading in readings:
        for name in _written_by(reading) if reading.calls else ():
            made[name].append(reading)
    return made


@lru_cache(maxsize=8_192)
def _files_of_a_flaw(text: str) -> frozenset[str]:
    """The names of the files that a sentence tells a flaw of; empty for any other sentence."""
    files = frozenset(found["name"] for found in _FILE.finditer(text)) if "." in text else None
    return files if files and _FLAW.search(text) is not None else frozenset()


def _mended(made: Claim, written: dict[str, list[Reading]]) -> bool:
    """Whether a finding tells a flaw of a file that was written since."""
    text = made.item.text
    files = _files_of_a_flaw(text) if written else frozenset()
    later = [r for file in files for r in written.get(file, ()) if r.position > made.position]
    if not later or made.item.said_by is Speaker.TOOL:
        return bool(later) and made.item.said_by is Speaker.TOOL
    names = {*identifiers_in(text), *(m.strip("`") for m in _MARKED.findall(text))} - files
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
