"""The window is the one that deserves the most trust, and says where it comes from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import BudgetError
from clew.prices import (
    SAFE_WINDOW_TOKENS,
    Catalogue,
    ResolvedWindow,
    WindowSource,
    resolve_window,
    window_in_refusal,
)

LISTED = Catalogue(windows={"big": 1_000_000}, outputs={"big": 384_000})
REFUSAL = "This model's maximum context length is 49,152 tokens. However, you requested 60,000."


def test_what_the_user_declared_is_never_raised_by_a_name_match() -> None:
    window = resolve_window(declared=32_768, refusal=REFUSAL, model="big", catalogue=LISTED)
    assert window == ResolvedWindow(tokens=32_768, source=WindowSource.DECLARED)


def test_without_a_declaration_a_refusal_goes_before_the_catalogue() -> None:
    window = resolve_window(refusal=REFUSAL, model="big", catalogue=LISTED)
    assert window == ResolvedWindow(tokens=49_152, source=WindowSource.REFUSAL)


def test_what_the_server_reports_goes_before_the_catalogue() -> None:
    window = resolve_window(reported=16_384, model="big", catalogue=LISTED)
    assert window == ResolvedWindow(tokens=16_384, source=WindowSource.REPORTED)


def test_the_catalogue_answers_when_nobody_else_does() -> None:
    window = resolve_window(model="big", catalogue=LISTED)
    assert window == ResolvedWindow(tokens=1_000_000, source=WindowSource.CATALOGUE)


@pytest.mark.parametrize("model", [None, "house-model-7"])
def test_an_unknown_model_gets_a_small_window_and_a_warning(model: str | None) -> None:
    window = resolve_window(model=model, catalogue=LISTED)
    assert window.tokens == SAFE_WINDOW_TOKENS
    assert window.source is WindowSource.DEFAULT
    assert "32,768" in window.warning


@pytest.mark.parametrize("claim", ["declared", "reported"])
def test_a_refusal_that_names_less_lowers_a_claim_with_a_warning(claim: str) -> None:
    claims = {claim: 200_000}
    window = resolve_window(
        declared=claims.get("declared"), reported=claims.get("reported"), refusal=49_152
    )
    assert (window.tokens, window.source) == (49_152, WindowSource.REFUSAL)
    assert "200,000" in window.warning
    assert claim in window.warning


def test_a_refusal_that_names_no_number_changes_nothing() -> None:
    window = resolve_window(declared=8_192, refusal="Input is too long for requested model.")
    assert window == ResolvedWindow(tokens=8_192, source=WindowSource.DECLARED)


@pytest.mark.parametrize("claims", [{"declared": 0}, {"reported": -1}, {"refusal": 0}])
def test_a_window_that_is_not_positive_is_refused(claims: dict[str, int]) -> None:
    with pytest.raises(BudgetError, match="not positive"):
        resolve_window(
            declared=claims.get("declared"),
            reported=claims.get("reported"),
            refusal=claims.get("refusal"),
        )


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (
            (
                "This model's maximum context length is 128000 tokens. However, your messages "
                "resulted in 135201 tokens. Please reduce the length of the messages."
            ),
            128_000,
        ),
        (
            (
                "This model's maximum context length is 8192 tokens, however you requested 9301 "
                "tokens (8301 in your prompt; 1000 for the completion)."
            ),
            8_192,
        ),
        ("prompt is too long: 215422 tokens > 200000 maximum", 200_000),
        (
            (
                "input length and `max_tokens` exceed context limit: 190012 + 20000 > 200000, "
                "decrease input length or `max_tokens` and try again"
            ),
            200_000,
        ),
        (
            (
                "The input token count (1200345) exceeds the maximum number of tokens allowed "
                "(1048576)."
            ),
            1_048_576,
        ),
        (
            (
                '{"error":{"code":400,"message":"the request exceeds the available context size, '
                'try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9001,'
                '"n_ctx":4096}}'
            ),
            4_096,
        ),
        ("request (9001 tokens) exceeds the available context size (4096 tokens)", 4_096),
        (
            "The decoder prompt (length 5012) is longer than the maximum model length of 4096.",
            4_096,
        ),
        (
            "Prompt contains 40123 tokens, too large for model with 32768 maximum context length",
            32_768,
        ),
        (
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            131_072,
        ),
        (
            (
                "Trying to keep the first 9123 tokens when context the overflows. However, the "
                "model is loaded with context length of only 4096 tokens, which is not enough"
            ),
            4_096,
        ),
        ("Invalid request: Your request exceeded model token limit: 262144", 262_144),
        ("prompt token count of 150321 exceeds the limit of 128000", 128_000),
        ("`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000", 8_193),
        (REFUSAL, 49_152),
    ],
)
def test_a_refusal_names_the_window(text: str, tokens: int) -> None:
    assert window_in_refusal(text) == tokens


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Input is too long for requested model.",
        "Rate limit reached: tokens per minute (TPM): Limit 6000, Requested 7012.",
        "invalid params, context window exceeds limit (2013)",
        "max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens",
        "maximum context length is 12 tokens",
        "maximum context length is 99999999999999 tokens",
    ],
)
def test_other_numbers_are_no_window(text: str) -> None:
    assert window_in_refusal(text) is None


@given(text=st.text(max_size=200), number=st.integers())
def test_any_text_gives_a_plausible_window_or_none(text: str, number: int) -> None:
    for sentence in (text, f"maximum context length is {number} {text}"):
        tokens = window_in_refusal(sentence)
        assert tokens is None or 256 <= tokens <= 100_000_000
