"""What a replay adds up at the end: prices, the archive, the policy in numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from statistics import median_low
from typing import Any

from clew.budget.budget import DEFAULT_RECORD_TOKENS, DEFAULT_TAIL_TOKENS
from clew.outcome import Report
from clew.policy import Policy, Ratios
from clew.ports import Store
from clew.repair import repair
from clew.replay.cost import Cost, Sent, causes_of_sent, cost_of_raw, optimum
from clew.replay.played import FLOOR, CallPlayed, CompactionPlayed
from clew.replay.recording import Recording
from clew.session.windows import catalogue_of
from clew.transcript import Message

TAIL_PART_OF_TRIGGER = 3


def cost_of(
    recording: Recording,
    ratios: Ratios,
    *,
    calls: Sequence[CallPlayed],
    sent: Sequence[Sent],
    compactions: Sequence[CompactionPlayed],
    report: Report | None,
) -> Cost:
    """Prices with system and tools in every call, as a provider bills them.

    The floor of the best schedule is the median of what the compactions left; without any, what
    head, tail and record would take. What was played is a schedule too, so it bounds the best.
    Calls whose floor did not fit went nowhere and cost nothing.
    """
    fixed = recording.fixed_tokens + recording.lead_tokens
    raw = [call.raw_tokens + fixed for call in calls if call.outcome != FLOOR]
    left = [c.tokens_after + fixed for c in compactions]
    floor = median_low(left or [_floor(recording, report)])
    limit = report.budget if report is not None else max(raw, default=0)
    records = [c.record_tokens for c in compactions]
    causes = causes_of_sent(_with_fixed(sent, recording.fixed_tokens), ratios)
    prepared = sum(causes.values())
    best = optimum(
        raw,
        ratios,
        floor_tokens=[floor] * len(raw),
        head_tokens=min(recording.head_tokens(), floor),
        record_tokens=max(records, default=DEFAULT_RECORD_TOKENS),
        limit_tokens=limit + fixed,
    )
    return Cost(
        raw=round(cost_of_raw(raw, ratios)),
        prepared=round(prepared),
        optimum=round(min(best, prepared)),
        causes={cause: round(price) for cause, price in causes.items()},
    )


def _floor(recording: Recording, report: Report | None) -> int:
    trigger = report.trigger if report is not None else DEFAULT_TAIL_TOKENS
    tail = min(DEFAULT_TAIL_TOKENS, trigger // TAIL_PART_OF_TRIGGER)
    return recording.head_tokens() + tail + DEFAULT_RECORD_TOKENS


def _with_fixed(sent: Sequence[Sent], fixed_tokens: int) -> list[Sent]:
    """System and tools are written to the cache by the first call and read by every other."""
    return [
        replace(call, fresh_tokens=call.fresh_tokens + fixed_tokens)
        if number == 0
        else replace(call, shared_tokens=call.shared_tokens + fixed_tokens)
        for number, call in enumerate(sent)
    ]


def archive_of(
    recording: Recording, store: Store, shown: int, context: Sequence[Message]
) -> dict[str, Any]:
    """Law 3: whether what is missing in the last context comes back equal.

    Of the first `shown` messages, as they are after the repairs that sending needs, each that is
    not in the context has to be in the archive, and so has each that a repair took something from.
    """
    repaired = repair(recording.messages[:shown], recording.codec)
    present = {message.digest for message in context}
    gone = {m.digest: m for m in repaired.messages if m.digest not in present}
    gone.update((m.digest, m) for m in repaired.removed)
    gone.update((pair.given.digest, pair.given) for pair in repaired.renamed)
    found = store.messages(list(gone))
    back = [d for d, m in gone.items() if d in found and json.loads(found[d].json) == m.plain]
    return {
        "absorbed_messages": len(gone),
        "bytes": sum(len(e.json.encode("utf-8", "surrogatepass")) for e in found.values()),
        "all_back": len(back) == len(gone),
    }


def policy_facts(policy: Policy, recording: Recording, report: Report | None) -> dict[str, Any]:
    """The policy by name and digest, and its marks in tokens as the last call had them."""
    return {
        "name": policy.name,
        "version": policy.version,
        "digest": policy.digest,
        "counter": recording.counter.name,
        "window": report.window_source if report else "",
        "transcript_budget_tokens": report.budget if report else 0,
        "trigger_tokens": report.trigger if report else 0,
        "backstop_tokens": report.backstop if report else 0,
        "prefix_tokens": report.prefix_tokens if report else 0,
    }


def prices_of(policy: Policy, model: str) -> str:
    """Whose prices of a model are in force: the policy's go first; empty where none are known."""
    if any(stated.model == model for stated in policy.prices):
        return "policy"
    return "catalogue" if model and catalogue_of(policy).rates(model) is not None else ""
