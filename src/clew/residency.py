"""Which results are in the window, and whether taking some of them out pays for itself.

What stands behind the first changed byte has to be written to the provider's cache again, so a
young result is cheap to take out and an old one dear. All cuts into the history are weighed: from
each exchange on, what would be freed against what would be rewritten; the best one is planned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from clew.cuts import goal_index
from clew.evict import EvictionPlan, PlanRules, Resident, Window, odds_of, plan_evictions
from clew.evict.stubs import leaf_handle, leaves
from clew.history import History, stubs_by_position
from clew.policy import rewrite_pays
from clew.ports import Stub
from clew.summarize.extractive.identifiers import identifiers_in
from clew.tools_seen.seen import Action, CallSeen, Outcome
from clew.transcript import (
    ExchangeKind,
    Message,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
)
from clew.turn import Turn

_FREED_SHARE = 0.8
"""About what of a result a stub frees; only to choose where to begin, the plan counts."""

_EVICTED_SHARE = 0.75
"""How much of the results from there on a plan tries to take out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Eviction:
    """A plan, and what it costs and brings, in counted tokens.

    `rewritten_tokens` stand behind the first changed byte once the plan is carried out.
    """

    plan: EvictionPlan = field(default_factory=EvictionPlan)
    rewritten_tokens: int = 0
    remaining_calls: float = 0.0
    pays: bool = False

    def told(self, scaled: Callable[[int], int]) -> str:
        """One sentence with the numbers; `scaled` turns counted tokens into the provider's."""
        causes = ", ".join(
            f"{cause.name.lower()} {scaled(max(0, tokens)):,}"
            for cause, tokens in self.plan.by_cause.items()
        )
        return (
            f"frees {scaled(self.plan.freed_tokens):,} tokens ({causes}) for about "
            f"{self.remaining_calls:.0f} calls; {scaled(self.rewritten_tokens):,} tokens of the "
            f"cached prefix are written again"
        )


def best_eviction(
    turn: Turn,
    history: History,
    pending: frozenset[int],
    expected_calls: float,
    used_tokens: int,
    *,
    most_calls: float,
) -> Eviction:
    """The eviction that saves most over the calls still expected, or one that does not pay.

    `expected_calls` are left until the work is done; after `most_calls` a compaction takes
    everything anyway.
    """
    rules = turn.policy.eviction
    remaining = min(_carried_calls(turn, history, expected_calls, used_tokens), most_calls)
    first = _best_start(turn, history, remaining) if rules.enabled else None
    if first is None:
        return Eviction(remaining_calls=remaining)
    window = _from_exchange(window_of(turn, history, pending), first)
    total = sum(r.tokens for r in window.residents)
    plan = plan_evictions(
        window,
        int(total * (1.0 - _EVICTED_SHARE)),
        turn.meter.counter,
        PlanRules(keep_exchanges=rules.keep_exchanges, stub_tokens=rules.stub_tokens),
        recall_tool=turn.recall_tool,
    )
    if not plan.stubs:
        return Eviction(remaining_calls=remaining)
    at = min(stub.index for stub in plan.stubs)
    rewritten = max(0, sum(history.sizes[at:]) - plan.freed_tokens)
    pays = rewrite_pays(
        turn.policy.ratios,
        freed_tokens=plan.freed_tokens,
        rewritten_tokens=rewritten,
        remaining_calls=remaining,
    )
    return Eviction(plan=plan, rewritten_tokens=rewritten, remaining_calls=remaining, pays=pays)


def _best_start(turn: Turn, history: History, remaining: float) -> int | None:
    """The exchange from which on taking results out would save most, by sizes alone, or None."""
    stubbed = {stub.position for stub in history.stubs}
    ratios = turn.policy.ratios
    dearer = max(0.0, ratios.cache_write - ratios.cached_read)
    newest = len(history.exchanges) - turn.policy.eviction.keep_exchanges
    behind = freed = 0.0
    best, best_net = None, 0.0
    for ordinal in range(len(history.exchanges) - 1, -1, -1):
        for index in history.exchanges[ordinal].indices:
            behind += history.sizes[index]
            results = bool(history.body[index].results)
            if ordinal < newest and results and history.positions[index] not in stubbed:
                freed += history.sizes[index] * _FREED_SHARE
        net = freed * ratios.cached_read * remaining - (behind - freed) * dearer
        if net > best_net:
            best, best_net = ordinal, net
    return best


def stubs_of(turn: Turn, history: History, plan: EvictionPlan) -> tuple[Stub, ...]:
    """The stubs of a plan as the archive keeps them, with the digest each message gets."""
    made: list[Stub] = []
    known = stubs_by_position(history.stubs)
    for index in sorted({stub.index for stub in plan.stubs}):
        position = history.positions[index]
        message = history.body[index]
        fresh = [
            Stub(
                handle=stub.resident.handle,
                position=position,
                digest=message.digest,
                path=stub.resident.leaf.path,
                text=stub.text,
            )
            for stub in plan.stubs
            if stub.index == index
        ]
        in_place = {**known.get(position, {}), **{stub.path: stub for stub in fresh}}
        edited = turn.shown.one(message, in_place)
        made.extend(replace(stub, digest_after=edited.digest) for stub in in_place.values())
    return tuple(made)


def _from_exchange(window: Window, first: int) -> Window:
    """The same window in which only the results from one exchange on may leave."""
    said = set(window.said)
    for resident in window.residents:
        if resident.exchange < first:
            said.update(resident.shown if resident.stub else resident.names)
    return replace(
        window,
        residents=tuple(r for r in window.residents if r.exchange >= first),
        said=frozenset(said),
    )


def _carried_calls(turn: Turn, history: History, expected_calls: float, used_tokens: int) -> float:
    """Over how many calls what is evicted now would have been carried.

    Until the work ends or, on average half way to the backstop, a compaction takes it anyway.
    """
    calls = sum(1 for e in history.exchanges if e.kind is ExchangeKind.ASSISTANT)
    growth = max(1.0, turn.scaled(sum(history.sizes)) / max(1, calls))
    until_fold = max(0.0, turn.budget.backstop_tokens - used_tokens) / growth / 2
    return min(expected_calls, until_fold)


# ---- the window as the plan sees it ---------------------------------------------------------


def window_of(turn: Turn, history: History, pending: frozenset[int]) -> Window:
    """Every result that may leave, and what the rest of the context says.

    Neither the goal nor pins, nor what waits for a person or a job, is among the residents.
    """
    fixed = {i for i, m in enumerate(history.body) if m.digest in turn.pinned_digests} | pending
    if (goal := goal_index(history.body, turn.is_person)) is not None:
        fixed.add(goal)
    said: set[str] = set(identifiers_in(history.record_text))
    last_write: dict[str, int] = {}
    residents: list[Resident] = []
    calls: list[tuple[int, CallSeen]] = []
    for ordinal, exchange in enumerate(history.exchanges):
        group = [history.body[i] for i in exchange.indices]
        seen = turn.see(group)
        calls.extend((ordinal, call) for call in seen)
        by_id = {call.call_id: call for call in seen}
        for index, message in zip(exchange.indices, group, strict=True):
            said.update(_names(_said(message)))
            if message.role is Role.ASSISTANT:
                last_write.update(dict.fromkeys(_names(_said(message)), ordinal))
            if index not in fixed and message.results:
                residents += _of_message(turn, history, index, ordinal, by_id)
    newest = len(history.exchanges) - turn.policy.eviction.keep_exchanges
    return Window(
        residents=tuple(
            replace(r, last_use=max([r.exchange, *(last_write.get(n, 0) for n in r.names)]))
            for r in residents
        ),
        exchanges=len(history.exchanges),
        said=frozenset(said),
        recent=frozenset(name for name, at in last_write.items() if at >= newest),
        calls=tuple(calls),
    )


def _of_message(
    turn: Turn, history: History, index: int, ordinal: int, seen: dict[str, CallSeen]
) -> list[Resident]:
    message, position = history.body[index], history.positions[index]
    known = stubs_by_position(history.stubs).get(position, {})
    owner = {
        inner.path: result.call_id
        for result in message.results
        if not result.server_side and not _stays(turn, seen.get(result.call_id))
        for inner in result.parts
    }
    found = [leaf for leaf in leaves(message) if leaf.path in owner and not leaf.is_media]
    texts = [known[leaf.path].text if leaf.path in known else leaf.text for leaf in found]
    count = turn.meter.counter.count_texts
    sizes, whole = count(texts), count([leaf.text for leaf in found])
    residents: list[Resident] = []
    for leaf, shown, size, full in zip(found, texts, sizes, whole, strict=True):
        call = seen.get(owner[leaf.path])
        names, odds = _weighed(leaf.text, call.action if call else None,
                               call.outcome if call else None)  # fmt: skip
        stub = shown if leaf.path in known else ""
        residents.append(
            Resident(
                index=index,
                exchange=ordinal,
                leaf=leaf,
                handle=leaf_handle(history.numbered_after + position, leaf.number),
                tokens=size,
                full_tokens=full,
                names=names,
                odds=odds,
                seen=call,
                stub=stub,
                shown=frozenset(names).intersection(_names(stub)) if stub else frozenset(),
            )
        )
    return residents


def _stays(turn: Turn, call: CallSeen | None) -> bool:
    """Whether the policy keeps results of this call's tool."""
    return call is not None and call.tool in turn.policy.eviction.keep_tools


def _said(message: Message) -> str:
    """What a message says outside results; reasoning counts, the agent can read it."""
    pieces: list[str] = []
    for part in message.parts:
        if isinstance(part, TextPart | ReasoningPart):
            pieces.append(part.text)
        elif isinstance(part, ToolCallPart):
            pieces.append(part.arguments)
    return "\n".join(piece for piece in pieces if piece)


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in identifiers_in(text) if not name[0].isdigit())


@lru_cache(maxsize=4096)
def _weighed(
    text: str, action: Action | None, outcome: Outcome | None
) -> tuple[tuple[str, ...], tuple[float, ...]]:
    names = _names(text)
    return names, odds_of(names, text, action, outcome)
