"""Where the budget of a session comes from, and what is known about models."""

from __future__ import annotations

from clew.budget import Budget
from clew.policy import Policy
from clew.prices import Catalogue, resolve_window


def catalogue_of(policy: Policy | None) -> Catalogue:
    """What is known about models, with what the policy states before it."""
    stated = policy.prices if policy is not None else ()
    return Catalogue(
        rates={each.model: each.rates for each in stated},
        windows={each.model: each.window_tokens for each in stated if each.window_tokens},
    )


def chosen_budget(policy: Policy, model: str | None) -> tuple[Budget, str, str]:
    """The policy's budget, else one for the model's window; where the window is from; a warning."""
    if policy.budget is not None:
        return policy.budget, "declared", ""
    window = resolve_window(model=model, catalogue=catalogue_of(policy) if model else None)
    return Budget(window.tokens), str(window.source), window.warning
