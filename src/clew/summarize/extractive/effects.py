"""Side effects that calls had, or may have had, and what they made is known by."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.actions import FAILED, Attempt, verbatim
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.families import DEFAULT_TABLE
from clew.tools_seen.seen import Action, CallSeen, Outcome
from clew.tools_seen.shell import see_shell
from clew.tools_seen.text_protocols import PRINTED_BY_AIDER

_COMMIT = re.compile(r"\[(?P<branch>[^\s\]]+)[^\]]*\s(?P<hash>[0-9a-f]{7,40})\]\s+(?P<subject>.+)")
_LIGHT = frozenset({"delete", "move", "rename", "chmod", "install", "uninstall", "mkdir"})
_REPORTED = re.compile(
    r"^[-*\s]*(?:commit(?:ted)?:? )?`?(?P<hash>(?=[a-f]*\d)[0-9a-f]{7,40})`?"
    r"[\s:\u2014\u2013-]+`?(?P<subject>[^`\n]{8,160})",
    re.MULTILINE,
)
_PRINTED = re.compile(r"^Commit (?P<hash>[0-9a-f]{7,40}) (?P<subject>[^\n]{3,160})$", re.MULTILINE)
_LONGEST_COMMAND = 120
_JOINED = re.compile(r"&&|;|\n")
_MOST_PARTS = 12
_MOVED = re.compile(r"^\s*cd\s+\S+\s*(?:&&|;)\s*")
_MADE = ("created", "merged", "publish", "deploy")
_ADDRESS = re.compile(r"(?P<name>https?://[^\s\"'<>]{8,160})")
_NAMES_GIVEN = tuple(
    re.compile(rf'"(?:{keys})"\s*:\s*"?(?P<name>[^"\s,}}{{\[\]]{{2,120}})')
    for keys in ("identifier|number|key", r"\w+_id|\w+Id", "url|html_url", "id")
)


def effects_in(attempts: Sequence[Attempt]) -> list[Claim]:
    """Side effects that happened, or may have happened; each once."""
    made: dict[tuple[str, str], Claim] = {}
    ended = _ended_jobs(attempts)
    for attempt in attempts:
        call, reading = attempt.call, attempt.reading
        end = ended.get(call.job) if call.job else None
        outcome = end.call.outcome if end is not None else call.outcome
        if call.outcome is Outcome.FAILED and call.command:
            made.update(before_a_failure(reading))
        if not call.effect or call.outcome in FAILED or outcome in FAILED:
            continue
        shown = [*attempt.answer.results, *(end.answer.results if end is not None else ())]
        commit = next(
            (m for r in shown if (m := _COMMIT.search(r)) is not None), None
        ) if "commit" in call.effect else None  # fmt: skip
        quote = verbatim(
            reading, commit.group(0) if commit else "", call.command, call.resource, _sent(attempt)
        )
        if not quote:
            continue
        target = f"{commit['hash']} {commit['subject']}" if commit else _target(call)
        gained = _gained(attempt, end)
        status = Status.ACTIVE if outcome is Outcome.OK else Status.UNKNOWN
        found = claim(
            "effect",
            quote[:400],
            text=shortened(f"{call.effect}: {target or call.command}", 240)
            + (f" → {gained.quote}" if gained else ""),
            span=reading.handle,
            evidence=_further(gained, commit, end),
            position=reading.position,
            said_by=Speaker.TOOL if commit else Speaker.AGENT,
            status=status,
            fields=(("action", call.effect), ("target", shortened(target, 200))),
            rank=2.0 if commit or call.effect not in _LIGHT else 0.0,
        )
        made.setdefault((call.effect, target or call.command), found)
    return [*made.values(), *_reported_commits(attempts), *_printed_commits(attempts)]


@once
def before_a_failure(reading: Reading) -> tuple[tuple[tuple[str, str], Claim], ...]:
    """Effects of the first parts of commands that failed: only the end of them is known to have."""
    return tuple(
        ((effect, part), _before(effect, part, quote, reading))
        for call in reading.calls
        if call.outcome is Outcome.FAILED and call.command
        for part in _first_parts(call.command)
        if (effect := see_shell(part, DEFAULT_TABLE).effect)
        and (quote := verbatim(reading, call.command, part))
    )


def _first_parts(command: str) -> list[str]:
    parts = [part.strip() for part in _JOINED.split(command)]
    return parts[:-1] if len(parts) <= _MOST_PARTS else []


def _before(effect: str, part: str, quote: str, reading: Reading) -> Claim:
    return claim(
        "effect",
        quote[:400],
        text=shortened(f"{effect}: {part}", 240),
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.UNKNOWN,
        fields=(("action", effect), ("target", shortened(part, 200))),
        rank=1.0 if effect not in _LIGHT else 0.0,
    )


def _ended_jobs(attempts: Sequence[Attempt]) -> dict[str, Attempt]:
    """By the handle of a process, the look at it that shows how it ended."""
    return {
        attempt.call.resource: attempt
        for attempt in attempts
        if attempt.call.resource and not attempt.call.job and attempt.call.exit_code is not None
    }


def _target(call: CallSeen) -> str:
    """What an effect was on: the command itself where it is short, for its options say how."""
    command = " ".join(_MOVED.sub("", call.command).split())
    if command and (len(command) <= _LONGEST_COMMAND or call.effect == "system change"):
        return shortened(command, _LONGEST_COMMAND)
    return call.resource


def _further(
    gained: Evidence | None, commit: re.Match[str] | None, end: Attempt | None
) -> tuple[Evidence, ...]:
    """What else shows an effect: the name it was given, and the end of the process that had it."""
    shown = [gained] if gained else []
    if end is not None:
        quote = commit.group(0) if commit and commit.group(0) in "".join(end.answer.results) else ""
        if quote or gained is None or gained.span != end.answer.handle:
            shown.append(Evidence(span=end.answer.handle, quote=quote))
    return tuple(shown)


def _gained(attempt: Attempt, end: Attempt | None) -> Evidence | None:
    """The name under which what was made is known from now on, as the result gives it."""
    sent = "\n".join(attempt.reading.arguments)
    made = attempt.call.effect.endswith(_MADE)
    for shown in (attempt, end) if end is not None else (attempt,):
        for pattern in (_ADDRESS,) if attempt.call.command else _NAMES_GIVEN:
            for result in shown.answer.results if made or not attempt.call.command else ():
                found = pattern.search(result[:4_000])
                if found is not None and found["name"] not in sent:
                    return Evidence(span=shown.answer.handle, quote=found.group(0))
    return None


def _sent(attempt: Attempt) -> str:
    """The beginning of what was sent with a call, where it can be told from the calls beside it."""
    arguments, calls = attempt.reading.arguments, attempt.reading.calls
    if len(arguments) != len(calls):
        return ""
    place = next((i for i, call in enumerate(calls) if call == attempt.call), None)
    return "" if place is None else arguments[place][:300]


def _reported_commits(attempts: Sequence[Attempt]) -> list[Claim]:
    """Commits that a helper reports to have made: nobody else shows them."""
    made: dict[str, Claim] = {}
    for attempt in attempts:
        if attempt.call.action is not Action.DELEGATE or attempt.call.outcome in FAILED:
            continue
        for result in attempt.answer.results:
            for found in _REPORTED.finditer(result[:20_000]):
                subject = found["subject"].strip()
                made[found["hash"]] = claim(
                    "effect",
                    found.group(0).strip(),
                    text=shortened(f"git commit by a helper: {found['hash']} {subject}", 240),
                    span=attempt.answer.handle,
                    position=attempt.reading.position,
                    said_by=Speaker.TOOL,
                    status=Status.UNKNOWN,
                    fields=(
                        ("action", "git commit"),
                        ("target", shortened(f"{found['hash']} {subject}", 200)),
                    ),
                    rank=2.0,
                )
    return list(made.values())


def _printed_commits(attempts: Sequence[Attempt]) -> list[Claim]:
    """Commits that an agent's own program made of an edit, and printed behind it."""
    made: dict[str, Claim] = {}
    for attempt in attempts:
        for result in attempt.answer.results:
            for found in _PRINTED.finditer(result) if result.startswith(PRINTED_BY_AIDER) else ():
                commit = f"{found['hash']} {found['subject']}"
                made[found["hash"]] = claim(
                    "effect",
                    found.group(0),
                    text=f"git commit: {commit}",
                    span=attempt.answer.handle,
                    position=attempt.reading.position,
                    said_by=Speaker.TOOL,
                    fields=(("action", "git commit"), ("target", shortened(commit, 200))),
                    rank=2.0,
                )
    return list(made.values())
