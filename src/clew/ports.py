"""What the core needs from the outside world, as Protocols and the values that cross them.

Parts implement these; the core and the session only ever see the Protocols.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from clew.transcript import Format, Message, Role, ToolCallPart
from clew.transcript.parts import Path


# ---- counting -------------------------------------------------------------------------------


@runtime_checkable
class TokenCounter(Protocol):
    """Counts the tokens of a text; `exact` tells whether a tokenizer does it."""

    @property
    def name(self) -> str:
        """Short name for reports, such as `o200k_base`."""
        ...

    @property
    def exact(self) -> bool:
        """Whether the count is a tokenizer's own."""
        ...

    def count_text(self, text: str) -> int:
        """Tokens of `text`; 0 for the empty text; never raises for any str."""
        ...

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Prices per million tokens, all in one currency."""

    input: float
    output: float
    cached_read: float
    cache_write: float


class Prices(Protocol):
    """What is known about a model: its window, its output limit, its rates."""

    def window_tokens(self, model: str) -> int | None:
        """Context window of a model, None when unknown."""
        ...

    def output_tokens(self, model: str) -> int | None:
        """Largest output of a model, None when unknown."""
        ...

    def rates(self, model: str) -> Rates | None:
        """Rates of a model, None when unknown."""
        ...


# ---- time and events ------------------------------------------------------------------------


class Clock(Protocol):
    """The time, for reports and cooldowns; never read inside a stage."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...


class Redactor(Protocol):
    """Replaces secrets by stable, typed placeholders; the rest of a text stays as it is."""

    def redact(self, text: str) -> str:
        """The text without secrets; the same text gives the same placeholders."""
        ...


class EventSink(Protocol):
    """Takes what happened as values, for logs and telemetry."""

    def emit(self, name: str, facts: Mapping[str, Any]) -> None:
        """One event; must not raise."""
        ...


# ---- wire formats ---------------------------------------------------------------------------


class Codec(Protocol):
    """Reads and writes one wire format. A codec has no state."""

    @property
    def format(self) -> Format:
        """The format of this codec."""
        ...

    @property
    def adjacent_results(self) -> bool:
        """Whether results must stand directly behind the message with their calls."""
        ...

    def parse(self, native: Any, index: int) -> Message:
        """Read one native message; `index` is only for errors.

        Raises InvalidTranscriptError when it is no message of this format at all.
        """
        ...

    def text_message(self, role: Role, text: str) -> Any:
        """A new native message that holds only text (USER or ASSISTANT; SYSTEM where allowed)."""
        ...

    def replace(self, message: Message, edits: Mapping[Path, str]) -> Any:
        """A new native message in which the leaves at these paths are replaced.

        A string leaf is replaced by the text; a media block by a text block of this format.
        Everything else is equal to the original; the original is not touched.
        """
        ...

    def without(self, message: Message, paths: Sequence[Path]) -> Any | None:
        """A new native message without the blocks at these paths; None when nothing is left."""
        ...

    def answer(self, following: Message | None, calls: Sequence[ToolCallPart], text: str) -> Any:
        """Native message(s) that answer `calls` with `text`, as a list.

        `following` is the message that already holds other results of the same batch; formats
        that keep a batch in one message extend a copy of it, and the list then replaces it.
        """
        ...

    def join(self, first: Any, second: Any) -> Any | None:
        """One native message that holds both, for servers that demand alternation; else None."""
        ...


# ---- the archive ----------------------------------------------------------------------------


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

    `digests` are its messages in order, `label` one line that says what it is, `text` what
    search may find (already free of secrets).
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
class FoundCheckpoint:
    """A checkpoint and where in the asked keys it was found (0-based)."""

    checkpoint: Checkpoint
    index: int
    by_alias: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result: a handle, what kind of thing it is, the best lines, a score (higher is better)."""

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
        """Where it is, for messages: `memory`, a file path, a server without its password."""
        ...

    def find(self, session_id: str, keys: Sequence[str]) -> FoundCheckpoint | None:
        """The checkpoint of this session found at the largest index of `keys`, by key or alias.

        At one index the greatest depth wins, then the first committed.
        """
        ...

    def commit(
        self, checkpoint: Checkpoint, messages: Sequence[ArchivedMessage]
    ) -> Checkpoint:
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


# ---- the model behind a summarizer ----------------------------------------------------------


class StopReason(StrEnum):
    """Why a model stopped."""

    END = "end"
    LENGTH = "length"
    REFUSAL = "refusal"
    TOOL_CALL = "tool_call"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request to a summarizer's model: plain text only, no tools offered.

    `schema` is a JSON schema for servers with structured output.
    """

    system: str
    prompt: str
    max_output_tokens: int
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUsage:
    """Tokens a provider reported for one call."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What the model answered."""

    text: str
    stop: StopReason
    usage: ModelUsage = ModelUsage()


class ModelClient(Protocol):
    """A model that can be asked. Raises SummarizerError with `permanent` set truthfully."""

    @property
    def name(self) -> str:
        """`provider:model`."""
        ...

    @property
    def window_tokens(self) -> int:
        """Context window of the model."""
        ...

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once."""
        ...

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        """Ask once, awaited; safe to cancel."""
        ...
