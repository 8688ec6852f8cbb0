"""Files of the machine that calls wrote: settings of a home directory, outside of any work."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.record.items import Speaker, Status
from clew.summarize.extractive.actions import FAILED, Attempt, by_call, program_of, verbatim
from clew.summarize.extractive.claims import Claim, claim, resting_on
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen.seen import Action, CallSeen, Outcome

_OF_HOME = re.compile(
    r"^(?:~|\$\{?HOME\}?|/(?:home|Users)/[^/]+|/root)/(?P<entry>\.[\w-]+)(?P<rest>$|/.*)"
)
_NOTES = re.compile(
    r"^/(?:plans|projects|todos|tmp|sessions|history|memory|memories|worktrees|scratch)/|/worktrees?/"
)
"""What an agent's own program keeps of its work there, and trees of the work itself."""
_REMEMBERED = re.compile(r"/(?:memory|memories)/[\w./-]+\.md$")
"""Notes that every later session reads."""
_PASSING = frozenset({".cache", ".Trash", ".npm", ".tmp"})
_SYSTEM = (
    "/etc/", "/usr/local/", "/usr/share/", "/usr/lib/", "/usr/bin/", "/Library/", "/opt/",
)  # fmt: skip
_LONGEST_COMMAND = 120
_LONGEST_QUOTE = 400


def machine_files(attempts: Sequence[Attempt]) -> list[Claim]:
    """Files of the machine that calls wrote, each once; the first call tells."""
    made: dict[str, Claim] = {}
    for attempt in attempts:
        for path, written in files_written(attempt):
            before = made.get(path)
            made[path] = written if before is None else resting_on(before, written)
    return list(made.values())


@by_call
def files_written(attempt: Attempt) -> tuple[tuple[str, Claim], ...]:
    """The same of one call, each with its path."""
    call = attempt.call
    if call.action is not Action.WRITE or call.outcome in FAILED:
        return ()
    found = ((path, _written(attempt, path)) for path in _files_of(call))
    return tuple((path, written) for path, written in found if written is not None)


def is_of_the_machine(path: str) -> bool:
    """Whether a path is a setting of a home directory, or a file of the system."""
    if path.startswith(_SYSTEM):
        return True
    found = _OF_HOME.match(path)
    if found is None or found["entry"] in _PASSING:
        return False
    return _REMEMBERED.search(found["rest"]) is not None or _NOTES.search(found["rest"]) is None


def _files_of(call: CallSeen) -> list[str]:
    """The files of the machine that a call wrote, without the folders that it made for them."""
    if program_of(call.command).startswith("mkdir") and ">" not in call.command:
        return []
    return [
        path
        for path in filter(is_of_the_machine, call.resources)
        if not any(other.startswith(f"{path.rstrip('/')}/") for other in call.resources)
    ]


def _written(attempt: Attempt, path: str) -> Claim | None:
    call, reading = attempt.call, attempt.reading
    line = next((line for each in reading.results for line in _told(each, path)), "")
    quote = verbatim(reading, line, call.command, path, call.resource)
    if not quote:
        return None
    command = " ".join(call.command.split())
    how = f" ({shortened(command, _LONGEST_COMMAND)})" if command else ""
    return claim(
        "effect",
        quote[:_LONGEST_QUOTE],
        text=f"file of the machine: {path}{how}",
        span=reading.handle,
        position=reading.position,
        said_by=Speaker.AGENT,
        status=Status.ACTIVE if call.outcome is Outcome.OK else Status.UNKNOWN,
        fields=(("action", "system change"), ("target", shortened(path, 200))),
        rank=1.0,
    )


def _told(result: str, path: str) -> list[str]:
    """The line of a short answer that names the file."""
    if len(result) > _LONGEST_QUOTE:
        return []
    return [line.strip() for line in result.splitlines() if path in line]
