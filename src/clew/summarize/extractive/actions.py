"""What the calls did: environment, approvals asked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TypeVar

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.answers import AWAITED_APPROVAL
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import line_around, shortened
from clew.tools_seen.seen import Action, CallSeen, Outcome, TestRun
from clew.tools_seen.worded import worded

_Result = TypeVar("_Result")

FAILED = frozenset({Outcome.FAILED, Outcome.REFUSED})
_BRANCH = re.compile(r"(?:On branch|Switched to(?: a new)? branch|HEAD is now at)\s+'?([\w./-]+)'?")
_LISTENING = worded(
    r"\b(?:listening|running|serving|started|available)\b"
    r"[^\n]{0,60}?(?:port |:)(?P<port>\d{2,5})\b",
    needs="listening|running|serving|started|available",
    flags=re.IGNORECASE,
)
_VERSION = re.compile(
    r"^(?P<what>[A-Za-z][\w .-]{1,30}?)[ :]+v?(?P<version>\d+\.\d+(?:\.\d+)?\S*)$"
)
_PIECES = re.compile(r"&&|\|\||[;|\n]")
_PREFIXES = frozenset({"cd", "export", "set", "source", ".", "time", "env", "sudo", "echo"})
_CWD = re.compile(r"\bcd\s+(?P<path>[~/.\w-][\w./~-]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call at its place, for telling what a failure led to.

    `place` is that of the call among those of its exchange, `answer` the exchange that shows its
    result: the next one where calls are text. `shown`: only what the output says tells that the
    call failed. `began` is the exchange that started the process a look is about.
    """

    reading: Reading
    call: CallSeen
    order: int
    place: int
    answer: Reading
    shown: bool = False
    began: Reading | None = None

    @property
    def alone(self) -> bool:
        """Whether its exchange shows all of the call, as it stands there and with its result."""
        return self.answer is self.reading and self.call is self.reading.calls[self.place]


def attempts_in(readings: Sequence[Reading]) -> list[Attempt]:
    """All calls in order."""
    made: list[Attempt] = []
    started: dict[str, tuple[str, Reading]] = {}
    for number, reading in enumerate(readings):
        after = readings[number + 1] if number + 1 < len(readings) else reading
        apart = not reading.results and bool(after.results) and not after.calls
        for place, call in enumerate(reading.calls):
            if call.command and call.job:
                started[call.job] = (call.command, reading)
            # A look at a running process is about the command that started it.
            watched, began = (
                started.get(call.resource, ("", None)) if not call.command else ("", None)
            )
            made.append(
                Attempt(
                    reading=reading,
                    call=replace(call, command=watched) if watched else call,
                    order=len(made),
                    place=place,
                    answer=after if apart else reading,
                    began=began,
                )
            )
    return made


@once
def attempts_of(reading: Reading) -> tuple[Attempt, ...]:
    """The calls of one exchange, each as the exchange alone shows it."""
    return tuple(attempts_in([reading]))


def by_call(work: Callable[[Attempt], _Result]) -> Callable[[Attempt], _Result]:
    """The same function, worked out once for a call that its exchange shows by itself.

    It must not depend on the place of the attempt among those of other exchanges (`order`,
    `began`), and nobody may change what it gives.
    """

    @once
    @wraps(work)
    def of_calls(reading: Reading) -> tuple[_Result, ...]:
        return tuple(map(work, attempts_of(reading)))

    def of_attempt(attempt: Attempt) -> _Result:
        return of_calls(attempt.reading)[attempt.place] if attempt.alone else work(attempt)

    return of_attempt


def verbatim(reading: Reading, *candidates: str) -> str:
    """The first candidate that stands word for word in the exchange (as sent, escapes included)."""
    places = (
        *reading.results, *reading.arguments, *reading.prose, *reading.typed, *reading.reasoning,
        *reading.harness,
    )  # fmt: skip
    for candidate in filter(None, candidates):
        plain = candidate.strip()
        if plain and any(plain in place for place in places):
            return plain
        escaped = json.dumps(candidate, ensure_ascii=False)[1:-1].strip()
        if escaped and escaped != plain and any(escaped in place for place in places):
            return escaped
    return ""


def environment_in(attempts: Sequence[Attempt]) -> list[Claim]:
    """The last known state by key: files written, tests, branch, directory, ports, versions."""
    latest: dict[str, Claim] = {}
    for attempt in attempts:
        reading, place = attempt.reading, attempt.place
        told = attempt.call is reading.calls[place]
        for made in settings_in(reading)[place] if told else _settings_of(reading, attempt.call):
            latest[made.item.field("key")] = made
    return list(latest.values())


@once
def settings_in(reading: Reading) -> tuple[list[Claim], ...]:
    """What each call of one exchange tells of the environment, as it stands there."""
    return tuple(_settings_of(reading, call) for call in reading.calls)


def _settings_of(reading: Reading, call: CallSeen) -> list[Claim]:
    made: list[Claim] = []
    if call.tests is not None and call.tests.line:
        told = _told_of_tests(call.tests)
        made.append(_setting(reading, "tests", told, call.tests.line, rank=3.0))
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


def _told_of_tests(run: TestRun) -> str:
    """The summary of a test run, with the numbers that its line leaves out in front."""
    line = " ".join(run.line.strip("= \t").split())
    counts = [(run.passed, "passed"), (run.failed, "failed"), (run.skipped, "skipped")]
    numbers = ", ".join(f"{count} {name}" for count, name in counts if count)
    told = [count for count, _ in counts[:2] if count]
    shown = all(re.search(rf"(?<![\d.]){count} [a-z]", line) for count in told)
    return line if shown or not numbers else f"{numbers} ({line})"


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


def program_of(command: str) -> str:
    """The program and its first word, behind directory changes and settings of variables."""
    for piece in _PIECES.split(command):
        words = [w for w in piece.split() if "=" not in w.split("/")[0]]
        if words and words[0] not in _PREFIXES:
            return " ".join(w for w in words[:2] if not w.startswith("-"))
    return ""


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
