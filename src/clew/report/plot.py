"""What a plot of context sizes shows: curves over model calls, levels across, events below."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Tokens of the context at each model call, the first call first.

    `quiet` curves are what the others are compared with: drawn thin and grey.
    """

    name: str
    tokens: tuple[int, ...]
    quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A limit in tokens, the same for every call."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One picture.

    `events` are the numbers of the calls (from 1) before which something was folded.
    `ceiling_tokens` cuts the picture off above; 0 shows everything.
    """

    title: str
    curves: tuple[Curve, ...]
    levels: tuple[Level, ...] = ()
    events: tuple[int, ...] = ()
    event_name: str = "compaction"
    ceiling_tokens: int = 0

    @property
    def top_tokens(self) -> int:
        """The upper edge of the picture."""
        highest = max(
            (
                *(max(curve.tokens, default=0) for curve in self.curves),
                *(level.tokens for level in self.levels),
                1,
            )
        )
        return min(highest, self.ceiling_tokens) if self.ceiling_tokens else highest
