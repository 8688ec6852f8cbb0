"""A model name leads to the tokenizer family it belongs to."""

from __future__ import annotations

import re

import pytest

from clew.budget import FAMILIES, Family, family_of


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-5", "openai-o200k"),
        ("openai/gpt-4o-mini", "openai-o200k"),
        ("openai:gpt-4.1", "openai-o200k"),
        ("o3-mini", "openai-o200k"),
        ("gpt-4-turbo", "openai-cl100k"),
        ("gpt-3.5-turbo", "openai-cl100k"),
        ("openai/gpt-oss-20b", "gpt-oss"),
        ("claude-3-5-sonnet-latest", "claude-3"),
        ("anthropic:claude-sonnet-4-20250514", "claude-3"),
        ("claude-sonnet-4-5", "claude-3"),
        ("anthropic/claude-sonnet-4.5", "claude-3"),
        ("claude-haiku-4-5-20251001", "claude-3"),
        ("claude-opus-4-7", "claude"),
        ("claude-opus-4-8-20260601", "claude"),
        ("anthropic/claude-opus-4.8", "claude"),
        ("claude-sonnet-5", "claude"),
        ("Claude-Opus-5-5", "claude"),
        ("models/gemini-2.5-pro", "gemini"),
        ("gemma-3-27b-it", "gemini"),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama3"),
        ("llama-4-maverick", "llama4"),
        ("qwen3-coder", "qwen"),
        ("Qwen3.5-35B", "qwen3.5"),
        ("deepseek-chat", "deepseek"),
        ("glm-4.6", "glm"),
        ("moonshotai/kimi-k2", "kimi"),
        ("devstral-small", "mistral"),
        ("house-model-7", "unknown"),
    ],
)
def test_a_model_name_leads_to_its_family(model: str, family: str) -> None:
    assert family_of(model).name == family


def test_a_family_of_the_user_goes_before_the_table() -> None:
    own = Family(name="own", pattern="^gpt-5-house", factor=2.0)
    assert family_of("gpt-5-house-b", extra=(own,)) is own
    assert family_of("gpt-5", extra=(own,)).name == "openai-o200k"


def test_no_family_undercuts_o200k_and_every_pattern_compiles() -> None:
    for family in FAMILIES:
        assert 1 <= family.factor <= 2
        assert re.compile(family.pattern).groups >= 0
