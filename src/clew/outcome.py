"""What a call of `prepare` gives back: the context, what was done to it, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clew.policy import ArmedBy, Boundary, ProbeResult, Why
from clew.policy.spending import Spending
from clew.record.lineage import Lineage
from clew.summarize.calls import ModelCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Nothing new was taken out in this call.

    `boundary` is one that came while its summary was still being prepared. `adopted` is the id of
    a checkpoint that the context was taken from although this session object never had it in force:
    another one with the same id made it, or an earlier process. The context may then be smaller
    than what was given.
    """

    why: Why
    armed_by: ArmedBy = ArmedBy.NOTHING
    detail: str = ""
    boundary: Boundary | None = None
    adopted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evicted:
    """Parts were replaced by stubs; `handles` bring them back."""

    why: Why
    handles: tuple[str, ...]
    freed_tokens: int
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """The middle was folded into the record; `handles` are the absorbed spans."""

    why: Why
    boundary: Boundary | None
    absorbed_messages: int
    handles: tuple[str, ...]
    record_tokens: int
    summarizer: str
    hard: bool = False
    detail: str = ""


Outcome = Held | Evicted | Compacted


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The numbers and the reason of one call.

    `tokens_before` is what the caller gave, `tokens_after` what goes out, both without system and
    tools (`prefix_tokens`). `reason` is one sentence. `record_tokens` is the size of the record in
    the context. `waited_seconds` is how long the call waited for a summarizer that asks a model.
    `facts` are further numbers (seconds, findings, operations accepted), `calls` what each call of
    the summarizer's model took. `probes` says where the answers to the policy's probes stand, after
    a call that took something out. `spending` is what this call costs and saves, in tokens, units
    and, where the model's rates are known, dollars. `repairs` are the warnings that say what was
    wrong with the list and what was done about it.
    """

    tokens_before: int
    tokens_after: int
    prefix_tokens: int
    trigger: int
    backstop: int
    budget: int
    reason: str
    checkpoint_id: str | None = None
    lineage: Lineage | None = None
    summarizer: str = ""
    record_tokens: int = 0
    counter: str = ""
    window_source: str = ""
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[ModelCall, ...] = ()
    waited_seconds: float = 0.0
    probes: tuple[ProbeResult, ...] = ()
    spending: Spending | None = None
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What to send: `messages` in the caller's own format, `system` as given."""

    messages: list[Any]
    system: Any
    outcome: Outcome
    report: Report


def sentence(outcome: Outcome) -> str:
    """The outcome and its reason in one sentence."""
    match outcome:
        case Held(why=why, detail=detail, adopted=adopted):
            held = _join(f"held: {why.value}", detail)
            return _join(held, f"went on from checkpoint {adopted[:12]}" if adopted else "")
        case Evicted(why=why, handles=handles, detail=detail):
            return _join(f"evicted {len(handles)} parts: {why.value}", detail)
        case Compacted(why=why, boundary=boundary, detail=detail):
            at = f" ({boundary.value.replace('_', ' ')})" if boundary is not None else ""
            return _join(f"compacted: {why.value}{at}", detail)


def _join(head: str, detail: str) -> str:
    return f"{head}; {detail}" if detail else head
