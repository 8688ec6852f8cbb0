"""Effects that only a report tells of: a helper's, or the agent's own program's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.record.items import Speaker, Status
from clew.summarize.extractive.actions import FAILED, Attempt
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.seen import Action
from clew.tools_seen.text_protocols import PRINTED_BY_AIDER

_REPORTED = re.compile(
    r"^[-*\s]*(?:commit(?:ted)?:? )?`?(?P<hash>(?=[a-f]*\d)[0-9a-f]{7,40})`?"
    r"[\s:\u2014\u2013-]+`?(?P<subject>[^`\n]{8,160})",
    re.MULTILINE,
)
_LABELLED = re.compile(
    r"^[-*#\s]*commit(?:\s(?:hash|sha|id))?(?:\*\*)?:(?:\*\*)?[ \t]*`?"
    r"(?P<hash>(?=[a-f]*\d)[0-9a-f]{7,40})`?[ \t]*$"
    r"(?:\n[^\n]*){0,2}?\n[-*\s]*(?:commit\s)?(?:message|subject|title)(?:\*\*)?:(?:\*\*)?[ \t]*"
    r"`?(?P<subject>[^`\n]{8,160})",
    re.MULTILINE | re.IGNORECASE,
)
"""A commit told in two lines, each behind a label."""
_DID = re.compile(
    r"^[-*+\s]*(?:\*\*)?(?:i\s)?(?P<verb>installed|uninstalled|created\s(?:using|with|via)|"
    r"scaffolded\s(?:using|with|via)|published|deployed|pushed|merged|opened)"
    r"(?:\*\*)?:?\s[^\n`]{0,60}`[^`\n]{2,120}`[^\n]{0,160}$",
    re.MULTILINE | re.IGNORECASE,
)
"""A line of a report that opens with what was done, and names what it was done to."""
_PRINTED = re.compile(r"^Commit (?P<hash>[0-9a-f]{7,40}) (?P<subject>[^\n]{3,160})$", re.MULTILINE)
_LONGEST_REPORT = 20_000
_SORTS = {
    "installed": "install", "uninstalled": "uninstall", "published": "publish",
    "deployed": "deploy", "pushed": "git push", "merged": "git merge", "opened": "opened",
}  # fmt: skip


def reported_effects(attempts: Sequence[Attempt]) -> list[Claim]:
    """Commits and other effects that a helper reports to have had: nobody else shows them."""
    made: dict[str, Claim] = {}
    for attempt in attempts:
        if attempt.call.action is not Action.DELEGATE or attempt.call.outcome in FAILED:
            continue
        for result in attempt.answer.results:
            made.update(_reported(attempt, result[:_LONGEST_REPORT]))
    return list(made.values())


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
        fields=(("action", sort), ("target", shortened(target, 200))),
        rank=2.0 if sort == "git commit" else 1.0,
    )


def printed_commits(attempts: Sequence[Attempt]) -> list[Claim]:
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
