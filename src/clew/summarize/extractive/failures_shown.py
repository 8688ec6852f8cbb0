"""Failures that an output shows though the call that printed it counts as done.

A pipe hides the exit code, a tool answers in a plain sentence, a program prints its error and
ends well: nothing marks such a result, what stands in it does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from clew.summarize.extractive.actions import Attempt, attempts_of, by_call
from clew.summarize.extractive.command_parts import is_refused
from clew.summarize.extractive.failed_alike import intent
from clew.summarize.extractive.failed_calls import SAYS_WHY, program
from clew.summarize.extractive.nothing_came import none_found, none_run, not_taken
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.tools_seen.seen import Action, Outcome
from clew.tools_seen.worded import worded

_LONGEST_OUTPUT = 4_000
"""Characters of an output that is looked at; a longer one is a file or a log, with errors of its
own."""

_LONGEST_ANSWER = 300
"""Characters of a result that says no more than why there is none."""

_LONGEST_LINE = 300
_OPENING = 800
_FIRST_WORDS = 12
_FRAME = re.compile(
    r"^(?:</?[\w_]+>|Chunk ID: .*|Wall time: .*|Process exited .*|Original token count: .*|"
    r"Output:|Exit [Cc]ode:? .*|Command: .*|Directory: .*|Error: \(none\)|Signal: .*|Stdout: |"
    r"\(Open file: .*|\(Current directory: .*|bash-\$)\s*",
)
_FRAMES = (
    "<", "Chunk ID: ", "Wall time: ", "Process exited ", "Original token count: ", "Output:",
    "Exit ", "Command: ", "Directory: ", "Error: (none)", "Signal: ", "Stdout: ", "(Open file: ",
    "(Current directory: ", "bash-$",
)  # fmt: skip
"""What a line begins with that has a frame."""
_SAYS_NOTHING = worded(
    r"^\(?(?:(?:bash|command) completed with )?(?:no output|\(?empty\)?)\)?\.?$"
    r"|^(?:Background PIDs|Process Group PGID): .*$|^\d+</returncode>$",
    needs="no output|empty|background pids|process group pgid|</returncode>",
    flags=re.IGNORECASE,
)
_BUILDS = re.compile(
    r"\b(?:test|build|check|lint|vet|compile|make|tsc|mypy|ruff|flake8|pytest|cargo|tox|jest|"
    r"vitest|"
    r"gcc|clang|javac|gradle|mvn|golangci-lint|eslint|ponyc|rustc)\b"
)
_TO_GET = frozenset({Action.RUN, Action.OTHER, Action.EFFECT})
"""Calls that are made for what comes of them; that a look shows nothing is an answer."""
_HIDES = re.compile(r"\||;|&\s*$")
"""What may stand before the command whose exit code is seen."""
_AT_A_PLACE = re.compile(
    r"^(?:\[[\w:.-]+\] )?(?:\./|/)?[\w.@/\\-]+\.\w{1,5}(?::\d+(?::\d+)?:? |\(\d+,\d+\): )"
    r"(?!\s*$)(?P<said>.{8,})$"
)
_PLACE = re.compile(r"\.\w{1,5}[:(]\d")
"""Stands in every text with such a line."""
_NO_ERROR = re.compile(r"^(?:warning|note|info|hint|ok|pass)\b", re.IGNORECASE)
_PASSED = re.compile(
    r"^(?:PASS|ok\s+\S+\s+(?:[\d.]+s|\(cached\)).*|OK(?: \(.*\))?|=* ?\d+ passed\b.*|"
    r"test result: ok\..*|\d+ passing\b.*|Tests: +\d+ passed, \d+ total)$"
)
"""The last lines of tests that passed: what they logged at a place is no error."""
_NOT_ALL = re.compile(r"\bFAIL|\b[1-9]\d* (?:failed|failing|errors?)\b|^E\s")
_LAST_LINES = 6
_NAMED = worded(
    r"^(?:\[[\w:.-]+\] )?[-*\s]*(?:[A-Z]\d{3,4} )?(?:[\w.]*(?:Error|Exception)(?: \[\w+\])?: \S|"
    r"error(?:\[\w+\])?: \S|"
    r"fatal: \S|panic: \S|ERROR[: ]\s*\S|error TS\d+)",
    needs="error|exception: |exception [|fatal: |panic: ",
)
_TITLES = worded(r"(?:^|\s)(?:[A-Z][\w-]+ ){1,3}Error:\s*$", needs=" error:")
"""Heads what a program says of its own settings."""
_SHELL_SAYS = re.compile(
    r": (?:No such file or directory|command not found|Permission denied|not found|"
    r"unrecognized option\b.*|Connection refused)\s*$|^fatal: (?:not a git|bad |ambiguous|"
    r"couldn't find)"
)
_DIED = re.compile(
    r"^(?:segmentation fault|bus error|illegal instruction|floating point exception|out of memory|"
    r"aborted|killed)(?: \(core dumped\))?$",
    re.IGNORECASE,
)
"""What a shell prints of a program that was ended; the exit code is that of what came behind it."""
_BARRED = re.compile(
    r": (?:operation not permitted|read-only file system|no space left on device)\s*$",
    re.IGNORECASE,
)
"""What a program says that could not go on; where more stands below it, it only warned."""
_ALONE = re.compile(rf"{_SHELL_SAYS.pattern}|(?i:{_BARRED.pattern})")
_OWN = re.compile(r"^(?P<name>[a-z][\w.+-]{1,30}): (?!(?:warning|note|info)\b)(?P<said>\S.{5,})$")
_CALLED = re.compile(r"(?:^|[|;&(`'\"]\s*|/|\bsudo\s+|\bxargs\s+)([a-z][\w.+-]{1,30})(?=\s|$)")
_PARTS = re.compile(r"&&|\|\||;|\n")
_NAMES = {"gzip": ("gzip", "zcat", "gunzip", "zgrep"), "bzip2": ("bzip2", "bzcat", "bunzip2")}
"""The names under which some programs are called that speak with another one."""
_ANSWERS = re.compile(
    r"^\W{0,4}(?:error|fatal|invalid|unable to|cannot|could not|couldn't|failed|failure|"
    r"unauthori[sz]ed|"
    r"forbidden|access denied|permission denied|no such|unknown|not found|not connected|"
    r"[\w-]+ (?:accepts|takes|expects|requires) (?:at (?:most|least)|exactly|no)\b|"
    r"request failed|rate limit|too many requests|[45]\d\d [A-Z]\w+|\w*(?:Error|Exception)\b)",
    re.IGNORECASE,
)
_COUNTS_NONE = re.compile(r"(?:errors?|fail(?:ed|ures?)|invalid|unknown)\W{1,3}0\b", re.IGNORECASE)
_WALL = re.compile(
    r"enable javascript|javascript (?:is )?(?:required|disabled)|"
    r"verify (?:that )?you are (?:a )?human|"
    r"just a moment|captcha|access denied|log ?in to continue|sign in to continue|403 forbidden|"
    r"404 not found|page not found",
    re.IGNORECASE,
)
_ASKS_AGAIN = worded(
    r"\b(?:please|you (?:must|should|need to)|to) (?:[\w ]{1,40} )?(?:retry|try again|re-?read|"
    r"re-?run)\b|"
    r"\b(?:was|were|been) (?:not|never) applied\b|\bno changes (?:were )?(?:made|applied)\b",
    needs="retry|try again|re-read|reread|re-run|rerun|not applied|never applied|no changes ",
    flags=re.IGNORECASE,
)
"""A tool that did not do what it was asked to says how to ask again."""
_TOO_MUCH = worded(
    r"\b(?:output|result|response|file|content)\b[^\n]{0,60}\b(?:too (?:long|large|big)|exceeds)\b",
    needs="too long|too large|too big|exceeds",
    flags=re.IGNORECASE,
)
_ASKS_FOR_LESS = re.compile(
    r"\b(?:use|try|pass|set|specify|narrow|reduce)\b[^\n]{0,80}?\b(?:offset|limit|lines?|range|pages?|"
    r"smaller|less|filter|pattern|portions?)\b",
    re.IGNORECASE,
)
"""A tool that shows nothing because it would be too much says how to ask for less."""
_KEPT_WHOLE = re.compile(
    r"\b(?:saved|written|stored|persisted|available|dumped)\s(?:to|in|at|as|under)\b", re.IGNORECASE
)
"""Says where the whole of it is: nothing was refused."""


def judged(attempts: Sequence[Attempt]) -> list[Attempt]:
    """The attempts, those as failed whose output shows that they were."""
    return [_judged(attempt) for attempt in attempts]


def _judged(attempt: Attempt) -> Attempt:
    call = attempt.call
    if call.outcome not in {Outcome.OK, Outcome.UNKNOWN}:
        return attempt
    line = _complaint(attempt)
    if not line:
        return attempt
    failed = replace(call, outcome=Outcome.FAILED, decisive_line=line)
    return replace(attempt, call=failed, shown=True)


@by_call
def _complaint(attempt: Attempt) -> str:
    """The line with which the output of a call says that it failed; empty where none does."""
    shown = complaints(attempt.answer)
    calls = attempt.reading.calls
    if not any(shown) or len(calls) not in (1, len(shown)):
        return ""
    place = next((i for i, c in enumerate(calls) if c.call_id == attempt.call.call_id), 0)
    mine = shown[place : place + 1] if len(calls) == len(shown) else shown
    lines = next((each for each in mine if each), None)
    return "" if lines is None else _heard(attempt, lines)


def _heard(attempt: Attempt, lines: tuple[tuple[str, str], ...]) -> str:
    """The first line that speaks of the call, not of what it looked at."""
    call = attempt.call
    looks = call.action in {Action.READ, Action.SEARCH}
    unmarked = attempt.answer is not attempt.reading and call.exit_code is None
    hidden = unmarked or call.outcome is Outcome.UNKNOWN or _HIDES.search(call.command) is not None
    builds = _BUILDS.search(call.command) is not None
    for sort, line in lines:
        if sort == "place":
            heard = builds and hidden and not looks
        elif sort == "named":
            ran = call.action in {Action.RUN, Action.WRITE}
            heard = hidden and (ran or is_refused(call, attempt.answer.results))
        elif sort == "answer":
            ran = call.action in {Action.RUN, Action.EFFECT}
            heard = ran and hidden if call.command else call.action is not Action.ASK
        elif sort == "program":
            heard = bool(call.command) and _is_named(line, call.command)
        elif sort == "again":
            heard = call.action is Action.WRITE
        elif sort == "wall":
            heard = not call.command and looks
        elif sort == "shell":
            heard = bool(call.command)
        elif sort == "unrun":
            heard = builds
        elif sort in {"none", "untaken"}:
            heard = call.action in _TO_GET
        else:
            heard = looks
        if heard:
            return line
    return ""


def read_ahead(reading: Reading) -> None:
    """Work out what the results of one exchange say of its calls."""
    complaints(reading)
    for attempt in attempts_of(reading):
        _complaint(attempt)
        program(attempt)
    intent(reading)


@once
def complaints(reading: Reading) -> tuple[tuple[tuple[str, str], ...], ...]:
    """What in each result may say that its call failed: of what sort, and the line."""
    return tuple(_lines_in(result) for result in reading.results)


def _lines_in(result: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    opening = result[:_OPENING]
    large = _TOO_MUCH.search(opening)
    if large is not None and _opens_line(opening, large.start()):
        line = _line_at(result, large.start())
        whole = len(result) > _LONGEST_ANSWER or _ASKS_FOR_LESS.search(result) is not None
        if whole and _KEPT_WHOLE.search(line) is None:
            found["much"] = line
    if len(result) > _LONGEST_OUTPUT:
        return tuple(found.items())
    lines = bare_lines(result)
    short = sum(map(len, lines)) <= _LONGEST_ANSWER
    found.update(_marked(lines, short=short))
    if _ASKS_AGAIN.search(opening[:_LONGEST_ANSWER]) and lines:
        found["again"] = found.get("named", lines[0][:_LONGEST_LINE])
    first = lines[0] if lines else ""
    if short and _ANSWERS.match(first) and not _COUNTS_NONE.search(first):
        found["answer"] = first
    found.update(_nothing(lines, short=short))
    if short and (wall := next((line for line in lines if _WALL.search(line)), "")):
        found["wall"] = wall
    return tuple(found.items())


def bare_lines(result: str) -> list[str]:
    """The lines of a result without what its program frames them with."""
    empty = _SAYS_NOTHING.may_match(result)
    return [
        bare
        for line in result.split("\n")
        if (bare := _unframed(line.strip())) and not (empty and _SAYS_NOTHING.pattern.match(bare))
    ]


def _unframed(line: str) -> str:
    """A line without what its program frames it with."""
    return _FRAME.sub("", line) if line.startswith(_FRAMES) else line


def _nothing(lines: list[str], *, short: bool) -> dict[str, str]:
    """The lines that show that nothing came of a call."""
    shown = {"unrun": none_run(lines)}
    if short:
        shown.update(none=none_found(lines), untaken=not_taken(lines))
    return {sort: line for sort, line in shown.items() if line}


def _marked(lines: list[str], *, short: bool) -> dict[str, str]:
    """The first line of each sort that is marked as an error."""
    found: dict[str, str] = {}
    whole = "\n".join(lines)
    named, titled = _NAMED.may_match(whole), _TITLES.may_match(whole)
    placed = _PLACE.search(whole) is not None
    if not (short or named or placed):
        return found
    for line, below in zip(lines, [*lines[1:], ""], strict=False):
        if len(line) > _LONGEST_LINE:
            continue
        if titled and "named" not in found and _TITLES.search(line) and below:
            found["named"] = below[:_LONGEST_LINE]
        if (
            placed
            and "place" not in found
            and (at := _AT_A_PLACE.match(line))
            and not _NO_ERROR.match(at["said"])
        ):
            found["place"] = line
        if named and "named" not in found and _NAMED.pattern.match(line):
            found["named"] = line
        said = _SHELL_SAYS if len(lines) > 1 else _ALONE
        if short and "shell" not in found and (said.search(line) or _DIED.match(line)):
            found["shell"] = line
        if short and "program" not in found and _complains(line):
            found["program"] = line
    if "place" in found and _passed(lines):
        del found["place"]
    return found


def _complains(line: str) -> bool:
    """Whether a line may be a program's own complaint: its name in front of what it could not."""
    own = _OWN.match(line)
    return own is not None and SAYS_WHY.search(own["said"]) is not None


def _is_named(line: str, command: str) -> bool:
    """Whether a command ends in a call of the program that a line begins with.

    What an earlier part complains of, as who ends a process that does not run, stops nothing.
    """
    own = _OWN.match(line)
    called = frozenset(_CALLED.findall(_PARTS.split(command)[-1].strip()))
    return own is not None and not called.isdisjoint(_NAMES.get(own["name"], (own["name"],)))


def _passed(lines: list[str]) -> bool:
    """Whether an output ends in tests that passed, and none in it failed."""
    ends = any(_PASSED.match(line) for line in lines[-_LAST_LINES:])
    return ends and not any(_NOT_ALL.search(line) for line in lines)


def _opens_line(text: str, at: int) -> bool:
    """Whether a place is near the beginning of its line: a harness says first what it is about."""
    return at - (text.rfind("\n", 0, at) + 1) <= _FIRST_WORDS


def _line_at(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)].strip()[:_LONGEST_LINE].rstrip()


@once
def error_in(reading: Reading) -> str:
    """The last line in what came back that reads as an error, wherever it stands; empty without."""
    for result in reversed(reading.results):
        for line in reversed(result[-_LONGEST_OUTPUT:].split("\n")):
            bare = _unframed(line.strip())
            if len(bare) <= _LONGEST_LINE and (
                _NAMED.pattern.match(bare) or _SHELL_SAYS.search(bare)
            ):
                return bare
    return ""
