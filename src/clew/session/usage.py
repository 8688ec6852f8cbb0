"""Reading the usage that providers report, in each of their shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def input_tokens(usage: Any) -> int | None:
    """All input tokens of one request, cached or not; None when the value holds none.

    Understands OpenAI (`prompt_tokens` or `input_tokens`, cached ones included), Anthropic
    (`input_tokens` with `cache_read_input_tokens` and `cache_creation_input_tokens` beside it),
    Gemini (`prompt_token_count`, `promptTokenCount`), and a plain number.
    """
    if isinstance(usage, bool) or usage is None:
        return None
    if isinstance(usage, int):
        return usage
    plain = usage if isinstance(usage, Mapping) else _attributes(usage)
    for name in ("prompt_tokens", "prompt_token_count", "promptTokenCount"):
        if _count(plain.get(name)) is not None:
            return _count(plain.get(name))
    base = _count(plain.get("input_tokens"))
    if base is None:
        return None
    cached = _count(plain.get("cache_read_input_tokens")) or 0
    written = _count(plain.get("cache_creation_input_tokens")) or 0
    return base + cached + written


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _attributes(usage: Any) -> Mapping[str, Any]:
    if hasattr(usage, "model_dump"):
        dumped = usage.model_dump()
        return dumped if isinstance(dumped, Mapping) else {}
    return vars(usage) if hasattr(usage, "__dict__") else {}
