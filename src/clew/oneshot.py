"""One call, no state kept: native messages in, native messages out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.budget import Budget
from clew.outcome import Context
from clew.policy import Policy
from clew.session import Session


def compact(
    messages: Sequence[Any],
    budget: Budget | int | None = None,
    *,
    system: Any = None,
    tools: Any = None,
    policy: Policy | None = None,
    **options: Any,
) -> Context:
    """Compact a list once, as if a boundary had just been reached.

    `budget` is a Budget or a window in tokens; `options` are those of Session. A list below the
    trigger comes back as it is. What was taken out is gone with the call unless `store` names a
    place to keep it.
    """
    chosen = policy or Policy()
    if budget is not None:
        chosen = replace(chosen, budget=Budget(budget) if isinstance(budget, int) else budget)
    session = Session(policy=chosen, **options)
    return session.compact_if_armed(messages, system, tools)
