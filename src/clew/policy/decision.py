"""What a policy may decide, and every reason it may have, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clew.errors import PolicyError


class Boundary(StrEnum):
    """An event with natural closure: a moment at which little is lost by folding."""

    SUBTASK_DONE = "subtask_done"
    SUBTASK_BLOCKED = "subtask_blocked"
    SUBTASK_ABANDONED = "subtask_abandoned"
    TESTS_FINISHED = "tests_finished"
    COMMITTED = "committed"
    RESULT_ACTED_ON = "result_acted_on"
    APPROVAL_CLEARED = "approval_cleared"
    PHASE_CHANGED = "phase_changed"
    USER_MESSAGE = "user_message"


def boundary_of(name: Boundary | str) -> Boundary:
    """The boundary of this name; raises PolicyError for a name that is none."""
    try:
        return Boundary(name)
    except ValueError:
        known = ", ".join(boundary.value for boundary in Boundary)
        raise PolicyError(f"{name!r} is no boundary; known are {known}") from None


class Why(StrEnum):
    """Why a policy decided as it did."""

    BELOW_TRIGGER = "below the trigger"
    NO_BOUNDARY = "armed, waiting for a boundary"
    PREPARING = "a boundary came, and the summary is still being prepared"
    MID_CALL = "a call is still open"
    WORK_DONE = "the work is done and the window has room"
    COOLDOWN = "too little new text since the last compaction"
    NOTHING_TO_FOLD = "nothing that may be folded would free enough"
    VETOED = "a hook refused"
    NOT_SMALLER = "the folded context would not be smaller"
    BOUNDARY = "armed, and a boundary came"
    WAITED = "armed, and waiting for a boundary has cost a second compaction"
    SIGNALLED = "the caller signalled a boundary"
    BACKSTOP = "the backstop is reached"
    OVER_BUDGET = "the context would not fit"
    ASKED = "the caller asked for it"
    OVERSIZED = "a single part is too large"
    EVICTION_PAYS = "dropping low-value results pays for the rewritten prefix"
    ALREADY = "another session with this id has compacted here first"


class Readiness(StrEnum):
    """How far a summary is that is made before it is needed."""

    UNNEEDED = "none is made ahead"
    ABSENT = "not begun"
    RUNNING = "being prepared"
    READY = "ready"
    FAILED = "failed"


class ArmedBy(StrEnum):
    """What armed compaction."""

    NOTHING = "nothing"
    TRIGGER = "proactive trigger"
    COST = "carrying cost reached the price of a compaction"
    SIGNAL = "signal above the boundary floor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Leave the context as it is. `detail` is one sentence with the numbers.

    `boundary` is one that came and is waited behind until the summary is ready.
    """

    why: Why
    armed_by: ArmedBy = ArmedBy.NOTHING
    detail: str = ""
    boundary: Boundary | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evict:
    """Replace parts by stubs until the context is at most `target_tokens` large."""

    why: Why
    target_tokens: int
    armed_by: ArmedBy = ArmedBy.NOTHING
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compact:
    """Fold the middle into the record. `hard` compactions do not wait and may squeeze the tail."""

    why: Why
    boundary: Boundary | None = None
    hard: bool = False
    armed_by: ArmedBy = ArmedBy.NOTHING
    detail: str = ""


Decision = Hold | Evict | Compact
