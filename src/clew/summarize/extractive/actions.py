"""What the calls did: environment, effects, dead ends, to-do items, live jobs, approvals asked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew.record.delta import Dismiss
from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import containment, shortened, topic_words
from clew.tools_seen.seen import Action, CallSeen, Outcome

_LONGEST_ERROR = 240
_FAILED = frozenset({Outcome.FAILED, Outcome.REFUSED})
_COMMIT = re.compile(r"\[(?P<branch>[^\s\]]+)[^\]]*\s(?P<hash>[0-9a-f]{7,40})\]\s+(?P<subject>.+)")
_BRANCH = re.compile(r"(?:On branch|Switched to(?: a new)? branch|HEAD is now at)\s+'?([\w./-]+)'?")
_LISTENING = re.compile(
    r"[^\n]{0,80}?(?:listening|running|serving|started|available)\b[^\n]{0,60}?"
    r"(?:port\s+|:)(?P<port>\d{2,5})\b[^\n]{0,40}",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"^(?P<what>[A-Za-z][\w .-]{1,30}?)[ :]+v?(?P<version>\d+\.\d+(?:\.\d+)?\S*)$"
)
_CWD = re.compile(r"\bcd\s+(?P<path>[~/.\w-][\w./~-]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call at its place, for telling what a failure led to."""

    reading: Reading
    call: CallSeen
    order: int


def attempts_in(readings: Sequence[Reading]) -> list[Attempt]:
    """All calls in order."""
    made: list[Attempt] = []
    for reading in readings:
        for call in reading.calls:
            made.append(Attempt(reading=reading, call=call, order=len(made)))
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
    if call.action is Action.WRITE and call.outcome not in _FAILED and call.resource:
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
            line = port.group(0).strip()
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


def effects_in(attempts: Sequence[Attempt]) -> list[Claim]:
    """Side effects that happened, or may have happened; each once."""
    made: dict[tuple[str, str], Claim] = {}
    for attempt in attempts:
        call, reading = attempt.call, attempt.reading
        if not call.effect or call.outcome in _FAILED:
            continue
        commit = next(
            (m for r in reading.results if (m := _COMMIT.search(r)) is not None), None
        ) if "commit" in call.effect else None  # fmt: skip
        quote = verbatim(reading, commit.group(0) if commit else "", call.command, call.resource)
        if not quote:
            continue
        target = f"{commit['hash']} {commit['subject']}" if commit else call.resource
        status = Status.ACTIVE if call.outcome is Outcome.OK else Status.UNKNOWN
        found = claim(
            "effect",
            quote[:400],
            text=shortened(f"{call.effect}: {target or call.command}", 240),
            span=reading.handle,
            position=reading.position,
            said_by=Speaker.TOOL if commit else Speaker.AGENT,
            status=status,
            fields=(("action", call.effect), ("target", shortened(target, 200))),
        )
        made.setdefault((call.effect, target or call.command), found)
    return list(made.values())


def failures_in(
    attempts: Sequence[Attempt], recorded: frozenset[str]
) -> tuple[list[Claim], list[Dismiss]]:
    """Failed calls as dead ends, or dismissed with the reason, for spans in `recorded`."""
    dead: dict[str, Claim] = {}
    dismissed: list[Dismiss] = []
    for attempt in attempts:
        if attempt.call.outcome not in _FAILED or attempt.reading.handle not in recorded:
            continue
        later = attempts[attempt.order + 1 :]
        if reason := _why_no_dead_end(attempt, later):
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


def _why_no_dead_end(attempt: Attempt, later: Sequence[Attempt]) -> str:
    call = attempt.call
    if call.action is Action.SEARCH and call.exit_code == 1 and not call.decisive_line:
        return "a search without a match"
    for other in later:
        if other.call.outcome is not Outcome.OK or other.call.tool != call.tool:
            continue
        if call.command and other.call.command == call.command:
            return f"the same command worked in {other.reading.handle}"
        same_target = call.resource and other.call.resource == call.resource
        if same_target and other.call.action is call.action is Action.WRITE:
            return f"the edit worked in {other.reading.handle}"
    return ""


def _dead_end(attempt: Attempt, later: Sequence[Attempt]) -> Claim | None:
    call, reading = attempt.call, attempt.reading
    error = verbatim(reading, call.decisive_line)
    if not error:
        return None
    tried = shortened(call.command or f"{call.tool} {call.resource}", 140)
    instead = _instead(attempt, later)
    return claim(
        "dead_end",
        error[:_LONGEST_ERROR],
        text=f"{tried} → {shortened(error, _LONGEST_ERROR)}",
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.TOOL,
        fields=(
            ("error", shortened(error, _LONGEST_ERROR)),
            ("instead", f"{_short(instead.call)} ({instead.reading.handle})" if instead else ""),
        ),
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


def todo_in(attempts: Sequence[Attempt]) -> tuple[Attempt, ...]:
    """The calls that wrote a plan, oldest first."""
    return tuple(a for a in attempts if a.call.todo)


def plan_items(attempt: Attempt) -> list[tuple[Claim, str]]:
    """The entries of one plan with their states (open, active, done or dropped)."""
    made: list[tuple[Claim, str]] = []
    for entry in attempt.call.todo:
        quote = verbatim(attempt.reading, entry.text)
        if not quote:
            continue
        made.append((
            claim(
                "commitment",
                quote,
                text=entry.text,
                span=attempt.reading.handle,
                position=attempt.reading.position,
                said_by=Speaker.AGENT,
                status=Status.OPEN,
                fields=(("state", entry.state),),
                rank=5.0,
            ),
            entry.state,
        ))  # fmt: skip
    return made


def jobs_in(attempts: Sequence[Attempt]) -> list[Claim]:
    """Processes and helpers that may still run."""
    made: dict[str, Claim] = {}
    for attempt in attempts:
        call, reading = attempt.call, attempt.reading
        if not call.job:
            continue
        quote = verbatim(reading, call.command, call.job, call.resource)
        if quote and call.outcome in {Outcome.PENDING, Outcome.UNKNOWN, Outcome.OK}:
            made[call.job] = claim(
                "job",
                quote[:300],
                text=shortened(f"{call.job}: {call.command or call.resource or call.tool}", 200),
                span=reading.handle,
                position=reading.position,
                said_by=Speaker.TOOL,
                status=Status.UNKNOWN,
                fields=(("handle", call.job),),
            )
    return list(made.values())


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
                fields=(("awaited", "a person's approval"),),
            )
            made.append(found)
    return made


def with_evidence(made: Claim, evidence: Evidence) -> Claim:
    """The claim with one more quote behind it."""
    return replace(made, item=replace(made.item, evidence=(*made.item.evidence, evidence)))
