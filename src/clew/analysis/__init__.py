"""What recorded sessions show without any compaction: growth, repeats, the largest results."""

from clew.analysis.horizon import Growth, Horizon, LargePart, horizon

__all__ = ["Growth", "Horizon", "LargePart", "horizon"]
