"""Models behind a summarizer: one file a provider, each with the provider's own package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from clew.clients.anthropic import AnthropicClient
from clew.clients.gemini import GeminiClient
from clew.clients.openai import OpenAIClient
from clew.errors import PolicyError
from clew.ports import ModelClient, Prices

__all__ = [
    "PROVIDERS",
    "SAFE_WINDOW_TOKENS",
    "AnthropicClient",
    "GeminiClient",
    "OpenAIClient",
    "resolve_client",
]

SAFE_WINDOW_TOKENS: Final = 32_768
"""Window of a model nobody knows."""

PROVIDERS: Final = ("openai", "anthropic", "gemini")
"""Every provider that `resolve_client` knows; `openai` is any server with that interface."""


def resolve_client(
    name: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    window_tokens: int | None = None,
    prices: Prices | None = None,
    timeout_seconds: float = 180.0,
) -> ModelClient:
    """The client for `provider:model`.

    The window is the declared one, else what `prices` knows of the model, else a safe default.
    `api_key` None takes the provider's usual environment variable. Raises PolicyError for a name
    that is none, MissingExtraError when the provider's package is not installed.
    """
    provider, found, model = name.partition(":")
    if not found or not model.strip() or provider not in PROVIDERS:
        raise PolicyError(
            f"{name!r} is no 'provider:model'; providers are {', '.join(PROVIDERS)}",
            where="summarizer",
        )
    known = window_tokens
    if known is None and prices is not None:
        known = prices.window_tokens(name) or prices.window_tokens(model)
    makers: dict[str, Callable[..., ModelClient]] = {
        "openai": OpenAIClient,
        "anthropic": AnthropicClient,
        "gemini": GeminiClient,
    }
    return makers[provider](
        model,
        window_tokens=known or SAFE_WINDOW_TOKENS,
        base_url=base_url,
        api_key=api_key,
        timeout_seconds=timeout_seconds,
    )
