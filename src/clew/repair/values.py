"""What a repair is, and the only four sentences it ever puts into a transcript."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clew.transcript import Message

NO_RESULT = "No result was recorded for this call; its outcome is unknown."
RESULT_ELSEWHERE = (
    "The result of this call was recorded out of place, after later messages; "
    "it is kept in the archive and not shown here."
)
RESULT_WITHOUT_CALL = (
    "[What stood here was the result of a call that is not part of this conversation; "
    "it is kept in the archive and not shown here.]"
)
"""Stands where the first message was, in formats whose first message must be the user's."""

NOTHING_BEFORE = (
    "[The conversation as it was handed over begins with the message of the model that follows.]"
)
"""Stands before a first message of the model, in formats whose first must be the user's."""

_MOST_QUOTED_CHARS = 80


def quoted(name: str) -> str:
    """A name or an id as a sentence quotes it: at most 80 characters."""
    return name if len(name) <= _MOST_QUOTED_CHARS else f"{name[: _MOST_QUOTED_CHARS - 1]}…"


class RepairKind(StrEnum):
    """What was wrong."""

    DANGLING_CALL = "dangling_call"
    UNANSWERABLE_CALL = "unanswerable_call"
    ORPHANED_RESULT = "orphaned_result"
    LATE_RESULT = "late_result"
    DUPLICATED_RESULT = "duplicated_result"
    SPREAD_RESULTS = "spread_results"
    SPLIT_TURN = "split_turn"
    MISNAMED_RESULT = "misnamed_result"
    REPEATED_ID = "repeated_id"
    MISSING_ID = "missing_id"
    REPEATED_ITEM = "repeated_item"
    STRANDED_REASONING = "stranded_reasoning"
    EMPTY_MESSAGE = "empty_message"
    MODEL_FIRST = "model_first"


NEW_IDS = frozenset((RepairKind.REPEATED_ID, RepairKind.MISSING_ID))
"""Repairs that give calls and their results ids of their own."""

IN_PLACE = NEW_IDS | {RepairKind.MISNAMED_RESULT}
"""Repairs that leave every message in its place and have no part in what comes later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """One repair: what was wrong with the message at `index` (0-based, of the input), in words.

    `sentence` is for the warnings of a report; it holds names and ids, never content.
    """

    kind: RepairKind
    index: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A message in which only ids of calls or names of results changed: as it came, as it goes."""

    given: Message
    sent: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A transcript that its provider accepts, and what it took.

    `removed` are the messages, as they came, of which something was taken out or that became one;
    they, and those that were renamed, belong into the archive. Without repairs `messages` is the
    tuple that was given.
    """

    messages: tuple[Message, ...]
    repairs: tuple[Repair, ...] = ()
    removed: tuple[Message, ...] = ()
    renamed: tuple[Renamed, ...] = ()
