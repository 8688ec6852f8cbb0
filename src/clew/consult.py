"""What a caller's own code is asked around a compaction, and what it may answer.

Hooks are the caller's code: what they add is the caller's word, never text from tools or a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from clew.errors import PolicyError
from clew.policy import Boundary, Why
from clew.record.delta import Operation
from clew.record.items import Proposer
from clew.record.kinds import KindTable
from clew.record.lineage import Lineage
from clew.record.record import HandoffRecord

HOOK_SHARE = 0.10
"""Share of the transcript budget that the texts of one hook may take, at most."""


class Step(StrEnum):
    """When a hook is asked."""

    BEFORE = "before"
    EDIT = "edit"
    AFTER = "after"


# ---- what a hook is shown -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeCompaction:
    """A compaction that is about to be made. All tokens are of the transcript.

    `handles` are the spans it absorbs, `middle_tokens` their size. With `must` the context does
    not fit without it, and a veto is not followed.
    """

    session_id: str
    why: Why
    boundary: Boundary | None
    hard: bool
    must: bool
    tokens: int
    trigger: int
    backstop: int
    budget: int
    handles: tuple[str, ...]
    absorbed_messages: int
    middle_tokens: int
    record: HandoffRecord
    pins: tuple[str, ...]
    focus: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedRecord:
    """A record that was verified and is about to be used, in place of `before`.

    `lineage` are its books, `findings` what verification dropped or doubted, `handles` the spans
    it stands for from now on.
    """

    session_id: str
    record: HandoffRecord
    before: HandoffRecord
    lineage: Lineage
    summarizer: str
    findings: tuple[str, ...]
    handles: tuple[str, ...]
    target_tokens: int
    kinds: KindTable


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterCompaction:
    """A compaction that was made. All tokens are of the transcript.

    `items` counts what became of the record's items; `facts` are the summarizer's numbers;
    `room_tokens` is what still fits.
    """

    session_id: str
    checkpoint_id: str
    why: Why
    boundary: Boundary | None
    tokens_before: int
    tokens_after: int
    budget: int
    room_tokens: int
    absorbed_messages: int
    handles: tuple[str, ...]
    record_tokens: int
    summarizer: str
    items: Mapping[str, int]
    facts: Mapping[str, Any] = field(default_factory=dict)


About = BeforeCompaction | ProposedRecord | AfterCompaction


# ---- what a hook may answer -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Veto:
    """Do not compact now, for this reason; asked again at the next call that would."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amend:
    """Compact, with these texts pinned from now on, and with this focus when it is not None."""

    pins: tuple[str, ...] = ()
    focus: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """Changes of a proposed record: operations on it, or the record as it should be.

    `by` is who made them, a `person` or the `caller`'s program. Items that are missing from
    `record` are withdrawn; its goal is the one there was.
    """

    operations: tuple[Operation, ...] = ()
    record: HandoffRecord | None = None
    by: Proposer | str = Proposer.CALLER

    def __post_init__(self) -> None:
        """Refuse to sign for somebody else."""
        if self.by not in (Proposer.PERSON, Proposer.CALLER):
            raise PolicyError(f"an edit is by a person or the caller, not by {str(self.by)!r:.40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """The caller's own code around a compaction; each is optional.

    `before` may answer a Veto or an Amend, `edit` an Edited (or operations, or a HandoffRecord),
    `after` a text to show verbatim from now on in place of the one it gave before. AsyncSession
    awaits what can be awaited. A hook that raises is passed over, and the report says so.
    """

    before: Callable[[BeforeCompaction], Any] | None = None
    edit: Callable[[ProposedRecord], Any] | None = None
    after: Callable[[AfterCompaction], Any] | None = None


# ---- what the pipeline is told --------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """The pins in force after a hook added some, with the numbers of the notes that hold."""

    texts: tuple[str, ...]
    notes_upto: int
    note_sequences: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """All answers before a compaction: a veto with its reason, or what to change."""

    vetoed: bool = False
    reason: str = ""
    focus: str | None = None
    pinned: Pinned | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """All edits of a proposed record, in order."""

    edits: tuple[Edited, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Afterword:
    """The pins in force after all answers to a compaction that was made."""

    pinned: Pinned | None = None
