"""Every counter keeps the contract, and a setting and a model lead to the right one."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.budget import Chars4Counter, EstimateCounter, Family
from clew.counters import (
    COUNTER_NAMES,
    ScaledCounter,
    SplintrCounter,
    ToktokCounter,
    resolve_counter,
)
from clew.errors import MissingExtraError, PolicyError
from tests.budget.texts import TEXTS
from tests.contracts.counter_contract import CounterContract


class TestEstimateCounter(CounterContract):
    counter = EstimateCounter()


class TestChars4Counter(CounterContract):
    counter = Chars4Counter()


class TestToktokCounter(CounterContract):
    counter = ToktokCounter()


class TestToktokCounterOfQwen(CounterContract):
    counter = ToktokCounter("qwen3.5")


class TestSplintrCounter(CounterContract):
    counter = SplintrCounter("llama3")


class TestScaledCounter(CounterContract):
    counter = ScaledCounter(ToktokCounter(), factor=1.6, family="claude")


@pytest.mark.parametrize("vocabulary", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("kind", TEXTS)
def test_two_implementations_of_a_vocabulary_count_the_same(vocabulary: str, kind: str) -> None:
    other = SplintrCounter(vocabulary).count_text(TEXTS[kind])
    assert ToktokCounter(vocabulary).count_text(TEXTS[kind]) == other


@pytest.mark.parametrize(
    ("vocabulary", "text", "tokens"),
    [("o200k_base", "hello world", 2), ("cl100k_base", "hello world", 2), ("llama3", "a b c", 3)],
)
def test_exact_counts_are_those_of_the_vocabulary(vocabulary: str, text: str, tokens: int) -> None:
    assert resolve_counter(vocabulary).count_text(text) == tokens


def test_half_a_surrogate_pair_counts_as_the_replacement_character() -> None:
    counter = ToktokCounter()
    assert counter.count_text("a\ud800b") == counter.count_text("a\ufffdb")
    assert counter.count_text("\ud83d\ude00") == counter.count_text("\U0001f600")


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("é" * 8, 2)]
)
def test_four_characters_are_one_token_rounded_up(text: str, tokens: int) -> None:
    assert Chars4Counter().count_text(text) == tokens


@given(text=st.text(max_size=100), tenths=st.integers(10, 30))
def test_a_scaled_count_is_the_factor_times_the_count_rounded_up(text: str, tenths: int) -> None:
    plain = EstimateCounter().count_text(text)
    scaled = ScaledCounter(EstimateCounter(), factor=tenths / 10, family="x").count_text(text)
    assert scaled == -(-plain * tenths // 10)


@pytest.mark.parametrize("name", COUNTER_NAMES)
def test_every_name_gives_the_counter_of_that_name(name: str) -> None:
    assert resolve_counter(name).name == name


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(PolicyError, match="o200k_base"):
        resolve_counter("tokens-please")


@pytest.mark.parametrize(
    ("model", "name", "exact"),
    [
        (None, "o200k_base", True),
        ("gpt-5", "o200k_base", True),
        ("gpt-4", "cl100k_base", True),
        ("gpt-oss-20b", "o200k_harmony", True),
        ("qwen3.5-9b", "qwen3.5", True),
        ("meta-llama/Llama-3.3-70B", "llama3", True),
        ("deepseek-chat", "deepseek_v3", True),
        ("claude-opus-5", "o200k_base x 1.6 (claude)", False),
        ("anthropic:claude-sonnet-4-5", "o200k_base x 1.25 (claude-3)", False),
        ("house-model-7", "o200k_base x 1.15 (unknown)", False),
    ],
)
def test_a_model_leads_to_its_vocabulary_or_to_a_scaled_count(
    model: str | None, name: str, exact: bool
) -> None:
    counter = resolve_counter(None, model)
    assert (counter.name, counter.exact) == (name, exact)


def test_a_named_counter_is_not_scaled_for_the_model() -> None:
    assert resolve_counter("chars4", "claude-opus-5").count_text("abcdefgh") == 2


def test_a_family_of_the_user_is_used() -> None:
    own = Family(name="house", pattern="^house-", factor=2.0)
    assert resolve_counter(None, "house-7", families=(own,)).count_text("hello world") == 4


class WordCounter:
    """Counts words."""

    name = "words"
    exact = False

    def count_text(self, text: str) -> int:
        return len(text.split())

    def count_texts(self, texts: Sequence[str]) -> list[int]:
        return [self.count_text(text) for text in texts]


def test_a_counter_of_the_user_is_taken_as_it_is() -> None:
    own = WordCounter()
    assert resolve_counter(own, "claude-opus-5") is own


@pytest.fixture
def no_tokenizers(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    absent = ("toktok", "splintr")
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, package=None: None if name in absent else find(name, package),
    )


@pytest.mark.usefixtures("no_tokenizers")
@pytest.mark.parametrize(
    ("model", "name"),
    [
        (None, "estimate"),
        ("gpt-5", "estimate"),
        ("claude-opus-5", "estimate x 1.6 (claude)"),
        ("gemma-3-27b", "estimate x 1.3 (gemini)"),
    ],
)
def test_without_any_tokenizer_the_estimate_stands_in(model: str | None, name: str) -> None:
    assert resolve_counter(None, model).name == name


@pytest.mark.usefixtures("no_tokenizers")
@pytest.mark.parametrize(
    ("name", "package"), [("o200k_base", "toktok-rs"), ("llama3", "splintr-rs")]
)
def test_a_named_vocabulary_that_is_not_installed_says_what_to_install(
    name: str, package: str
) -> None:
    with pytest.raises(MissingExtraError, match=package):
        resolve_counter(name)
