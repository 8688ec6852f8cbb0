"""What a file of progress that the agent keeps says is left, as of its latest version.

Such a file marks what is done and what is not; a file without both is no account of progress.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.delta import Close
from clew.record.items import Evidence, Item, Speaker, Status
from clew.summarize.extractive.claims import Claim, claim, settled
from clew.summarize.extractive.cues import Cues
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading, plain_arguments
from clew.summarize.extractive.remaining import entries_left
from clew.summarize.extractive.sentences import looks_like_code
from clew.tools_seen.json_text import object_in
from clew.tools_seen.seen import Action, Outcome

_PROSE_FILES = (".md", ".txt", ".rst", ".org")
_LONGEST_FILE = 20_000
_LONGEST_LINE = 200
_MOST_LEFT = 6
_FEWEST_WORDS = 2
_DONE = re.compile(r"\u2705|\u2611|\u2714|\[x\]|~~", re.IGNORECASE)
_OPEN = re.compile(
    r"^\s*[-*+] \[ \] |[\u23f3\U0001f4cb\U0001f532\u2b1c\U0001f6a7\U0001f504]"
    r"|^\s*(?:[-*+|#]|\d{1,2}[.)]\s|\*\*)[^\n]*"
    r"(?:[:(|\u2013\u2014-]|\b(?:is|are|tasks?|items?|work))\s*\**"
    r"(?:pending|not (?:yet )?started|in progress)\b",
    re.IGNORECASE,
)
_MARKS = re.compile(r"^[\s>*+#-]*(?:\d{1,2}[.)]\s)?(?:\[ \]\s)?")
_EDITED = re.compile(r'"old(?:_?(?:str|string|text))"|<<<<<<<|\*\*\* Update File', re.IGNORECASE)
_WHOLE = re.compile(r'^"(?:contents?|file_?text|text)"$', re.IGNORECASE | re.MULTILINE)
"""Names what was sent as all that a file holds now."""
_PLAIN = re.compile(r"[A-Za-z0-9][ -!#-\[\]-~]{6,}[A-Za-z0-9).]")
"""A piece of a line that no way of writing JSON changes."""
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})


@once
def left_in(reading: Reading, cues: Cues) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """By file what an exchange writes of what is left, where the file tells of progress."""
    made: list[tuple[str, tuple[str, ...]]] = []
    for file, text in _written(reading):
        if _EDITED.search(text) is None and _DONE.search(text):
            made.append((file, tuple(_lines_left(text, cues))))
    return tuple(made)


def _written(reading: Reading) -> list[tuple[str, str]]:
    """The files of prose that calls of an exchange wrote, each with what was sent."""
    if len(reading.arguments) != len(reading.calls):
        return []
    return [
        (call.resource, _decoded(sent))
        for call, sent in zip(reading.calls, reading.arguments, strict=True)
        if call.action is Action.WRITE
        and call.outcome not in _NOT_DONE
        and call.resource.lower().endswith(_PROSE_FILES)
    ]


def _decoded(sent: str) -> str:
    """What was sent to a tool as its strings read, each on lines of its own."""
    given = object_in(sent)
    if not given:
        return plain_arguments(sent[:_LONGEST_FILE])
    return "\n".join(f'"{key}"\n{value}' for key, value in given.items())[:_LONGEST_FILE]


def _lines_left(text: str, cues: Cues) -> list[str]:
    marked = [
        _MARKS.sub("", line).strip()
        for line in text.split("\n")
        if len(line) <= _LONGEST_LINE and _OPEN.search(line) and not _DONE.search(line)
    ]
    listed = entries_left(text, cues)
    found = dict.fromkeys((*marked[:_MOST_LEFT], *listed))
    return [each for each in found if _is_work(each)][:_MOST_LEFT]


def _is_work(line: str) -> bool:
    return len(line.split()) >= _FEWEST_WORDS and not looks_like_code(line)


def left_in_files(readings: Sequence[Reading], cues: Cues) -> list[Claim]:
    """What files of progress say is left at the end of these readings."""
    kept: dict[str, dict[str, Claim]] = {}
    for reading in readings:
        for file, lines in left_in(reading, cues):
            kept[file] = {line: made for line in lines if (made := _left(line, file, reading))}
        for file, text in _written(reading) if kept else ():
            for line, made in kept.get(file, {}).items():
                if made.item.live and (over := _over(line, file, text, cues)):
                    shown = Evidence(span=reading.handle)
                    kept[file][line] = settled(made, *over, shown)
    return [made for lines in kept.values() for made in lines.values()]


def closings(old: Sequence[Item], readings: Sequence[Reading], cues: Cues) -> list[Close]:
    """Closes what the record has of files of progress that later versions tick or list no more."""
    left = {i.id: i for i in old if i.kind == "commitment" and i.live and i.field("file")}
    made: list[Close] = []
    for reading in readings if left else ():
        for file, text in _written(reading):
            for item in [each for each in left.values() if each.field("file") == file]:
                if over := _over(item.text, file, text, cues):
                    del left[item.id]
                    shown = (Evidence(span=reading.handle),)
                    made.append(Close(id=item.id, status=over[0], evidence=shown, reason=over[1]))
    return made


def _over(line: str, file: str, text: str, cues: Cues) -> tuple[Status, str] | None:
    """How an entry of a file is over that was written again, whole or in part."""
    if _is_ticked(line, text):
        return Status.DONE, f"{file} says so"
    if _EDITED.search(text) is not None or _WHOLE.search(text) is None:
        return None
    left = {each.replace("**", "") for each in _lines_left(text, cues)}
    listed = line.replace("**", "") in left or line in text
    return None if listed else (Status.CLOSED, f"{file} does not list it any more")


def _is_ticked(line: str, text: str) -> bool:
    return re.search(rf"(?:\[x\]|\u2705)\s*\**{re.escape(line)}", text, re.IGNORECASE) is not None


def _sent(line: str, reading: Reading) -> str:
    """A line as it was sent, or the longest piece of it that was sent as it reads."""
    pieces = (line, *sorted(_PLAIN.findall(line), key=len, reverse=True))
    return next((each for each in pieces if any(each in sent for sent in reading.arguments)), "")


def _left(line: str, file: str, reading: Reading) -> Claim | None:
    quote = _sent(line, reading)
    if not quote:
        return None
    return claim(
        "commitment",
        quote,
        text=line.replace("**", ""),
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.OPEN,
        fields=(("file", file),),
        rank=1.1,
    )
