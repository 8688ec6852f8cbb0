"""Side effects that calls had, or may have had, and what they made is known by."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.actions import FAILED, Attempt, verbatim
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.seen import Action, Outcome

_COMMIT = re.compile(r"\[(?P<branch>[^\s\]]+)[^\]]*\s(?P<hash>[0-9a-f]{7,40})\]\s+(?P<subject>.+)")
_LIGHT = frozenset({"delete", "move", "rename", "chmod", "install", "uninstall", "mkdir"})
_REPORTED = re.compile(
    r"^[-*\s]*(?:commit(?:ted)?:? )?`?(?P<hash>(?=[a-f]*\d)[0-9a-f]{7,40})`?"
    r"[\s:\u2014\u2013-]+`?(?P<subject>[^`\n]{8,160})",
    re.MULTILINE,
)
_NAMES_GIVEN = tuple(
    re.compile(rf'"(?:{keys})"\s*:\s*"?(?P<name>[^"\s,}}{{\[\]]{{2,120}})')
    for keys in ("identifier|number|key", r"\w+_id|\w+Id", "url|html_url", "id")
)


def effects_in(attempts: Sequence[Attempt]) -> list[Claim]:
    """Side effects that happened, or may have happened; each once."""
    made: dict[tuple[str, str], Claim] = {}
    for attempt in attempts:
        call, reading = attempt.call, attempt.reading
        if not call.effect or call.outcome in FAILED:
            continue
        commit = next(
            (m for r in attempt.answer.results if (m := _COMMIT.search(r)) is not None), None
        ) if "commit" in call.effect else None  # fmt: skip
        quote = verbatim(
            reading, commit.group(0) if commit else "", call.command, call.resource, _sent(attempt)
        )
        if not quote:
            continue
        target = f"{commit['hash']} {commit['subject']}" if commit else call.resource
        gained = None if call.command else _gained(attempt)
        status = Status.ACTIVE if call.outcome is Outcome.OK else Status.UNKNOWN
        found = claim(
            "effect",
            quote[:400],
            text=shortened(f"{call.effect}: {target or call.command}", 240)
            + (f" → {gained.quote}" if gained else ""),
            span=reading.handle,
            evidence=(gained,) if gained else (),
            position=reading.position,
            said_by=Speaker.TOOL if commit else Speaker.AGENT,
            status=status,
            fields=(("action", call.effect), ("target", shortened(target, 200))),
            rank=2.0 if commit or call.effect not in _LIGHT else 0.0,
        )
        made.setdefault((call.effect, target or call.command), found)
    return [*made.values(), *_reported_commits(attempts)]


def _gained(attempt: Attempt) -> Evidence | None:
    """The name under which what was made is known from now on, as the result gives it."""
    sent = "\n".join(attempt.reading.arguments)
    for pattern in _NAMES_GIVEN:
        for result in attempt.answer.results:
            found = pattern.search(result[:4_000])
            if found is not None and found["name"] not in sent:
                return Evidence(span=attempt.answer.handle, quote=found.group(0))
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
