"""The window that a refused request names.

Providers answer an oversize request with a sentence that holds their limit. Only sentences about
a context or prompt length count: a rate limit also speaks of tokens and is no window.
"""

from __future__ import annotations

import re
from typing import Final

_READ_CHARS: Final = 4_000
_LEAST_TOKENS: Final = 256
_MOST_TOKENS: Final = 100_000_000

_NUMBER: Final = r"(\d{1,3}(?:[,_]\d{3})+|\d{3,9})(?!\d)"

_PATTERNS: Final = tuple(
    re.compile(pattern.replace("NUMBER", _NUMBER), re.IGNORECASE)
    for pattern in (
        # OpenAI, Azure, vLLM, OpenRouter, Mistral, xAI
        r"maximum (?:context|prompt|input|model|sequence) length(?: of| is|:)?\s*(?:only )?NUMBER",
        r"with NUMBER maximum context length",
        # Anthropic
        r"prompt is too long:\s*[\d,_]+ tokens\s*>\s*NUMBER",
        r"exceed context limit:[\s\d,_+]{1,40}>\s*NUMBER",
        # Gemini
        r"exceeds? the maximum number of (?:input )?tokens (?:allowed|supported)\W{0,4}NUMBER",
        # llama.cpp, LM Studio, Ollama
        r"\"?n_ctx\"?\W{1,4}NUMBER",
        r"context (?:size|length|window)(?: of| is)?\W{0,3}(?:only )?NUMBER",
        r"(?:context length|context window|context size) limit(?: of| is|:)?\s*NUMBER",
        # Moonshot, Copilot and other gateways
        r"exceeded model token limit\W{0,3}NUMBER",
        r"prompt token count of [\d,_]+ exceeds the limit of NUMBER",
        # Text Generation Inference, Together
        r"`?max_new_tokens`? must be <=?\s*NUMBER",
        r"`?inputs`? must have less than NUMBER tokens",
    )
)


def window_in_refusal(text: str) -> int | None:
    """Window in tokens that the text of a refusal names; None when it names none.

    Only the first 4,000 characters are read. The text is data: nothing but a number leaves it.
    """
    head = text[:_READ_CHARS]
    for pattern in _PATTERNS:
        found = pattern.search(head)
        if found is None:
            continue
        tokens = int(re.sub(r"[,_]", "", found.group(1)))
        if _LEAST_TOKENS <= tokens <= _MOST_TOKENS:
            return tokens
    return None
