"""What a replay found, as values, and their JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from clew.policy.spending import Spending
from clew.record.record import HandoffRecord
from clew.record.serde import record_to_json
from clew.replay.cost import Cost
from clew.summarize.calls import CallTotals
from clew.tools_seen.repeats import Repeats

HELD = "held"
EVICTED = "evicted"
COMPACTED = "compacted"
FLOOR = "floor_exceeded"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFacts:
    """The recorded session: its format and size; `tokens` are those of the whole history."""

    source: str
    family: str
    format: str
    messages: int
    calls: int
    tool_calls: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlayed:
    """One model call: the history before it and what went out instead, in tokens.

    Where the floor did not fit, `outcome` is `floor_exceeded`, `prepared_tokens` is the floor and
    `detail` says what holds it up.
    """

    n: int
    raw_tokens: int
    prepared_tokens: int
    outcome: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionPlayed:
    """One compaction, at which call and why; `tokens_before` is the context without it."""

    n: int
    call: int
    reason: str
    boundary: str | None
    tokens_before: int
    tokens_after: int
    absorbed_messages: int
    record_tokens: int
    items: Mapping[str, int]
    summarizer: str
    seconds: float
    lineage: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvictionPlayed:
    """One eviction: parts that became stubs, and the tokens that freed."""

    n: int
    call: int
    reason: str
    handles: tuple[str, ...]
    freed_tokens: int
    tokens_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What the session later needed of what had been folded, and where it would have found it."""

    needed: int = 0
    visible: int = 0
    addressable: int = 0
    searchable: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """What the session's own account says: tokens not sent, cache broken, and what that is worth.

    `model` is the agent's, empty where nobody named it; `prices` says whose its prices are,
    `policy` or `catalogue`, empty where none are known and units alone are told. `summarizer` is
    what calls of a summarizer's model took, which are not part of `spending`.
    """

    spending: Spending = field(default_factory=Spending)
    model: str = ""
    prices: str = ""
    summarizer: CallTotals = field(default_factory=CallTotals)

    def as_json(self) -> dict[str, Any]:
        """Sums of the account in tokens, units and dollars; dollars are null where unknown."""
        spent = self.spending
        return {
            **asdict(spent),
            "saved_tokens": spent.saved_tokens,
            "saved_units": spent.saved_units,
            "saved_money": spent.saved_money,
            "model": self.model,
            "prices": self.prices,
            "summarizer_calls": self.summarizer.calls,
            "summarizer_money": self.summarizer.cost,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A recorded session, played through a policy.

    `valid_calls` counts the contexts in which every call has its results and every result its
    call. `archive` says how much was absorbed and whether all of it came back byte for byte.
    `context` is what the last call would have been sent; it is not part of the JSON form.
    """

    session: SessionFacts
    policy: Mapping[str, Any]
    calls: tuple[CallPlayed, ...]
    compactions: tuple[CompactionPlayed, ...]
    evictions: tuple[EvictionPlayed, ...]
    goal: str
    goal_intact: bool
    valid_calls: int
    reference_coverage: Coverage
    repeats: Repeats
    cost: Cost
    archive: Mapping[str, Any]
    record: HandoffRecord
    bill: Bill = field(default_factory=Bill)
    warnings: tuple[str, ...] = ()
    context: tuple[Any, ...] = field(default=(), repr=False)

    @property
    def prepared_calls(self) -> int:
        """Calls for which a context went out."""
        return sum(call.outcome != FLOOR for call in self.calls)

    @property
    def laws_hold(self) -> bool:
        """Whether goal, validity and archive stood the whole session."""
        whole = self.valid_calls == self.prepared_calls
        return self.goal_intact and whole and bool(self.archive["all_back"])

    def as_json(self) -> dict[str, Any]:
        """The document of `clew replay --json`."""
        return {
            "session": asdict(self.session),
            "policy": dict(self.policy),
            "calls": [asdict(call) for call in self.calls],
            "compactions": [_plain(asdict(c)) for c in self.compactions],
            "evictions": [_plain(asdict(e)) for e in self.evictions],
            "goal_intact": self.goal_intact,
            "valid_calls": self.valid_calls,
            "reference_coverage": asdict(self.reference_coverage),
            "repeats": asdict(self.repeats),
            "cost": asdict(self.cost),
            "spending": self.bill.as_json(),
            "archive": dict(self.archive),
            "record": record_to_json(self.record),
            "warnings": list(self.warnings),
        }


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Tuples as JSON has them, so that a document equals itself after a round trip."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}
