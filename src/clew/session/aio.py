"""The same session, awaited."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from clew.conclude import conclude
from clew.document import HandoffDocument
from clew.outcome import Context
from clew.pipeline import prepare
from clew.session.background import TaskWork
from clew.session.drivers import adrive
from clew.session.session import SessionBase


class AsyncSession(SessionBase):
    """Session for asyncio: `prepare` and `compact` are awaited, the rest is quick and is not.

    A second `prepare` waits for the first. Cancelling at any await changes nothing but what was
    already committed.
    """

    _work = TaskWork

    def __init__(self, *args: Any, **options: Any) -> None:
        import asyncio  # a hundred modules that those who never await do not need

        super().__init__(*args, **options)
        self._lock = asyncio.Lock()

    async def prepare(
        self, messages: Sequence[Any], system: Any = None, tools: Any = None
    ) -> Context:
        """What to send for the next model call; see Session.prepare."""
        async with self._lock:
            return await self._run(messages, system, tools)

    async def compact(self, focus: str | None = None) -> Context:
        """Compact what was prepared last, now, at the next legal cut."""
        async with self._lock:
            core = self._core
            last = core.last_messages if core.last_messages is not None else []
            how = {"asked": True, "focus": focus or ""}
            return await self._run(last, core.last_system, core.last_tools, **how)

    async def handoff(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        messages: Sequence[Any] | None = None,
        created_at: str = "",
    ) -> HandoffDocument:
        """End this run in a document that a fresh one can go on from; see Session.handoff."""
        async with self._lock:
            core = self._core
            last = messages if messages is not None else core.last_messages
            if last is None:
                return self._handed_off(None, path, created_at)
            turn, _ = core.turn(last, core.last_system, core.last_tools)
            concluded = await adrive(conclude(turn), core)
            return self._handed_off(concluded, path, created_at)

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stop what works in the background, wait for its end, and close the store."""
        prefetching = self._core.summarizing.prefetching
        work = prefetching.work if prefetching is not None else None
        self.close()
        if work is not None and (ended := work.wait()) is not None:
            await ended

    async def _run(self, given: Sequence[Any], system: Any, tools: Any, **how: Any) -> Context:
        started = time.perf_counter()
        # The caller may append to its list while this call waits.
        messages = list(given) if isinstance(given, list | tuple) else given
        turn, reading = self._core.turn(messages, system, tools, **how)
        prepared = await adrive(prepare(turn), self._core)
        self._core.summarizing.read_ahead(turn, prepared.history)
        return self._core.finished(turn, prepared, reading, system, started)
