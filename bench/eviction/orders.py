"""Orders of eviction: the classical ones over whole results, and the plan of Clew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from clew.evict.plan import PlanRules, plan_evictions
from clew.evict.residents import Cause, Resident, Window
from clew.ports import TokenCounter
from clew.tools_seen import CallSeen


@dataclass(slots=True)
class Held:
    """A result in the simulated window, and how it was used."""

    resident: Resident
    came: int
    last: int
    uses: int = 1
    why: Cause | None = None

    @property
    def tokens(self) -> int:
        return self.resident.tokens

    @property
    def visible(self) -> frozenset[str]:
        resident = self.resident
        return resident.shown if resident.stub else frozenset(resident.names)


@dataclass(slots=True)
class State:
    """What an order may look at when it evicts."""

    held: list[Held]
    exchange: int
    step: int
    said: set[str]
    recent: set[str]
    calls: list[tuple[int, CallSeen]]
    first_write: Mapping[str, int]
    gone: dict[str, Cause] = field(default_factory=dict)


Order = Callable[[State, int, int], None]
"""Evicts from the state down to a number of tokens, keeping the newest exchanges."""


def whole(key: Callable[[State, Held], float]) -> Order:
    """Evicts whole results without a trace, the smallest key first."""

    def evict(state: State, target: int, keep: int) -> None:
        size = sum(h.tokens for h in state.held)
        old = [h for h in state.held if h.resident.exchange <= state.exchange - keep]
        gone: set[int] = set()
        for held in sorted(old, key=lambda h: (key(state, h), h.came)):
            if size <= target:
                break
            size -= held.tokens
            gone.add(id(held))
        state.held = [h for h in state.held if id(h) not in gone]

    return evict


def _future(state: State, held: Held) -> float:
    wanted = sum(
        1
        for name in held.resident.names
        if name not in state.said and state.first_write.get(name, -1) > state.step
    )
    return wanted / max(1, held.tokens)


CLASSICAL: Mapping[str, Order] = {
    "oldest first": whole(lambda _, h: h.came),
    "least recently used": whole(lambda _, h: h.last),
    "largest first": whole(lambda _, h: -h.tokens),
    "frequency over size": whole(lambda _, h: h.uses / max(1, h.tokens)),
    "knows the future": whole(_future),
}


def clew_order(counter: TokenCounter, rules: PlanRules) -> Order:
    """Evicts by the plan that the pipeline uses; what it takes out leaves a stub."""

    def evict(state: State, target: int, keep: int) -> None:
        window = Window(
            residents=tuple(replace(h.resident, last_use=h.last) for h in state.held),
            exchanges=state.exchange + 1,
            said=frozenset(state.said),
            recent=frozenset(state.recent),
            calls=tuple(state.calls),
        )
        plan = plan_evictions(window, target, counter, replace(rules, keep_exchanges=keep))
        stubs = {stub.resident.handle: stub for stub in plan.stubs}
        for held in state.held:
            if stub := stubs.get(held.resident.handle):
                held.resident = replace(
                    held.resident,
                    stub=stub.text,
                    shown=stub.shown,
                    tokens=held.tokens - stub.freed_tokens,
                )
                held.why = held.why or stub.cause

    return evict
