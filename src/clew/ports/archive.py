"""What keeps everything that leaves the window, and the values that cross to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from clew.transcript import Format
from clew.transcript.parts import Path


class CheckpointKind(StrEnum):
    """What changed at a checkpoint."""

    COMPACT = "compact"
    EVICT = "evict"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedMessage:
    """A message as the archive keeps it: its digest and its exact JSON text (key order kept)."""

    digest: str
    json: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One absorbed exchange: handle `S-<n>`, n the 1-based chain position of its first message.

    Where another state of the conversation gave out handles, n begins behind those. `digests` are
    its messages in order, `label` one line that says what it is, `text` what search may find
    (already free of secrets).
    """

    handle: str
    position: int
    digests: tuple[str, ...]
    label: str = ""
    text: str = ""
    kind: str = "span"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """A part that was replaced in place: which message, where in it, by what.

    `position` is the 0-based chain position of the message, `digest` its digest before and
    `digest_after` the digest of the message with all its stubs in place.
    """

    handle: str
    position: int
    digest: str
    path: Path
    text: str
    digest_after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The full state just after one compaction or eviction.

    `key` is the chain value of the first `key_count` messages of the whole logical history;
    `aliases` are chain values of rendered prefixes that lead here too (callers that keep what
    they were given). The first `absorbed_count` messages are represented by the record, except
    those at `kept` positions, which stay verbatim. `layout` gives, for each message of the
    rendered prefix that the aliases stand for, its chain position, or -1 for a message that Clew
    put there. The first `head_count` kept messages stand before the record. `record_message` is
    the rendered text.
    """

    checkpoint_id: str
    session_id: str
    kind: CheckpointKind
    format: Format
    key: str
    key_count: int
    absorbed_count: int
    aliases: tuple[str, ...] = ()
    parent: str | None = None
    depth: int = 1
    kept: tuple[int, ...] = ()
    layout: tuple[int, ...] = ()
    head_count: int = 0
    stubs: tuple[Stub, ...] = ()
    record_json: str = ""
    record_message: str = ""
    lineage_json: str = ""
    spans: tuple[Span, ...] = ()
    policy_digest: str = ""
    notes_applied: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    digests_before: tuple[str, ...] = ()
    digests_after: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ancestor:
    """A checkpoint in a line of them, without what it holds."""

    checkpoint_id: str
    kind: CheckpointKind


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCheckpoint:
    """A checkpoint and where in the asked keys it was found (0-based).

    An alias may lead to several: `earlier` are those among its ancestors, deepest first, `rivals`
    all others. A store that keeps one checkpoint an alias leaves both empty.
    """

    checkpoint: Checkpoint
    index: int
    by_alias: bool
    earlier: tuple[Checkpoint, ...] = ()
    rivals: tuple[Checkpoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result: a handle, its kind, the best lines, a score (higher is better)."""

    handle: str
    kind: str
    excerpt: str
    score: float
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredNote:
    """A note or pin the caller made between compactions; `sequence` counts from 1 in a session."""

    sequence: int
    json: str


class Store(Protocol):
    """The archive. Every method is safe to call from several threads.

    Errors are StoreError and its kinds; a method that raises changed nothing.
    """

    @property
    def location(self) -> str:
        """Where it is, for messages: `memory` or a file path."""
        ...

    def find(self, session_id: str, keys: Sequence[str]) -> FoundCheckpoint | None:
        """The checkpoint of this session found at the largest index of `keys`, by key or alias.

        At one index the greatest depth wins, then the first committed.
        """
        ...

    def apart(
        self, session_id: str, keys: Sequence[str], lines: Sequence[str]
    ) -> tuple[Checkpoint, ...]:
        """The checkpoints that any of these keys leads to, apart from the lines of some others.

        A line is a checkpoint and all that led to it. Of each line that is found only the newest
        checkpoint is given; what was committed last comes first.
        """
        ...

    def commit(self, checkpoint: Checkpoint, messages: Sequence[ArchivedMessage]) -> Checkpoint:
        """Write messages, spans, checkpoint and lineage in one transaction.

        Idempotent by checkpoint_id. Another checkpoint with the same session, key, kind, parent and
        policy wins when it was first, and is returned instead.
        """
        ...

    def checkpoint(self, checkpoint_id: str) -> Checkpoint | None:
        """One checkpoint by id."""
        ...

    def ancestry(self, checkpoint_id: str) -> tuple[Checkpoint, ...]:
        """The checkpoint and its parents, newest first."""
        ...

    def line(self, checkpoint_id: str) -> tuple[Ancestor, ...]:
        """The checkpoint and its parents, newest first, without reading what they hold."""
        ...

    def spans(self, checkpoint_id: str, handle: str | None = None) -> tuple[Span, ...]:
        """The spans of a checkpoint and its parents, newest first: all, or those of one handle."""
        ...

    def messages(self, digests: Sequence[str]) -> dict[str, ArchivedMessage]:
        """The archived messages that exist among these digests."""
        ...

    def search(
        self, checkpoint_id: str, query: str, *, limit: int = 10, kinds: Sequence[str] = ()
    ) -> list[Hit]:
        """Best spans and items among what this checkpoint and its ancestors absorbed.

        Any text is a valid query; none raises.
        """
        ...

    def add_note(self, session_id: str, note_json: str) -> StoredNote:
        """Append a note; durable when it returns."""
        ...

    def notes(self, session_id: str, after: int = 0) -> tuple[StoredNote, ...]:
        """Notes of a session behind a sequence number, in order."""
        ...

    def remember(self, key: str, value: str) -> None:
        """Keep a small text under a key (memoised summarizer answers, breaker state)."""
        ...

    def recollect(self, key: str) -> str | None:
        """The text kept under a key."""
        ...

    def sessions(self) -> tuple[str, ...]:
        """Ids of the sessions that have a checkpoint, oldest first."""
        ...

    def latest(self, session_id: str) -> Checkpoint | None:
        """The newest checkpoint of a session."""
        ...

    def close(self) -> None:
        """Release files and connections; further calls raise StoreError."""
        ...
