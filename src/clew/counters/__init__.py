"""Token counters: exact where a vocabulary is at hand, scaled or estimated where none is."""

from __future__ import annotations

from typing import Final

from clew.budget import Chars4Counter, EstimateCounter, Family, family_of
from clew.counters.scaled import ScaledCounter
from clew.counters.splintr import VOCABULARIES as SPLINTR_VOCABULARIES
from clew.counters.splintr import SplintrCounter, splintr_installed
from clew.counters.toktok import VOCABULARIES as TOKTOK_VOCABULARIES
from clew.counters.toktok import ToktokCounter, toktok_installed
from clew.errors import PolicyError
from clew.ports import TokenCounter

COUNTER_NAMES: Final = ("chars4", "estimate", *TOKTOK_VOCABULARIES, *SPLINTR_VOCABULARIES)
"""Every name that `resolve_counter` knows."""

__all__ = [
    "COUNTER_NAMES",
    "ScaledCounter",
    "SplintrCounter",
    "ToktokCounter",
    "resolve_counter",
    "splintr_installed",
    "toktok_installed",
]


def resolve_counter(
    counter: TokenCounter | str | None = None,
    model: str | None = None,
    *,
    families: tuple[Family, ...] = (),
) -> TokenCounter:
    """Find the counter for a setting and a model.

    A TokenCounter is taken as it is, a name from `COUNTER_NAMES` as named. None takes the exact
    vocabulary of the model when it is installed, else o200k_base (or the estimate, without
    toktok-rs) scaled by the factor of the model's tokenizer family; `families` go before the
    built-in table. Raises PolicyError for an unknown name and MissingExtraError for a named
    vocabulary that is not installed.
    """
    if counter is None:
        return _for_model(model, families)
    if isinstance(counter, str):
        return _named(counter)
    return counter


def _named(name: str) -> TokenCounter:
    if name == "chars4":
        return Chars4Counter()
    if name == "estimate":
        return EstimateCounter()
    if name in TOKTOK_VOCABULARIES:
        return ToktokCounter(name)
    if name in SPLINTR_VOCABULARIES:
        return SplintrCounter(name)
    raise PolicyError(f"{name!r} is not one of {', '.join(COUNTER_NAMES)}", where="counter")


def _for_model(model: str | None, families: tuple[Family, ...]) -> TokenCounter:
    base: TokenCounter = ToktokCounter() if toktok_installed() else EstimateCounter()
    if model is None:
        return base
    family = family_of(model, extra=families)
    if family.vocabulary in TOKTOK_VOCABULARIES and toktok_installed():
        return ToktokCounter(family.vocabulary)
    if family.vocabulary in SPLINTR_VOCABULARIES and splintr_installed():
        return SplintrCounter(family.vocabulary)
    if family.factor == 1:
        return base
    return ScaledCounter(base, factor=family.factor, family=family.name)
