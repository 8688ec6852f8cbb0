"""The laws of cuts: one class each.

A *cut law* forbids a position. A *keep law* names exchanges that a compaction may not absorb
wherever they stand. A cut point is a position that every cut law allows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from clew.transcript import Exchange, ExchangeKind, Message, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class CutView:
    """What the laws look at.

    `exchanges` hold indices into `body`. `is_person(i)` tells whether a person typed body
    message `i`. `pinned` and `pending` are body indices that must stay verbatim.
    """

    body: Sequence[Message]
    exchanges: tuple[Exchange, ...]
    is_person: Callable[[int], bool]
    pinned: frozenset[int] = frozenset()
    pending: frozenset[int] = frozenset()
    _newest: list[int | None] = field(default_factory=list, init=False, repr=False, compare=False)

    def newest_person(self) -> int | None:
        """Body index of the newest message that a person typed; looked for once."""
        if not self._newest:
            self._newest.append(self._find_newest_person())
        return self._newest[0]

    def _find_newest_person(self) -> int | None:
        for exchange in reversed(self.exchanges):
            if exchange.kind is ExchangeKind.USER and self.is_person(exchange.first):
                return exchange.first
        return None


class CutLaw(Protocol):
    """A rule that forbids cut positions. Position k puts body messages below k before the cut."""

    name: str

    def forbidden(self, view: CutView) -> set[int]:
        """The positions this law forbids."""
        ...


class KeepLaw(Protocol):
    """A rule that keeps exchanges verbatim."""

    name: str

    def keeps(self, view: CutView, exchange: Exchange) -> bool:
        """Whether this exchange must stay as it is."""
        ...


class WholeExchange:
    """A call never loses its result, reasoning never loses the item it belongs to.

    Inside a contiguous run of one exchange no cut is allowed. A result that comes back much later
    leaves room between its runs; `select` then keeps such an exchange whole.
    """

    name = "whole exchange"

    def forbidden(self, view: CutView) -> set[int]:
        """Every position between two neighbouring messages of one exchange."""
        return {
            after
            for exchange in view.exchanges
            for before, after in zip(exchange.indices, exchange.indices[1:], strict=False)
            if after == before + 1
        }


class SealedLoop:
    """An open tool loop whose reasoning is signed stays whole, back to what began it."""

    name = "open loop with sealed reasoning"

    def forbidden(self, view: CutView) -> set[int]:
        """Every position behind the newest user message, if such a loop is open."""
        start = 0
        sealed = False
        for exchange in reversed(view.exchanges):
            if exchange.kind is ExchangeKind.USER:
                start = exchange.first
                break
            sealed = sealed or exchange.has_sealed_reasoning
        last = view.exchanges[-1] if view.exchanges else None
        if not sealed or last is None or last.kind is ExchangeKind.USER:
            return set()
        if view.body[-1].role is Role.ASSISTANT and not view.body[-1].calls:
            return set()
        return set(range(start + 1, len(view.body) + 1))


class Pinned:
    """What the caller pinned stays verbatim."""

    name = "pinned"

    def keeps(self, view: CutView, exchange: Exchange) -> bool:
        """Whether a pinned message is in the exchange."""
        return not view.pinned.isdisjoint(exchange.indices)


class OpenCall:
    """A call without its result is never folded."""

    name = "open call"

    def keeps(self, view: CutView, exchange: Exchange) -> bool:
        """Whether a call of the exchange is still open."""
        return bool(exchange.open_calls)


class Pending:
    """A call that waits for a person or a job is open although it has an interim result."""

    name = "pending approval or job"

    def keeps(self, view: CutView, exchange: Exchange) -> bool:
        """Whether something in the exchange still waits."""
        return not view.pending.isdisjoint(exchange.indices)


class NewestUserMessage:
    """The newest message a person typed stays word for word."""

    name = "newest user message"

    def keeps(self, view: CutView, exchange: Exchange) -> bool:
        """Whether the exchange is that message."""
        return exchange.first == view.newest_person()


class SystemText:
    """System messages in the midst of a history are rules; they are never folded."""

    name = "system text"

    def keeps(self, view: CutView, exchange: Exchange) -> bool:
        """Whether the exchange is a system message."""
        return exchange.kind is ExchangeKind.SYSTEM


CUT_LAWS: tuple[CutLaw, ...] = (WholeExchange(), SealedLoop())
KEEP_LAWS: tuple[KeepLaw, ...] = (
    Pinned(),
    OpenCall(),
    Pending(),
    NewestUserMessage(),
    SystemText(),
)
