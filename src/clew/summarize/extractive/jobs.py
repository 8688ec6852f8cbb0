"""Processes and helpers that may still run."""

from __future__ import annotations

from collections.abc import Sequence

from clew.record.delta import Close
from clew.record.items import Evidence, Item, Speaker, Status
from clew.summarize.extractive.actions import Attempt, verbatim
from clew.summarize.extractive.claims import Claim, claim
from clew.summarize.extractive.once import once
from clew.summarize.extractive.reading import Reading
from clew.summarize.extractive.sentences import shortened
from clew.tools_seen import ended_tasks, see_shell
from clew.tools_seen.families import DEFAULT_TABLE
from clew.tools_seen.seen import Action, Outcome


def jobs_in(
    attempts: Sequence[Attempt],
    readings: Sequence[Reading] = (),
    later: Sequence[Attempt] = (),
) -> list[Claim]:
    """Processes and helpers that may still run: started, and not seen to end.

    `readings` are the new spans, where a harness may report an end that no call asked for; `later`
    are calls behind them, which may show an end too.
    """
    made: dict[str, Claim] = {}
    for attempt in attempts:
        call, reading = attempt.call, attempt.reading
        for handle in [h for h in made if _ends(h, attempt)]:
            del made[handle]
        if not call.job or call.outcome not in {Outcome.PENDING, Outcome.UNKNOWN}:
            continue
        quote = verbatim(reading, call.command, call.job, call.resource)
        if quote:
            what = call.command or call.purpose or call.resource or call.tool
            made[call.job] = claim(
                "job",
                quote[:300],
                text=shortened(f"{call.job}: {what}", 160),
                span=reading.handle,
                position=reading.position,
                said_by=Speaker.TOOL,
                status=Status.UNKNOWN,
                fields=(("handle", call.job),),
            )
    over = _reported(readings)
    return [
        each
        for handle, each in made.items()
        if (handle not in over or over[handle].position < each.position)
        and not any(_ends(handle, attempt) for attempt in later)
    ]


def _reported(readings: Sequence[Reading]) -> dict[str, Reading]:
    """Where a harness reported each task at its end, the latest time."""
    return {task: reading for reading in readings for task in reported_ends(reading)}


@once
def reported_ends(reading: Reading) -> frozenset[str]:
    """The tasks that a harness reports at their end in one exchange."""
    return frozenset().union(*map(ended_tasks, reading.harness))


def _ends(handle: str, attempt: Attempt) -> bool:
    """Whether an exchange shows that the job with this handle came to its end."""
    call = attempt.call
    told = any(char.isdigit() for char in handle)
    named = call.job == handle or (told and any(handle in a for a in attempt.reading.arguments))
    over = call.exit_code is not None or call.outcome in {Outcome.OK, Outcome.FAILED}
    return named and over and call.outcome is not Outcome.PENDING


def ended_jobs(
    old: Sequence[Item], attempts: Sequence[Attempt], readings: Sequence[Reading] = ()
) -> list[Close]:
    """Jobs of the record that the new spans show at their end."""
    made: list[Close] = []
    over = _reported(readings)
    for item in old:
        handle = item.field("handle")
        if item.kind != "job" or not item.live or not handle:
            continue
        ended = next((a for a in attempts if _ends(handle, a)), None)
        at = ended.reading if ended is not None else over.get(handle)
        if at is not None:
            shown = Evidence(span=at.handle)
            reason = "it ended"
        elif _only_looks(item):
            shown, reason = item.evidence[0], "it only looks, and nobody waits for it any more"
        else:
            continue
        made.append(Close(id=item.id, status=Status.CLOSED, evidence=(shown,), reason=reason))
    return made


def _only_looks(item: Item) -> bool:
    """Whether a job of the record is a command that changes nothing, running or not."""
    command = item.text.partition(": ")[2]
    return bool(command) and see_shell(command, DEFAULT_TABLE).action in {
        Action.READ,
        Action.SEARCH,
    }
