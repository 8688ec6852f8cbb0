"""With an embedder, search finds what is said in other words, and still a name by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from clew.history import History
from clew.ports import Hit, Span, Store
from clew.session.meaning import EMBEDDED_AT_ONCE, Meaning, fused
from clew.session.paging import Pager
from clew.store import MemoryStore, SqliteStore
from tests.store.samples import checkpoint, item, span

TOPICS = (("boat", "ship", "vessel"), ("tea", "coffee", "drink"), ("tax", "invoice", "billing"))


class Topics:
    """A model of three dimensions, one for each topic; counts the texts it was given."""

    name = "topics-1"

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.read += texts
        return [bytes(127 * any(w in text.lower() for w in words) for words in TOPICS)
                for text in texts]  # fmt: skip


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "x.db")
    with closing(made):
        yield made


def found(store: Store, model: Topics, name: str, query: str, **how: object) -> list[str]:
    newest = store.checkpoint(name)
    assert newest is not None
    hits = Pager(store, model).search(query, History.at(newest), limit=10, **how)  # type: ignore[arg-type] # the keywords of search
    return [hit.handle for hit in hits]


def test_finds_what_shares_no_word_and_makes_each_vector_once(store: Store) -> None:
    spans = [span(1, "the ship sank"), span(20, "coffee is cold"), span(40, "BILL-7 is open")]
    store.commit(checkpoint("a", spans=spans), [])
    model = Topics()
    assert found(store, model, "a", "a vessel")[0] == "S-1"
    assert found(store, model, "a", "drink")[0] == "S-20"
    assert found(store, model, "a", "what of BILL-7")[0] == "S-40"
    assert sorted(model.read) == sorted(
        [*(one.text for one in spans), "a vessel", "drink", "what of BILL-7"]
    )


def test_vectors_outlive_the_process_and_belong_to_one_model(store: Store) -> None:
    store.commit(checkpoint("a", spans=[span(1, "the ship sank")]), [])
    found(store, Topics(), "a", "vessel")
    later, other = Topics(), Topics()
    other.name = "topics-2"
    assert found(store, later, "a", "vessel") == ["S-1"]
    assert later.read == ["vessel"]
    assert found(store, other, "a", "vessel") == ["S-1"]
    assert other.read == ["the ship sank", "vessel"]


def test_sees_the_ancestry_only_the_newest_wording_and_the_kinds_asked_for(store: Store) -> None:
    store.commit(checkpoint("a", spans=[span(1, "a ship"), item("D-1", "buy a boat")]), [])
    store.commit(checkpoint("b", parent="a", depth=2, spans=[item("D-1", "drink tea")]), [])
    store.commit(checkpoint("c", key="fork", spans=[span(9, "a boat elsewhere")]), [])
    model = Topics()
    assert set(found(store, model, "a", "vessel")) == {"S-1", "D-1"}
    assert found(store, model, "b", "vessel")[0] == "S-1"
    assert found(store, model, "b", "vessel", kinds=["decision"]) == ["D-1"]
    assert found(store, model, "c", "vessel") == ["S-9"]


def test_one_search_makes_a_bounded_number_of_vectors(store: Store) -> None:
    spans = [span(n, f"ship {n}") for n in range(1, 301)]
    store.commit(checkpoint("a", spans=spans), [])
    model = Topics()
    meaning = Meaning(model, store)
    meaning.near("a", "vessel")
    assert len(model.read) == EMBEDDED_AT_ONCE + 1
    assert meaning.embed("a", 100) == 300 - EMBEDDED_AT_ONCE - 100
    assert meaning.embed("a") == 0
    assert meaning.embed("unknown") == 0
    assert len(model.read) == 301


def test_nothing_is_embedded_before_a_search_and_nothing_for_no_words(store: Store) -> None:
    store.commit(checkpoint("a", spans=[span(1, "the ship sank")]), [])
    model = Topics()
    assert found(store, model, "a", "  ") == []
    assert model.read == []


def test_a_name_found_exactly_stays_before_what_only_sounds_alike() -> None:
    exact = Hit(handle="S-1", kind="span", excerpt="run_3", score=7.0)
    alike = Span(handle="S-2", position=2, digests=(), text="running things\nmore")
    hits = fused([exact], [(alike, 0.6)], 5)
    assert [hit.handle for hit in hits] == ["S-1", "S-2"]
    assert hits[1].excerpt == "running things"
    assert fused([exact], [(alike, 0.6)], 1) == hits[:1]
    assert fused([], [], 5) == []


def test_a_message_leans_on_the_nearest_of_three_on_either_side(store: Store) -> None:
    """In the order they were said, whatever lies between, but over no longer a stretch."""
    others = ("tea", "tea", "tea", "ship", "tea", "tea", "tea", "tea")
    store.commit(checkpoint("a", spans=[span(9 * n, t) for n, t in enumerate(others, 1)]), [])
    near = {one.handle: value for one, value in Meaning(Topics(), store).near("a", "vessel")}
    assert near["S-36"] == pytest.approx(1.0)
    assert [near[f"S-{9 * n}"] for n in (1, 3, 5, 7)] == pytest.approx([0.5] * 4)
    assert near["S-72"] == pytest.approx(0.0)


def test_a_hit_by_words_counts_with_its_closeness_however_many_are_nearer(store: Store) -> None:
    spans = [span(2 * n, f"ship {n}") for n in range(1, 101)]
    store.commit(checkpoint("a", spans=[*spans, span(999, "vessel of tea")]), [])
    model = Topics()
    meaning = Meaning(model, store)
    near = meaning.near("a", "a drink and a vessel", also={"S-999", "S-2"})
    assert {"S-999", "S-2"} <= {one.handle for one, _ in near}
    assert found(store, model, "a", "vessel")[0] == "S-999"
