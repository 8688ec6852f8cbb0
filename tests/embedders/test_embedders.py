"""A text of like meaning is near, in a vector of signed bytes; the model is read from packages."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew import embedders
from clew.embedders import MiniLmEmbedder, closeness, minilm, resolve_embedder
from clew.errors import MissingExtraError, PolicyError
from clew.ports import Embedder

COMPONENTS = st.lists(st.integers(-127, 127), min_size=3, max_size=3)


def packed(values: list[int]) -> bytes:
    return bytes(value & 0xFF for value in values)


@given(COMPONENTS, st.lists(COMPONENTS, max_size=5))
def test_closeness_is_the_product_of_the_components(
    query: list[int], rows: list[list[int]]
) -> None:
    found = closeness(packed(query), [packed(row) for row in rows])
    expected = [sum(a * b for a, b in zip(query, row, strict=True)) / 127**2 for row in rows]
    assert found == pytest.approx(expected, abs=1e-3)


def test_a_name_is_resolved_and_an_embedder_taken_as_it_is() -> None:
    one = resolve_embedder("minilm")
    assert isinstance(one, Embedder)
    assert resolve_embedder(one) is one
    assert resolve_embedder(None) is None
    with pytest.raises(PolicyError, match="'big' is not one of minilm"):
        resolve_embedder("big")


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "_RUNTIME", ("onnxruntime", "clew_no_such_package"))
    assert not embedders.minilm_installed()
    with pytest.raises(MissingExtraError, match=r"clew_no_such_package.*clew\[embeddings\]"):
        MiniLmEmbedder()
    monkeypatch.setattr(minilm, "_RUNTIME", ())
    monkeypatch.setattr(minilm, "_WEIGHTS", ("no_such_weights", "model.onnx"))
    with pytest.raises(MissingExtraError, match="no-such-weights"):
        MiniLmEmbedder()


def test_the_model_puts_like_meaning_near() -> None:
    model = MiniLmEmbedder()
    said = [
        "We keep raw statements for the reports.",
        "The cat sat on the mat.",
        "",
        "lone \ud800 surrogate",
        "word " * 5_000,
    ]
    vectors = model.embed(said)
    assert [len(vector) for vector in vectors] == [384] * len(said)
    lengths = [math.hypot(*(v - 256 if v > 127 else v for v in vector)) for vector in vectors]
    assert lengths == pytest.approx([127] * len(said), rel=0.03)
    (asked,) = model.embed(["Does reporting still use plain SQL queries?"])
    near = closeness(asked, vectors)
    assert near[0] == max(near)
    assert model.embed([said[1]]) == [model.embed(said[:2])[1]]
    assert model.embed([]) == []
