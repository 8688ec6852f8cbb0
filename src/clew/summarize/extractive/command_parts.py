"""The parts of a command that have effects, and whether its output shows that they had them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.families import DEFAULT_TABLE
from clew.tools_seen.seen import CallSeen, Outcome
from clew.tools_seen.shell import see_shell

COMMITTED = re.compile(
    r"\[(?P<branch>[^\s\]]+)[^\]]*\s(?P<hash>[0-9a-f]{7,40})\]\s+(?P<subject>.+)"
)
_PUSHED = re.compile(
    r"^[ \t]*(?![ \t]*!)(?:[*+=-][ \t]+)?(?:\[(?:new|deleted)[^\]\n]*\]|[0-9a-f]{7,40}\.{2,3}"
    r"[0-9a-f]{7,40})[ \t]+[^\n]{1,200}|^(?:Output: )?Everything up-to-date",
    re.MULTILINE,
)
_DISCARDED = re.compile(r"\bUpdated \d+ paths? from (?:the index|[0-9a-f]{7,40})")
INSTALLED = re.compile(
    r"^(?:\[stderr\] |Output: )?(?P<name>Successfully installed [^\n]{1,200}|"
    r"installed \S+@\S+[^\n]{0,80}|added \d+ packages?\b[^\n]{0,80}|\+ \S+@\d\S*|"
    r"Installed package `[^\n]{1,120}|\S{0,4}[ \t]*/\S+/Cellar/[^\n]{1,120})",
    re.MULTILINE,
)
"""The line with which a package manager says what it has put in place."""
_WAS_THERE = re.compile(
    r"^(?:\[stderr\] |Output: )?(?:Warning: )?(?:Already installed\b|"
    r"[^\n]{1,120}\bis already installed\b|Requirement already satisfied:)",
    re.MULTILINE,
)
_SIGNS = {
    "git commit": COMMITTED,
    "git push": _PUSHED,
    "discard changes": _DISCARDED,
    "install": INSTALLED,
}
"""What a program prints once it did so."""
_SAID_BY_GH = re.compile(r"^\u2713 [A-Z]\w+ [^\n]{3,200}", re.MULTILINE)
_REFUSES = {
    "git commit": re.compile(
        r"^(?:Output: )?(?:fatal|error): |^Aborting commit|^no changes added to commit|"
        r"^(?:Output: )?nothing (?:added )?to commit",
        re.MULTILINE,
    ),
    "git push": re.compile(
        r"^(?:Output: )?(?:fatal: |error: failed to push)|^[ \t]*! \[(?:remote )?rejected\]",
        re.MULTILINE,
    ),
}
"""What git prints where it did not; what is here it never does without a word, unless it is told
to be quiet."""
_DELETES = re.compile(r"(?:^|(?<=[;&|\n(]))[^\S\n]*(?:sudo\s)?rm\s(?P<files>[^;&|\n)]+)")
_NO_MATCH = re.compile(r"\bno matches found: (?P<file>\S+)")
_MISSING = re.compile(
    r"^(?:Output: )?rm: (?:cannot remove )?['\"\u2018]?(?P<file>[^\s'\"\u2019:]+)['\"\u2019]?"
    r": No such",
    re.MULTILINE,
)
_FATAL = re.compile(r"^(?:Output: )?fatal: ", re.MULTILINE)
_JOINT = re.compile(r"(&&|;|\n)")
_MOST_PARTS = 12
_QUIET = re.compile(r"(?<=\s)(?:--quiet|-[a-z]*q[a-z]*)(?=\s|$)|\||>|\bgit config\s+\S*quiet")
_CUT = re.compile(r"truncated|omitted|elided|too (?:long|large)|\.\.\. ?\[|\[\.\.\.", re.IGNORECASE)


_SCRATCH = r"[\"']?(?:(?:/private)?/tmp/|/var/folders/|\$\(mktemp\b|\$\{?TMPDIR\b)"
_FROM_AFAR = re.compile(r"\bclone\s[^;&|\n]*?(?:https?://|git@|ssh://)")
"""Fetches what others made: later steps rest on it, wherever it lies."""
_SCRATCH_NAMED = re.compile(rf"(?:^|[\s;&(])(?P<name>\w+)={_SCRATCH}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a command: its effect (may be empty), its text, whether git may say nothing of it.

    `chained`: it runs only when the part before it worked. `last`: nothing runs behind it.
    """

    effect: str
    text: str
    quiet: bool
    chained: bool
    last: bool


@once
def parts_in(reading: Reading) -> tuple[tuple[Part, ...], ...]:
    """For each call of an exchange the parts of its command, where they matter one by one."""
    return tuple(_parts(call.command) if _counts_in_parts(call) else () for call in reading.calls)


def _counts_in_parts(call: CallSeen) -> bool:
    return bool(call.command) and (call.outcome is Outcome.FAILED or len(call.effects) > 1)


def _parts(command: str) -> tuple[Part, ...]:
    pieces = _JOINT.split(command)
    texts = pieces[::2]
    if len(texts) > _MOST_PARTS:
        return ()
    return tuple(
        Part(
            effect=see_shell(text.strip(), DEFAULT_TABLE).effect,
            text=text.strip(),
            quiet=_QUIET.search(text) is not None,
            chained=place > 0 and pieces[2 * place - 1] == "&&",
            last=place == len(texts) - 1,
        )
        for place, text in enumerate(texts)
    )


def sign_of(effect: str, shown: Sequence[str]) -> re.Match[str] | None:
    """The line of an output with which a program says that it had this effect."""
    pattern = _SIGNS.get(effect, _SAID_BY_GH)
    return next((found for text in shown if (found := pattern.search(text)) is not None), None)


def left_out(part: Part, shown: Sequence[str]) -> bool:
    """Whether a part of a command that failed is known not to have had its effect.

    Git says what it committed or pushed: an output that is all there and says nothing of it tells
    that it did not.
    """
    if part.effect not in _REFUSES or part.quiet or sign_of(part.effect, shown) is not None:
        return False
    return any(text.strip() for text in shown) and not any(_CUT.search(text) for text in shown)


def is_refused(call: CallSeen, shown: Sequence[str]) -> bool:
    """Whether the output of a call that counts as done says that git did not do it.

    A pipe or a further command behind it hides the exit code.
    """
    if call.effect.endswith("install"):
        return _was_there(call, shown)
    if call.effect == "delete" and len(set(call.effects)) <= 1:
        return _deletes_nothing(call.command, shown)
    if not call.effect.startswith("git ") or not call.command:
        return False
    if call.effect in _REFUSES:
        refusal = _REFUSES[call.effect]
        said = sign_of(call.effect, shown) is not None
        return not said and any(refusal.search(text) for text in shown)
    alone = _JOINT.search(call.command.strip()) is None
    return alone and any(_FATAL.search(text) for text in shown)


def _was_there(call: CallSeen, shown: Sequence[str]) -> bool:
    """Whether a command that only installs found that what it was to install was there."""
    if not call.command or len(call.effects) > 1 or sign_of("install", shown) is not None:
        return False
    return any(_WAS_THERE.search(text) for text in shown)


def _deletes_nothing(command: str, shown: Sequence[str]) -> bool:
    """Whether all that a command deletes it had made itself, or the shell says is not there.

    A pattern without a match stops some shells before anything is deleted.
    """
    deletions = list(_DELETES.finditer(command))
    for found in deletions:
        files = [word.strip("\"'") for word in found["files"].split() if word[:1] not in "-2>"]
        made = all(_is_made_before(file, command[: found.start()]) for file in files)
        unmatched = any(_said_missing(_NO_MATCH, file, shown) for file in files)
        missing = all(_said_missing(_MISSING, file, shown) for file in files)
        if not files or not (made or unmatched or missing):
            return False
    return bool(deletions)


def _is_made_before(file: str, before: str) -> bool:
    return (
        re.search(rf"(?:>|\btee|\btouch)\s*[\"']?{re.escape(file)}(?![\w./-])", before) is not None
    )


def _said_missing(told: re.Pattern[str], file: str, shown: Sequence[str]) -> bool:
    name = file.rsplit("/", 1)[-1]
    return any(said["file"].endswith(name) for text in shown for said in told.finditer(text))


def is_in_scratch(command: str, effect: str) -> bool:
    """Whether a command has an effect of git in a scratch folder alone, so that nothing is left.

    It works in such a folder, is told to with `-C`, or names one as its target.
    """
    if not effect.startswith("git ") or effect == "git push":
        return False
    if effect == "git clone" and _FROM_AFAR.search(command):
        return False
    named = [rf"\$\{{?{found['name']}\b" for found in _SCRATCH_NAMED.finditer(command)]
    scratch = re.compile(rf"\s[\"']?(?:{'|'.join((_SCRATCH, *named))})")
    verb, inside, seen = effect.split()[1], False, False
    for piece in _JOINT.split(command)[::2]:
        if piece.strip().startswith("cd "):
            inside = scratch.search(piece) is not None
        elif "git" in piece and verb in piece:
            if not (inside or scratch.search(piece)):
                return False
            seen = True
    return seen
