"""Model windows and prices: an offline catalogue, refusals, and whom to believe."""

from __future__ import annotations

from clew.prices.catalogue import Catalogue
from clew.prices.refusal import window_in_refusal
from clew.prices.window import SAFE_WINDOW_TOKENS, ResolvedWindow, WindowSource, resolve_window

__all__ = [
    "SAFE_WINDOW_TOKENS",
    "Catalogue",
    "ResolvedWindow",
    "WindowSource",
    "resolve_window",
    "window_in_refusal",
]
