"""One call of `prepare`: what it brought, and what the stages may ask the outside world for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from clew.budget import ResolvedBudget
from clew.budget.measure import Meter
from clew.consult import About, Step
from clew.history import History
from clew.policy import Boundary, Policy, Readiness
from clew.ports import ArchivedMessage, Checkpoint, Codec, FoundCheckpoint, Span
from clew.record.delta import Delta
from clew.record.record import HandoffRecord, IndexEntry, Mention
from clew.render import ShownMessages
from clew.summarize.request import SpanView, SummaryRequest
from clew.tools_seen.seen import CallSeen
from clew.transcript import Exchange, Message, exact_json

# ---- what a stage asks for ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Which checkpoint is in force for these chain values? Answer: FoundCheckpoint or None."""

    session_id: str
    keys: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """Bring archived messages back. Answer: a dict from digest to ArchivedMessage."""

    digests: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """Which part of which history a summary is made for before it is needed.

    `base` names the record, what it stands for and the focus; `key` is the chain value of the
    first `count` messages, which reach behind the last exchange to absorb. `handles` are those of
    the exchanges, `tail_position` is where the tail begins, `seen` how many messages there were.
    `extending` says that a summary of more is on its way, `tried` are the exchanges that it could
    not be extended by.
    """

    base: str
    count: int
    key: str
    handles: tuple[str, ...]
    tail_position: int
    seen: int = 0
    readiness: Readiness = Readiness.RUNNING
    extending: bool = False
    tried: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefetch:
    """Begin to summarise this in the background. Answer: None, at once.

    With `extends` what was made for the first spans is kept, and only the others are asked for.
    """

    request: SummaryRequest
    ahead: Ahead
    extends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarize:
    """Propose a delta for this request. Answer: Proposed; it never raises.

    `ahead` names the summary made before, for the first spans of the request or for all of them.
    """

    request: SummaryRequest
    ahead: Ahead | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """Write archive, checkpoint and lineage in one transaction. Answer: the one that holds."""

    checkpoint: Checkpoint
    messages: tuple[ArchivedMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consult:
    """Ask the caller's hooks. Answer: Consent, Edits or Afterword, as the question wants."""

    about: About


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Which checkpoints do these keys lead to, apart from some lines? Answer: the newest of each.

    `lines` are ids of checkpoints; all that led to one of them is in its line.
    """

    session_id: str
    keys: Sequence[str]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans:
    """What did a checkpoint and all that led to it give out? Answer: their spans, newest first."""

    checkpoint_id: str


Effect = Find | Apart | Fetch | Spans | Prefetch | Summarize | Consult | Commit


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A summarizer's answer after all fallbacks.

    `delta` is the offline one, `further` what a model adds to it, checked; `index` and `mentions`
    replace those of the record. `summarizer` names who made it, `warnings` say what failed on the
    way, `facts` are numbers for the report (calls, tokens, seconds, findings). `revalue` ages the
    items of a record by use.
    """

    delta: Delta
    further: Delta | None = None
    index: tuple[IndexEntry, ...] = ()
    mentions: tuple[Mention, ...] = ()
    summarizer: str = ""
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    revalue: Callable[[HandoffRecord], HandoffRecord] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What the agent sends beside its messages, where a summarizer may ask behind its live prompt.

    `prefix_tokens` is the size of system and tools, as counted; `sent` are the digests of the
    messages that went out last.
    """

    system: Any
    tools: Any
    prefix_tokens: int
    sent: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """What an earlier state of the same messages gave out, which the one in force leads nowhere to.

    `checkpoints` are the ids of states whose spans and items stay in reach, `removed` the spans of
    messages that repairs took out.
    """

    checkpoints: tuple[str, ...] = ()
    removed: tuple[Span, ...] = ()


# ---- what a call brought --------------------------------------------------------------------


def written_out(message: Message) -> ArchivedMessage:
    """A message as the archive keeps it."""
    return ArchivedMessage(digest=message.digest, json=exact_json(message.plain))


@dataclass(frozen=True, slots=True)
class ExchangesSeen:
    """What exchanges are, by the id of the object, which is kept so that no other gets its id.

    `calls` say what the calls of one did, `views` how a summarizer sees it.
    """

    calls: dict[int, tuple[Exchange, tuple[CallSeen, ...]]] = field(default_factory=dict)
    views: dict[int, tuple[Exchange, SpanView]] = field(default_factory=dict)


def _no_notes(after: int, upto: int) -> Delta | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Everything one call brought, and the session's own pure views on messages.

    `messages` stand behind the lead, repaired, `keys` are their chain values. `wanted` names the
    archived messages needed to read what was found, `resume` builds the history with them. `see`
    tells what the calls of some messages did, `is_person` whether a person typed a message,
    `own` gives the indices from a start on of messages that look like a record, hold something that
    looks like a stub, or have one of some digests, `redacted` gives a message without secrets,
    `written` as the archive keeps it. `factor` scales counted tokens to what the provider reports.
    `begun` are digests of goals that went out whole before; they never change again. `asked` means
    compact now; `signal` is the boundary the caller signalled, `awaited` one that came while its
    summary was still being prepared. `consulted` are the steps at which the caller has hooks.
    `prefetch` lets summaries be made before they are needed, `ahead` is the one there is.
    `notes_after` gives the caller's notes behind one sequence number up to another, `notes_upto` is
    the last of this call. `live` is there where a summary may be asked for behind the prompt that
    would go out. `known` are the ids of the checkpoints that this session has had in force. `seen`
    remembers from turn to turn what is known of each exchange.
    `removed` are messages, as they came, that a repair took something out of; `renamed` those that
    go out with other ids of calls, by the digest of what goes out. `given_keys` are the chain
    values before any repair, empty when there was none; the first `given_before` messages were
    given the last time, too. `in_force` is the checkpoint that the last call
    ended with ("" for none; None where this is the first, or that one failed), `overtaken` says
    that something was committed behind what there was when that one began. `former` is what an
    earlier call, here or elsewhere, gave out for these messages before a repair of theirs became
    another.
    """

    session_id: str
    messages: Sequence[Message]
    keys: Sequence[str]
    wanted: Callable[[FoundCheckpoint | None], tuple[str, ...]]
    resume: Callable[[FoundCheckpoint | None, Mapping[str, ArchivedMessage]], History]
    policy: Policy
    policy_digest: str
    budget: ResolvedBudget
    codec: Codec
    meter: Meter
    shown: ShownMessages
    see: Callable[[Sequence[Message]], tuple[CallSeen, ...]]
    is_person: Callable[[Message], bool]
    own: Callable[[int, Iterable[str]], list[int]]
    redacted: Callable[[Message], Message]
    redact_text: Callable[[str], str]
    written: Callable[[Message], ArchivedMessage] = written_out
    goal: str | None = None
    pins: tuple[str, ...] = ()
    pinned_digests: frozenset[str] = frozenset()
    message_pins: tuple[tuple[str, str], ...] = ()
    begun: frozenset[str] = frozenset()
    notes_after: Callable[[int, int], Delta | None] = _no_notes
    notes_upto: int = 0
    note_sequences: tuple[int, ...] = ()
    signal: Boundary | None = None
    awaited: Boundary | None = None
    consulted: frozenset[Step] = frozenset()
    live: Live | None = None
    prefetch: bool = False
    ahead: Ahead | None = None
    asked: bool = False
    focus: str = ""
    recall_tool: str = ""
    futile_tokens: int = 0
    factor: float = 1.0
    summarizer_reads: bool = False
    seen: ExchangesSeen = field(default_factory=ExchangesSeen)
    removed: tuple[ArchivedMessage, ...] = ()
    renamed: Mapping[str, ArchivedMessage] = field(default_factory=dict)
    known: Set[str] = frozenset()
    given_keys: Sequence[str] = ()
    given_before: int = 0
    in_force: str | None = ""
    overtaken: bool = False
    former: Former = Former()

    def scaled(self, tokens: int) -> int:
        """Counted tokens as the provider would count them."""
        return tokens if self.factor == 1.0 else math.ceil(tokens * self.factor)

    def unscaled(self, tokens: int) -> int:
        """Provider tokens as our counter would count them; rounded down."""
        return tokens if self.factor == 1.0 else int(tokens / self.factor)
