"""Time, events and secrets: the rest of the world around a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Clock(Protocol):
    """The time, for reports and cooldowns; never read inside a stage."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...


class Redactor(Protocol):
    """Replaces secrets by stable, typed placeholders; the rest of a text stays as it is."""

    def redact(self, text: str) -> str:
        """The text without secrets; the same text gives the same placeholders."""
        ...


class EventSink(Protocol):
    """Takes what happened as values, for logs and telemetry."""

    def emit(self, name: str, facts: Mapping[str, Any]) -> None:
        """One event; must not raise."""
        ...
