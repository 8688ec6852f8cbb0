"""Windows and rates of hosted models from the offline catalogue genai-prices."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from clew.ports import Rates

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, Provider, TieredPrices

_LATEST: Final = datetime(2100, 1, 1, 12, tzinfo=UTC)
"""A fixed moment after every announced change and at noon, so that the hour of the day never
changes a decision: two workers must agree."""


class Catalogue:
    """Answers what is known about a model; what the user states comes before the catalogue.

    `windows`, `outputs` (tokens) and `rates` are keyed by model name exactly as it is asked for.
    Model names may carry a provider in front, as in `openai:gpt-5` or `anthropic/claude-opus-5`.
    The catalogue knows no output limits, so `output_tokens` answers from `outputs` alone. It is
    loaded at the first question and never fetches anything.
    """

    def __init__(
        self,
        *,
        windows: Mapping[str, int] = MappingProxyType({}),
        outputs: Mapping[str, int] = MappingProxyType({}),
        rates: Mapping[str, Rates] = MappingProxyType({}),
    ) -> None:
        self._windows: Final = dict(windows)
        self._outputs: Final = dict(outputs)
        self._rates: Final = dict(rates)

    def window_tokens(self, model: str) -> int | None:
        """Context window of a model, None when unknown.

        Where the model's own provider states none, the smallest window that any reseller states
        for the same name counts.
        """
        if model in self._windows:
            return self._windows[model]
        info = _find(model)
        if info is not None and info.context_window:
            return info.context_window
        return _smallest_resold_window(model)

    def output_tokens(self, model: str) -> int | None:
        """Largest output of a model, None when the user has not stated it."""
        return self._outputs.get(model)

    def rates(self, model: str) -> Rates | None:
        """List prices in US dollars per million tokens, None when unknown.

        The newest list price at its lowest tier. A cache price that is not listed is the price of
        plain input.
        """
        if model in self._rates:
            return self._rates[model]
        info = _find(model)
        if info is None:
            return None
        price = info.get_prices(_LATEST)
        read = _dollars(price, "input_mtok")
        written = _dollars(price, "output_mtok")
        if read is None or written is None:
            return None
        cached = _dollars(price, "cache_read_mtok")
        stored = _dollars(price, "cache_write_mtok")
        return Rates(
            input=read,
            output=written,
            cached_read=read if cached is None else cached,
            cache_write=read if stored is None else stored,
        )


def _dollars(price: ModelPrice, key: str) -> float | None:
    value: Decimal | TieredPrices | None = getattr(price, key)
    if value is None:
        return None
    return float(value if isinstance(value, Decimal) else value.base)


@cache
def _providers() -> tuple[Provider, ...]:
    from genai_prices.data_snapshot import get_snapshot

    return tuple(get_snapshot().providers)


@cache
def _find(model: str) -> ModelInfo | None:
    """The catalogue's entry for a model name, with or without its provider in front."""
    from genai_prices.data_snapshot import get_snapshot

    for provider, name in (*_readings(model), (None, model)):
        try:
            _, info = get_snapshot().find_provider_model(name, None, provider, None)
        except LookupError:
            continue
        return info
    return None


def _readings(model: str) -> tuple[tuple[str | None, str], ...]:
    """Ways to read a name: the provider named in front, then the bare name behind it."""
    for mark in (":", "/"):
        provider, found, name = model.partition(mark)
        if found and provider and name:
            return ((provider, name), (None, name))
    return ()


@cache
def _smallest_resold_window(model: str) -> int | None:
    bare = model.lower().rpartition("/")[2].rpartition(":")[2]
    windows = [
        info.context_window
        for provider in _providers()
        for info in provider.models
        if info.context_window and info.id.rpartition("/")[2] == bare
    ]
    return min(windows, default=None)
