"""What calls wrote into files: the lines that are new there, by file.

Harnesses send a change as a whole file, as an old and a new piece, as a patch, as blocks to search
and replace, or inside a shell command; whatever the form, the new lines are what the agent chose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.json_text import object_in
from clew.tools_seen.seen import Action, CallSeen, Outcome

_LONGEST_SENT = 40_000
_MOST_LINES = 600
_NEW = ("content", "contents", "file_text", "new_string", "new_str", "newText", "newString",
        "replace", "text", "plan")  # fmt: skip
_OLD = ("old_string", "old_str", "oldText", "oldString", "search")
_PATH = ("file_path", "filePath", "path", "filename", "target_file")
_PATCHES = ("patchText", "patch", "input")
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add) File: (?P<file>\S.*)$")
_HEREDOC = re.compile(
    r"cat\s+>{1,2}\s*(?P<file>[^\s<;&|]+)\s*<<-?\s*['\"]?(?P<end>\w+)['\"]?\n(?P<body>.*?)\n(?P=end)\b"
    r"|cat\s*<<-?\s*['\"]?(?P<end2>\w+)['\"]?\s*>{1,2}\s*(?P<file2>\S+)\n(?P<body2>.*?)\n(?P=end2)\b",
    re.DOTALL,
)
_BLOCK = re.compile(
    r"^(?:<{5,}|-{5,}) SEARCH[^\n]*\n(?P<old>.*?)^={5,}\n(?P<new>.*?)^(?:>{5,}|\+{5,}) REPLACE",
    re.DOTALL | re.MULTILINE,
)
_TAGGED = re.compile(r"<path>(?P<file>[^<\n]+)</path>")
_CONTENT = re.compile(r"<content>\n?(?P<body>.*?)</content>", re.DOTALL)
_NUMBERED = re.compile(r"^\d{1,3}[.)]\s+")
_NOT_DONE = frozenset({Outcome.FAILED, Outcome.REFUSED})


@dataclass(frozen=True, slots=True)
class Written:
    """The new lines of one file as one call sent them, and those that it took away.

    All are without their indent, and those that are gone without their number in a list.
    """

    file: str
    lines: tuple[str, ...]
    gone: frozenset[str]


@once
def written_in(reading: Reading) -> tuple[Written, ...]:
    """What the calls of an exchange that succeeded wrote, in order."""
    if not any(_changes(call) for call in reading.calls):
        return ()
    paired = len(reading.arguments) == len(reading.calls)
    made: list[Written] = []
    for place, sent in enumerate(reading.arguments):
        call = reading.calls[place] if paired else None
        if call is not None and not _changes(call):
            continue
        file = call.resource if call is not None else ""
        made.extend(_sent(sent[:_LONGEST_SENT], file))
    return tuple(each for each in made if each.lines or each.gone)


def _changes(call: CallSeen) -> bool:
    return call.action is Action.WRITE and call.outcome not in _NOT_DONE


def _sent(sent: str, file: str) -> Iterator[Written]:
    """The files of one call."""
    if sent.startswith("{"):
        yield from _given(object_in(sent), file)
    elif "*** Begin Patch" in sent:
        yield from _patched(sent)
    else:
        tagged = _TAGGED.search(sent)
        name = tagged["file"] if tagged is not None else file
        if (whole := _CONTENT.search(sent)) is not None:
            yield _written(name, "", whole["body"])
        yield from (_written(name, block["old"], block["new"]) for block in _BLOCK.finditer(sent))
        yield from _commanded(sent)


def _given(given: Mapping[str, Any], file: str) -> Iterator[Written]:
    """The files of a call whose arguments are named."""
    named = _named_in(given, file)
    for key in _PATCHES:
        if isinstance(patch := given.get(key), str) and "*** Begin Patch" in patch:
            yield from _patched(patch)
    if isinstance(edits := given.get("edits"), list):
        for edit in edits:
            if isinstance(edit, dict):
                yield from _replaced(edit, _named_in(edit, named))
    yield from _replaced(given, named)
    if isinstance(command := given.get("command", given.get("cmd")), str):
        yield from _commanded(command)


def _named_in(given: Mapping[str, Any], file: str) -> str:
    return next((given[key] for key in _PATH if isinstance(given.get(key), str)), file)


def _replaced(given: Mapping[str, Any], file: str) -> Iterator[Written]:
    """A whole text, or an old and a new piece of one."""
    old = next((given[key] for key in _OLD if isinstance(given.get(key), str)), "")
    new = next((given[key] for key in _NEW if isinstance(given.get(key), str)), "")
    if new:
        yield _written(file, old, new)


def _patched(patch: str) -> Iterator[Written]:
    """The files of a patch in the `*** Begin Patch` form."""
    file = ""
    added: list[str] = []
    taken: list[str] = []
    for line in patch.split("\n"):
        if (header := _PATCHED.match(line)) is not None:
            if file:
                yield _written(file, "\n".join(taken), "\n".join(added))
            file, added, taken = header["file"].strip(), [], []
        elif line.startswith("+"):
            added.append(line[1:])
        elif line.startswith("-"):
            taken.append(line[1:])
    if file:
        yield _written(file, "\n".join(taken), "\n".join(added))


def _commanded(command: str) -> Iterator[Written]:
    """The files that a shell command writes out."""
    if "<<" not in command:
        return
    for found in _HEREDOC.finditer(command):
        file, body = found["file"] or found["file2"], found["body"] or found["body2"]
        yield _written(file.strip("'\""), "", body)


def _written(file: str, old: str, new: str) -> Written:
    before = {unnumbered(line) for line in old.split("\n")} if old else set()
    lines = [line.strip() for line in new.split("\n", _MOST_LINES)[:_MOST_LINES]]
    fresh = tuple(line for line in lines if line and unnumbered(line) not in before)
    return Written(file, fresh, frozenset(before.difference(map(unnumbered, lines), ("",))))


def unnumbered(line: str) -> str:
    """A line without its indent and its number in a list, which moves with the lines before it."""
    bare = line.strip()
    return _NUMBERED.sub("", bare) if bare[:1].isdigit() else bare
