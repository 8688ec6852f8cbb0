"""Which window to believe: what the user set, the server reports, a refusal said, a list says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from clew.errors import BudgetError
from clew.ports import Prices
from clew.prices.refusal import window_in_refusal

SAFE_WINDOW_TOKENS: Final = 32_768
"""Window of a model nobody knows: small enough for most that are served today."""


class WindowSource(StrEnum):
    """Where a window comes from, the most trusted first."""

    DECLARED = "declared"
    REPORTED = "reported by the server"
    REFUSAL = "named in a refusal"
    CATALOGUE = "catalogue"
    DEFAULT = "safe default"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedWindow:
    """The window in use, where it comes from, and a warning when it deserves one."""

    tokens: int
    source: WindowSource
    warning: str = ""


def resolve_window(
    *,
    declared: int | None = None,
    reported: int | None = None,
    refusal: str | int | None = None,
    model: str | None = None,
    catalogue: Prices | None = None,
) -> ResolvedWindow:
    """Choose the window of a model; all numbers in tokens.

    `declared` is the user's setting, `reported` what the server says of itself, `refusal` the
    text of a refused request or the number already read from it. A declared or reported window is
    never raised. It is lowered only by a refusal that names less, since the server has proved
    that more does not fit. Raises BudgetError when a number is not positive.
    """
    for name, tokens in (("declared", declared), ("reported", reported)):
        if tokens is not None and tokens <= 0:
            raise BudgetError(
                f"the {name} window is not positive", arithmetic=f"window = {tokens:,}"
            )
    refused = window_in_refusal(refusal) if isinstance(refusal, str) else refusal
    if refused is not None and refused <= 0:
        raise BudgetError("the refused window is not positive", arithmetic=f"window = {refused:,}")
    if declared is not None:
        return _bounded(declared, WindowSource.DECLARED, refused)
    if reported is not None:
        return _bounded(reported, WindowSource.REPORTED, refused)
    if refused is not None:
        return ResolvedWindow(tokens=refused, source=WindowSource.REFUSAL)
    listed = catalogue.window_tokens(model) if catalogue is not None and model else None
    if listed is not None and listed > 0:
        return ResolvedWindow(tokens=listed, source=WindowSource.CATALOGUE)
    return ResolvedWindow(
        tokens=SAFE_WINDOW_TOKENS,
        source=WindowSource.DEFAULT,
        warning=(
            f"The window of {model or 'the model'} is not known; {SAFE_WINDOW_TOKENS:,} tokens "
            f"are assumed. Set window_tokens to use all of it."
        ),
    )


def _bounded(tokens: int, source: WindowSource, refused: int | None) -> ResolvedWindow:
    if refused is None or refused >= tokens:
        return ResolvedWindow(tokens=tokens, source=source)
    return ResolvedWindow(
        tokens=refused,
        source=WindowSource.REFUSAL,
        warning=(
            f"A window of {tokens:,} tokens was {source}, but the server refused a request and "
            f"named {refused:,}; the smaller one is used."
        ),
    )
