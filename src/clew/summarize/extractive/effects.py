"""Side effects that calls had, or may have had, and what they made is known by."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.actions import FAILED, Attempt, attempts_of, by_call, verbatim
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.command_parts import (
    COMMITTED,
    INSTALLED,
    Part,
    is_in_scratch,
    is_refused,
    left_out,
    parts_in,
    sign_of,
)
from clew.summarize.extractive.effects_told import (
    commits_printed,
    effects_reported,
    install_printed,
    printed_commits,
    printed_installs,
    reported_effects,
)
from clew.summarize.extractive.machine_files import files_written, machine_files
from clew.summarize.extractive.program_verbs import orders_in, told_to_change
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.seen import CallSeen, Outcome

_LIGHT = frozenset({"delete", "move", "rename", "chmod", "install", "uninstall", "mkdir"})
_LONGEST_COMMAND = 120
_MOVED = re.compile(r"^\s*cd\s+\S+\s*(?:&&|;)\s*")
_LONGEST_ENDING = 20_000
_MADE = ("created", "merged", "publish", "deploy")
_ADDRESS = re.compile(r"(?P<name>https?://[^\s\"'<>]{8,160})")
_NAMES_GIVEN = tuple(
    re.compile(rf'"(?:{keys})"\s*:\s*"?(?P<name>[^"\s,}}{{\[\]]{{2,120}})')
    for keys in ("identifier|number|key", r"\w+_id|\w+Id", "url|html_url", "id")
)


_Keyed = tuple[tuple[str, str], Claim]


def effects_in(attempts: Sequence[Attempt]) -> list[Claim]:
    """Side effects that happened, or may have happened; each once."""
    made: dict[tuple[str, str], Claim] = {}
    ended = _ended_jobs(attempts)
    for attempt in attempts:
        end = ended.get(attempt.call.job) if attempt.call.job else None
        had = _had_by_itself(attempt) if end is None else _had(attempt, end)
        if attempt.call.outcome is Outcome.FAILED:
            made.update(had)
        else:
            for key, found in had:
                made.setdefault(key, found)
    return [
        *made.values(),
        *machine_files(attempts),
        *reported_effects(attempts),
        *printed_commits(attempts),
        *printed_installs(attempts),
        *told_to_change(attempts),
    ]


@by_call
def _had_by_itself(attempt: Attempt) -> tuple[_Keyed, ...]:
    """The effects of a call whose process nobody looked at since."""
    return _had(attempt, None)


def _had(attempt: Attempt, end: Attempt | None) -> tuple[_Keyed, ...]:
    """The effects of a call, but for those in a scratch folder."""
    command = attempt.call.command
    if attempt.call.outcome is Outcome.FAILED and command:
        found = _before_a_failure(attempt)
    elif attempt.call.effect and not _failed(attempt, end):
        found = _effects_of(attempt, end)
    else:
        return ()
    return tuple((key, made) for key, made in found if not is_in_scratch(command, key[0]))


def read_ahead(reading: Reading) -> None:
    """Work out which effects the calls of one exchange had, by what it shows itself."""
    orders_in(reading)
    for attempt in attempts_of(reading):
        for effects in (
            _had_by_itself, files_written, effects_reported, commits_printed, install_printed,
        ):  # fmt: skip
            effects(attempt)


def _failed(attempt: Attempt, end: Attempt | None) -> bool:
    """Whether a call, or the process that it started, did not do what it was to do."""
    outcome = end.call.outcome if end is not None else attempt.call.outcome
    if attempt.call.outcome in FAILED or outcome in FAILED:
        return True
    return is_refused(attempt.call, _shown(attempt, end))


def _shown(attempt: Attempt, end: Attempt | None) -> list[str]:
    """What a call printed, told from the calls beside it where that can be told."""
    results = attempt.answer.results
    place = _place_of(attempt)
    own = attempt.answer is attempt.reading and len(results) == len(attempt.reading.calls)
    mine = results[place : place + 1] if own and place is not None else results
    return [*mine, *(end.answer.results if end is not None else ())]


def _place_of(attempt: Attempt) -> int | None:
    """The place of a call in its exchange, where it stands there as it is."""
    return attempt.place if attempt.call is attempt.reading.calls[attempt.place] else None


def _effects_of(attempt: Attempt, end: Attempt | None) -> list[_Keyed]:
    """The effect of a call that reaches furthest, and each other one that is no light one."""
    call, reading = attempt.call, attempt.reading
    outcome = end.call.outcome if end is not None else call.outcome
    shown = _shown(attempt, end)
    commit = (
        next((m for r in shown if (m := COMMITTED.search(r)) is not None), None)
        if "commit" in call.effect
        else None
    )
    quote = verbatim(
        reading,
        commit.group(0) if commit else "",
        call.command,
        _announced(attempt),
        call.resource,
        _sent(attempt),
    )
    if not quote:
        return []
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
    others = _beside(attempt, shown, status)
    return [((call.effect, target or call.command), found), *others]


def _beside(attempt: Attempt, shown: Sequence[str], status: Status) -> list[_Keyed]:
    """The other effects of a command, but for light ones."""
    furthest = attempt.call.effect
    return [
        keyed
        for part in _parts_of(attempt)
        if part.effect and part.effect != furthest and part.effect not in _LIGHT
        for keyed in _of_part(part, attempt, shown, status)
    ]


def _announced(attempt: Attempt) -> str:
    """The line that announces a call with no arguments, where the agent names its tool there."""
    if attempt.reading.arguments != ("{}",):
        return ""
    lines = (line for text in attempt.reading.prose for line in text.splitlines())
    return next((line.strip() for line in lines if attempt.call.tool in line), "")


def _parts_of(attempt: Attempt) -> tuple[Part, ...]:
    place = _place_of(attempt)
    return parts_in(attempt.reading)[place] if place is not None else ()


def _before_a_failure(attempt: Attempt) -> list[_Keyed]:
    """Effects of the first parts of a command that failed: only the end is known to have.

    What git says that it did is done; what it would have said and did not is not, nor is what
    only runs behind it.
    """
    shown, made = _shown(attempt, None), list[_Keyed]()
    stopped = False
    for part in _parts_of(attempt):
        stopped = (stopped and part.chained) or left_out(part, shown)
        signed = part.effect != "" and sign_of(part.effect, shown) is not None
        if part.effect and not stopped and (signed or not part.last):
            status = Status.ACTIVE if signed else Status.UNKNOWN
            made.extend(_of_part(part, attempt, shown, status))
    return made


def _of_part(part: Part, attempt: Attempt, shown: Sequence[str], status: Status) -> list[_Keyed]:
    """What one part of a command did, by the line that says so or by the part itself."""
    reading = attempt.reading
    sign = sign_of(part.effect, shown)
    commit = sign is not None and part.effect == "git commit"
    quote = verbatim(reading, sign.group(0) if sign else "", attempt.call.command, part.text)
    if not quote:
        return []
    said = " ".join(sign.group(0).split()) if sign else ""
    target = f"{sign['hash']} {sign['subject']}" if sign and commit else part.text
    text = f"{part.effect}: {target}" + (f" → {said}" if said and not commit else "")
    found = claim(
        "effect",
        quote[:400],
        text=shortened(text, 240),
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.TOOL if sign else Speaker.AGENT,
        status=status,
        fields=(("action", part.effect), ("target", shortened(target, 200))),
        rank=2.0 if commit else 1.0 if part.effect not in _LIGHT else 0.0,
    )
    return [((part.effect, target), found)]


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
    installs = attempt.call.effect == "install"
    patterns = (INSTALLED,) if installs else (_ADDRESS,) if attempt.call.command else _NAMES_GIVEN
    for shown in (attempt, end) if end is not None else (attempt,):
        for pattern in patterns:
            told = made or installs or not attempt.call.command
            for result in shown.answer.results if told else ():
                found = pattern.search(result[-_LONGEST_ENDING:] if installs else result[:4_000])
                if found is not None and found["name"] not in sent:
                    return Evidence(span=shown.answer.handle, quote=found.group(0))
    return None


def _sent(attempt: Attempt) -> str:
    """The beginning of what was sent with a call, where it can be told from the calls beside it."""
    arguments, place = attempt.reading.arguments, _place_of(attempt)
    if len(arguments) != len(attempt.reading.calls):
        return ""
    return "" if place is None else arguments[place][:300]
