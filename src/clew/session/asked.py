"""Asking any summarizer, and going on from what it proposed for the first spans of a request."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from clew.errors import SummarizerError
from clew.record.delta import Delta
from clew.summarize.merge import merged
from clew.summarize.model import ModelOutcome
from clew.summarize.request import Earlier, Summarizer, SummaryRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a summarizer gave for the spans with these handles; with `error` it gave nothing."""

    handles: tuple[str, ...]
    earlier: Earlier | None = None
    error: Exception | None = None
    facts: dict[str, Any] = field(default_factory=dict)


@runtime_checkable
class _WithFacts(Protocol):
    def propose_with_facts(
        self, request: SummaryRequest, earlier: Earlier | None = None
    ) -> ModelOutcome: ...

    async def apropose_with_facts(
        self, request: SummaryRequest, earlier: Earlier | None = None
    ) -> ModelOutcome: ...


def ask(summarizer: Summarizer, request: SummaryRequest, earlier: Earlier | None = None) -> Earlier:
    """What is proposed for all spans of a request; raises whatever the summarizer raises."""
    if isinstance(summarizer, _WithFacts):
        return _of_model(request, summarizer.propose_with_facts(request, earlier))
    return _of_any(summarizer, request, earlier, summarizer.propose(_rest(request, earlier)))


async def aask(
    summarizer: Summarizer, request: SummaryRequest, earlier: Earlier | None = None
) -> Earlier:
    """The same, awaited where the summarizer can be."""
    if isinstance(summarizer, _WithFacts):
        return _of_model(request, await summarizer.apropose_with_facts(request, earlier))
    rest = _rest(request, earlier)
    awaited = getattr(summarizer, "apropose", None)
    proposed = await awaited(rest) if awaited is not None else summarizer.propose(rest)
    return _of_any(summarizer, request, earlier, proposed)


async def make(
    summarizer: Summarizer, request: SummaryRequest, earlier: Earlier | None, *, own_thread: bool
) -> Made:
    """The same as a value, for work in the background; only a cancellation is raised.

    Outside a thread of its own, a summarizer that cannot be awaited is given one.
    """
    handles = tuple(span.handle for span in request.spans)
    try:
        if own_thread or _awaitable(summarizer):
            found = await aask(summarizer, request, earlier)
        else:
            found = await asyncio.to_thread(ask, summarizer, request, earlier)
    except Exception as error:  # noqa: BLE001 - law 8: whatever it raises
        return Made(handles=handles, error=error, facts=facts_of(summarizer))
    return Made(handles=handles, earlier=found)


def facts_of(summarizer: Summarizer) -> dict[str, Any]:
    """The numbers a summarizer gives of its latest answer."""
    facts = getattr(summarizer, "last_facts", None)
    return dict(facts) if isinstance(facts, dict) else {}


def _awaitable(summarizer: Summarizer) -> bool:
    return isinstance(summarizer, _WithFacts) or hasattr(summarizer, "apropose")


def _rest(request: SummaryRequest, earlier: Earlier | None) -> SummaryRequest:
    if earlier is None:
        return request
    known = set(earlier.handles)
    return replace(request, spans=tuple(s for s in request.spans if s.handle not in known))


def _of_model(request: SummaryRequest, outcome: ModelOutcome) -> Earlier:
    handles = tuple(span.handle for span in request.spans)
    return Earlier(delta=outcome.delta, handles=handles, facts=dict(outcome.facts))


def _of_any(
    summarizer: Summarizer, request: SummaryRequest, earlier: Earlier | None, proposed: Any
) -> Earlier:
    if not isinstance(proposed, Delta):
        problem = f"returned {type(proposed).__name__} instead of a Delta"
        raise SummarizerError(problem, summarizer=summarizer.name)
    if earlier is not None:
        operations = merged(earlier.delta.operations, proposed.operations)
        proposed = replace(proposed, operations=operations)
    handles = tuple(span.handle for span in request.spans)
    return Earlier(delta=proposed, handles=handles, facts=facts_of(summarizer))
