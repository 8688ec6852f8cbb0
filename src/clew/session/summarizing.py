"""Answering a `Summarize` effect: ask the summarizer, check, fall back, never raise."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from clew.errors import SummarizerError
from clew.propose import combine
from clew.record.delta import Delta
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.request import Summarizer, SummaryRequest
from clew.turn import Proposed


class Summarizing:
    """A summarizer with the offline one behind it.

    Whatever the first does (raise, return nothing, return rubbish), the answer is a checked delta.
    """

    def __init__(self, summarizer: Summarizer | None = None) -> None:
        self._offline = ExtractiveSummarizer()
        self._chosen: Summarizer = summarizer or self._offline

    @property
    def name(self) -> str:
        """Name of the summarizer that is asked first."""
        return self._chosen.name

    @property
    def reads_middle(self) -> bool:
        """Whether a model is billed for reading the middle."""
        return not isinstance(self._chosen, ExtractiveSummarizer)

    def answer(self, request: SummaryRequest) -> Proposed:
        """The checked proposal for a request."""
        offline = self._offline.propose(request)
        if not self.reads_middle:
            return self._offered(request, offline, self._offline.name, ())
        try:
            proposed = self._chosen.propose(request)
        except Exception as error:  # noqa: BLE001 - law 8: whatever it raises
            return self._fallen_back(request, offline, error)
        return self._checked(request, proposed, offline)

    async def aanswer(self, request: SummaryRequest) -> Proposed:
        """The checked proposal, awaited where the summarizer can be."""
        ask: Callable[[SummaryRequest], Awaitable[Any]] | None
        ask = getattr(self._chosen, "apropose", None)
        if ask is None:
            return self.answer(request)
        offline = self._offline.propose(request)
        try:
            proposed = await ask(request)
        except Exception as error:  # noqa: BLE001 - law 8: whatever it raises
            return self._fallen_back(request, offline, error)
        return self._checked(request, proposed, offline)

    def _checked(self, request: SummaryRequest, proposed: Any, offline: Delta) -> Proposed:
        name = self._chosen.name
        if not isinstance(proposed, Delta):
            problem = f"returned {type(proposed).__name__} instead of a Delta"
            return self._fallen_back(request, offline, SummarizerError(problem, summarizer=name))
        try:
            combined = combine(request, proposed)
        except Exception as error:  # noqa: BLE001 - law 8: whatever it raises
            return self._fallen_back(request, offline, error)
        if not combined.accepted.operations:
            reasons = "; ".join(f.problem for f in combined.findings[:3]) or "it proposed nothing"
            problem = f"nothing it proposed was usable ({reasons})"
            return self._fallen_back(request, offline, SummarizerError(problem, summarizer=name))
        warnings = tuple(f"{f.item or name}: {f.problem}" for f in combined.findings)
        facts = {
            "accepted": len(combined.accepted.operations),
            "findings": len(combined.findings),
            **_facts_of(self._chosen),
        }
        offered = self._offered(request, offline, name, warnings, facts)
        return replace(offered, further=combined.accepted)

    def _fallen_back(self, request: SummaryRequest, offline: Delta, error: Exception) -> Proposed:
        said = str(error) if isinstance(error, SummarizerError) else type(error).__name__
        name = f"{self._offline.name} (fallback)"
        warning = f"summarizer {self._chosen.name} failed: {said}; the offline one took over"
        return self._offered(request, offline, name, (warning,), _facts_of(self._chosen))

    def _offered(
        self,
        request: SummaryRequest,
        delta: Delta,
        name: str,
        warnings: tuple[str, ...],
        facts: dict[str, Any] | None = None,
    ) -> Proposed:
        index, mentions = self._offline.index(request)
        return Proposed(
            delta=delta,
            index=index,
            mentions=mentions,
            summarizer=name,
            warnings=warnings,
            facts=facts or {},
            revalue=lambda record: self._offline.revalue(request, record),
        )


def _facts_of(summarizer: Summarizer) -> dict[str, Any]:
    facts = getattr(summarizer, "last_facts", None)
    return dict(facts) if isinstance(facts, dict) else {}
