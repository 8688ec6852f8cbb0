"""Work beside the caller's own: in a thread for Session, in a task for AsyncSession."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from clew.session.asked import Made

Job = Callable[[], Coroutine[Any, Any, Made]]

_LONGEST_STOP_SECONDS = 5.0
"""How long a stop waits for code that does not let itself be cancelled."""


class Work(Protocol):
    """Something that was begun and ends by itself, or is cancelled."""

    @property
    def finished(self) -> bool:
        """Whether it has ended, one way or the other."""
        ...

    @property
    def result(self) -> Made | None:
        """What it brought; None when it was cancelled or is not finished."""
        ...

    def wait(self) -> Awaitable[None] | None:
        """Let it end: at once for a thread, by awaiting what is given for a task."""
        ...

    def cancel(self) -> None:
        """Ask it to stop; does not wait."""
        ...

    def stop(self) -> None:
        """Cancel it, and wait a little for a thread to end."""
        ...


class ThreadWork:
    """A job in a thread with an event loop of its own, so that it can be cancelled in the midst."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._made: Made | None = None
        self._lock = threading.Lock()
        self._stopped = False
        self._inside: tuple[asyncio.AbstractEventLoop, asyncio.Task[None]] | None = None
        # A process that ends does not wait for a summary that nobody will read.
        self._thread = threading.Thread(target=self._run, name="clew-prefetch", daemon=True)
        self._thread.start()

    @property
    def finished(self) -> bool:
        """Whether the thread has ended."""
        return not self._thread.is_alive()

    @property
    def result(self) -> Made | None:
        """What the job brought."""
        return self._made

    def wait(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def cancel(self) -> None:
        """Cancel the job."""
        with self._lock:
            self._stopped = True
            if self._inside is not None:
                loop, task = self._inside
                loop.call_soon_threadsafe(task.cancel)

    def stop(self) -> None:
        """Cancel the job and wait until the thread has ended, for seconds at most."""
        self.cancel()
        if self._thread is not threading.current_thread():
            self._thread.join(_LONGEST_STOP_SECONDS)

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        except asyncio.CancelledError:
            self._made = None

    async def _main(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        with self._lock:
            if self._stopped:
                return
            self._inside = (asyncio.get_running_loop(), task)
        try:
            self._made = await self._job()
        finally:
            with self._lock:
                self._inside = None


class TaskWork:
    """A job in a task of the running loop."""

    def __init__(self, job: Job) -> None:
        self._task = asyncio.get_running_loop().create_task(job(), name="clew-prefetch")

    @property
    def finished(self) -> bool:
        """Whether the task is done."""
        return self._task.done()

    @property
    def result(self) -> Made | None:
        """What the job brought."""
        if not self._task.done() or self._task.cancelled() or self._task.exception() is not None:
            return None
        return self._task.result()

    def wait(self) -> Awaitable[None]:
        """Await the end of the task; a cancellation of the waiting does not cancel it."""
        return self._ended()

    async def _ended(self) -> None:
        await asyncio.wait({self._task})

    def cancel(self) -> None:
        """Cancel the task; nothing is left to do where its loop is closed already."""
        if not self._task.done() and not self._task.get_loop().is_closed():
            self._task.cancel()

    def stop(self) -> None:
        """Cancel the task; its loop ends it."""
        self.cancel()
