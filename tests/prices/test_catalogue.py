"""The offline catalogue knows hosted models, and the user knows better."""

from __future__ import annotations

import pytest

from clew.ports import Rates
from clew.prices import Catalogue


@pytest.mark.parametrize(
    "model",
    [
        "claude-sonnet-4-5",
        "anthropic:claude-sonnet-4-5",
        "anthropic/claude-sonnet-4-5",
        "claude-sonnet-4-5-20250929",
    ],
)
def test_a_hosted_model_is_found_under_each_of_its_names(model: str) -> None:
    catalogue = Catalogue()
    assert catalogue.window_tokens(model) == 200_000
    assert catalogue.rates(model) == Rates(
        input=3.0, output=15.0, cached_read=0.3, cache_write=3.75
    )


def test_a_cache_write_without_a_price_of_its_own_costs_plain_input() -> None:
    rates = Catalogue().rates("gpt-5")
    assert rates is not None
    assert rates.cache_write == rates.input
    assert rates.cached_read < rates.input < rates.output


def test_a_window_missing_at_the_maker_is_taken_from_who_else_serves_the_model() -> None:
    assert Catalogue().window_tokens("google:gemini-2.5-pro") == 1_048_576


@pytest.mark.parametrize("model", ["house-model-7", "", ":", "nobody:nothing", "a/b/c"])
def test_an_unknown_model_is_unknown(model: str) -> None:
    catalogue = Catalogue()
    assert catalogue.window_tokens(model) is None
    assert catalogue.output_tokens(model) is None
    assert catalogue.rates(model) is None


def test_what_the_user_states_goes_before_the_catalogue() -> None:
    own = Rates(input=1.0, output=2.0, cached_read=0.5, cache_write=1.5)
    catalogue = Catalogue(windows={"gpt-5": 32_768}, outputs={"gpt-5": 4_096}, rates={"gpt-5": own})
    assert catalogue.window_tokens("gpt-5") == 32_768
    assert catalogue.output_tokens("gpt-5") == 4_096
    assert catalogue.rates("gpt-5") is own
