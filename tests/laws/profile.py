"""How many examples a law gets: each plays a whole session, so a fraction of a unit's."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

_SHARE = 40
"""A session takes about as long as forty of the examples that the profiles count."""


def sessions(at_least: int = 4, *, steps: int = 50) -> settings:
    """Settings for a test whose examples are whole sessions; `steps` are those of a machine."""
    return settings(
        stateful_step_count=steps,
        max_examples=max(at_least, settings().max_examples // _SHARE),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
