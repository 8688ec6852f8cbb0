"""The store in memory and the one in a file give the same answers, in the same order."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from clew.ports import Checkpoint, Span
from clew.store import MemoryStore, SqliteStore
from tests.store.samples import checkpoint, item, span

WORDS = st.sampled_from(
    [
        "alpha",
        "beta",
        "src/gamma.py",
        "数据库",
        "delta_epsilon",
        "zetaEta",
        "PROJ-13",
        "9.81",
        "the",
    ]
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)
QUERIES = st.one_of(TEXTS, st.text(max_size=12), st.sampled_from(["S-3", "D-1", "gamma.py", '"']))
SPANS = st.lists(
    st.one_of(
        st.builds(span, st.integers(1, 60), TEXTS, label=TEXTS),
        st.builds(item, st.sampled_from(["D-1", "D-2", "F-1"]), TEXTS),
    ),
    max_size=6,
    unique_by=lambda each: each.handle,
)
STEPS = st.lists(st.tuples(SPANS, st.integers(0, 30), QUERIES), min_size=1, max_size=12)


def archive(steps: list[tuple[list[Span], int, str]]) -> list[tuple[Checkpoint, str]]:
    """Checkpoints in a tree, each with a question that is asked behind it."""
    made: list[Checkpoint] = []
    for number, (spans, place, _) in enumerate(steps):
        parent = made[place % len(made)] if made and place else None
        made.append(
            checkpoint(
                f"c{number}",
                parent=parent.checkpoint_id if parent is not None else None,
                depth=parent.depth + 1 if parent is not None else 1,
                spans=spans,
            )
        )
    return [(each, query) for each, (_, _, query) in zip(made, steps, strict=True)]


@given(steps=STEPS, often=st.booleans())
def test_search_gives_the_same_hits_in_the_same_order(
    steps: list[tuple[list[Span], int, str]], often: bool
) -> None:
    made = archive(steps)
    with tempfile.TemporaryDirectory() as folder:
        memory, file = MemoryStore(), SqliteStore(Path(folder) / "clew.db")
        for each, query in made:
            assert memory.commit(each, []) == file.commit(each, [])
            if often:  # what is indexed before a search, and what by it, makes no difference
                name = each.checkpoint_id
                assert memory.search(name, query) == file.search(name, query)
        other = SqliteStore(Path(folder) / "clew.db", read_only=True)
        for at, (each, _) in enumerate(made):
            # The questions go round: each is asked at four places, and four at each place.
            for _, query in [*made, *made][at : at + 4]:
                hits = memory.search(each.checkpoint_id, query, limit=5)
                assert hits == file.search(each.checkpoint_id, query, limit=5)
                assert hits == other.search(each.checkpoint_id, query, limit=5)
        for store in (memory, file, other):
            store.close()
