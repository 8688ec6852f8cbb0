"""The one summary that a session has made, or is making, before it is needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from clew.errors import ClewError
from clew.policy import Policy, Readiness
from clew.ports import Store
from clew.record.delta import Delta
from clew.record.items import Proposer
from clew.session.asked import Made, make
from clew.session.background import Job, ThreadWork, Work
from clew.session.operations import operation_from_json, operation_to_json
from clew.session.telling import Telling
from clew.summarize.request import Earlier, Summarizer
from clew.turn import Ahead, Prefetch


@dataclass(frozen=True, slots=True, kw_only=True)
class _Running:
    ahead: Ahead
    work: Work


class Prefetching:
    """Begins, keeps, extends and drops a summary; what is finished outlives the process.

    `start` runs a job beside the caller: ThreadWork or TaskWork.
    """

    def __init__(
        self,
        summarizer: Summarizer,
        store: Store,
        start: Callable[[Job], Work],
        *,
        own_thread: bool,
        telling: Telling,
    ) -> None:
        self._summarizer = summarizer
        self._store = store
        self._start = start
        self._own_thread = own_thread
        self._telling = telling
        self._key = ""
        self._ready: tuple[Ahead, Made] | None = None
        self._running: _Running | None = None
        self._closed = False

    @property
    def work(self) -> Work | None:
        """What works in the background now."""
        return self._running.work if self._running is not None else None

    def current(self, session_id: str) -> Ahead | None:
        """The summary there is, and how far it is; one of an earlier process is found again."""
        key = f"prefetch/{session_id}"
        if key != self._key:
            self._key = key
            self._ready = self._ready or self._recollected()
        self._collect()
        if self._ready is not None:
            return replace(self._ready[0], extending=self._running is not None)
        return self._running.ahead if self._running is not None else None

    def begin(self, effect: Prefetch) -> None:
        """Start to work on a request, in place of whatever else was being made."""
        earlier = self._ready[1].earlier if effect.extends and self._ready is not None else None
        self._cancel()
        if not effect.extends:
            self._ready = None
        job = partial(
            _job,
            self._summarizer,
            effect,
            earlier,
            partial(self._keep, self._key),
            self._own_thread,
        )
        self._running = _Running(ahead=effect.ahead, work=self._start(job))
        self._telling.begun(effect)
        if self._closed:
            self.close()  # by another thread, while this one began

    def work_on(self, ahead: Ahead, handles: tuple[str, ...]) -> Work | None:
        """The work to wait for before `made` can serve a request for these handles."""
        self._collect()
        running = self._running
        if running is None or running.ahead.base != ahead.base:
            return None
        ready = self._ready
        if ready is not None and set(handles) <= set(ready[1].handles):
            return None
        # A summary of more than is asked for speaks of what stays verbatim.
        return running.work if set(running.ahead.handles) <= set(handles) else None

    def made(self, ahead: Ahead) -> Made | None:
        """What was made for this part of the history; None when it was cancelled."""
        self._collect()
        if self._ready is None or self._ready[0].base != ahead.base:
            return None
        return self._ready[1]

    def drop(self) -> None:
        """Let go of everything; a compaction has used it or made it worthless."""
        had = self._ready is not None or self._running is not None
        self._cancel()
        self._ready = None
        if had:
            self._forget()

    def close(self) -> None:
        """Stop the work, and begin none any more; what is finished stays in the store."""
        self._closed = True
        running, self._running = self._running, None
        if running is not None:
            running.work.stop()

    # -- steps --

    def _cancel(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.work.cancel()

    def _collect(self) -> None:
        running = self._running
        if running is None or not running.work.finished:
            return
        self._running = None
        made = running.work.result
        if made is None:
            return
        self._telling.ended(made)
        if made.error is not None and self._ready is not None:
            # What could not be extended still serves for what it is.
            ahead, earlier = self._ready
            tried = running.ahead
            self._ready = (replace(ahead, tried=tried.handles, seen=tried.seen), earlier)
            return
        failed = made.error is not None
        readiness = Readiness.FAILED if failed else Readiness.READY
        self._ready = (replace(running.ahead, readiness=readiness), made)

    def _keep(self, key: str, ahead: Ahead, made: Made) -> None:
        try:
            self._store.remember(key, _to_text(ahead, made))
        except (ClewError, TypeError, ValueError, AttributeError, AssertionError):
            return  # a restart then costs the call again

    def _forget(self) -> None:
        try:
            self._store.remember(self._key, "")
        except ClewError:
            return  # it no longer leads anywhere: the record it was made on is replaced

    def _recollected(self) -> tuple[Ahead, Made] | None:
        try:
            return _from_text(self._store.recollect(self._key))
        except ClewError:
            return None


class _Core(Protocol):
    policy: Policy
    store: Store
    telling: Telling

    @property
    def summarizing(self) -> _Chosen: ...


class _Chosen(Protocol):
    @property
    def chosen(self) -> Summarizer: ...


def prefetching_for(core: _Core, start: Callable[[Job], Work]) -> Prefetching | None:
    """What prefetches for a session; None where the policy or the summarizer does not let it."""
    summarizer = core.summarizing.chosen
    if not core.policy.prefetch or getattr(summarizer, "background", False) is not True:
        return None
    own_thread = start is ThreadWork
    return Prefetching(summarizer, core.store, start, own_thread=own_thread, telling=core.telling)


async def _job(
    summarizer: Summarizer,
    effect: Prefetch,
    earlier: Earlier | None,
    keep: Callable[[Ahead, Made], None],
    own_thread: bool,
) -> Made:
    made = await make(summarizer, effect.request, earlier, own_thread=own_thread)
    if made.earlier is not None:
        keep(effect.ahead, made)
    return made


def _to_text(ahead: Ahead, made: Made) -> str:
    earlier = made.earlier
    assert earlier is not None
    facts = {name: value for name, value in earlier.facts.items() if isinstance(value, int | float)}
    return json.dumps(
        {
            "base": ahead.base,
            "count": ahead.count,
            "key": ahead.key,
            "handles": ahead.handles,
            "tail": ahead.tail_position,
            "seen": ahead.seen,
            "operations": [operation_to_json(each) for each in earlier.delta.operations],
            "summarizer": earlier.delta.summarizer,
            "facts": facts,
        }
    )


def _from_text(text: str | None) -> tuple[Ahead, Made] | None:
    if not text:
        return None
    try:
        value: dict[str, Any] = json.loads(text)
        handles = tuple(map(str, value["handles"]))
        ahead = Ahead(
            base=str(value["base"]),
            count=int(value["count"]),
            key=str(value["key"]),
            handles=handles,
            tail_position=int(value["tail"]),
            seen=int(value["seen"]),
            readiness=Readiness.READY,
        )
        delta = Delta(
            operations=tuple(map(operation_from_json, value["operations"])),
            proposed_by=Proposer.MODEL,
            summarizer=str(value["summarizer"]),
        )
        earlier = Earlier(delta=delta, handles=handles, facts=dict(value["facts"]))
    except (ValueError, TypeError, KeyError, ClewError):
        return None
    return ahead, Made(handles=handles, earlier=earlier)
