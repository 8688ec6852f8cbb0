"""What every token counter promises; subclass it and give the counter."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.ports import TokenCounter

any_text = st.text(st.characters(codec=None), max_size=200)
"""Any str that Python can hold, halves of surrogate pairs included."""


inherited = settings(suppress_health_check=[HealthCheck.differing_executors])
"""A property that every subclass inherits runs once in each: that is the point."""


class CounterContract:
    """The promises of `clew.ports.TokenCounter`."""

    counter: TokenCounter

    def test_it_is_a_token_counter_with_a_name(self) -> None:
        assert isinstance(self.counter, TokenCounter)
        assert self.counter.name
        assert self.counter.exact in (True, False)

    def test_the_empty_text_is_free(self) -> None:
        assert self.counter.count_text("") == 0
        assert self.counter.count_texts([]) == []
        assert self.counter.count_texts(["", ""]) == [0, 0]

    @inherited
    @given(text=any_text)
    def test_any_text_has_a_count_and_the_same_one_each_time(self, text: str) -> None:
        tokens = self.counter.count_text(text)
        assert tokens >= (1 if text else 0)
        assert self.counter.count_text(text) == tokens

    @inherited
    @given(texts=st.lists(any_text, max_size=6))
    def test_a_batch_counts_as_its_texts_do_one_by_one(self, texts: list[str]) -> None:
        assert self.counter.count_texts(texts) == [self.counter.count_text(t) for t in texts]

    @pytest.mark.parametrize("text", ["a\ud83d", "\udcff\udcfe", "ok \udc80 ok", "\ud800" * 50])
    def test_half_a_surrogate_pair_is_counted(self, text: str) -> None:
        assert self.counter.count_text(text) > 0

    def test_the_name_of_a_special_token_is_ordinary_text(self) -> None:
        assert self.counter.count_text("<|endoftext|><|im_start|>") > 2

    def test_more_words_cost_more(self) -> None:
        sentence = "The exporter keeps the offset of the last row it wrote. "
        assert self.counter.count_text(sentence * 40) > 20 * self.counter.count_text(sentence)

    def test_two_thousand_messages_take_no_noticeable_time(self) -> None:
        messages = [f"{number}: the exporter wrote row {number}. " * 20 for number in range(2_000)]
        self.counter.count_text("load")
        started = time.process_time()
        counts = self.counter.count_texts(messages)
        assert time.process_time() - started < 5
        assert len(counts) == 2_000
