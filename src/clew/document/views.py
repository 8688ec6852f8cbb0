"""What a handoff document shows of its record at a glance, and the steps to begin with."""

from __future__ import annotations

from dataclasses import dataclass

from clew.record.items import Item, Status
from clew.record.lines import full_line
from clew.record.record import HandoffRecord

CHECKLIST = "Resume checklist"
PINS = "Pinned texts"
VIEWS = ("Budget", "Requirements and their proof", "Unresolved side effects",
         "Live jobs and how to check each", "Handles")  # fmt: skip
REREAD = (
    "Read the authoritative state again (files, branches, services, tickets) before relying on any "
    "claim of the record."
)
CHOOSE = "Choose the next requirement that has no proof yet: {}."
ALL_PROVEN = "Every requirement has its proof: verify the goal, then finish."
NO_REQUIREMENTS = (
    "No requirement was recorded: derive what is left from the goal and the next step."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line of the resume checklist; `done` when somebody ticked it before the fresh run."""

    text: str
    done: bool = False


def unresolved_effects(record: HandoffRecord) -> tuple[Item, ...]:
    """Side effects whose outcome nobody saw."""
    return tuple(
        item for item in record.of_kind("effect") if item.status in (Status.UNKNOWN, Status.OPEN)
    )


def live_jobs(record: HandoffRecord) -> tuple[Item, ...]:
    """Processes that may still run."""
    return tuple(item for item in record.of_kind("job") if item.live)


def unproven(record: HandoffRecord) -> tuple[Item, ...]:
    """Requirements that hold and have neither evidence of being done nor a proof."""
    return tuple(i for i in record.of_kind("requirement") if i.live and not i.field("proof"))


def steps_for(record: HandoffRecord) -> tuple[Step, ...]:
    """The resume checklist of a record; items are named by their handles alone."""
    texts = [REREAD]
    texts += [
        f"Validate job {job.id}: run its check; a timer that ran out is no proof that it stopped."
        for job in live_jobs(record)
    ]
    texts += [
        f"Find out what became of side effect {effect.id} before doing it again."
        for effect in unresolved_effects(record)
    ]
    left = unproven(record)
    if left:
        texts.append(CHOOSE.format(", ".join(item.id for item in left)))
    else:
        texts.append(ALL_PROVEN if record.of_kind("requirement") else NO_REQUIREMENTS)
    return tuple(Step(text=text) for text in texts)


def view_lines(record: HandoffRecord, budget: tuple[tuple[str, int], ...]) -> dict[str, list[str]]:
    """The lines of each section that is computed from the record, by heading."""
    requirements = [
        f"- {'proven' if _proven(item) else 'no proof yet'}: {full_line(item)}"
        for item in record.of_kind("requirement")
    ]
    jobs = [
        f"- {full_line(job)}{'' if job.field('check') else ' — no check was recorded'}"
        for job in live_jobs(record)
    ]
    handles = [f"- {entry.handle}: {_one_line(entry.label)}" for entry in record.index]
    rows = {
        VIEWS[0]: [f"- {name}: {tokens:,} tokens" for name, tokens in budget],
        VIEWS[1]: requirements,
        VIEWS[2]: [f"- {full_line(item)}" for item in unresolved_effects(record)],
        VIEWS[3]: jobs,
        VIEWS[4]: handles,
    }
    return {
        heading: [_safe(line) for line in lines] or ["(none)"] for heading, lines in rows.items()
    }


def _proven(item: Item) -> bool:
    return bool(item.field("proof")) or (item.status is Status.DONE and bool(item.evidence))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _safe(line: str) -> str:
    """A line that any file and editor keeps; the exact text stands in the record below."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line).rstrip()
