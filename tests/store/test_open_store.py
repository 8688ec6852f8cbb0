"""A store is named by a path, a URL, nothing, or itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.errors import StoreError, StoreReadOnlyError
from clew.store import MemoryStore, SqliteStore, open_store
from tests.store.samples import checkpoint


def test_nothing_is_a_new_store_in_memory_each_time() -> None:
    one, two = open_store(None), open_store(None)
    assert isinstance(one, MemoryStore)
    one.commit(checkpoint("a"), [])
    assert two.checkpoint("a") is None
    assert one.location == "memory"


def test_a_store_is_given_back_as_it_is() -> None:
    store = MemoryStore()
    assert open_store(store) is store


@pytest.mark.parametrize(
    ("spec", "file"),
    [
        ("clew.db", "clew.db"),
        ("sub dir/ä?#%41.db", "sub dir/ä?#%41.db"),
        ("sqlite:///clew.db", "clew.db"),
        ("SQLITE:///sub%20dir/x.db", "sub dir/x.db"),
        ("sqlite:///{tmp}/absolute.db", "absolute.db"),
    ],
)
def test_a_path_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str, file: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub dir").mkdir()
    store = open_store(spec.replace("{tmp}", str(tmp_path)))
    assert isinstance(store, SqliteStore)
    assert (tmp_path / file).is_file()
    store.close()


def test_a_file_can_be_opened_to_read_only(tmp_path: Path) -> None:
    open_store(str(tmp_path / "x.db")).close()
    store = open_store(f"sqlite:///{tmp_path}/x.db?mode=ro")
    with pytest.raises(StoreReadOnlyError):
        store.add_note("s", "{}")
    store.close()


@pytest.mark.parametrize(
    "spec",
    ["", "  ", "a\0b", "sqlite://host/x.db", "sqlite:///", "sqlite:///x.db?mode=rwc", "redis://x"],
)
def test_a_spec_that_names_nothing_is_refused(spec: str) -> None:
    with pytest.raises(StoreError, match="name"):
        open_store(spec)
