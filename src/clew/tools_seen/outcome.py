"""What came of a call. Success is only ever said when the format or the text shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clew.tools_seen.decisive import decisive_line
from clew.tools_seen.json_results import fields_of, handle_in, reason_in, stated_outcome
from clew.tools_seen.seen import Action, Outcome, TestRun
from clew.tools_seen.tests_run import see_tests
from clew.tools_seen.worded import worded

HEAD_CHARACTERS = 6_000
TAIL_CHARACTERS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The outcome of a result and what shows it."""

    outcome: Outcome
    exit_code: int | None = None
    decisive_line: str = ""
    tests: TestRun | None = None
    job: str = ""
    approval: str = ""


def both_ends(text: str) -> str:
    """The part of a result that is looked at: all of it, or the beginning and the end."""
    if len(text) <= HEAD_CHARACTERS + TAIL_CHARACTERS:
        return text
    return f"{text[:HEAD_CHARACTERS]}\n{text[-TAIL_CHARACTERS:]}"


_EXIT = worded(
    r"^Exit code:? (-?\d+)\b"
    r"|^Process exited with code (-?\d+)\b"
    r"|^[ \t]*<(?:returncode|exit_code)>\s*(-?\d+)\s*</"
    r"|^Exit Code: (-?\d+)[ \t]*$"
    r"|(?:completed|finished|failed|exited) with (?:non-zero )?(?:exit )?"
    r"(?:code|status):? (-?\d+)\b"
    r"|^(?:exit_code|exitCode|return_?code|exit status)[:=]? ?(-?\d+)[ \t]*$"
    r"|\"(?:exit_code|exitCode|returncode|return_code)\": ?(-?\d+)",
    needs="exit code|exit status|exit_code|exitcode|returncode|return_code|with code|"
    "with status|zero code|zero status",
    flags=re.MULTILINE,
)
_FRAMED = "Command: "
_FRAMED_EXIT = re.compile(r"^Exit Code: (-?\d{1,11})[ \t]*$", re.MULTILINE)
_FRAMED_ERROR = re.compile(
    r"^Error: (?!\(none\))\S[^\n]*\n(?:[^\n]*\n){0,8}?Exit Code: \(none\)", re.MULTILINE
)
"""The frame of Gemini CLI: behind an output that may say the same of another command."""
_REFUSED = worded(
    r"user (?:doesn't|does not|didn't|did not) want to (?:proceed|take this action|run)"
    r"|user (?:denied|rejected|declined|refused|cancelled|canceled|has denied|aborted)"
    r"|(?:rejected|denied|declined|cancelled|canceled|aborted|interrupted) by (?:the )?user"
    r"|permission to use \S+ (?:with .{0,80})?has been denied"
    r"|operation was (?:denied|rejected)|not (?:permitted|allowed) by (?:the )?policy"
    r"|approval (?:was )?(?:denied|rejected|declined)|Haven't granted it yet"
    r"|blocked by (?:the )?(?:policy|hook|sandbox)",
    needs="user d|user r|user c|user aborted|user has denied|by user|by the user|been denied|"
    "operation was |by policy|by the policy|approval |granted it yet|blocked by ",
    flags=re.IGNORECASE,
)
_JOB = worded(
    r"[Rr]unning in (?:the )?background with (?:the )?ID:? ?([\w.-]+?)[.,;]?(?:\s|$)"
    r"|[Pp]rocess (?:is )?(?:still )?running with session ID:? ?(\w+)"
    r"|[Bb]ackground (?:shell|process|task|job)(?: ID)?:? #?([\w-]*\d[\w-]*)",
    needs="running in background|running in the background|running with session id|"
    "background shell|background process|background task|background job",
    flags=re.MULTILINE,
)
_JOB_OF_A_SHELL = worded(r"\[(?<![^\n]\[)\d+\] (\d+)[ \t]*$", needs="] ", flags=re.MULTILINE)
_STARTED = re.compile(
    r"[\w ]{0,30}?\b(?:started|launched|spawned)\b[^\n]{0,60}?"
    r"\b(?:handle|job|task|agent|pid)(?:[ _]?id)?[:= ]+#?([\w-]*\d[\w-]*)",
    re.IGNORECASE,
)
"""The whole of a short result; in a log that was read such a line is nobody's job."""
_LONGEST_START = 400
_AGENT = re.compile(r"^agentId: ?([\w-]+)", re.MULTILINE)
_RUNNING = worded(
    r"<status>running</status>|[Ss]till running\b|no new output after \d+ seconds"
    r"|[Aa]sync agent launched|^status: (?:running|pending|queued|in[_ ]progress)[ \t]*$"
    r"|command timed out.{0,40}still",
    needs="still running|>running<|status: |no new output|agent launched|timed out",
    flags=re.MULTILINE,
)
_WAITS = worded(
    r"(?:waiting|awaiting|pending|waits|queued|sent|submitted|needs|requires|required) "
    r"(?:for |on )?(?:\w+ ){0,3}(?:approval|sign-?off|confirmation|authoris|authoriz)"
    r"|approval (?:is )?(?:pending|required|requested|needed)"
    r"|pending[_ ](?:human |manual )?(?:approval|review)"
    r"|wait(?:s|ing) for (?:a |an |the )?(?:person|human|manager|operator|reviewer)\b",
    needs="approval|sign-off|signoff|confirmation|authoris|authoriz|pending review|"
    "pending_review|human review|manual review|waits for |waiting for ",
    flags=re.IGNORECASE,
)
_TICKET = re.compile(
    r"\b(?:ticket|request|approval|case|change)(?:[_ ]?(?:id|number|no\.?))?\"?[ :=#]+\"?"
    r"([A-Za-z]*[-_]?\d[\w-]*)|\b([A-Z]{2,8}-\d+)\b",
    re.IGNORECASE,
)
_ERROR_START = re.compile(
    r"^\W{0,4}(?:<tool_use_error>|error\b|errors?:|fatal\b|traceback|exception|panic:|failed\b"
    r"|failure\b|cannot\b|can't\b|unable to\b|invalid\b|no such file|file not found|not found\b"
    r"|permission denied|access denied|the tool execution failed|file does not exist"
    r"|path does not exist|[\w.]*(?:error|exception)\b(?:\s*:|$)|unknown tool|timed? ?out\b"
    r"|apply_patch verification failed|string to replace not found|no module named|execution timed"
    r"|no replacement was performed|\S+ failed for|[\w.-]{2,40} failed: |ran into \[|\[errno"
    r"|could not|oops|the llm did not conform|ECONN|ENOENT|EISDIR|EACCES|ERROR)",
    re.IGNORECASE,
)
_ERROR_LINE = re.compile(
    r"^Traceback \(most recent call last\)|^[ \t]*(?:fatal|panic): |^error(?:\[E\d+\])?: "
    r"|^(?:\S+: )?(?:line \d+: )?(?:\S+: )?(?:command not found|No such file or directory"
    r"|Permission denied)[ \t]*$"
    r"|^\S+: .*(?:No such file or directory|Permission denied|command not found"
    r"|Is a directory|Connection refused)[ \t]*$"
    r"|^npm (?:ERR!|error) |^ERROR: |^[\w.]+(?:Error|Exception): |^BUILD FAIL|^FAIL\b"
    r"|^make(?:\[\d+\])?: \*\*\* |^Segmentation fault|^curl: \(\d+\)|^zsh: |^bash: .*: "
    r"|^ERR_|^HTTP/[\d.]+ [45]\d\d|is not recognized as an internal or external command"
    r"|EXECUTION TIMED OUT|^sh: |^[ \t]*\+ CategoryInfo\s*:|FullyQualifiedErrorId",
    re.MULTILINE,
)
# A shell that does not know a command says so, whatever the script around it ends with.
_SHELL_COMPLAINT = re.compile(
    r"^(?:zsh|bash|sh|dash|/bin/\w+)(?::\d+|: line \d+|: \d+)?: .*"
    r"(?:command not found|not found|No such file or directory|Permission denied)"
)
_FRAME_LINE = re.compile(
    r"^(?:Chunk ID|Wall time|Process exited|Original token count|Output|Exit code)\b", re.IGNORECASE
)
_LAST_WORD = re.compile(r"^(?:error|fatal)(?:\[E\d+\])?: ", re.IGNORECASE)
_UNSEEN = re.compile(r"ran successfully, but we couldn't capture its output")
_DONE = re.compile(
    r"success|\bsuccessfully\b|\bhas been (?:updated|created|saved|written|deleted|added|edited"
    r"|logged|sent)"
    r"|\b(?:created|updated|written|wrote|saved|applied|replaced|edited|deleted|removed|added"
    r"|completed|done|sent|submitted|confirmed|booked|cancelled)\b|^ok\b|\bDone!"
    r"|^\[File: .{1,300} lines total\)\]|\A--- .{1,300}\n\+\+\+ ",
    re.IGNORECASE | re.MULTILINE,
)
_SUMMARY = (
    " passed", " failed", "ok  \t", "--- FAIL", "--- PASS", "test result:", "Tests:", "Ran ",
    " passing", "examples,", "Tests run:", "\nFAIL", "tests passed", "OK (",
)  # fmt: skip
_OPEN = frozenset(
    {"pending", "running", "queued", "in_progress", "in-progress", "started", "waiting",
     "awaiting_approval", "pending_approval", "needs_approval", "scheduled", "submitted"}
)  # fmt: skip
_TICKET_FIELDS = ("ticket", "ticket_id", "approval_id", "approval")
_STOPPED = frozenset({"refused", "denied", "rejected", "declined", "cancelled", "canceled"})
_TRACE = "Traceback (most recent call last)"


def judge(
    text: str,
    *,
    action: Action,
    is_error: bool | None,
    marks_errors: bool = False,
    shell: bool = False,
    masked: bool = False,
    filtered: bool = False,
    tests_expected: bool = False,
    purpose: str = "",
) -> Judged:
    """What the text of a result, and the format's own word on it, say about the outcome.

    `marks_errors`: the agent marks every failure, so that silence means success. `shell`: the text
    is the output of a command. `masked`: an exit code of zero does not speak for the command.
    `purpose` names what the call is for: a cancelled order is what `cancel order` wants.
    `filtered`: the last command of the pipe searches, so that 1 may mean that nothing was found.
    """
    shown = both_ends(text)
    if (refused := _refused(shown, is_error)) is not None:
        return refused
    exit_code = _exit_code(shown)
    fields = fields_of(text)
    runs = shell or action is Action.RUN
    tests = see_tests(shown) if runs and (tests_expected or _mentions_tests(shown)) else None
    if (waiting := _waiting(shown, fields, exit_code, is_error, purpose)) is not None:
        return waiting
    outcome = _decided(
        shown, fields, action, is_error, exit_code, tests,
        marks_errors=marks_errors, shell=runs, masked=masked,
        filtered=filtered or action is Action.SEARCH,
    )  # fmt: skip
    line = ""
    if outcome is Outcome.FAILED:
        printed = shell or exit_code is not None
        line = reason_in(fields) or decisive_line(shown, output=printed)
    return Judged(outcome=outcome, exit_code=exit_code, decisive_line=line, tests=tests)


def _decided(
    shown: str,
    fields: Mapping[str, Any],
    action: Action,
    is_error: bool | None,
    exit_code: int | None,
    tests: TestRun | None,
    *,
    marks_errors: bool,
    shell: bool,
    masked: bool,
    filtered: bool,
) -> Outcome:
    if tests is not None and tests.failed:
        return Outcome.FAILED
    if _UNSEEN.search(shown[:600]):
        return Outcome.UNKNOWN
    if exit_code:
        # Searching tools exit with 1 when they find nothing: that is an answer.
        nothing = filtered and exit_code == 1 and not _ERROR_LINE.search(shown)
        return Outcome.OK if nothing else Outcome.FAILED
    if is_error or (shown.startswith(_FRAMED) and _FRAMED_ERROR.search(shown[-2_000:])):
        return Outcome.FAILED
    trace = _TRACE in shown and (shell or action is Action.RUN)
    if exit_code == 0:
        failed = (masked and trace) or (shell and _only_complains(shown))
        return Outcome.FAILED if failed else Outcome.OK
    if (stated := stated_outcome(fields)) is not None:
        return stated
    said = _ErrorWords(shown=shown, action=action, is_error=is_error, shell=shell)
    if trace or said.fail(fields, marks_errors=marks_errors, quiet=filtered or masked):
        return Outcome.FAILED
    if is_error is False or marks_errors:
        return Outcome.OK
    return _by_content(shown, action, tests)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ErrorWords:
    """The words of a result that carries no exit code."""

    shown: str
    action: Action
    is_error: bool | None
    shell: bool

    def fail(self, fields: Mapping[str, Any], *, marks_errors: bool, quiet: bool) -> bool:
        """Whether they are those of a failure; `quiet` commands hide or filter their output."""
        looks = self.action in (Action.READ, Action.SEARCH)
        # What was read may well begin with the word error; the format's own word then decides.
        reads = self.is_error is False and looks
        if not reads and not fields and _ERROR_START.match(_first_line(self.shown)):
            return True
        unmarked = self.shell and not marks_errors and self.is_error is None
        if unmarked and _ERROR_LINE.search(self.shown):
            return True
        acts = self.shell and not looks and not quiet
        return bool(acts and _LAST_WORD.match(_last_line(self.shown)))


def _by_content(shown: str, action: Action, tests: TestRun | None) -> Outcome:
    """What a result shows that carries no mark of its own."""
    if tests is not None and tests.passed:
        return Outcome.OK
    if action in (Action.READ, Action.SEARCH) and shown.strip():
        return Outcome.OK
    if action in (Action.WRITE, Action.EFFECT, Action.PLAN) and _DONE.search(shown[:2000]):
        return Outcome.OK
    return Outcome.UNKNOWN


def _first_line(shown: str) -> str:
    return next((line.strip() for line in shown[:2000].split("\n") if line.strip()), "")[:300]


def _last_line(shown: str) -> str:
    return next((x.strip() for x in reversed(shown[-2000:].split("\n")) if x.strip()), "")[:300]


def _only_complains(shown: str) -> bool:
    """Whether all that was printed is a shell's complaint about the command itself."""
    if len(shown) > 600:
        return False
    lines = [x for x in shown.split("\n") if x.strip() and not _FRAME_LINE.match(x)]
    return bool(lines) and all(_SHELL_COMPLAINT.match(line) for line in lines)


def _refused(shown: str, is_error: bool | None) -> Judged | None:
    head = shown[:400]
    found = _REFUSED.search(head)
    if found is None or (is_error is None and len(shown) > 2500 and found.start() > 120):
        return None
    line = _line_at(head, found.start())
    # A command that ran for a while before it was stopped may have done its work.
    ran = bool(re.match(r"aborted by (?:the )?user after", line, re.IGNORECASE))
    return Judged(outcome=Outcome.UNKNOWN if ran else Outcome.REFUSED, decisive_line=line)


def _exit_code(shown: str) -> int | None:
    """The exit code the harness printed, at the very beginning or the very end."""
    if shown.startswith(_FRAMED) and (framed := _FRAMED_EXIT.findall(shown[-600:])):
        return int(framed[-1])
    for part in (shown[:600], shown[-600:]):
        if (found := _EXIT.search(part)) is not None:
            code = next(group for group in found.groups() if group is not None)
            return int(code) if len(code) < 12 else None
    return None


def _waiting(
    shown: str,
    fields: Mapping[str, Any],
    exit_code: int | None,
    is_error: bool | None,
    purpose: str,
) -> Judged | None:
    """A process that may still run, or a person who has not answered yet."""
    if is_error:
        return None
    status = str(fields.get("status", fields.get("state", ""))).lower()
    if status in _STOPPED and status[:6] in purpose.lower():
        return Judged(outcome=Outcome.OK)
    if status in _STOPPED:
        return Judged(
            outcome=Outcome.REFUSED, decisive_line=reason_in(fields) or _first_line(shown)
        )
    if status in _OPEN:
        ticket = _ticket(shown, fields)
        # A ticket by name is what a person answers; a job has a handle or an id.
        asked = any(fields.get(key) for key in _TICKET_FIELDS)
        waits = asked or _says_it_waits(shown) or "approval" in status
        handle = handle_in(fields)
        return Judged(
            outcome=Outcome.PENDING,
            decisive_line=_first_line(shown),
            approval=(ticket or handle or status) if waits else "",
            job="" if waits else handle or status,
        )
    if len(shown) <= 3000 and not fields and exit_code is None and _says_it_waits(shown[:1200]):
        return Judged(
            outcome=Outcome.PENDING,
            decisive_line=_first_line(shown),
            approval=_ticket(shown, fields) or "approval",
        )
    return _running(f"{shown[:1500]}\n{shown[-800:]}", exit_code)


def _says_it_waits(text: str) -> bool:
    return _WAITS.search(text) is not None


def _running(ends: str, exit_code: int | None) -> Judged | None:
    """A process or a helper that the harness says is still at work."""
    told = filter(None, (each.search(ends) for each in (_JOB, _JOB_OF_A_SHELL)))
    job = min(told, key=lambda found: found.start(), default=None)
    if job is None and len(ends) <= _LONGEST_START:
        job = _STARTED.match(ends.strip())
    begins = ends[:600]
    still = _RUNNING.search(begins) if exit_code is None else None
    found = job or still
    if found is None or exit_code not in (None, 0):
        return None
    agent = _AGENT.search(ends) if job is None else job
    handle = next((g for g in agent.groups() if g), "") if agent else ""
    return Judged(
        outcome=Outcome.PENDING,
        exit_code=exit_code,
        decisive_line=_line_at(ends, found.start()),
        job=handle or "running",
    )


def _line_at(text: str, position: int) -> str:
    """The line that holds a position."""
    return text[text.rfind("\n", 0, position) + 1 :].split("\n", maxsplit=1)[0].strip()[:500]


def _ticket(shown: str, fields: Mapping[str, Any]) -> str:
    for key in (*_TICKET_FIELDS, "request_id", "change_id"):
        value = fields.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
            return str(value)
    found = _TICKET.search(shown[:1500])
    return (found.group(1) or found.group(2)) if found else ""


def _mentions_tests(shown: str) -> bool:
    return any(word in shown for word in _SUMMARY)
