"""Whether a summary may be asked for behind the prompt that the agent's own model has cached."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from clew.pipeline import Prepared
from clew.summarize.request import Summarizer
from clew.turn import Live

_CACHED_SECONDS = 270.0
"""A provider keeps a prefix for five minutes at least; half a minute of it is for the request."""


class LiveView:
    """Remembers when the last prompt went out.

    `model` is the agent's own, as `provider:model` or the model's name alone; a summarizer names
    its model the first way. Where they differ there is nothing to read from a cache.
    """

    def __init__(
        self, model: str | None, *, allowed: bool, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._model = model or ""
        self._allowed = allowed
        self._now = now
        self._asked_at: float | None = None
        self._sent: list[str] = []

    def went_out(self, prepared: Prepared) -> None:
        """Say what goes out now: all of it can be in the provider's cache at the next call."""
        if self._allowed and self._model:
            messages = (*prepared.history.lead, *prepared.rendered.messages)
            self._sent = [message.digest for message in messages]

    def of(
        self, summarizer: Summarizer, prefix: tuple[Any, Any, tuple[int, int]] | None
    ) -> Live | None:
        """What stands beside the live prompt; None where it is not to be asked.

        `prefix` are system and tools with their tokens. The prompt before went out no earlier than
        this was asked last.
        """
        now, before = self._now(), self._asked_at
        self._asked_at = now
        if prefix is None or before is None or now - before > _CACHED_SECONDS:
            return None
        if not self._allowed or self._model not in _names(summarizer):
            return None
        return Live(
            system=prefix[0], tools=prefix[1], prefix_tokens=sum(prefix[2]), sent=self._sent
        )


def _names(summarizer: Summarizer) -> tuple[str, str]:
    return summarizer.name, summarizer.name.partition(":")[2] or summarizer.name
