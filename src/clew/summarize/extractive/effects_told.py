"""Effects that only a report tells of: a helper's, or the agent's own program's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.record.items import Evidence, Speaker, Status
from clew.summarize.extractive.actions import FAILED, Attempt, by_call, verbatim
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.reading import plain_arguments
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.seen import Action
from clew.tools_seen.text_protocols import PRINTED_BY_AIDER

_REPORTED = re.compile(
    r"^[-* \t]*(?:commit(?:ted)?:? )?`?(?P<hash>(?=[a-f]*\d)[0-9a-f]{7,40})`?"
    r"[\s:\u2014\u2013-]+`?(?P<subject>[^`\n]{8,160})",
    re.MULTILINE,
)
_LABELLED = re.compile(
    r"^[-*# \t]*(?:commit(?:\s(?:hash|sha|id))?|hash|sha)(?:\*\*)?:(?:\*\*)?[ \t]*`?"
    r"(?P<hash>(?=[a-f]*\d)[0-9a-f]{7,40})`?[ \t]*$"
    r"(?:\n[^\n]*){0,2}?\n[-*\s]*(?:commit\s)?(?:message|subject|title)(?:\*\*)?:(?:\*\*)?[ \t]*"
    r"`?(?P<subject>[^`\n]{8,160})",
    re.MULTILINE | re.IGNORECASE,
)
"""A commit told in two lines, each behind a label."""
_DID = re.compile(
    r"^[-*+ \t]*(?:\*\*)?(?:i\s)?(?P<verb>installed|uninstalled|created\s(?:using|with|via)|"
    r"scaffolded\s(?:using|with|via)|published|deployed|pushed|merged|opened)"
    r"(?:\*\*)?:?\s[^\n`]{0,60}`[^`\n]{2,120}`[^\n]{0,160}$",
    re.MULTILINE | re.IGNORECASE,
)
"""A line of a report that opens with what was done, and names what it was done to."""
_PRINTED = re.compile(r"^Commit (?P<hash>[0-9a-f]{7,40}) (?P<subject>[^\n]{3,160})$", re.MULTILINE)
_LONGEST_REPORT = 20_000
_ORDERED = re.compile(r"[^\n\"\\]*\bcommit\b[^\n\"\\]*", re.IGNORECASE)
_LONGEST_ORDER = 200
_PUT_IN_PLACE = re.compile(
    r"^[ \t]*(?:added [1-9]\d* packages?\b[^\n]{0,80}|Successfully installed \S[^\n]{0,160})$",
    re.MULTILINE,
)
"""What a package manager prints that a script called."""
_SORTS = {
    "installed": "install", "uninstalled": "uninstall", "published": "publish",
    "deployed": "deploy", "pushed": "git push", "merged": "git merge", "opened": "opened",
}  # fmt: skip


def reported_effects(attempts: Sequence[Attempt]) -> list[Claim]:
    """Commits and other effects that a helper reports to have had: nobody else shows them."""
    return list(dict(pair for each in attempts for pair in effects_reported(each)).values())


@by_call
def effects_reported(attempt: Attempt) -> tuple[tuple[str, Claim], ...]:
    """The same of one call, each with what it is known by."""
    if attempt.call.action is not Action.DELEGATE or attempt.call.outcome in FAILED:
        return ()
    shown = attempt.answer.results
    return tuple(told for result in shown for told in _reported(attempt, result[:_LONGEST_REPORT]))


def _reported(attempt: Attempt, result: str) -> Iterator[tuple[str, Claim]]:
    for pattern in (_REPORTED, _LABELLED):
        for found in pattern.finditer(result):
            commit = f"{found['hash']} {found['subject'].strip()}"
            yield found["hash"], _told(attempt, found.group(0).strip(), "git commit", commit)
    for found in _DID.finditer(result):
        said = found.group(0).strip().lstrip("-*+ \t")
        sort = _SORTS.get(found["verb"].lower(), "created")
        yield said, _told(attempt, said, sort, " ".join(said.split()))


def _told(attempt: Attempt, quote: str, sort: str, target: str) -> Claim:
    return claim(
        "effect",
        quote,
        text=shortened(f"{sort} by a helper: {target}", 240),
        span=attempt.answer.handle,
        position=attempt.reading.position,
        said_by=Speaker.TOOL,
        status=Status.UNKNOWN,
        evidence=_order(attempt) if sort == "git commit" else (),
        fields=(("action", sort), ("target", shortened(target, 200))),
        rank=2.0 if sort == "git commit" else 1.0,
    )


def _order(attempt: Attempt) -> tuple[Evidence, ...]:
    """The line with which the helper was told to commit: it says what the commit is about."""
    for sent in attempt.reading.arguments:
        for found in _ORDERED.finditer(plain_arguments(sent)):
            said = verbatim(attempt.reading, found.group().strip(" -*\t"))
            if said and len(said.split()) > 3:
                return (Evidence(span=attempt.reading.handle, quote=said[:_LONGEST_ORDER]),)
    return ()


def printed_installs(attempts: Sequence[Attempt]) -> list[Claim]:
    """What a script installed that was run for it, by the line that the package manager printed."""
    made: dict[str, Claim] = {}
    for attempt in attempts:
        if (found := install_printed(attempt)) is not None:
            made.setdefault(attempt.call.command, found)
    return list(made.values())


@by_call
def install_printed(attempt: Attempt) -> Claim | None:
    """The same of one call."""
    call = attempt.call
    if call.action is not Action.RUN or call.effect or call.outcome in FAILED or not call.command:
        return None
    for result in attempt.answer.results:
        if (found := _PUT_IN_PLACE.search(result[-_LONGEST_REPORT:])) is not None:
            return _installed(attempt, found.group().strip())
    return None


def _installed(attempt: Attempt, line: str) -> Claim:
    command = " ".join(attempt.call.command.split())
    return claim(
        "effect",
        line,
        text=f"install: {shortened(command, 160)} \u2192 {line}",
        span=attempt.answer.handle,
        position=attempt.reading.position,
        said_by=Speaker.TOOL,
        fields=(("action", "install"), ("target", shortened(command, 200))),
        rank=1.0,
    )


def printed_commits(attempts: Sequence[Attempt]) -> list[Claim]:
    """Commits that an agent's own program made of an edit, and printed behind it."""
    return list(dict(pair for each in attempts for pair in commits_printed(each)).values())


@by_call
def commits_printed(attempt: Attempt) -> tuple[tuple[str, Claim], ...]:
    """The same of one call, each with its hash."""
    printed = [each for each in attempt.answer.results if each.startswith(PRINTED_BY_AIDER)]
    return tuple(
        (found["hash"], _printed(attempt, found))
        for result in printed
        for found in _PRINTED.finditer(result)
    )


def _printed(attempt: Attempt, found: re.Match[str]) -> Claim:
    commit = f"{found['hash']} {found['subject']}"
    return claim(
        "effect",
        found.group(0),
        text=f"git commit: {commit}",
        span=attempt.answer.handle,
        position=attempt.reading.position,
        said_by=Speaker.TOOL,
        fields=(("action", "git commit"), ("target", shortened(commit, 200))),
        rank=2.0,
    )
