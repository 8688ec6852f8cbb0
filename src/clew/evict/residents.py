"""What may leave the window: one leaf of a result each, with what its call did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clew.evict.stubs import Leaf
from clew.tools_seen.seen import CallSeen


class Cause(StrEnum):
    """Why a leaf is worth less than the others."""

    SUPERSEDED = "a later read or edit of the same resource"
    REPEATED = "the same command ran again"
    NARROWED = "the listing was narrowed since"
    FIXED = "the error is gone since"
    COLD = "unused for long, for its size"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """One leaf of a result that is still in the window.

    `index` is the body index of its message, `exchange` the ordinal of its exchange, `tokens` what
    it takes now and `full_tokens` what it takes whole, `names` the identifiers of its full text
    and `odds` what each of them is worth for itself (`clew.evict.value.odds_of`).
    `shown` are those that its stub shows. `stub` is what stands in its place
    already, empty for a leaf that is whole. `last_use` is the ordinal of the latest exchange in
    which the agent wrote one of its names, at least `exchange`.
    """

    index: int
    exchange: int
    leaf: Leaf
    handle: str
    tokens: int
    full_tokens: int
    names: tuple[str, ...] = ()
    odds: tuple[float, ...] = ()
    seen: CallSeen | None = None
    stub: str = ""
    shown: frozenset[str] = frozenset()
    last_use: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Everything a plan looks at.

    `residents` in order; `exchanges` is how many there are. `said` holds every identifier that
    stands outside results (what the agent and persons wrote, the record) and needs no stub to show
    it; `recent` those that the newest exchanges wrote. `calls` are what all calls did, with the
    ordinal of their exchange, in order.
    """

    residents: tuple[Resident, ...]
    exchanges: int
    said: frozenset[str] = frozenset()
    recent: frozenset[str] = frozenset()
    calls: tuple[tuple[int, CallSeen], ...] = ()
