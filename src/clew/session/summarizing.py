"""Answering a `Summarize` effect: ask the summarizer, check, fall back, never raise."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from clew.errors import SummarizerError
from clew.fold import span_view
from clew.history import History
from clew.propose import combine
from clew.record.delta import Delta
from clew.session.asked import Made, aask, ask, facts_of
from clew.session.background import Work
from clew.session.prefetch import Prefetching
from clew.session.written import WrittenMessages
from clew.summarize.extractive import ExtractiveSummarizer
from clew.summarize.model import ModelSummarizer
from clew.summarize.request import Earlier, Summarizer, SummaryRequest
from clew.turn import Ahead, Prefetch, Proposed, Turn

MOST_READ_AHEAD = 500
"""Exchanges that one call may bring and have read: a fifth of a second, at most."""
READ_AHEAD_SHARE = 0.125
"""Of the trigger; a context below it is far from its next compaction, and may never see one."""


class Summarizing:
    """A summarizer with the offline one behind it.

    Whatever the first does (raise, return nothing, return rubbish), the answer is a checked delta.
    """

    def __init__(self, summarizer: Summarizer | None = None) -> None:
        self._offline = _offline(summarizer)
        self._chosen: Summarizer = summarizer or self._offline
        self.prefetching: Prefetching | None = None
        self.written = WrittenMessages()
        self.waited_seconds = 0.0
        self._closed = False

    def close(self) -> None:
        """Ask no model any more, and stop what works in the background."""
        self._closed = True
        if self.prefetching is not None:
            self.prefetching.close()

    @property
    def name(self) -> str:
        """Name of the summarizer that is asked first."""
        return self._chosen.name

    def run_as(self, session_id: str) -> None:
        """Count the calls of a model under this session, so that a restart does not start anew."""
        if isinstance(self._chosen, ModelSummarizer):
            self._chosen.count_under(session_id)

    @property
    def reads_middle(self) -> bool:
        """Whether a model is billed for reading the middle."""
        return self._chosen is not self._offline

    @property
    def chosen(self) -> Summarizer:
        """The summarizer that is asked first."""
        return self._chosen

    def read_ahead(self, turn: Turn, history: History) -> None:
        """Read the exchanges that were completed since, so that a compaction has less to do.

        Of a longer history that comes at once the oldest are read when they are absorbed.
        """
        if turn.scaled(sum(history.sizes)) < turn.budget.trigger_tokens * READ_AHEAD_SHARE:
            return
        unread = []
        for exchange in history.exchanges[-2 : -2 - MOST_READ_AHEAD : -1]:
            if self._offline.knows(history.handle_at(history.positions[exchange.first])):
                break
            unread.append(exchange)
        for exchange in reversed(unread):  # what one says may lean on the one before
            self._offline.read_ahead(span_view(turn, history, exchange))
            for index in exchange.indices:
                turn.written(history.body[index])

    def begin(self, effect: Prefetch) -> None:
        """Have a summary made in the background, where this session may."""
        if self.prefetching is not None and not self._closed:
            self.prefetching.begin(effect)

    def answer(self, request: SummaryRequest, ahead: Ahead | None = None) -> Proposed:
        """The checked proposal for a request; `ahead` names what was made for it before."""
        offline = self._offline.propose(request)
        if not self.reads_middle:
            return self._offered(request, offline, self._offline.name, ())
        started = time.perf_counter()
        try:
            if (work := self._work_on(request, ahead)) is not None:
                work.wait()
            made = self._made(ahead)
            found = self._served(request, made)
            use = _use(made, found, work)
            if found is None and self._closed:
                raise SummarizerError("the session was closed", summarizer=self.name)
            if found is None:
                found = ask(self._chosen, request, made.earlier if made is not None else None)
        except Exception as error:  # noqa: BLE001 - law 8: whatever it raises
            return self._fallen_back(request, offline, error, self._made(ahead))
        finally:
            self.waited_seconds += time.perf_counter() - started
        return self._checked(request, found, offline, use)

    async def aanswer(self, request: SummaryRequest, ahead: Ahead | None = None) -> Proposed:
        """The checked proposal, awaited where the summarizer can be."""
        offline = self._offline.propose(request)
        if not self.reads_middle:
            return self._offered(request, offline, self._offline.name, ())
        started = time.perf_counter()
        try:
            work = self._work_on(request, ahead)
            ended = work.wait() if work is not None else None
            if ended is not None:
                await ended
            made = self._made(ahead)
            found = self._served(request, made)
            use = _use(made, found, work)
            if found is None and self._closed:
                raise SummarizerError("the session was closed", summarizer=self.name)
            if found is None:
                earlier = made.earlier if made is not None else None
                found = await aask(self._chosen, request, earlier)
        except Exception as error:  # noqa: BLE001 - law 8: whatever it raises
            return self._fallen_back(request, offline, error, self._made(ahead))
        finally:
            self.waited_seconds += time.perf_counter() - started
        return self._checked(request, found, offline, use)

    # -- what was made before --

    def _work_on(self, request: SummaryRequest, ahead: Ahead | None) -> Work | None:
        if ahead is None or self.prefetching is None:
            return None
        return self.prefetching.work_on(ahead, tuple(span.handle for span in request.spans))

    def _made(self, ahead: Ahead | None) -> Made | None:
        if ahead is None or self.prefetching is None:
            return None
        return self.prefetching.made(ahead)

    def _served(self, request: SummaryRequest, made: Made | None) -> Earlier | None:
        """What was made before, where that is all of the request; raises its error."""
        if made is None:
            return None
        if made.error is not None:
            raise made.error
        whole = {span.handle for span in request.spans} <= set(made.handles)
        return made.earlier if whole else None

    # -- from an answer to a proposal --

    def _checked(
        self, request: SummaryRequest, found: Earlier, offline: Delta, use: str
    ) -> Proposed:
        name = self._chosen.name
        try:
            combined = combine(request, found.delta)
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
            **found.facts,
            **({"prefetched": use} if use else {}),
        }
        offered = self._offered(request, offline, name, warnings, facts)
        return replace(offered, further=combined.accepted)

    def _fallen_back(
        self, request: SummaryRequest, offline: Delta, error: Exception, made: Made | None = None
    ) -> Proposed:
        said = str(error) if isinstance(error, SummarizerError) else type(error).__name__
        if made is not None and made.earlier is not None:
            # What was made before stands; the offline delta speaks of what came since.
            kept = self._checked(request, made.earlier, offline, "not extended")
            warning = f"summarizer {self._chosen.name} could not go on: {said}"
            return replace(kept, warnings=(warning, *kept.warnings))
        name = f"{self._offline.name} (fallback)"
        warning = f"summarizer {self._chosen.name} failed: {said}; the offline one took over"
        return self._offered(request, offline, name, (warning,), facts_of(self._chosen))

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


def _offline(summarizer: Summarizer | None) -> ExtractiveSummarizer:
    """The offline summarizer that was chosen, with its cues, or a new one.

    One that is derived from it may raise, as any summarizer of the caller's may.
    """
    if isinstance(summarizer, ExtractiveSummarizer) and type(summarizer) is ExtractiveSummarizer:
        return summarizer
    return ExtractiveSummarizer()


def _use(made: Made | None, found: Earlier | None, waited_for: Work | None) -> str:
    """How an answer comes from what was made before; empty when nothing was."""
    if made is None or made.earlier is None:
        return ""
    if found is None:
        return "extended"
    return "used" if waited_for is None else "waited for"
