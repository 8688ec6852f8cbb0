"""A budget whose prefix was measured: settings give way, since a measurement cannot."""

from __future__ import annotations

from dataclasses import replace

from clew.budget.budget import Budget, ResolvedBudget
from clew.errors import BudgetError, FloorExceededError

_LEAST_ROOM_PART = 4
"""A prefix that leaves less than a quarter of the window's rest shrinks the output reserve."""


def resolve_measured(budget: Budget, *, system_tokens: int, tools_tokens: int) -> ResolvedBudget:
    """Resolve with the measured size of system and tools.

    Where they leave no room, the output reserve shrinks to half of what is left, and marks given
    in tokens fall back to their default ratios; `adjusted` says so with the numbers. Raises
    FloorExceededError when system and tools alone fill the window.
    """
    prefix = budget.prefix_tokens
    if prefix is not None:
        return budget.resolve()
    measured = system_tokens + tools_tokens
    try:
        return budget.resolve(prefix_tokens=measured)
    except BudgetError as error:
        return _yielding(budget, measured, system_tokens, tools_tokens, error)


def _yielding(
    budget: Budget, measured: int, system_tokens: int, tools_tokens: int, error: BudgetError
) -> ResolvedBudget:
    left = budget.window_tokens - measured - budget.plan_tokens - budget.retrieval_tokens
    if left < _LEAST_ROOM_PART:
        raise FloorExceededError(
            floor_tokens=measured,
            limit_tokens=budget.window_tokens,
            parts=(("system", system_tokens), ("tools", tools_tokens)),
        ) from error
    reserve = budget.output_reserve_tokens
    asked = left if reserve is None else reserve
    shrunk = min(asked, left // 2)
    defaults = Budget(budget.window_tokens)
    fitted = replace(
        budget,
        output_reserve_tokens=shrunk,
        trigger=defaults.trigger,
        backstop=defaults.backstop,
        boundary_floor=defaults.boundary_floor,
        tail_tokens=defaults.tail_tokens,
        record_tokens=defaults.record_tokens,
    )
    resolved = fitted.resolve(prefix_tokens=measured)
    said = (
        f"System ({system_tokens:,} tokens) and tools ({tools_tokens:,}) leave {left:,} of the "
        f"window of {budget.window_tokens:,}: the output reserve is {shrunk:,}, and the marks "
        f"are the default shares of {resolved.transcript_budget_tokens:,} tokens."
    )
    return replace(resolved, adjusted=(*resolved.adjusted, said))
