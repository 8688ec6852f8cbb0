"""The policy that the options of a command ask for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from clew.cli.options import tokens
from clew.policy import Policy


def policy_for(document: Path | None, window: str | None) -> Policy:
    """The policy of a document, or the default one, with the window of the command line.

    A window on the command line wins; shares stay, token counts shrink with a smaller window.
    Without either, the budget stays open and the window of the recorded model is looked up.
    Raises PolicyError and BudgetError.
    """
    from clew.budget import Budget

    policy = Policy.load(document) if document is not None else Policy()
    if window is None:
        return policy
    size = tokens("window", window)
    budget = policy.budget.with_window(size) if policy.budget is not None else Budget(size)
    return replace(policy, budget=budget)
