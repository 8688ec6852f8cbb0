"""The one line of a failed result that says why."""

from __future__ import annotations

import re

MAX_LINE = 500

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
    re.compile(r"^(?:Output: )?[\w./-]+(?: [\w-]+)?: error: \S"),
    re.compile(
        r"[Uu]nknown (?:option|command|argument|flag)|[Ii]nvalid (?:option|argument)"
        r"|unrecogni[sz]ed|is not recognized as|is not a valid statement|Cannot find path"
        r"|positional parameter"
    ),
    re.compile(r"^\s*\"(?:error|message)\": *\"[^\"]"),
    re.compile(
        r"\b[Ss]yntax error\b|command not found|[Nn]o such file or directory|[Pp]ermission denied"
        r"|not found\b"
    ),
    re.compile(r"\bHTTP/[\d.]+ [45]\d\d\b|\b[45]\d\d (?:Not Found|Forbidden|Unauthorized|Bad)"),
    re.compile(r"^\s*Caused by:|\bfailed\b|\bFAIL(?:ED|URE)?\b|\bdenied\b|\brefused\b"),
    re.compile(r"\b[Ee]rror\b|\bcannot\b|\bunable to\b|\binvalid\b|\bmissing\b", re.IGNORECASE),
)
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
    best, best_rank = "", len(_RANKS)
    for line in lines:
        for rank in range(best_rank):
            if _RANKS[rank].search(line[:MAX_LINE]):
                best, best_rank = line, rank
                break
        if best_rank == 0:
            break
    return _clean(best or _last_line(lines))


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
