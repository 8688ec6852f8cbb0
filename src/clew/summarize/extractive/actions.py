"""What the calls did: environment, dead ends, approvals asked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew.record.delta import Dismiss
from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.answers import AWAITED_APPROVAL
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import containment, line_around, shortened, topic_words
from clew.tools_seen.seen import Action, CallSeen, Outcome

_LONGEST_ERROR = 240
FAILED = frozenset({Outcome.FAILED, Outcome.REFUSED})
_BRANCH = re.compile(r"(?:On branch|Switched to(?: a new)? branch|HEAD is now at)\s+'?([\w./-]+)'?")
_LISTENING = re.compile(
    r"\b(?:listening|running|serving|started|available)\b"
    r"[^\n]{0,60}?(?:port |:)(?P<port>\d{2,5})\b",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"^(?P<what>[A-Za-z][\w .-]{1,30}?)[ :]+v?(?P<version>\d+\.\d+(?:\.\d+)?\S*)$"
)
SAYS_WHY = re.compile(
    r"err\b|error|\bno\s|fail|not\b|n't\b|cannot|denied|refused|undefined|unknown|invalid|exception|fatal|missing|"
    r"unexpected|expected|panic|abort|timed? ?out|conflict|reject|unable|no such|exceed|required|"
    r"[45]\d\d\b|unrecogni[sz]ed|killed|segmentation|exists|already|\bmust\b|outside|crash|broken|unsupported",
    re.IGNORECASE,
)
_BUILDS = re.compile(
    r"\b(?:test|build|check|lint|vet|compile|make|tsc|mypy|ruff|pytest|cargo|tox|jest|vitest)\b"
)
_MISUSED = re.compile(
    r"parameter cannot be found|(?:unknown|invalid|unrecognized|illegal|unexpected) "
    r"(?:option|argument|flag|command|subcommand)|not recognized as|command not found|^usage:",
    re.IGNORECASE,
)
_BARRED = re.compile(
    r"\bmust be (?:within|inside|under|below)\b|not allowed|permission|denied|forbidden|"
    r"unauthori[sz]ed|outside (?:of )?the (?:workspace|project|allowed)|too (?:large|long|many)|"
    r"exceeds|rate limit|credential|log ?in required",
    re.IGNORECASE,
)
"""A look that was refused or came back too large: looking again the same way fails again."""
_BROKE = re.compile(
    rf"{_MISUSED.pattern}|{_BARRED.pattern}|protocol error|session (?:is )?closed|api key|detached|"
    r"status code:? [45]\d\d|timed? ?out|connection|crash|exception|refused|internal error",
    re.IGNORECASE,
)
"""A look that failed for another reason than that nothing was there."""
WORKED = "it worked in"
"""How the reason begins for which a failure is no dead end any more."""
_SERIES = 3
_PIECES = re.compile(r"&&|\|\||[;|\n]")
_PREFIXES = frozenset({"cd", "export", "set", "source", ".", "time", "env", "sudo", "echo"})
_CWD = re.compile(r"\bcd\s+(?P<path>[~/.\w-][\w./~-]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call at its place, for telling what a failure led to.

    `answer` is the exchange that shows its result: the next one where calls are text.
    """

    reading: Reading
    call: CallSeen
    order: int
    answer: Reading


def attempts_in(readings: Sequence[Reading]) -> list[Attempt]:
    """All calls in order."""
    made: list[Attempt] = []
    started: dict[str, str] = {}
    for place, reading in enumerate(readings):
        after = readings[place + 1] if place + 1 < len(readings) else reading
        apart = not reading.results and bool(after.results) and not after.calls
        for call in reading.calls:
            if call.command and call.job:
                started[call.job] = call.command
            # A look at a running process is about the command that started it.
            watched = started.get(call.resource, "") if not call.command else ""
            made.append(
                Attempt(
                    reading=reading,
                    call=replace(call, command=watched) if watched else call,
                    order=len(made),
                    answer=after if apart else reading,
                )
            )
    return made


def verbatim(reading: Reading, *candidates: str) -> str:
    """The first candidate that stands word for word in the exchange (as sent, escapes included)."""
    places = (
        *reading.results, *reading.arguments, *reading.prose, *reading.typed, *reading.reasoning,
        *reading.harness,
    )  # fmt: skip
    for candidate in candidates:
        escaped = json.dumps(candidate, ensure_ascii=False)[1:-1]
        for form in (candidate.strip(), escaped.strip()):
            if form and any(form in place for place in places):
                return form
    return ""


def environment_in(attempts: Sequence[Attempt]) -> list[Claim]:
    """The last known state by key: files written, tests, branch, directory, ports, versions."""
    latest: dict[str, Claim] = {}
    for attempt in attempts:
        for made in _environment_of(attempt):
            latest[made.item.field("key")] = made
    return list(latest.values())


def _environment_of(attempt: Attempt) -> list[Claim]:
    call, reading = attempt.call, attempt.reading
    made: list[Claim] = []
    if call.tests is not None and call.tests.line:
        made.append(_setting(reading, "tests", call.tests.line, call.tests.line, rank=3.0))
    file = bool(call.resource) and len(call.resource.split()) == 1
    if call.action is Action.WRITE and call.outcome not in FAILED and file:
        made.append(
            _setting(
                reading, call.resource, f"written in {reading.handle}", call.resource, rank=1.0
            )
        )
    if call.action in {Action.RUN, Action.EFFECT}:
        made.extend(_settings_of_run(reading, call))
    return [m for m in made if m.item.evidence[0].quote]


def _settings_of_run(reading: Reading, call: CallSeen) -> list[Claim]:
    made: list[Claim] = []
    if moved := _CWD.search(call.command[:300]):
        made.append(_setting(reading, "directory", moved["path"], moved["path"], rank=1.0))
    for result in reading.results:
        shown = result[:2_000]
        if branch := _BRANCH.search(shown):
            made.append(_setting(reading, "branch", branch.group(1), branch.group(0), rank=2.0))
        if port := _LISTENING.search(shown):
            line = line_around(shown, port.start())
            made.append(_setting(reading, f"port {port['port']}", line, line, rank=2.0))
        if len(shown) < 120 and (version := _VERSION.match(shown.strip())):
            line = version.group(0)
            what = version["what"].strip().lower()
            made.append(_setting(reading, f"{what} version", version["version"], line, rank=1.5))
    return made


def _setting(reading: Reading, key: str, value: str, quote: str, *, rank: float) -> Claim:
    return claim(
        "environment",
        verbatim(reading, quote),
        text=f"{key}: {value}",
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.TOOL,
        fields=(("key", key), ("value", value)),
        rank=rank,
    )


def failures_in(
    attempts: Sequence[Attempt], recorded: frozenset[str]
) -> tuple[list[Claim], list[Dismiss]]:
    """Failed calls as dead ends, or dismissed with the reason, for spans in `recorded`."""
    dead: dict[str, Claim] = {}
    dismissed: list[Dismiss] = []
    series = _series(attempts)
    for attempt in attempts:
        if attempt.call.outcome not in FAILED or attempt.reading.handle not in recorded:
            continue
        later = attempts[attempt.order + 1 :]
        again = (attempt.call.tool, attempt.call.resource) in series
        if not again and (reason := _why_no_dead_end(attempt, later)):
            dismissed.append(Dismiss(span=attempt.reading.handle, reason=reason))
            continue
        found = _dead_end(attempt, later)
        if found is None:
            dismissed.append(
                Dismiss(span=attempt.reading.handle, reason="no line says why it failed")
            )
        elif found.item.field("error").lower() in dead:
            dismissed.append(Dismiss(span=attempt.reading.handle, reason="the same failure again"))
            dead[found.item.field("error").lower()] = found
        else:
            dead[found.item.field("error").lower()] = found
    return list(dead.values()), dismissed


def _series(attempts: Sequence[Attempt]) -> frozenset[tuple[str, str]]:
    """What failed so often with one tool that the way itself is the dead end, retried or not."""
    counts: dict[tuple[str, str], int] = {}
    for attempt in attempts:
        call = attempt.call
        if call.outcome in FAILED and not call.command and call.resource:
            counts[(call.tool, call.resource)] = counts.get((call.tool, call.resource), 0) + 1
    return frozenset(key for key, count in counts.items() if count >= _SERIES)


def _why_no_dead_end(attempt: Attempt, later: Sequence[Attempt]) -> str:
    call = attempt.call
    looks = call.action in {Action.SEARCH, Action.READ}
    if looks and _BROKE.search(call.decisive_line) is None:
        return "a look at something that is not there"
    for other in later:
        if _BARRED.search(call.decisive_line) and other.call.tool != call.tool:
            continue
        if other.call.outcome is Outcome.OK and worked_after(call, other.call):
            return f"{WORKED} {other.reading.handle}"
    return ""


def worked_after(failed: CallSeen, other: CallSeen) -> bool:
    """Whether a later success undoes a failure: the same command, tests or target."""
    if failed.command and other.command:
        if failed.command == other.command:
            return True
        retried = failed.tests is not None or _BUILDS.search(failed.command) is not None
        return retried and program_of(failed.command) == program_of(other.command)
    # Where a command failed and a tool did it, another way worked, not this one.
    same = bool(failed.resource) and failed.resource == other.resource
    alike = bool(failed.command) is bool(other.command)
    return same and alike and failed.action is other.action


def program_of(command: str) -> str:
    """The program and its first word, behind directory changes and settings of variables."""
    for piece in _PIECES.split(command):
        words = [w for w in piece.split() if "=" not in w.split("/")[0]]
        if words and words[0] not in _PREFIXES:
            return " ".join(w for w in words[:2] if not w.startswith("-"))
    return ""


def _dead_end(attempt: Attempt, later: Sequence[Attempt]) -> Claim | None:
    call, reading = attempt.call, attempt.reading
    error = verbatim(attempt.answer, call.decisive_line)
    if not error or SAYS_WHY.search(error) is None:
        return None
    tried = shortened(call.command or f"{call.tool} {call.resource}", 100)
    instead = _instead(attempt, later)
    shown = Evidence(span=attempt.answer.handle, quote=error[:_LONGEST_ERROR])
    sent = verbatim(reading, call.command, call.resource)[:_LONGEST_ERROR]
    apart = attempt.answer is not reading and bool(sent)
    return claim(
        "dead_end",
        sent if apart else shown.quote,
        text=f"{tried} → {shortened(error, 160)}",
        span=reading.handle if apart or attempt.answer is reading else attempt.answer.handle,
        evidence=(shown,) if apart else (),
        position=reading.position,
        said_by=Speaker.TOOL,
        fields=(
            ("error", shortened(error, _LONGEST_ERROR)),
            ("instead", f"{_short(instead.call)} ({instead.reading.handle})" if instead else ""),
        ),
        rank=2.0 if instead else 1.0,
    )


def _instead(attempt: Attempt, later: Sequence[Attempt]) -> Attempt | None:
    """The next success with the same tool that is about the same thing."""
    subject = topic_words(attempt.call.command or attempt.call.resource)
    for other in later[:12]:
        if other.call.outcome is Outcome.OK and other.call.tool == attempt.call.tool:
            words = topic_words(other.call.command or other.call.resource)
            if containment(subject, words) >= 0.3:
                return other
    return None


def _short(call: CallSeen) -> str:
    return shortened(call.command or f"{call.tool} {call.resource}", 100)


def approvals_asked(attempts: Sequence[Attempt]) -> list[Claim]:
    """Calls that wait for a person's go-ahead."""
    made: list[Claim] = []
    for attempt in attempts:
        call, reading = attempt.call, attempt.reading
        quote = verbatim(reading, call.approval, call.command) if call.approval else ""
        if quote:
            found = claim(
                "blocker",
                quote[:300],
                text=shortened(f"{call.approval}: {call.command or call.resource}", 240),
                span=reading.handle,
                position=reading.position,
                said_by=Speaker.TOOL,
                status=Status.OPEN,
                fields=(("awaited", AWAITED_APPROVAL),),
            )
            made.append(found)
    return made


def with_evidence(made: Claim, evidence: Evidence) -> Claim:
    """The claim with one more quote behind it."""
    return replace(made, item=replace(made.item, evidence=(*made.item.evidence, evidence)))
