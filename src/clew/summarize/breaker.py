"""How often a model may be called, and when it is left alone: values that survive a restart."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final

from clew.errors import SummarizerError
from clew.policy.limits import CallLimits

__all__ = ["CallLimits", "CallState", "state_from_text"]

_HOUR_SECONDS: Final = 3_600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CallState:
    """What is remembered of one model: failures in a row, the cooldown, recent calls.

    Times are seconds since the epoch. `window_tokens` is the largest request that may still be
    sent after one was refused for its length; 0 while none was.
    """

    failures: int = 0
    openings: int = 0
    open_until: float = 0.0
    calls: tuple[float, ...] = ()
    window_tokens: int = 0

    def refusal(self, now: float, limits: CallLimits) -> str:
        """Why the model is not called now; empty when it may be."""
        if now < self.open_until:
            # A clock that was set back must not lock the model out for good.
            left = min(self.open_until - now, limits.longest_cooldown_seconds)
            return f"left alone for another {left:,.0f} s after it failed"
        if len(self._recent(now)) >= limits.per_hour:
            return f"called {limits.per_hour:,} times within an hour already"
        return ""

    def left(self, now: float, limits: CallLimits) -> int:
        """How many calls the hour still allows."""
        return max(0, limits.per_hour - len(self._recent(now)))

    def called(self, now: float) -> CallState:
        """The state with a call that begins now."""
        return replace(self, calls=(*self._recent(now), now))

    def succeeded(self) -> CallState:
        """The state after a usable answer."""
        return replace(self, failures=0, openings=0, open_until=0.0)

    def failed(self, now: float, error: SummarizerError, limits: CallLimits) -> CallState:
        """The state after the attempts of one request failed."""
        wished = error.retry_after_seconds or 0.0
        failures = self.failures + 1
        opens = error.permanent or failures >= limits.failures
        cooldown = limits.cooldown_seconds * 2**self.openings if opens else 0.0
        pause = min(max(cooldown, wished), limits.longest_cooldown_seconds)
        return replace(
            self,
            failures=0 if opens else failures,
            openings=min(self.openings + 1, 16) if opens else self.openings,
            open_until=max(self.open_until, now + pause) if pause else self.open_until,
        )

    def with_window(self, window_tokens: int) -> CallState:
        """The state after a request was refused for its length."""
        return replace(self, window_tokens=window_tokens)

    def to_text(self) -> str:
        """The form that is remembered."""
        return json.dumps(
            {
                "failures": self.failures,
                "openings": self.openings,
                "open_until": self.open_until,
                "calls": list(self.calls),
                "window_tokens": self.window_tokens,
            }
        )

    def _recent(self, now: float) -> tuple[float, ...]:
        return tuple(at for at in self.calls if now - _HOUR_SECONDS < at <= now)


def state_from_text(text: str | None, now: float, limits: CallLimits) -> CallState:
    """The remembered state; a fresh one where nothing readable is remembered.

    A cooldown further away than the longest there can be comes from another clock and is cut.
    """
    try:
        value: Any = json.loads(text or "{}")
        state = CallState(
            failures=int(value.get("failures", 0)),
            openings=int(value.get("openings", 0)),
            open_until=float(value.get("open_until", 0.0)),
            calls=tuple(float(at) for at in value.get("calls", ())),
            window_tokens=int(value.get("window_tokens", 0)),
        )
    except (ValueError, TypeError, AttributeError, OverflowError):
        return CallState()
    latest = now + limits.longest_cooldown_seconds
    return replace(state, open_until=min(state.open_until, latest))
