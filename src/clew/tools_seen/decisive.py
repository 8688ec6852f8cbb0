"""The one line of a failed result that says why."""

from __future__ import annotations

import re

MAX_LINE = 500

_ALERTS = re.compile(
    r"^\W*(?:[A-Z][A-Z_-]+ ){0,3}(?:ALERT|BLOCKED|REJECTED|DENIED|VIOLATION|FORBIDDEN|ABORTED|"
    r"REFUSED)\b"
    r"|^\W*(?:commit|push|merge|deploy\w*|request|upload) (?:was )?"
    r"(?:aborted|blocked|rejected|refused|denied)\b",
)
"""What a gate says that let nothing through: a hook, a policy, a scanner."""
# Best first. Within one rank the last line wins for tracebacks and the first one otherwise.
_RANKS: tuple[re.Pattern[str], ...] = (
    re.compile(r"^\s*FAILED \S+.* - "),
    re.compile(r"^\s*--- FAIL: "),
    re.compile(r"^error\[E\d+\]"),
    re.compile(r"^\s*panic: |^thread '.*' panicked at"),
    re.compile(r"^\s*fatal: "),
    re.compile(r"error TS\d+:|^\S+\(\d+,\d+\): error "),
    re.compile(r"^\S+\.\w+:\d+(?::\d+)?:? (?:fatal )?error\b", re.IGNORECASE),
    re.compile(r"^E   +\S"),
    re.compile(r"^\s*FAILED \S+::"),
    re.compile(r"^(?:\./)?[\w./-]+\.(?:go|rs|c|cc|cpp|ts|tsx|js|py|java):\d+:\d+:? \S"),
    re.compile(r"^\s*(?:Assertion|Type|Reference|Syntax|Range)Error\b"),
    re.compile(r"^(?:npm|pnpm|yarn) (?:ERR!|error) (?!code\b|errno\b|A complete log)"),
    re.compile(r"^\s*(?:[\w.]*(?:Error|Exception))(?: \[\w+\])?: \S"),
    re.compile(r"^\s*(?:error|ERROR|Error|E)\b: +(?!\(none\))\S|^\s*ERROR +\S"),
    re.compile(r"^(?:Output: )?[\w./-]+(?: [\w-]+)?: error: \S|^CMake Error\b"),
    re.compile(
        r"[Uu]nknown (?:option|command|argument|flag)|[Ii]nvalid (?:option|argument)"
        r"|unrecogni[sz]ed|is not recognized as|is not a valid statement|Cannot find path"
        r"|positional parameter"
    ),
    _ALERTS,
    re.compile(r"^\s*\"(?:error|message)\": *\"[^\"]"),
    re.compile(
        r"\b[Ss]yntax error\b|command not found|[Nn]o such file or directory|[Pp]ermission denied"
        r"|not found\b"
    ),
    re.compile(r"\bHTTP/[\d.]+ [45]\d\d\b|\b[45]\d\d (?:Not Found|Forbidden|Unauthorized|Bad)"),
    re.compile(r"^\s*Caused by:|\bfailed\b|\bFAIL(?:ED|URE)?\b|\bdenied\b|\brefused\b"),
    re.compile(r"\b[Ee]rror\b|\bcannot\b|\bunable to\b|\binvalid\b|\bmissing\b", re.IGNORECASE),
    re.compile(r"^collected \d+ items? / .*\b0 selected\b|^=* ?no tests (?:ran|collected)\b"),
)
_WARNS = re.compile(r"^\W*(?:warning|warn|note|hint|info|deprecat\w+)\b", re.IGNORECASE)
"""What went on all the same: a reason only where nothing else is."""
_WRAPS = re.compile(
    r"^\s*(?:fatal|error|npm ERR!)\b\W+(?:\w+ )?(?:failed to|could not|couldn't|cannot|"
    r"can't|unable to) (?:write|read|run|execute|exec|push|commit|create|complete|finish|process|"
    r"build|"
    r"compile|install|start|load|open|spawn|sign|fetch|clone|apply)\b(?!.*: \S)"
    r"|\bfailed to push some refs\b|\b(?:exit|exited with)(?: (?:status|code))? \d+\s*$"
    r"|\]? Error \d+\s*$",
    re.IGNORECASE,
)
"""Says what was not done, not why."""
_GIVES_CAUSE = re.compile(
    r"^(?:\W{0,4})(?:[\w./@-]{2,40}(?:\[\d+\])?: )+(?:[^:\n]{2,80}: )?.*\b(?:timed? ?out|"
    r"denied|refused|rejected|declined|not|no such|no|invalid|expired|missing|unknown|exists|"
    r"already|failed|"
    r"cannot|unreachable|unauthori[sz]ed|forbidden|locked|full|too \w+|exceeded|protected)\b.*$"
    r"|^ ! \[(?:remote )?rejected\] .*\(.+\)\s*$",
    re.IGNORECASE,
)
_MATCHED = re.compile(
    r"^\s+\W{0,4}(?:matched|violat\w+|offending|found|rule|policy|reason|pattern|because|cause)"
    r"[\w ]*: \S",
    re.IGNORECASE,
)
"""Below it, what it was about."""
_HEADS = re.compile(
    r"^(?P<indent>\s*)(?:[\w.]+ )?(?:error|failure)\b(?!.*\busage:)[^\n]*:\s*$", re.IGNORECASE
)
"""Says where something failed, and below it, farther in, what did."""
_TITLES = re.compile(r"(?:^|\s)(?:[A-Z][\w-]+ ){1,3}Error:\s*$")
"""Heads what a program says of its own settings, with nothing else on the line."""
_FAILED_TEST = re.compile(r"^\s*--- FAIL: ")
_LOGGED = re.compile(r"^[\w./-]+_test\.go:\d+: \S")
_PANIC = re.compile(r"^\s*panic: (?!test timed out)")
_FEWEST_WORDS = 4
_NEAR_BEFORE, _NEAR_BEHIND, _NEAR_ALERT = 12, 3, 4
_TRACEBACK = "Traceback (most recent call last)"
_REASON = re.compile(r"^.{0,300}does not match anything in the file.*$", re.MULTILINE)
_TOOL_FAILED = "The tool execution failed with the following error:"
_HEADING = re.compile(
    r"^\W*(?:error|failed|failure|result|the tool execution failed with the following error)\W*$",
    re.IGNORECASE,
)
# What harnesses print around the output of a command.
_FRAME = (
    "Command: ", "Directory: ", "Error: (none)", "Signal: ", "Background PIDs: ", "Chunk ID: ",
    "At line:", "+ ", "    + ", "Command executed.", "Process Group PGID: ", "Wall time: ",
    "Original token count: ", "Total output lines: ", "Exit Code: ",
    "(Open file: ", "(Current directory: ", "bash-$",
)  # fmt: skip
_TAGS = re.compile(r"^</?[\w_]+>|</?[\w_]+>$")


def decisive_line(text: str, *, output: bool = True) -> str:
    """The line that says why a call failed, verbatim but for blanks around it; may be empty.

    `output`: the text is what a command printed. Otherwise it is the tool's own message, and such
    a message says first what is wrong.
    """
    lines = text.split("\n")
    if (not output or text.startswith(_TOOL_FAILED)) and _TRACEBACK not in text:
        if reason := _REASON.search(text):
            return _clean(reason.group(0))
        spoken = [line for line in lines[:12] if _clean(line)]
        bare_heading = bool(spoken) and bool(_HEADING.match(_clean(spoken[0])))
        return _clean(spoken[1 if bare_heading and len(spoken) > 1 else 0]) if spoken else ""
    lines = [line for line in lines if not line.startswith(_FRAME)]
    if (exception := _last_exception(lines)) and not any(_RANKS[0].search(x) for x in lines):
        return _clean(exception)
    place = _best(lines)
    if place is None:
        return _clean(_last_line(lines))
    return _clean(_cause_at(lines, place))


def line_beside(text: str, line: str) -> str:
    """The line that belongs to the decisive one: an alert above it, or what a test logged."""
    matched = _MATCHED.match(f" {line}") is not None
    if not matched and _FAILED_TEST.match(line) is None:
        return ""
    lines = [each.strip() for each in text.split("\n")]
    place = next(
        (n for n, each in enumerate(lines) if each and each in (line, f"Output: {line}")), -1
    )
    if place < 0:
        return ""
    if matched:
        above = reversed(lines[max(0, place - _NEAR_ALERT) : place])
        return next((each for each in above if _ALERTS.match(each)), "")
    around = (*reversed(lines[max(0, place - _NEAR_BEFORE) : place]), *lines[place + 1 : place + 4])
    return next((each for each in around if _LOGGED.match(each)), "")[:MAX_LINE]


def _best(lines: list[str]) -> int | None:
    """The place of the line that says best why; of what warns only where nothing else does."""
    best, best_rank = None, 2 * len(_RANKS)
    for place, line in enumerate(lines):
        behind = len(_RANKS) if _WARNS.match(line) else 0
        for rank in range(min(best_rank - behind, len(_RANKS))):
            if _RANKS[rank].search(line[:MAX_LINE]):
                best, best_rank = place, rank + behind
                break
        if best_rank == 0:
            break
    return best


def _cause_at(lines: list[str], place: int) -> str:
    """The line itself, or the one near it that says why where it only says what was not done."""
    chosen = lines[place]
    if _ALERTS.match(chosen):
        below = lines[place + 1 : place + 1 + _NEAR_ALERT]
        return next((line for line in below if _MATCHED.match(line[:MAX_LINE])), chosen)
    if under := _said_below(lines, place):
        return under
    if not _WRAPS.search(chosen[:MAX_LINE]):
        return chosen
    before = reversed(lines[max(0, place - _NEAR_BEFORE) : place])
    for line in (*before, *lines[place + 1 : place + 1 + _NEAR_BEHIND]):
        told = line[:MAX_LINE]
        if _GIVES_CAUSE.match(told) and not (_WRAPS.search(told) or _WARNS.match(told)):
            return line
    return chosen


def _said_below(lines: list[str], place: int) -> str:
    """What stands under a line that only heads it: what a test ran into, or a sentence."""
    chosen = lines[place]
    head = _HEADS.match(chosen[:MAX_LINE])
    titles = _TITLES.search(chosen[:MAX_LINE]) is not None
    if head is None and not titles and _FAILED_TEST.match(chosen) is None:
        return ""
    under = next((line for line in lines[place + 1 :] if line.strip()), "")
    if titles:
        return under if len(under.split()) >= _FEWEST_WORDS else ""
    if head is None:
        return under if _PANIC.match(under) else ""
    farther = len(under) - len(under.lstrip()) > len(head["indent"])
    return under if farther and len(under.split()) >= _FEWEST_WORDS else ""


def _clean(line: str) -> str:
    return _TAGS.sub("", line.strip()[:MAX_LINE]).removeprefix("Output: ").strip()


def _last_exception(lines: list[str]) -> str:
    """The exception line under the last Python traceback."""
    start = -1
    for i, line in enumerate(lines):
        if _TRACEBACK in line:
            start = i
    if start < 0:
        return ""
    indent = len(lines[start]) - len(lines[start].lstrip())
    for line in lines[start + 1 :]:
        bare = line.strip()
        if bare and len(line) - len(line.lstrip()) <= indent and not bare.startswith("^"):
            return line
    return ""


def _last_line(lines: list[str]) -> str:
    noise = ("Process exited", "Exit code", "[", "</", "Wall time", "Chunk ID")
    kept = [line for line in lines if line.strip() and not line.strip().startswith(noise)]
    return kept[-1] if kept else next((line for line in lines if line.strip()), "")
